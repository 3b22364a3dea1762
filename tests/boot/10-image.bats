#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The image and the kernel before QEMU gets them: the same bytes everywhere,
# the modules that are needed, and a name for each file that does not boot.

load common

setup() {
	T="$BATS_TEST_TMPDIR/with blank"
	mkdir -p "$T"
}

# project FOLDER: a copy of what mkimage.sh reads, and what it was built into.
project() {
	mkdir -p "$1/build/guest" "$1/build/host" "$1/host" "$1/rootfs/scenarios"
	cp "$TOP/mkimage.sh" "$1/"
	cp "$TOP/host/script.sh" "$1/host/"
	cp "$TOP"/rootfs/*.list "$TOP/rootfs/kv-sample" "$1/rootfs/"
	echo '# nothing - asks nothing' >"$1/rootfs/scenarios/nothing.scenario"
	cp "$BUILD/guest/init" "$BUILD/guest/probe" "$1/build/guest/"
	cp "$KVERDICT" "$1/build/host/"
}

# image FOLDER ARGUMENT...: pack the copy there, and print the path.
image() {
	local folder=$1
	shift
	BUILD="$folder/build" "$folder/mkimage.sh" "$@"
}

contents() {
	busybox cpio -t <"$1" 2>/dev/null
}

# module FILE DEPENDS MODINFO...: a file that kmod takes for a module; it
# exports the symbol "NAME_symbol", and needs that of DEPENDS.
module() {
	local file=$1 depends=$2 name word
	shift 2
	name=${file##*/}
	name=${name%.ko}
	{
		printf '.section .modinfo,"a"\n'
		for word in "$@"; do printf '.asciz "%s"\n' "$word"; done
		printf '.section __ksymtab_strings,"a"\n.asciz "%s_symbol"\n' "$name"
		[ -z "$depends" ] || printf '.text\n.quad %s_symbol\n' "$depends"
	} | as -o "$file" -
}

# tree FOLDER: virtio_pci needs virtio, ext4 finds crc32c through an alias only.
tree() {
	mkdir -p "$1/kernel/fs" "$1/kernel/drivers" "$1/kernel/crypto"
	module "$1/kernel/drivers/virtio.ko" ''
	module "$1/kernel/drivers/virtio_pci.ko" virtio
	module "$1/kernel/drivers/veth.ko" ''
	module "$1/kernel/drivers/unwanted.ko" virtio
	module "$1/kernel/fs/ext4.ko" '' 'softdep=pre: crypto-crc32c'
	module "$1/kernel/crypto/crc32c-any.ko" '' alias=crypto-crc32c
	(cd "$1" && find kernel -name '*.ko' | sort) >"$1/modules.order"
	printf 'kernel/%s.ko\n' drivers/block/virtio_blk drivers/net/tun \
		drivers/net/dummy net/bridge/bridge net/ipv6/ipv6 >"$1/modules.builtin"
}

@test "two images are the same, wherever, whenever and by whomever they are packed" {
	project "$T/one"
	project "$T/other place"
	first=$(cd / && umask 022 && TZ=UTC image "$T/one")
	find "$T/other place" -exec touch -d 2001-02-03 {} +
	chmod -R go-rwx "$T/other place"
	second=$(cd "$T" && umask 077 && TZ=Asia/Tokyo LC_ALL=C.UTF-8 image "other place")
	[ "$first" != "$second" ]
	cmp "$first" "$second"
}

@test "two images with modules are the same" {
	project "$T/one"
	project "$T/two"
	tree "$T/a/lib/modules/6.0.0"
	tree "$T/b/usr/lib/modules/6.0.0"
	find "$T/b" -exec touch -h -d 2001-02-03 {} +
	cmp "$(image "$T/one" --modules "$T/a/lib/modules/6.0.0")" \
		"$(umask 077 && image "$T/two" --modules "$T/b/usr/lib/modules/6.0.0")"
}

@test "all entries belong to root, have no time, and are numbered from 1" {
	project "$T/one"
	busybox cpio -tv <"$(image "$T/one")" 2>/dev/null >"$T/list"
	[ "$(grep -cvE ' 0/0 +[0-9]+ 1970-01-01 00:00:00 ' "$T/list")" -eq 0 ]
	# The inode number is the second field of eight digits of a header.
	[ "$(head -c 14 "$(image "$T/one")")" = 07070100000001 ]
	[ $(($(stat -c %s "$(image "$T/one")") % 512)) -eq 0 ]
}

@test "an image has init, probe, busybox, scenarios and the first nodes" {
	project "$T/one"
	path=$(image "$T/one")
	for name in init bin/probe bin/busybox bin/sh dev/console dev/null proc sys \
		scenarios/nothing.scenario; do
		contents "$path" | grep -qx "$name" || { echo "no $name"; false; }
	done
	image "$T/one" --list | grep -q '^crw.* dev/console$'
	image "$T/one" --list | grep -q '^lrwx.* bin/sh -> /bin/busybox$'
}

@test "init and probe have at most 150 KiB together" {
	[ "$(cat "$BUILD/guest/init" "$BUILD/guest/probe" | wc -c)" -le $((150 * 1024)) ]
}

@test "the second call packs nothing, a changed part gives another image" {
	project "$T/one"
	path=$(image "$T/one")
	before=$(stat -c '%i %y' "$path")
	[ "$(image "$T/one")" = "$path" ]
	[ "$(stat -c '%i %y' "$path")" = "$before" ]
	echo >>"$T/one/build/guest/probe"
	other=$(image "$T/one")
	[ "$other" != "$path" ]
	# An old run finds its image again.
	[ "$(stat -c '%i %y' "$path")" = "$before" ]
	[ -z "$(find "$T/one/build/images" -name '.*')" ]
}

@test "modules come in load order with what they need, softdeps too" {
	project "$T/one"
	tree "$T/lib/modules/6.0.0"
	path=$(image "$T/one" --modules "$T/lib/modules/6.0.0" 2>"$T/err") || { cat "$T/err"; false; }
	(cd "$T" && busybox cpio -id modules/order <"$path" 2>/dev/null)
	printf '%s\n' virtio.ko virtio_pci.ko crc32c-any.ko ext4.ko 'veth.ko netns_churn' | cmp - "$T/modules/order"
	contents "$path" | grep '^modules/.*ko$' | sort >"$T/files"
	sed 's,^,modules/, ; s, .*,,' "$T/modules/order" | sort | cmp - "$T/files"
	[ ! -s "$T/err" ] || { cat "$T/err"; false; }
	# Nothing was written into the tree.
	[ ! -e "$T/lib/modules/6.0.0/modules.dep" ]
}

@test "packed modules give the same image as unpacked ones" {
	project "$T/one"
	tree "$T/lib/modules/6.0.0"
	path=$(image "$T/one" --modules "$T/lib/modules/6.0.0")
	cp -r "$T/lib" "$T/packed"
	gzip -r "$T/packed/modules/6.0.0/kernel/fs"
	find "$T/packed" -path '*/drivers/*.ko' -exec xz --check=crc32 {} +
	find "$T/packed" -path '*/crypto/*.ko' -exec zstd -q --rm {} +
	cmp "$path" "$(image "$T/one" --modules "$T/packed/modules/6.0.0")"
}

@test "a module that changes in its place is packed anew" {
	project "$T/one"
	tree "$T/lib/modules/6.0.0"
	path=$(image "$T/one" --modules "$T/lib/modules/6.0.0")
	module "$T/lib/modules/6.0.0/kernel/drivers/veth.ko" '' license=GPL
	[ "$(image "$T/one" --modules "$T/lib/modules/6.0.0")" != "$path" ]
}

@test "what no tree has is a note, with modules.builtin or without" {
	project "$T/one"
	tree "$T/lib/modules/6.0.0"
	rm "$T/lib/modules/6.0.0/modules.builtin"
	image "$T/one" --modules "$T/lib/modules/6.0.0" 2>"$T/err"
	grep -q 'note: no module is named virtio_blk' "$T/err"
	grep -q 'note: no module is named ipv6' "$T/err"
	[ "$(wc -l <"$T/err")" -eq 5 ]
}

@test "ext2 stands in for ext4" {
	project "$T/one"
	tree "$T/lib/modules/6.0.0"
	rm "$T/lib/modules/6.0.0/kernel/fs/ext4.ko"
	module "$T/lib/modules/6.0.0/kernel/fs/ext2.ko" ''
	contents "$(image "$T/one" --modules "$T/lib/modules/6.0.0")" | grep -qx modules/ext2.ko
}

@test "a damaged module is named, and ends with 128" {
	project "$T/one"
	tree "$T/lib/modules/6.0.0"
	image "$T/one" --modules "$T/lib/modules/6.0.0" >/dev/null
	xz "$T/lib/modules/6.0.0/kernel/drivers/veth.ko"
	# Sound to depmod and modprobe, which know it by its name and index.
	depmod -b "$T" 6.0.0
	sleep 0.02 && touch "$T/lib/modules/6.0.0/modules.dep.bin"
	head -c 60 /dev/zero >"$T/lib/modules/6.0.0/kernel/drivers/veth.ko.xz"
	run image "$T/one" --modules "$T/lib/modules/6.0.0"
	[ "$status" -eq 128 ]
	[[ $output == *veth.ko.xz* ]]
}

@test "the modules of Debian's 6.1 are complete" {
	modules=$(KVER=6.1 "$TOP/host/fetch-kernel.sh" 2>/dev/null | sed -n 's/^MODULES=//p')
	[ -n "$modules" ] || skip "no 6.1 kernel can be had on this distribution"
	project "$T/one"
	path=$(image "$T/one" --modules "$modules" 2>"$T/err")
	[ ! -s "$T/err" ] || { cat "$T/err"; false; }
	(cd "$T" && busybox cpio -id modules/order <"$path" 2>/dev/null)
	for name in virtio_ring virtio_pci virtio_blk tun dummy veth bridge stp llc; do
		grep -qE "^$name\.ko( |\$)" "$T/modules/order" || { echo "no $name"; false; }
	done
	[ "$(grep -n '^virtio_ring' "$T/modules/order" | cut -d: -f1)" -lt \
		"$(grep -n '^virtio_pci.ko' "$T/modules/order" | cut -d: -f1)" ]
}

@test "two results disks are the same, and debugfs can read them" {
	project "$T/one"
	image "$T/one" --disk "$T/a.img" >/dev/null
	(umask 077 && TZ=Asia/Tokyo image "$T/one" --disk "$T/b.img") >/dev/null
	cmp "$T/a.img" "$T/b.img"
	PATH=$PATH:/usr/sbin:/sbin debugfs -R 'stats -h' "$T/a.img" 2>/dev/null |
		grep -q '^Filesystem features: *filetype sparse_super large_file$'
	[ "$(du -k "$T/a.img" | cut -f1)" -lt 1024 ]
	image "$T/one" --disk "$T/b.img" --disk-mib 8 >/dev/null
	[ "$(stat -c %s "$T/b.img")" -eq $((8 << 20)) ]
}

@test "the second archive has what the run is about, the same twice" {
	project "$T/one"
	echo '# mine' >"$T/my own"
	for name in a b; do
		image "$T/one" --second "$T/$name" --scenario "$T/my own" --name mine \
			--cmdline 'kv.task=command' --command 'echo "a  b"; ls *' >/dev/null
	done
	cmp "$T/a" "$T/b"
	(cd "$T" && busybox cpio -id <a 2>/dev/null)
	[ "$(cat "$T/kv/cmdline")" = 'kv.task=command' ]
	[ "$(cat "$T/kv/command")" = 'echo "a  b"; ls *' ]
	cmp "$T/my own" "$T/scenarios/mine.scenario"
}

@test "mkimage.sh refuses wrong usage with 129, and says what is not built" {
	project "$T/one"
	for arguments in --nonsense '--modules /' '--disk-mib 7' '--disk-mib x' \
		'--name x' '--second' '--command ls'; do
		# shellcheck disable=SC2086 # words
		run image "$T/one" $arguments
		[ "$status" -eq 129 ] || { echo "$arguments: $status $output"; false; }
	done
	run image "$T/one" --second "$T/s" --scenario "$T/one/mkimage.sh" --name 'a/b'
	[ "$status" -eq 129 ]
	rm "$T/one/build/guest/init"
	run image "$T/one"
	[ "$status" -eq 128 ]
	[[ $output == *'run make'* ]]
}

@test "a dynamic busybox is refused" {
	project "$T/one"
	BUSYBOX=/bin/ls run image "$T/one"
	[ "$status" -eq 128 ]
	[[ $output == *'not static'* ]]
}

@test "a bad line of a cpio list is named by its number, and nothing is left over" {
	printf '# a comment\n\ndir /a 755 0 0\nfile /b/c /dev/null 644 0 0\n' >"$T/list"
	run "$KVERDICT" cpio "$T/list" "$T/out"
	[ "$status" -eq 129 ]
	[[ $output == *"list:4: its directory"* ]]
	printf 'dir /a 755 0 0\nslink /a x 777 0 0\n' >"$T/list"
	run "$KVERDICT" cpio "$T/list" "$T/out"
	[ "$status" -eq 129 ]
	[[ $output == *"list:2: this name"* ]]
	printf 'file /a /dev/null 755 0 0\n' >"$T/list"
	run "$KVERDICT" cpio "$T/list" "$T/out"
	[ "$status" -eq 129 ]
	[ "$(ls "$T")" = list ]
}

@test "the vmlinux of Debian's kernels is taken out, and known again" {
	for series in 6.1 6.12; do
		kernel "$series"
		run "$KVERDICT" kernel "$KERNEL" --vmlinux "$T/vmlinux"
		[ "$status" -eq 0 ]
		[[ $output == *$'type=bzImage\nrelease='"$series."*$'\nboot=pvh' ]]
		run "$KVERDICT" kernel "$T/vmlinux"
		[ "$status" -eq 0 ]
		[[ $output == *$'type=vmlinux\nrelease='"$series."*$'\nboot=pvh' ]]
	done
}

@test "a bzImage that cannot be unpacked boots as it is, and says why" {
	kernel 6.1
	PATH=/nowhere run "$KVERDICT" kernel "$KERNEL" --vmlinux "$T/vmlinux"
	[ "$status" -eq 0 ]
	[[ $output == *$'boot=bzimage\nreason='*'is not installed' ]]
	[ "$(ls -A "$T")" = '' ]
}

@test "a bzImage whose kernel is damaged is refused with 129, and not booted" {
	for series in 6.1 6.12; do
		kernel "$series"
		# The middle of the file is zeroed.
		cp "$KERNEL" "$T/damaged"
		dd if=/dev/zero of="$T/damaged" bs=1M seek=3 count=1 conv=notrunc status=none
		run "$KVERDICT" kernel "$T/damaged" --vmlinux "$T/vmlinux"
		[ "$status" -eq 129 ]
		[[ $output == *'the kernel packed in it is damaged'*'build it again'* ]]
		[ "$(ls -A "$T")" = damaged ]
	done
}

@test "a file that is no kernel is named, with 129" {
	refused() {
		run "$KVERDICT" kernel "$1"
		[ "$status" -eq 129 ] && [[ $output == *"$2"* ]] || { echo "$output"; false; }
	}
	refused "$T/missing" 'No such file'
	refused "$T" 'a directory'
	refused /dev/null 'not a regular file'
	: >"$T/file" && refused "$T/file" empty
	refused "$TOP/mkimage.sh" 'a text file'
	refused "$KVERDICT" 'a program'
	gzip -c "$TOP/mkimage.sh" >"$T/file" && refused "$T/file" gzip
	printf 'dir /a 755 0 0\n' >"$T/list" && "$KVERDICT" cpio "$T/list" "$T/file"
	refused "$T/file" initramfs
	kernel 6.1
	head -c 4000000 "$KERNEL" >"$T/file" && refused "$T/file" 'truncated bzImage (4000000 of'
}

@test "an unreadable kernel comes with the command that helps" {
	cp "$KVERDICT" "$BATS_TEST_TMPDIR/kverdict"
	chmod 711 "$BATS_TEST_TMPDIR"
	echo >"$BATS_TEST_TMPDIR/vmlinuz"
	chmod 0 "$BATS_TEST_TMPDIR/vmlinuz"
	if [ "$(id -u)" -eq 0 ]; then
		# Without its capabilities root is a user like any other.
		run setpriv --bounding-set=-all --inh-caps=-all --reuid=65534 --clear-groups \
			"$BATS_TEST_TMPDIR/kverdict" kernel "$BATS_TEST_TMPDIR/vmlinuz"
		[ "$status" -ne 126 ] || skip "the test's folder cannot be entered by others"
	else
		run "$KVERDICT" kernel "$BATS_TEST_TMPDIR/vmlinuz"
	fi
	[ "$status" -eq 129 ]
	[[ $output == *'permission denied'*'sudo chmod a+r'* ]]
}
