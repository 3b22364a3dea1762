#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# How long work waits: by the probe that needs no tracing, and by the trace.

bats_require_minimum_version 1.5.0
load common

# number KEY: the value of KEY in the line read.
number() {
	sed -n "s/.*\"$1\":\(-\{0,1\}[0-9]*\).*/\1/p"
}

@test "a hog delays bound work, not unbound work, and the trace says whose" {
	local records bound unbound line

	printf '%s\n' '# case - a test' \
		'start antagonist_cpu policy=deadline cpu=0' \
		'probe wq_delay name=traced repetitions=5 cpu=1 trace=workqueue' \
		'probe wq_delay name=short_cap repetitions=5 cap_ms=1 cpu=1' \
		'stop antagonist_cpu' \
		'probe wq_delay name=after repetitions=2 cpu=1' >"$BATS_TEST_TMPDIR/case.scenario"
	kernel 6.1
	boot 240 --deterministic --scenario "$BATS_TEST_TMPDIR/case.scenario" "$KERNEL"
	is_status 0
	records=$RUN_DIR/records.jsonl

	# In virtual time a bound is the same on every host.
	bound=$(grep '"step":"traced".*"warmup":0.*"bound_ns"' "$records" | number bound_ns | sort -n | tail -n 1)
	unbound=$(grep '"step":"traced".*"warmup":0.*"unbound_ns"' "$records" | number unbound_ns | sort -n | head -n 1)
	[ "$bound" -gt $((20 * unbound)) ] || { echo "bound $bound, unbound $unbound"; false; }

	# All five waited in the trace, on both CPUs, longest on the hog's.
	line=$(grep '"type":"trace".*"function":"refresh_vm_stats","cpu":0' "$records")
	[ "$(number executed <<<"$line")" -eq 5 ]
	[ "$(number ran_cpu <<<"$line")" -eq 0 ]
	[ "$(number lost_events <<<"$line")" -eq 0 ]
	[ "$(number delay_max_ns <<<"$line")" -gt $((10 * $(grep '"function":"refresh_vm_stats","cpu":1' "$records" | number delay_max_ns))) ]
	[[ $line == *'"workqueue":"events"'* ]]
	has "$records" '"type":"trace".*"function":"flush_to_ldisc","cpu":-1,"queued":[5-9]'
	has "$RUN_DIR.out" '^why +traced: bound_ns p90 .*; events waited p90 .* for CPU 0 .refresh_vm_stats'

	# What ran into its cap is a sample and the last one, and harms no other.
	has "$records" '"step":"short_cap".*"bound_ns":[0-9]+,"capped":1'
	has "$records" '"type":"note","step":"short_cap","text":"bound_ns: number . had not ended after 1 ms'
	has "$records" '"event":"end","step":"short_cap".*"result":"pass"'
	has "$records" '"event":"end","step":"after".*"result":"pass"'
	[ "$(count "$records" '"type":"trace","step":"(short_cap|after)"')" -eq 0 ]
}

@test "a step whose trace is lost fails, one that cannot be traced is skipped" {
	local records

	printf '%s\n' '# case - a test' \
		'exec lost trace=workqueue -- rmdir /sys/kernel/tracing/instances/kverdict' \
		'exec hide -- umount /sys/kernel/tracing' \
		'probe wq_delay name=untraceable repetitions=2 cpu=1 trace=workqueue' \
		'probe wq_delay name=after repetitions=2 cpu=1' >"$BATS_TEST_TMPDIR/case.scenario"
	kernel 6.12
	boot 120 --scenario "$BATS_TEST_TMPDIR/case.scenario" "$KERNEL"
	is_status 1
	records=$RUN_DIR/records.jsonl
	has "$records" '"event":"begin","step":"lost".*"trace":"workqueue"'
	has "$records" '"event":"end","step":"lost".*"result":"fail","cause":"other","reason":"read /sys/kernel/tracing/instances/kverdict/'
	has "$records" '"event":"end","step":"untraceable".*"result":"skip","cause":"option","reason":"CONFIG_FTRACE or '
	[ "$(count "$records" '"type":"sample","step":"untraceable"')" -eq 0 ]
	has "$records" '"event":"end","step":"after".*"result":"pass"'
}
