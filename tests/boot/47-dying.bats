#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Kernels that break while they are measured, guests that flood, hosts that
# stand still.  Where a kernel would need minutes for it, QEMU is a script that
# writes what such a guest writes.

bats_require_minimum_version 1.5.0
load common

# fake_qemu: standard input is all that QEMU does after its --version.
fake_qemu() {
	{
		printf '#!/bin/bash\n'
		# shellcheck disable=SC2016 # the text of a script
		printf '%s\n' 'case $1 in -L) exit 0 ;; --version) echo QEMU emulator version 10.0.2; exit 0 ;; esac' \
			'run='\''{"type":"run","record_version":1,"kernel":"6.12","scenario":"case","mode":"realtime","seed":1,"cpus":2,"mem_kib":500000,"clocksource":"tsc","steps":1,"may_skip":0,"disk":1,"cmdline":"quiet"}'\' \
			'begin='\''{"type":"step","event":"begin","step":"test_spin","verb":"probe","probe":"test_spin","params":"","timeout_s":1,"time_ns":1}'\'
		cat
	} >"$BATS_TEST_TMPDIR/fake-qemu"
	chmod +x "$BATS_TEST_TMPDIR/fake-qemu"
	export QEMU=$BATS_TEST_TMPDIR/fake-qemu
}

@test "a panic in a step is 1, at once, with the records before it and the trace" {
	kernel 6.12
	scenario_file 'probe test_spin ms=10' 'probe test_panic'
	# panic=0: this kernel does not restart, it stands still.
	boot 120 --scenario "$SCENARIO" --append 'panic=0' "$KERNEL"
	is_status 1
	has "$RUN_DIR.err" 'broke in step test_panic: Kernel panic - not syncing: sysrq triggered crash'
	has "$RUN_DIR/records.jsonl" '"event":"end","step":"test_spin".*"result":"pass"'
	has "$RUN_DIR/records.jsonl" '"type":"sample","step":"test_spin"'
	has "$RUN_DIR.out" '^INCOMPLETE'
	has "$RUN_DIR.out" '^kernel +Kernel panic - not syncing'
	has "$RUN_DIR.out" '^ +sysrq_handle_crash'
}

@test "no memory for /init itself is 125, with advice" {
	kernel 6.12
	boot 180 --mem 256 "$KERNEL" -- 'echo -1000 >/proc/self/oom_score_adj; tail /dev/zero'
	is_status 125
	has "$RUN_DIR.err" 'ran out of memory.*--mem'
}

@test "a command that the OOM killer ends is 125, with advice" {
	kernel 6.12
	boot 180 --mem 256 "$KERNEL" -- 'exec tail /dev/zero'
	is_status 125
	has "$RUN_DIR.err" '--mem'
	has "$RUN_DIR/run.json" '"command_status": *137'
}

@test "a guest that falls silent in a step is a hung kernel, 1" {
	kernel 6.12
	scenario_file 'probe test_spin timeout_s=1'
	fake_qemu <<-'EOF'
		printf '[    1.000000] about to hang\n' >>console.log
		printf '%s\n%s\n' "$run" "$begin" >>mirror.jsonl
		exec sleep 1000
	EOF
	boot 60 --scenario "$SCENARIO" --silence-timeout 1 "$KERNEL"
	is_status 1
	has "$RUN_DIR.err" 'the kernel hung in step test_spin: nothing for 4 s; its last line: about to hang'
}

@test "a guest that does nothing but say that it hangs is a hung kernel, 1" {
	kernel 6.12
	scenario_file 'probe test_spin timeout_s=1'
	fake_qemu <<-'EOF'
		printf '%s\n%s\n' "$run" "$begin" >>mirror.jsonl
		while sleep 0.2; do
			printf '[    9.000000] %s\n' 'watchdog: BUG: soft lockup - CPU#1 stuck for 6s! [migration/1:20]' \
				'Stopper: multi_cpu_stop+0x0/0xf0' >>console.log
		done
	EOF
	boot 60 --scenario "$SCENARIO" --silence-timeout 1 "$KERNEL"
	is_status 1
	has "$RUN_DIR.err" 'the kernel hung in step test_spin: no record for 4 s; it said: watchdog: BUG: soft lockup'
	has "$RUN_DIR.out" '^kernel +watchdog: BUG: soft lockup'
}

@test "after a record a kernel that once complained is heard again" {
	kernel 6.12
	scenario_file 'probe test_spin timeout_s=1'
	fake_qemu <<-'EOF'
		printf '%s\n' "$run" >>mirror.jsonl
		printf '[    5.000000] rcu: INFO: rcu_preempt self-detected stall on CPU\n' >>console.log
		sleep 1
		printf '%s\n' "$begin" >>mirror.jsonl
		while sleep 0.2; do
			printf '[    9.000000] TCP: something that is no complaint\n' >>console.log
		done
	EOF
	boot 60 --scenario "$SCENARIO" --silence-timeout 1 --timeout 12 "$KERNEL"
	is_status 125
	has "$RUN_DIR.err" 'too slow here: 12 s passed in step test_spin while the guest still made progress'
}

@test "a QEMU that is stopped is the host's fault, 128" {
	kernel 6.12
	scenario_file 'probe test_spin timeout_s=1'
	fake_qemu <<-'EOF'
		printf '%s\n%s\n' "$run" "$begin" >>mirror.jsonl
		kill -STOP $$
	EOF
	boot 60 --scenario "$SCENARIO" --silence-timeout 1 "$KERNEL"
	is_status 128
	has "$RUN_DIR.err" 'QEMU \(process [0-9]+\) is stopped'
	has "$RUN_DIR/records.jsonl" '"event":"begin"'
}

@test "a console flood ends the run at 256 MiB, and both ends of it are kept" {
	kernel 6.12
	scenario_file 'probe test_spin'
	fake_qemu <<-'EOF'
		printf '%s\n%s\n' "$run" "$begin" >>mirror.jsonl
		echo the first line >>console.log
		yes the flood | head -c 300M >>console.log
		echo the last line >>console.log
		exec sleep 1000
	EOF
	boot 120 --scenario "$SCENARIO" "$KERNEL"
	is_status 1
	has "$RUN_DIR.err" 'the console was flooded in step test_spin'
	[ "$(head -n 1 "$RUN_DIR/console.log")" = 'the first line' ]
	[ "$(tail -n 1 "$RUN_DIR/console.log")" = 'the last line' ]
	[ "$(stat -c %s "$RUN_DIR/console.log")" -lt 2200000 ]
}

@test "what a hostile guest writes is never judged, and names no file of the host" {
	kernel 6.12
	scenario_file 'probe test_spin'
	fake_qemu <<-'EOF'
		{
			printf '%s\n%s\n' "$run" "$begin"
			printf '{"type":"step","event":"end","step":"../../etc","verb":"probe","probe":"test_spin","result":"pass","duration_ns":1}\n'
			printf '{"type":"end","records":1,"crc32":"00000000"}\n{"type":"end","records":2,"crc32":"00000000"}\n\0\377torn'
		} >>mirror.jsonl
		ln -s /etc/passwd records.jsonl
		printf '\033]0;title\007 Kernel panic\n' >>console.log
	EOF
	boot 60 --scenario "$SCENARIO" "$KERNEL"
	is_status 125
	has "$RUN_DIR.out" '^INCOMPLETE'
	[ ! -L "$RUN_DIR/records.jsonl" ]
	[ "$(wc -l <"$RUN_DIR/records.jsonl")" -eq 2 ]
	! grep -q $'\033' "$RUN_DIR.out"
}
