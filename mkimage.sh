#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# mkimage.sh - pack what a guest boots from, the same bytes for the same input
#
# The image is a cpio archive of /init, the probes, busybox, the scenarios and
# the modules that a kernel needs.  It is packed without root, kept under a
# name made of its contents, so that an old run finds its own image again, and
# found by a key made of its inputs, so that the second call packs nothing.
#
# Needs:   what `make deps` installs, and `make guest host` before it
# Output:  the image's path on standard output, and nothing else
# Status:  0 done, 128 the host is in the way, 129 wrong usage, 130 interrupted

set -eu

prog=${0##*/}
top=$(dirname -- "$(realpath -- "$0")")
modules='' out='' disk='' disk_mib=80 list=false
second='' scenario='' name='' command='' cmdline='' more=''
# shellcheck source=host/script.sh
. "$top/host/script.sh"

usage() {
	cat <<-EOF
	Usage: $prog [OPTION...]

	Print the path of an initramfs in BUILD/images, packing it if need be.

	  --modules DIR    add the modules that the guest needs, from the tree
	                   lib/modules/RELEASE of the kernel
	  --out FILE       put a copy of the image there, and print its path
	  --list           print what is in the image instead of its path

	  --disk FILE      make an empty results disk too
	  --disk-mib N     its size, 8 to 65536 MiB (default: $disk_mib); it is sparse

	  --second FILE    make the archive of one run too, which goes behind the
	                   image, out of
	  --scenario FILE    a scenario from outside the image,
	  --name NAME        which gets this name in it,
	  --command TEXT     a command for the guest's shell,
	  --cmdline TEXT     the kv.* parameters, for a kernel without /proc,
	  --more LIST        what else a list for \`kverdict cpio\` names

	Variables: BUILD (what make built, default: $top/build),
	BUSYBOX (the static busybox to pack, default: the one in PATH)
	EOF
}

need() {
	command -v "$1" >/dev/null || die "$1 is not installed: run make deps"
}

parse_options() {
	while [ $# -gt 0 ]; do
		case $1 in
		--help) usage; exit 0 ;;
		--list) list=true; shift; continue ;;
		--modules | --out | --disk | --disk-mib | --second | \
			--scenario | --name | --command | --cmdline | --more) ;;
		*) bad_usage "unknown option $1" ;;
		esac
		[ $# -ge 2 ] || bad_usage "$1 needs a value"
		case $1 in
		--modules) modules=$2 ;;
		--out) out=$2 ;;
		--disk) disk=$2 ;;
		--disk-mib) disk_mib=$2 ;;
		--second) second=$2 ;;
		--scenario) scenario=$2 ;;
		--name) name=$2 ;;
		--command) command=$2 ;;
		--cmdline) cmdline=$2 ;;
		--more) more=$2 ;;
		esac
		shift 2
	done
}

check_options() {
	case $disk_mib in
	'' | *[!0-9]* | ??????*) bad_usage "--disk-mib $disk_mib is no size" ;;
	esac
	if [ "$disk_mib" -lt 8 ] || [ "$disk_mib" -gt 65536 ]; then
		bad_usage "--disk-mib $disk_mib is not within 8 to 65536"
	fi
	[ -z "$scenario$name$command$cmdline$more" ] || [ -n "$second" ] ||
		bad_usage "what goes into the second archive needs --second"
	[ -n "$scenario" ] || [ -z "$name" ] ||
		bad_usage "--name needs --scenario"
	[ -z "$scenario" ] || [ -f "$scenario" ] ||
		bad_usage "no scenario file $scenario"
	[ -z "$scenario" ] || case $name in
	'' | *[!A-Za-z0-9._-]*)
		bad_usage "--scenario needs a --name of letters, digits, . _ -"
		;;
	esac
	[ -z "$modules" ] || [ -d "$modules/kernel" ] ||
		[ -f "$modules/modules.order" ] ||
		bad_usage "$modules is no lib/modules/RELEASE tree"
}

find_programs() {
	build=${BUILD:-$top/build}
	for program in guest/init guest/probe host/kverdict; do
		[ -x "$build/$program" ] ||
			die "$build/$program is missing: run make"
	done
	build=$(CDPATH='' cd -- "$build" && pwd)
	busybox=${BUSYBOX:-$(command -v busybox || :)}
	[ -n "$busybox" ] || die "busybox is not installed: run make deps"
	[ -x "$busybox" ] || die "$busybox cannot be run"
}

kverdict() {
	"$build/host/kverdict" "$@" || exit
}

# Does tree $1 have an index of its own, made after the modules?
has_index() {
	[ -f "$1/modules.softdep" ] && [ -f "$1/modules.builtin.bin" ] &&
		[ -n "$(find "$1/modules.dep.bin" \
			-newer "$1/modules.order" 2>/dev/null)" ]
}

# A way of packing that tree $1 uses and this kmod was built without: Debian's
# cannot read .ko.gz, and skips such modules without a word.
foreign_suffix() {
	features=$(depmod --version)
	for pair in gz:ZLIB xz:XZ zst:ZSTD; do
		case $features in
		*"+${pair#*:}"*) continue ;;
		esac
		if [ -n "$(find "$1/" -name "*.ko.${pair%:*}" -print -quit)" ]; then
			printf '%s\n' "${pair%:*}"
			return
		fi
	done
}

# Put a copy of folder $1 of the tree into the view, its modules unpacked.
copy_unpacked() {
	(cd "$tree" && find "$1" -name '*.ko*' -type f) |
		while IFS= read -r file; do
			copy=$view/lib/modules/0.0/${file%.ko*}.ko
			mkdir -p "${copy%/*}"
			unpack_module "$tree/$file" "$copy"
		done
}

# unpack_module FROM TO: as the kernel wants it
unpack_module() {
	case $1 in
	*.ko) cp -- "$1" "$2" ;;
	*.gz) need gzip; gzip -dc -- "$1" >"$2" ;;
	*.xz) need xz; xz -dc -- "$1" >"$2" ;;
	*.zst) need zstd; zstd -dcq -- "$1" >"$2" ;;
	*) die "$1 is packed in an unknown way" ;;
	esac || die "$1 cannot be unpacked"
	head -c 4 "$2" | cmp -s - "$scratch/elf" ||
		die "$1 is damaged: it is no ELF file"
}

# make_view TREE VIEW: links to what depmod and modprobe read, in place of a
# copy of hundreds of MB, and beside them depmod's index.  "0.0" passes for a
# release; newer kmod looks below usr/.
make_view() {
	tree=$1
	view=$2
	mkdir -p "$view/lib/modules" "$view/usr" "$view/config"
	ln -s ../lib "$view/usr/lib"
	if has_index "$tree"; then
		ln -s "$tree" "$view/lib/modules/0.0"
		return
	fi
	mkdir "$view/lib/modules/0.0"
	need depmod
	suffix=$(foreign_suffix "$tree")
	for entry in "$tree"/*; do
		case ${entry##*/} in
		build | source) continue ;;
		modules.order | modules.builtin | modules.builtin.modinfo) ;;
		modules.*) continue ;;
		*)
			[ -z "$suffix" ] || {
				copy_unpacked "${entry##*/}"
				continue
			}
			;;
		esac
		ln -s "$entry" "$view/lib/modules/0.0/"
	done
	said=$(depmod -b "$view" -C "$view/config" 0.0 2>&1) ||
		die "depmod cannot index $tree in $view: $(printf '%s' "$said" | tail -n 1)"
}

# resolve VIEW: print "PATH<TAB>PROBES", the files to load in order, each once,
# with the probes that it is loaded for, or none where every run needs it
resolve() {
	need modprobe
	grep -v '^#' "$top/rootfs/modules.list" | while IFS=: read -r names probes; do
		[ -n "$names" ] || continue
		for module in $names; do
			files=$(modprobe -C "$1/config" -d "$1" -S 0.0 \
				--show-depends "$module" 2>/dev/null) || continue
			printf '%s\n' "$files" |
				sed -n "s/^insmod \(.*[^ ]\) *\$/\1\t$probes/p"
			continue 2
		done
		say "note: no module is named ${names%% *}: built in or missing"
	done >"$1/found"
	awk -F '\t' '
		!($1 in probes) { order[++count] = $1; probes[$1] = $2 " "; next }
		probes[$1] == " " || $2 == "" { probes[$1] = " "; next }
		{ probes[$1] = probes[$1] $2 " " }
		END {
			for (i = 1; i <= count; i++) {
				list = ""
				n = split(probes[order[i]], words, " ")
				for (k = 1; k <= n; k++)
					if (!seen[i, words[k]]++)
						list = list " " words[k]
				print order[i] "\t" list
			}
		}' "$1/found"
}

# stamp PATHS: what the files of a set looked like, to see when they change
stamp() {
	xargs -0 -a "$1" stat -L -c '%s %y %n' -- 2>/dev/null
}

make_module_set() {
	tree=$1
	set=$2
	view=$scratch/view
	new=$scratch/set
	mkdir "$new"
	printf '\177ELF' >"$scratch/elf"
	make_view "$tree" "$view"
	resolve "$view" >"$scratch/closure"
	for index in kernel modules.order modules.builtin modules.dep; do
		[ ! -e "$tree/$index" ] || printf '%s\0' "$tree/$index"
	done >"$new/paths"
	: >"$new/order"
	while IFS='	' read -r path probes; do
		module=${path##*/}
		module=${module%%.ko*}.ko
		unpack_module "$path" "$new/$module"
		printf '%s%s\n' "$module" "$probes" >>"$new/order"
		# Its place in the tree, also where the view has a copy.
		source=$tree/${path#"$view/lib/modules/0.0/"}
		[ -e "$source" ] || source=$(ls -- "$source".*)
		printf '%s\0' "$source" >>"$new/paths"
	done <"$scratch/closure"
	stamp "$new/paths" >"$new/stamp" || die "$tree changes: try again"
	rm -rf -- "$set"
	# Another call may have been faster; its set is as good.
	mv -T -- "$new" "$set" 2>/dev/null || [ -f "$set/stamp" ] ||
		die "$set cannot be written"
}

# Set $module_set to the folder of the unpacked modules, made if need be.
find_module_set() {
	tree=$(CDPATH='' cd -- "$modules" && pwd -P)
	key=$({
		printf '%s\n' "$tree"
		cat -- "$0" "$top/rootfs/modules.list"
	} | sha256sum | cut -c 1-32)
	module_set=$build/images/modules-$key
	if [ -f "$module_set/stamp" ] &&
		stamp "$module_set/paths" | cmp -s - "$module_set/stamp"; then
		return
	fi
	make_module_set "$tree" "$module_set"
}

# A busybox that wants a dynamic linker is useless in the guest.
check_busybox() {
	need readelf
	case $(readelf -lW "$busybox") in
	*INTERP*) die "$busybox is not static: run make deps" ;;
	esac
}

write_list() {
	cat "$top/rootfs/image.list"
	printf 'file /init %s 755 0 0\n' "$build/guest/init"
	printf 'file /bin/probe %s 755 0 0\n' "$build/guest/probe"
	printf 'file /bin/busybox %s 755 0 0\n' "$busybox"
	printf 'file /bin/kv-sample %s 755 0 0\n' "$top/rootfs/kv-sample"
	{ "$busybox" --list-full || "$busybox" --list | sed 's|^|bin/|'; } |
		grep -E '^(usr/)?s?bin/' | grep -vx bin/busybox | sort -u |
		sed 's|.*|slink /& /bin/busybox 777 0 0|'
	for file in "$top"/rootfs/scenarios/*.scenario; do
		printf 'file /scenarios/%s %s 644 0 0\n' "${file##*/}" "$file"
	done
	[ -n "$modules" ] || return 0
	printf 'file /modules/order %s/order 644 0 0\n' "$module_set"
	sort "$module_set/order" | while read -r module _; do
		printf 'file /modules/%s %s/%s 644 0 0\n' "$module" \
			"$module_set" "$module"
	done
}

image_key() {
	sha256sum -- "$0" "$top/rootfs/image.list" "$top/rootfs/kv-sample" "$busybox" \
		"$build/guest/init" "$build/guest/probe" \
		"$build/host/kverdict" "$top"/rootfs/scenarios/*.scenario \
		>"$scratch/key" || die "the image's parts cannot be read"
	[ -z "$modules" ] || cat "$module_set/stamp" >>"$scratch/key"
	sha256sum <"$scratch/key" | cut -c 1-32
}

# Set $image to the path of the image, packed if need be.
find_image() {
	mkdir -p "$build/images"
	scratch=$(mktemp -d "$build/images/.XXXXXX")
	[ -z "$modules" ] || find_module_set
	link=$build/images/key-$(image_key)
	if [ ! -f "$link" ]; then
		check_busybox
		write_list >"$scratch/list"
		kverdict cpio "$scratch/list" "$scratch/image"
		sum=$(sha256sum <"$scratch/image" | cut -c 1-32)
		mv -- "$scratch/image" "$build/images/$sum.cpio"
		ln -s "$sum.cpio" "$scratch/link"
		mv -T -- "$scratch/link" "$link"
	fi
	image=$build/images/$(readlink "$link")
}

# Make $2 out of $1 in one step, across file systems too.
install_copy() {
	{ cp -- "$1" "$2.$$.tmp" && mv -- "$2.$$.tmp" "$2"; } ||
		die "$2 cannot be written"
}

make_disk() {
	id=6b766572-6469-4374-8000-726573756c74
	need mke2fs
	: >"$scratch/mke2fs.conf"
	rm -f -- "$disk"
	truncate -s "${disk_mib}M" "$disk" || die "$disk cannot be written"
	# All that mke2fs would draw by lot, read from the host's settings or
	# leave to the guest; only features that both drivers, ext2 and ext4,
	# know.
	E2FSPROGS_FAKE_TIME=1 MKE2FS_CONFIG=$scratch/mke2fs.conf \
		mke2fs -q -F -t ext2 -T default -b 4096 -I 256 -N 64 -m 0 \
		-L kverdict -O none,filetype,sparse_super,large_file -U "$id" \
		-E "hash_seed=$id,root_owner=0:0,lazy_itable_init=0,nodiscard" \
		"$disk" ||
		die "mke2fs cannot make $disk"
}

make_second() {
	{
		echo 'dir /kv 755 0 0'
		[ -z "$cmdline" ] || {
			printf '%s\n' "$cmdline" >"$scratch/cmdline"
			echo "file /kv/cmdline $scratch/cmdline 644 0 0"
		}
		[ -z "$command" ] || {
			printf '%s\n' "$command" >"$scratch/command"
			echo "file /kv/command $scratch/command 644 0 0"
		}
		[ -z "$scenario" ] || {
			echo 'dir /scenarios 755 0 0'
			echo "file /scenarios/$name.scenario $scenario 644 0 0"
		}
		[ -z "$more" ] || cat -- "$more"
	} >"$scratch/second.list"
	kverdict cpio "$scratch/second.list" "$second"
}

parse_options "$@"
check_options
find_programs
find_image
[ -z "$disk" ] || make_disk
[ -z "$second" ] || make_second
[ -z "$out" ] || { install_copy "$image" "$out"; image=$out; }
if $list; then
	"$busybox" cpio -tv <"$image" 2>/dev/null
else
	printf '%s\n' "$image"
fi
