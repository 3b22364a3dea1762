#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Time boots side by side and print medians and ratios: `make bench`.
#
# Every figure is the median of BOOTS boots (5) that alternate, so that a host
# whose speed drifts slows both sides alike.  Needs an idle host.  OWN names
# the bzImage of a kernel made by build-kernel.sh; without it those rows are
# left out.
#
# Exit status: 0 all boots were complete, else that of the first that was not.

set -eu

top=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
BUILD=${BUILD:-$top/build}
case $BUILD in /*) ;; *) BUILD=$top/$BUILD ;; esac
export BUILD
boots=${BOOTS:-5}
own=${OWN:-}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fetch() {
	"$top/host/fetch-kernel.sh" | sed -n 's/^KERNEL=//p'
}

now_ms() {
	local now=$EPOCHREALTIME
	printf '%s\n' $((${now/./} / 1000))
}

# once LABEL ARGUMENT...: one boot; its times go to files named by LABEL
once() {
	local label=$1 begin dir
	shift
	dir=$scratch/run
	rm -rf "$dir"
	begin=$(now_ms)
	"$top/run-qemu.sh" --scenario empty --out "$dir" "$@" >"$scratch/out" 2>&1 || {
		local status=$?
		cat "$scratch/out" >&2
		exit "$status"
	}
	echo $(($(now_ms) - begin)) >>"$scratch/$label.wall"
	sed -n 's/.*"init_ms": \([0-9]*\).*/\1/p' "$dir/run.json" >>"$scratch/$label.init"
	sed -n 's/.*"qemu_ms": \([0-9]*\).*/\1/p' "$dir/run.json" >>"$scratch/$label.qemu"
}

# The same for virtme-ng: up to the end of a command that does nothing.
once_vng() {
	local begin
	begin=$(now_ms)
	vng -r "$1" --disable-kvm -- true >/dev/null 2>&1 </dev/null
	echo $(($(now_ms) - begin)) >>"$scratch/vng.wall"
}

median() {
	sort -n "$1" | awk '{ v[NR] = $1 } END { print (NR % 2) ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}

# row TEXT LABEL KIND [LABEL KIND]: a median, and its ratio to another
row() {
	local value other
	value=$(median "$scratch/$2.$3")
	if [ $# -eq 5 ]; then
		other=$(median "$scratch/$4.$5")
		awk -v t="$1" -v a="$value" -v b="$other" 'BEGIN { printf "%-58s %8.2f s %8.2f\n", t, a / 1000, a / b }'
	else
		awk -v t="$1" -v a="$value" 'BEGIN { printf "%-58s %8.2f s\n", t, a / 1000 }'
	fi
}

generic=$(KVER=6.1 FLAVOUR=generic fetch)
cloud=$(KVER=6.12 fetch)
cd "$scratch"

for ((i = 0; i < boots; i++)); do
	once pvh --accel tcg "$generic"
	once bzimage --accel tcg --no-pvh "$generic"
	! command -v vng >/dev/null || once_vng "$generic"
	once cloud --accel tcg "$cloud"
	once cloud_det --deterministic "$cloud"
	[ -z "$own" ] || once own --accel tcg "$own"
	[ -z "$own" ] || once own_det --deterministic "$own"
done
paste -d ' ' pvh.wall pvh.qemu | awk '{ print $1 - $2 }' >overhead.wall

printf '%s boots each, scenario empty, %s\n\n' "$boots" "$("${QEMU:-$BUILD/tools/qemu-system-x86_64}" --version 2>/dev/null | sed -n 1p || qemu-system-x86_64 --version | sed -n 1p)"
printf '%-58s %10s %8s\n' '' median ratio
row "Debian 6.1 generic, vmlinux by PVH, whole run" pvh wall
row "Debian 6.1 generic, bzImage, whole run; to PVH" bzimage wall pvh wall
[ ! -f vng.wall ] || row "Debian 6.1 generic, vng -r, whole run; to PVH" vng wall pvh wall
[ -f vng.wall ] || echo 'vng is not installed: its row is left out'
row "host overhead: whole run less QEMU's time" overhead wall
row "Debian 6.12 cloud, to /init, real time" cloud init
row "Debian 6.12 cloud, to /init, deterministic; to real time" cloud_det init cloud init
if [ -n "$own" ]; then
	row "own kernel, to /init, real time" own init
	row "own kernel, to /init, deterministic; to real time" own_det init own init
else
	echo 'OWN= names no kernel of build-kernel.sh: its rows are left out'
fi
