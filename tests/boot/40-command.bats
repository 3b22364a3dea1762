#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# run-qemu.sh KERNEL -- COMMAND: its output, and its status made safe.

bats_require_minimum_version 1.5.0
load common

@test "a command's output is all that stdout carries" {
	kernel 6.12
	boot 120 "$KERNEL" -- 'uname -s; echo to-stderr >&2; printf "a\000b"'
	is_status 0
	[ "$(od -An -c "$RUN_DIR.out" | tr -d ' \n')" = 'Linux\na\0b' ]
	has "$RUN_DIR.err" '^to-stderr$'
}

@test "a command's status comes back, but never one of ours" {
	kernel 6.12
	boot 120 "$KERNEL" -- 'exit 3'
	is_status 3
	boot 120 "$KERNEL" -- 'exit 125'
	is_status 124
	has "$RUN_DIR/run.json" '"command_status": *125'
	boot 120 "$KERNEL" -- 'kill -9 $$'
	is_status 124
	has "$RUN_DIR/run.json" '"command_status": *137'
}

@test "a command writes more than a pipe or a record holds" {
	kernel 6.12
	boot 240 "$KERNEL" -- 'seq 1 20000'
	is_status 0
	seq 1 20000 | cmp - "$RUN_DIR.out"
}

@test "a command that panics the kernel ends at once, status 1" {
	kernel 6.12
	boot 120 "$KERNEL" -- 'echo c >/proc/sysrq-trigger; sleep 1000'
	is_status 1
	has "$RUN_DIR/records.jsonl" '"event":"begin","step":"command"'
	has "$RUN_DIR.err" 'panic'
}
