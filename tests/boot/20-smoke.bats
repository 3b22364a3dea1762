#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The whole path on distribution kernels with modules: boot, every probe once,
# records over both channels, summary.

bats_require_minimum_version 1.5.0
load common

smoke() {
	local records=$BATS_TEST_TMPDIR/run-1/records.jsonl

	kernel "$1"
	boot 300 --scenario smoke --keep-disk "$KERNEL"
	is_status 0
	for probe in readiness netns_churn rt6_probe wq_delay; do
		has "$records" "\"type\":\"step\",\"event\":\"end\",\"step\":\"$probe\".*\"result\":\"pass\""
		has "$records" "\"type\":\"sample\",\"step\":\"$probe\""
		has "$RUN_DIR.out" "$probe"
	done
	has "$records" '"type":"trace","step":"wq_delay".*"function":"refresh_vm_stats","cpu":0,"queued":4,"executed":4'
	has "$RUN_DIR/run.json" '"records_from": *"disk"'
	has "$RUN_DIR.err" '^run: '
	[ "$(tail -n 1 "$RUN_DIR.err")" = "run: $RUN_DIR" ]

	# Both channels carry the same bytes.
	debugfs -R "dump /records.jsonl $BATS_TEST_TMPDIR/disk.jsonl" "$RUN_DIR/results.img" 2>/dev/null
	cmp "$BATS_TEST_TMPDIR/disk.jsonl" "$records"
	cmp "$RUN_DIR/mirror.jsonl" "$records"
}

@test "smoke is complete on Debian's 6.1 cloud kernel" {
	smoke 6.1
}

@test "smoke is complete on Debian's 6.12 cloud kernel" {
	smoke 6.12
}

@test "a complete run can be summed up again, and a cut one is refused" {
	kernel 6.12
	boot 120 --scenario empty "$KERNEL"
	is_status 0
	run -0 "$KVERDICT" summary "$RUN_DIR"

	head -c -10 "$RUN_DIR/records.jsonl" >"$BATS_TEST_TMPDIR/cut"
	cp "$BATS_TEST_TMPDIR/cut" "$RUN_DIR/records.jsonl"
	run -125 "$KVERDICT" summary "$RUN_DIR"
}

@test "a kernel without its modules is measured as far as it goes" {
	kernel 6.1
	cp "$KERNEL" "$BATS_TEST_TMPDIR/bzImage"

	# smoke may skip, and namespaces need no module.
	boot 120 --scenario smoke "$BATS_TEST_TMPDIR/bzImage"
	is_status 0
	has "$RUN_DIR.err" '--modules'
	has "$RUN_DIR/records.jsonl" '"step":"readiness".*"result":"skip","cause":"option"'
	has "$RUN_DIR/records.jsonl" '"type":"sample","step":"netns_churn"'
	has "$RUN_DIR/run.json" '"records_from": *"mirror"'

	# A scenario that asks for TUN cannot be had.
	boot 120 --scenario r1-three-taps "$BATS_TEST_TMPDIR/bzImage"
	is_status 125
	has "$RUN_DIR.err" 'CONFIG_TUN'
}
