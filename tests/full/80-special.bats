#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Kernels that are built to lack something or to break, and floods in real size:
# part of `make check-full`.

bats_require_minimum_version 1.5.0
load ../boot/common

# special NAME: set KERNEL to that kernel.
special() {
	KERNEL=$("$BATS_TEST_DIRNAME/kernel.sh" "$1")
}

# breaks HOW ARGUMENT...: a step between two others breaks this kernel.
breaks() {
	local how=$1
	shift
	special noisy
	scenario_file 'probe test_spin name=before ms=10' "probe test_panic how=$how timeout_s=20" 'probe test_spin name=after ms=10 timeout_s=10'
	boot 400 --scenario "$SCENARIO" "$@" "$KERNEL"
	has "$RUN_DIR/records.jsonl" '"type":"sample","step":"before"'
}

@test "a kernel without procfs, sysfs, devtmpfs, network, disks, PCI and ACPI boots and ends" {
	special bare
	boot 240 --scenario empty "$KERNEL"
	is_status 0
	has "$RUN_DIR/run.json" '"records_from": *"mirror"'
	has "$RUN_DIR/records.jsonl" '"clocksource":"unknown".*"cmdline":"\(no /proc\)"'
	boot 240 "$KERNEL" -- 'echo hello; exit 7'
	is_status 7
	[ "$(cat "$RUN_DIR.out")" = hello ]
}

@test "its steps are skipped with the option that is missing, and 125 names the first" {
	special bare
	scenario_file may-skip 'probe readiness taps=1 repetitions=2' 'probe netns_churn count=4 every=2 mode=add' \
		'probe rt6_probe senders=2 seconds=1' 'probe wq_delay repetitions=2 trace=workqueue'
	boot 240 --scenario "$SCENARIO" "$KERNEL"
	is_status 125
	[ "$(count "$RUN_DIR.out" 'skipped +[a-z0-9_]+ \(option\): CONFIG_[A-Z0-9_]+ is off')" -eq 4 ]
	boot 240 --scenario r1-three-taps "$KERNEL"
	is_status 125
	has "$RUN_DIR.err" 'step readiness was skipped: .*CONFIG_'
}

@test "without network namespaces the other probes are measured, and a step that asks for them is 125" {
	special noisy
	boot 300 "$KERNEL" -- '[ -d /proc/self/ns ] && [ ! -e /proc/self/ns/net ] && grep -w devtmpfs /proc/filesystems'
	is_status 0
	boot 400 --scenario smoke "$KERNEL"
	is_status 0
	[ "$(count "$RUN_DIR.out" '^skipped +(netns_churn|router_churn) \(option\): CONFIG_NET_NS is off')" -eq 2 ]
	[ "$(count "$RUN_DIR.out" '^skipped ')" -eq 2 ]
	has "$RUN_DIR/records.jsonl" '"type":"sample","step":"readiness"'
	has "$RUN_DIR/records.jsonl" '"type":"sample","step":"rt6_probe"'
	has "$RUN_DIR/records.jsonl" '"type":"sample","step":"wq_delay"'
	scenario_file 'probe netns_churn count=4 every=2 mode=add' 'probe readiness taps=1 repetitions=2'
	boot 300 --scenario "$SCENARIO" "$KERNEL"
	is_status 125
	has "$RUN_DIR.err" 'step netns_churn was skipped: CONFIG_NET_NS is off'
	has "$RUN_DIR/records.jsonl" '"type":"sample","step":"readiness"'
}

@test "an oops is 1, the steps after it run, and its trace is shown" {
	breaks oops
	is_status 1
	has "$RUN_DIR.err" 'the kernel broke in step test_panic: (BUG|Oops)'
	has "$RUN_DIR.out" '^ +.*lkdtm_EXCEPTION'
	has "$RUN_DIR/records.jsonl" '"step":"test_panic".*"result":"crash"'
	has "$RUN_DIR/records.jsonl" '"step":"after".*"result":"pass"'
}

@test "an oops that panics is 1, with what was there before" {
	breaks oops --append oops=panic
	is_status 1
	has "$RUN_DIR.err" 'the kernel broke in step test_panic: '
	has "$RUN_DIR.out" '^kernel +Kernel panic - not syncing: Fatal exception'
	has "$RUN_DIR.out" '^ +.*lkdtm_EXCEPTION'
}

@test "a BUG is 1" {
	breaks bug
	is_status 1
	has "$RUN_DIR.err" 'the kernel broke in step test_panic: kernel BUG at'
	has "$RUN_DIR.out" '^ +.*lkdtm_BUG'
}

@test "a WARN is a note" {
	breaks warn
	is_status 0
	has "$RUN_DIR.out" '^kernel +WARNING: .*lkdtm'
}

# clocksource=hpet: the change to a better one stops the machine, and it is made
# in the seconds in which the step begins.
@test "a soft lockup that holds a step for ever is 1, and the kernel's words are shown" {
	breaks soft_lockup --append 'clocksource=hpet watchdog_thresh=2'
	is_status 1
	has "$RUN_DIR.out" '^kernel +watchdog: BUG: soft lockup'
	has "$RUN_DIR.err" 'could not be killed'
}

@test "a lockup that stops the machine, /init with it, is a hung kernel, 1" {
	special noisy
	local provoke=/sys/kernel/debug/provoke-crash/DIRECT clock=/sys/devices/system/clocksource/clocksource0/current_clocksource
	# The other CPU then waits for the first one.
	scenario_file 'probe test_spin name=before ms=10' \
		"exec stop timeout_s=20 -- (sleep 3; exec taskset 2 sh -c 'echo tsc >$clock') & echo SOFTLOCKUP | taskset 1 tee $provoke"
	boot 400 --scenario "$SCENARIO" --append 'clocksource=hpet watchdog_thresh=2' --silence-timeout 30 "$KERNEL"
	is_status 1
	has "$RUN_DIR/records.jsonl" '"type":"sample","step":"before"'
	has "$RUN_DIR.err" 'the kernel hung in step stop: no record for 90 s; it said: watchdog: BUG: soft lockup'
	has "$RUN_DIR.out" 'multi_cpu_stop'
}

@test "an RCU stall that holds a step for ever is 1, and the kernel's words are shown" {
	breaks soft_lockup --append 'clocksource=hpet nosoftlockup rcupdate.rcu_cpu_stall_timeout=3'
	is_status 1
	has "$RUN_DIR.out" '^kernel +rcu: INFO: rcu_.* (self-)?detected (stall|stalls|expedited stalls) on CPU'
	has "$RUN_DIR.err" 'could not be killed'
}

@test "a task that hangs for ever is 1, and the kernel's words are shown" {
	breaks hung_task --append sysctl.kernel.hung_task_timeout_secs=5
	is_status 1
	has "$RUN_DIR.out" '^kernel +INFO: task .*blocked for more than 5 seconds'
	has "$RUN_DIR.err" 'could not be killed'
}

@test "a command that writes 70 MB is 128, and what the record stream holds of them is there" {
	kernel 6.12
	# As fast as a serial port is emulated: some ten minutes, on a busy host more.
	boot 3600 --timeout 3500 "$KERNEL" -- 'head -c 70000000 /dev/zero | tr "\0" k'
	is_status 128
	has "$RUN_DIR.err" 'output is incomplete'
	[ "$(stat -c %s "$RUN_DIR.out")" -gt 45000000 ]
	[ "$(stat -c %s "$RUN_DIR.out")" -lt 67108864 ]
	[ "$(tr -d k <"$RUN_DIR.out" | wc -c)" -eq 0 ]
	[ "$(stat -c %s "$RUN_DIR/records.jsonl")" -gt 66000000 ]
	[ "$(stat -c %s "$RUN_DIR/records.jsonl")" -le 67108864 ]
}

@test "a guest that floods its console is ended at 256 MiB, and both ends of it are kept" {
	kernel 6.12
	# A second console of the same guest, by virtio, into the same file: the
	# emulated serial port would take an hour.  Without ioeventfd QEMU writes
	# at once, where else each page waits for another thread of a busy host.
	# shellcheck disable=SC2016 # the text of a script
	wrap_qemu <<-'EOF'
		for ((i = 0; i < ${#args[@]}; i++)); do
			[ "${args[i]}" != file:console.log ] || args[i]=chardev:both
		done
		args+=(-chardev file,id=both,path=console.log,mux=on -device virtio-serial-pci,ioeventfd=off -device virtconsole,chardev=both)
	EOF
	boot 1500 --timeout 1400 "$KERNEL" -- 'exec >/dev/hvc0 </dev/hvc0; stty -opost; echo it begins; yes "a flood, to the console and to nobody" | cat'
	is_status 1
	has "$RUN_DIR.err" 'the console was flooded in step command'
	has "$RUN_DIR/console.log" 'Linux version'
	has "$RUN_DIR/console.log" 'it begins'
	has "$RUN_DIR/console.log" '^\[\.\.\. [0-9]{9,} bytes left out \.\.\.\]'
	tail -c 1000 "$RUN_DIR/console.log" | grep -q 'a flood, to the console and to nobody'
	[ "$(sed -n 's/^\[\.\.\. \([0-9]*\) bytes left out .*/\1/p' "$RUN_DIR/console.log")" -gt $((254 << 20)) ]
	[ "$(stat -c %s "$RUN_DIR/console.log")" -lt 2200000 ]
}
