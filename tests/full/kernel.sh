#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Build one of the special kernels of `make check-full`, and print its path.
#
#   tests/full/kernel.sh NAME     NAME.config beside this script, over base.config
#
# build-kernel.sh would refuse them, for they lack what it checks for.
# SOURCE is an unpacked kernel tree, 6.12 or near it; it is only read.  A build
# that was interrupted goes on where it was; JOBS at a time (all CPUs).
#
# Exit status: 0 built, 128 not, 129 wrong usage.

set -eu

top=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
name=${1:-}
fragment=$top/tests/full/$name.config
out=$(realpath -m -- "${BUILD:-$top/build}")/check-full/$name

die() {
	printf 'kernel.sh: %s\n' "$*" >&2
	exit 128
}

if [ -z "$name" ] || [ ! -f "$fragment" ]; then
	echo 'kernel.sh: give bare or noisy' >&2
	exit 129
fi
[ -f "${SOURCE:-}/Kbuild" ] || die 'name an unpacked kernel source tree with SOURCE='
SOURCE=$(realpath -- "$SOURCE")
compiler=(CC=gcc)
! command -v ccache >/dev/null || compiler=('CC=ccache gcc')

mkdir -p "$out"
cat "$top/kernel-configs/base.config" "$fragment" >"$out/wanted.new"
if ! cmp -s "$out/wanted.new" "$out/wanted"; then
	make -s -C "$SOURCE" O="$out" KCONFIG_ALLCONFIG="$out/wanted.new" allnoconfig >"$out/config.log" 2>&1 || die "the configuration of $name is refused"
	mv "$out/wanted.new" "$out/wanted"
fi
while IFS= read -r line; do
	case $line in
	'# CONFIG_'*) ! grep -q "^$(cut -d ' ' -f 2 <<<"$line")=" "$out/.config" || die "$name: the build turned it on: $line" ;;
	CONFIG_*) grep -qx "$line" "$out/.config" || die "$name: the build dropped $line" ;;
	esac
done <"$fragment"
make -s -C "$SOURCE" O="$out" "${compiler[@]}" KBUILD_BUILD_TIMESTAMP=2025-01-01 KBUILD_BUILD_USER=kverdict \
	KBUILD_BUILD_HOST=kverdict -j "${JOBS:-$(nproc)}" bzImage >&2 || die "$name does not build"
printf '%s\n' "$out/arch/x86/boot/bzImage"
