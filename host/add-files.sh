#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# add-files.sh - the files that run-qemu.sh --add brings into a guest
#
#	add-files.sh list SPEC...      print them as a list for `kverdict cpio`
#	add-files.sh hash SPEC...      print one hash of their places and bytes
#	add-files.sh where SPEC...     print them with whole paths
#	add-files.sh copy DIR SPEC...  copy them into DIR, print SPECs of the copies
#
# A SPEC is FILE or FILE:PATH; without an absolute PATH it is /add/NAME.  The
# mode follows from what a file is: nothing else of the host gets into a guest.
#
# Status:  0 done, 128 the host is in the way, 129 a file that is of no use

set -eu

LC_ALL=C
export LC_ALL
prog=run-qemu.sh # what called this, or called what did

die() {
	printf '%s: %s\n' "$prog" "$1" >&2 || :
	exit "$2"
}

refuse() {
	die "--add $spec: $1" 129
}

# What the guest has already: nothing of ours may be put out of place.
check_path() {
	case $path in
	*[!A-Za-z0-9._+/-]*) refuse "$path: a path in the guest is made of letters, digits and . _ + - /" ;;
	*//* | */./* | */../* | */. | */..) refuse "$path: give it without //, . and .." ;;
	/init | /bin/probe | /bin/busybox | /bin/sh | /bin/kv-sample) refuse "$path is the guest's own" ;;
	/kv | /kv/* | /scenarios | /scenarios/* | /modules | /modules/*) refuse "$path is the guest's own" ;;
	/proc | /proc/* | /sys | /sys/* | /dev | /dev/* | /run | /run/* | /tmp | /tmp/*)
		refuse "$path would be hidden by what is mounted there"
		;;
	esac
	case " ${paths[*]} " in
	*" $path "*) refuse "$path is added twice" ;;
	esac
}

# Set $file and $path to the two halves of $spec.
split() {
	file=$spec path=''
	case $spec in
	*:/*) path=/${spec##*:/} file=${spec%:/*} ;;
	esac
	[ -n "$file" ] || refuse 'which file?'
	[ -e "$file" ] || refuse "there is no file $file"
	[ -f "$file" ] || refuse "$file is not a file: add what is in it, one by one"
	[ -r "$file" ] || refuse "$file cannot be read"
	case $path in
	'') path=/add/${file##*/} ;;
	*/) path+=${file##*/} ;;
	esac
	check_path
	file=$(realpath -- "$file")
	case $file in *$'\n'*) refuse 'its name has a line feed' ;; esac
	paths+=("$path") files+=("$file")
}

# Set $mode, and $needs to what has to be in the guest to run it.
look_at() {
	local first
	mode=644 needs=''
	[ ! -x "$1" ] || mode=755
	first=$(head -c 4 -- "$1" | od -An -tx1 | tr -d ' \n')
	case $first in
	7f454c46)
		mode=755
		command -v readelf >/dev/null || die 'readelf is not installed: run make deps' 128
		readelf -hW -- "$1" 2>/dev/null | grep -q 'Machine:.*X86-64' || refuse "$1 is no program for x86-64"
		needs=$(readelf -lW -- "$1" 2>/dev/null | sed -n 's/.*program interpreter: \(.*\)]$/\1/p')
		;;
	2321*)
		mode=755
		IFS= read -r needs <"$1" || :
		needs=${needs#'#!'}
		needs=${needs#"${needs%%[! ]*}"}
		needs=${needs%% *}
		case $needs in
		*/env | */sh | */ash | */busybox | */awk | */sed) needs='' ;;
		esac
		;;
	esac
}

# A program that cannot start there would look like a broken kernel.
check_needs() {
	[ -n "$needs" ] || return 0
	case " ${paths[*]} " in
	*" $needs "*) return ;;
	esac
	refuse "it needs $needs, which the guest has not: link it statically (or take a script for #!/bin/sh), or add $needs and its libraries too; see docs/your-own-test.md"
}

# list_folders PATH: each that is new, once; the kernel drops what has none.
list_folders() {
	local folder='' part rest=${1#/}
	while [ "${rest#*/}" != "$rest" ]; do
		part=${rest%%/*} rest=${rest#*/} folder+=/$part
		[ -z "${folders[$folder]:-}" ] || continue
		folders[$folder]=yes
		[ "$folder" = /root ] || printf 'dir %s 755 0 0\n' "$folder"
	done
}

list() {
	local i
	for i in "${!files[@]}"; do
		spec=${files[i]}
		look_at "${files[i]}"
		check_needs
		list_folders "${paths[i]}"
		printf 'file %s %s %s 0 0\n' "${paths[i]}" "${files[i]}" "$mode"
	done
}

hash() {
	local i sum
	for i in "${!files[@]}"; do
		sum=$(sha256sum <"${files[i]}") || die "${files[i]} cannot be read" 128
		look_at "${files[i]}"
		printf '%s %s %s\n' "${sum%% *}" "$mode" "${paths[i]}"
	done | sort | sha256sum | cut -c 1-64
}

where() {
	local i
	for i in "${!files[@]}"; do
		printf '%s:%s\n' "${files[i]}" "${paths[i]}"
	done
}

copy() {
	local i
	mkdir -p -- "$into" || die "$into cannot be made" 128
	for i in "${!files[@]}"; do
		# A full disk leaves no half of it for the next call.
		[ -f "$into/$i" ] || { cp -p -- "${files[i]}" "$into/$i.part" && mv -- "$into/$i.part" "$into/$i"; } ||
			die "$into cannot be written" 128
		printf '%s:%s\n' "$into/$i" "${paths[i]}"
	done
}

verb=${1:-}
shift || :
case $verb in
list | hash | where) ;;
copy) into=$1; shift ;;
*) die 'add-files.sh list|hash|where|copy: see its head' 129 ;;
esac
files=() paths=()
declare -A folders
for spec; do
	split
done
"$verb"
