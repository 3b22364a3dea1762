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

@test "without tracing the tracer skips, and without its instance it fails" {
	kernel 6.12
	boot 120 "$KERNEL" -- '
		/bin/probe trace_workqueue action=read 3>&1
		echo "read: $?"
		umount /sys/kernel/tracing
		/bin/probe trace_workqueue action=start 3>&1
		echo "start: $?"'
	is_status 0
	has "$RUN_DIR.out" '^fail other read /sys/kernel/tracing/instances/kverdict/trace: No such file'
	has "$RUN_DIR.out" '^read: 1$'
	has "$RUN_DIR.out" '^skip option CONFIG_FTRACE or CONFIG_ENABLE_DEFAULT_TRACERS is off'
	has "$RUN_DIR.out" '^start: 4$'
}
