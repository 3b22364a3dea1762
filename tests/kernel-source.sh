#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# kernel-source.sh - print the path of an unpacked linux-source-6.12
#
# Debian's package, downloaded and unpacked once below BUILD/kernels, in the
# same way that kernels are fetched; never installed, and never written to.
#
# Status: 0 it is there, 128 it cannot be had, 130 interrupted

set -eu

prog=${0##*/}
top=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
# shellcheck source=host/script.sh
. "$top/host/script.sh"

build=${BUILD:-$top/build}
mkdir -p -- "$build/kernels"
build=$(CDPATH='' cd -- "$build" && pwd)
folder=$build/kernels/linux-source-6.12
if [ ! -d "$folder/linux-source-6.12" ]; then
	# shellcheck source=host/apt.sh
	. "$top/host/apt.sh"
	apt_here || die "there is no apt here: unpack a linux-source-6.12 and name it with SOURCE="
	apt_update >&2
	say "fetching linux-source-6.12 into $build/kernels"
	rm -rf -- "$folder.part"
	apt_unpack "$folder.part" linux-source-6.12 >&2
	tar -C "$folder.part" -xf "$folder.part"/usr/src/linux-source-6.12.tar.xz
	mv -T -- "$folder.part" "$folder"
fi
printf '%s\n' "$folder/linux-source-6.12"
