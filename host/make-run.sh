#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Boot a kernel and run a scenario: what `make run` does after the set-up.
#
# KERNEL and MODULES in the environment name the user's own kernel; without
# KERNEL host/fetch-kernel.sh gets one.  `make` turns every failure into its
# own status 2, so this is never what `git bisect run` calls.

set -eu

top=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
scenario=${1:-default}
kernel=${KERNEL:-}
modules=${MODULES:-}

if [ -z "$kernel" ]; then
	found=$("$top/host/fetch-kernel.sh")
	kernel=$(printf '%s\n' "$found" | sed -n 's/^KERNEL=//p')
	modules=$(printf '%s\n' "$found" | sed -n 's/^MODULES=//p')
fi

set -- --scenario "$scenario"
[ -z "$modules" ] || set -- "$@" --modules "$modules"
exec "$top/run-qemu.sh" "$@" "$kernel"
