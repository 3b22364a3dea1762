#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Negative controls: probes that crash, hang, eat the memory, break the
# protocol.  The step says so, the next step runs, the status is right.

bats_require_minimum_version 1.5.0
load common

# scenario LINE...: a scenario of these lines and a last step that must run.
scenario() {
	SCENARIO=$BATS_TEST_TMPDIR/case.scenario
	printf '%s\n' '# case - a test' "$@" 'probe readiness name=after taps=1 repetitions=2' >"$SCENARIO"
	kernel 6.12
	boot 240 --scenario "$SCENARIO" "$KERNEL"
	has "$RUN_DIR/records.jsonl" '"type":"end"'
	has "$RUN_DIR/records.jsonl" '"event":"end","step":"after".*"result":"pass"'
}

@test "a probe that crashes is a crash, status 1" {
	scenario 'probe test_crash'
	is_status 1
	has "$RUN_DIR/records.jsonl" '"step":"test_crash".*"result":"crash"'
	has "$RUN_DIR.out" 'test_crash'
}

@test "a probe that hangs is a timeout, status 1 or, slow here, 125" {
	scenario 'probe test_hang timeout_s=5'
	is_status 125
	has "$RUN_DIR/records.jsonl" '"step":"test_hang".*"result":"timeout"'
}

@test "a probe that eats the memory is skipped for want of it, status 125" {
	scenario 'guest mem_mib=256' 'probe test_eat_memory'
	is_status 125
	has "$RUN_DIR/records.jsonl" '"step":"test_eat_memory".*"result":"skip","cause":"oom"'
}

@test "a probe that fails is a fail, status 1" {
	scenario 'probe test_fail'
	is_status 1
	has "$RUN_DIR/records.jsonl" '"step":"test_fail".*"result":"fail"'
}

@test "a probe that cannot run is skipped, status 125" {
	scenario 'probe test_skip'
	is_status 125
	has "$RUN_DIR/records.jsonl" '"step":"test_skip".*"result":"skip"'
}

@test "a probe that breaks the protocol is a fail, status 1" {
	scenario 'probe test_protocol'
	is_status 1
	has "$RUN_DIR/records.jsonl" '"step":"test_protocol".*"result":"fail","cause":"protocol"'
}

@test "a probe that floods its samples is cut off, status 1" {
	scenario 'probe test_flood'
	is_status 1
	has "$RUN_DIR/records.jsonl" '"step":"test_flood".*"result":"crash".*File size limit'
}

@test "a hog has the policy asked for, and its CPU share is recorded" {
	scenario 'start antagonist_cpu policy=deadline cpu=0' 'probe test_spin ms=500 cpu=1' 'stop antagonist_cpu'
	is_status 0
	has "$RUN_DIR/records.jsonl" '"type":"sample","step":"antagonist_cpu".*"share_ppm":(9[0-9]{5}|1000000)[,}]'
}
