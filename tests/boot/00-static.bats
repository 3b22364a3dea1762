#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What people forget, and machines see without running anything.

bats_require_minimum_version 1.5.0
load common

files() {
	(cd "$TOP" && git ls-files --cached --others --exclude-standard "$@")
}

@test "C is formatted as .clang-format says" {
	cd "$TOP"
	files '*.c' '*.h' | tr '\n' '\0' | xargs -0 clang-format --dry-run -Werror
}

@test "shellcheck has nothing to say" {
	cd "$TOP"
	files '*.sh' '*.bash' '.ci/run' | tr '\n' '\0' | xargs -0 shellcheck -x
}

@test "each source file has an SPDX line" {
	cd "$TOP"
	local without
	without=$(files '*.c' '*.h' '*.sh' '*.bats' '*.bash' Makefile .ci/run |
		xargs -d '\n' grep -L 'SPDX-License-Identifier: GPL-2.0-or-later' || true)
	[ -z "$without" ] || { echo "$without"; false; }
}

@test "nothing is left to do, and nobody reaches over a border" {
	cd "$TOP"
	local left
	left=$(files '*.c' '*.h' '*.sh' Makefile | xargs -d '\n' grep -nE 'TO''DO|FIX''ME|#include "\.\./' || true)
	[ -z "$left" ] || { echo "$left"; false; }
}

@test "every probe has its line in probes.def, and the other way round" {
	cd "$TOP"
	diff <(sed -n 's/^[A-Z_]*(\([a-z0-9_]*\)).*/\1/p' probes/probes.def | sort) \
		<(for file in $(grep -lE '^const struct probe (probe|antagonist)' probes/*.c); do basename "$file" .c; done | sort)
}

@test "the lines of a kernel fragment are sorted in each section" {
	local fragment
	for fragment in "$TOP"/kernel-configs/*.config; do
		awk '/^## / { section++ } /CONFIG_/ { sub(/^# /, ""); sub(/[= ].*/, ""); print section, $0 }' "$fragment" |
			LC_ALL=C sort -c -s -k1,1n -k2,2
	done
}

@test "every scenario is one that init accepts" {
	local file
	for file in "$TOP"/rootfs/scenarios/*.scenario; do
		"$BUILD/guest/init" --check "$file" "$BUILD/guest/probe"
	done
}

@test "init and probe stay within 150 KiB" {
	[ $(($(stat -c %s "$BUILD/guest/init") + $(stat -c %s "$BUILD/guest/probe"))) -le $((150 * 1024)) ]
}
