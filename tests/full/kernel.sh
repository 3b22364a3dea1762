#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Build one of the special kernels of `make check-full`, and print its path.
#
#   tests/full/kernel.sh NAME     NAME.config beside this script, over base.config
#
# build-kernel.sh would refuse them, for they lack what it checks for.
# SOURCE is an unpacked kernel tree, 6.12 or near it; it is only read.  A build
# that was interrupted goes on where it was; JOBS at a time (all CPUs).  What is
# built once stays until a fragment or the name of SOURCE changes: after changes
# in SOURCE itself remove BUILD/check-full.
#
# Exit status: 0 built, 128 not, 129 wrong usage.

set -eu

top=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
name=${1:-}
area=$(realpath -m -- "${BUILD:-$top/build}")/check-full

die() {
	printf 'kernel.sh: %s\n' "$*" >&2
	exit 128
}

if [ -z "$name" ] || [ ! -f "$top/tests/full/$name.config" ]; then
	echo "kernel.sh: give one of $(cd "$top/tests/full" && printf '%s ' *.config | sed 's/\.config//g')" >&2
	exit 129
fi
[ -f "${SOURCE:-}/Kbuild" ] || die 'name an unpacked kernel source tree with SOURCE='
SOURCE=$(realpath -- "$SOURCE")
compiler=(CC=gcc)
! command -v ccache >/dev/null || compiler=('CC=ccache gcc')

out=$area/$name
mkdir -p "$out"
exec 9>"$area/lock"
flock 9
{ printf '# of %s\n' "$SOURCE"; cat "$top/kernel-configs/base.config" "$top/tests/full/$name.config"; } >"$area/$name.new"
if [ -f "$area/$name.bzImage" ] && cmp -s "$area/$name.new" "$area/$name.wanted"; then
	rm "$area/$name.new"
	printf '%s\n' "$area/$name.bzImage"
	exit
fi

if ! cmp -s "$area/$name.new" "$out/wanted"; then
	make -s -C "$SOURCE" O="$out" KCONFIG_ALLCONFIG="$area/$name.new" allnoconfig >"$out/config.log" 2>&1 ||
		die "the configuration of $name is refused: see $out/config.log"
	cp "$area/$name.new" "$out/wanted"
fi
while IFS= read -r line; do
	case $line in
	'# CONFIG_'*) ! grep -q "^$(cut -d ' ' -f 2 <<<"$line")=" "$out/.config" || die "$name: the build turned it on: $line" ;;
	CONFIG_*) grep -qx "$line" "$out/.config" || die "$name: the build dropped $line" ;;
	esac
done <"$top/tests/full/$name.config"
make -s -C "$SOURCE" O="$out" "${compiler[@]}" KBUILD_BUILD_TIMESTAMP=2025-01-01 KBUILD_BUILD_USER=kverdict \
	KBUILD_BUILD_HOST=kverdict -j "${JOBS:-$(nproc)}" bzImage >&2 || die "$name does not build"
cp "$out/arch/x86/boot/bzImage" "$area/$name.part"
mv "$area/$name.part" "$area/$name.bzImage"
mv "$area/$name.new" "$area/$name.wanted"
printf '%s\n' "$area/$name.bzImage"
