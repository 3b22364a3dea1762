#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Kernels that do not get to /init, and a host that breaks under a run.

bats_require_minimum_version 1.5.0
load common

# background: start a run, wait until QEMU has put something on the
# console, set PID to the run and QEMU_PID to its QEMU.
background() {
	local tries=0

	kernel 6.12
	RUN_DIR=$BATS_TEST_TMPDIR/run
	"$TOP/run-qemu.sh" --accel tcg --scenario empty --out "$RUN_DIR" "$KERNEL" \
		>"$RUN_DIR.out" 2>"$RUN_DIR.err" </dev/null &
	PID=$!
	until [ -s "$RUN_DIR/console.log" ]; do
		tries=$((tries + 1))
		[ "$tries" -lt 600 ]
		read -rt 0.1 <> <(:) || true
	done
	QEMU_PID=$(pgrep -P "$PID")
}

# finish: wait for the run, set status.
finish() {
	status=0
	wait "$PID" || status=$?
}

@test "a panic before /init is 125, and its message is told" {
	kernel 6.12
	boot 120 --append 'rdinit=/nowhere init=/nowhere' --scenario empty "$KERNEL"
	is_status 125
	has "$RUN_DIR.err" 'Kernel panic - not syncing'
	has "$RUN_DIR/console.log" 'Kernel panic'
	has "$RUN_DIR/run.json" '"records_from": *"none"'
}

@test "a kernel that does not reach /init in time is 125" {
	kernel 6.12
	boot 60 --boot-timeout 1 --scenario empty "$KERNEL"
	is_status 125
	has "$RUN_DIR.err" '(with)?in 1 s'
}

@test "a kernel without a console gets advice" {
	kernel 6.12
	boot 60 --boot-timeout 4 --append 'console=tty9 8250.nr_uarts=0' --scenario empty "$KERNEL"
	is_status 125
	has "$RUN_DIR.err" 'CONFIG_SERIAL_8250_CONSOLE'
}

@test "a guest too small for its image is 125, with advice" {
	kernel 6.12
	boot 120 --mem 128 --append 'mem=48M' --scenario empty "$KERNEL"
	is_status 125
	has "$RUN_DIR.err" '--mem'
}

@test "time that runs out while the guest gets on is 125" {
	kernel 6.12
	printf '# slow - a test\nprobe test_spin ms=60000 timeout_s=120\n' >"$BATS_TEST_TMPDIR/slow.scenario"
	boot 120 --timeout 20 --boot-timeout 100 --scenario "$BATS_TEST_TMPDIR/slow.scenario" "$KERNEL"
	is_status 125
	has "$RUN_DIR.err" '--timeout'
}

@test "no QEMU, one that is none, and one that refuses are 128" {
	kernel 6.12
	QEMU=$BATS_TEST_TMPDIR/nothing boot 20 --scenario empty "$KERNEL"
	is_status 128
	QEMU=/bin/true boot 20 --scenario empty "$KERNEL"
	is_status 128
	# shellcheck disable=SC2016 # the text of a script
	printf '#!/bin/sh\n[ "$1" = --version ] && exec echo QEMU emulator version 10.0.0\necho no machine pc >&2\nexit 1\n' \
		>"$BATS_TEST_TMPDIR/qemu"
	chmod +x "$BATS_TEST_TMPDIR/qemu"
	QEMU=$BATS_TEST_TMPDIR/qemu boot 20 --scenario empty "$KERNEL"
	is_status 128
	has "$RUN_DIR.err" 'status 1: no machine pc'
}

@test "QEMU killed from outside is 128, and nobody blames the kernel" {
	background
	kill -KILL "$QEMU_PID"
	finish
	is_status 128
	has "$RUN_DIR.err" 'signal 9'
	has "$RUN_DIR/run.json" '"qemu_signal": *9'
}

@test "QEMU told to end from outside is 128, although it ends with 0" {
	background
	kill -TERM "$QEMU_PID"
	finish
	is_status 128
	has "$RUN_DIR.err" 'from outside'
}

@test "a run that is killed leaves no QEMU" {
	background
	kill -KILL "$PID"
	finish
	gone "$QEMU_PID"
}

@test "a run directory that cannot be made is 128" {
	kernel 6.12
	run -128 "$TOP/run-qemu.sh" --accel tcg --scenario empty --out /proc/run "$KERNEL"
}
