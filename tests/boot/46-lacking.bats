#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Kernels that lack something: the run goes on with what there is, and what is
# missing is named.  Where the kernel cannot be made to lack it by a parameter,
# QEMU is wrapped, or the image gets a file where a file system would be
# mounted.

bats_require_minimum_version 1.5.0
load common

# hide DIRECTORY...: what is mounted there is missing in this guest.
hide() {
	local name

	for name in "$@"; do
		printf 'file /%s %s 600 0 0\n' "$name" /dev/null
	done >"$BATS_TEST_TMPDIR/hide.list"
	: >"$BATS_TEST_TMPDIR/nothing"
	sed -i "s|/dev/null|$BATS_TEST_TMPDIR/nothing|" "$BATS_TEST_TMPDIR/hide.list"
	"$KVERDICT" cpio "$BATS_TEST_TMPDIR/hide.list" "$BATS_TEST_TMPDIR/hide.cpio"
	wrap_qemu <<-EOF
		for ((i = 0; i < \${#args[@]}; i++)); do
			[ "\${args[i]}" = -initrd ] || continue
			cat "\${args[i + 1]}" "$BATS_TEST_TMPDIR/hide.cpio" >"$BATS_TEST_TMPDIR/initrd"
			args[i + 1]=$BATS_TEST_TMPDIR/initrd
		done
	EOF
}

# some_steps: each probe once, without a hog.
some_steps() {
	scenario_file may-skip 'probe test_spin ms=10' 'probe readiness taps=1 repetitions=3 cpu=0' \
		'probe netns_churn count=20 every=10 mode=add' 'probe rt6_probe senders=2 seconds=1'
}

@test "a kernel that takes no initramfs is 125" {
	kernel 6.12
	# shellcheck disable=SC2016 # the text of a script
	wrap_qemu <<-'EOF'
		for ((i = 0; i < ${#args[@]}; i++)); do
			[ "${args[i]}" != -initrd ] || unset 'args[i]' 'args[i + 1]'
		done
	EOF
	boot 120 --scenario empty "$KERNEL"
	is_status 125
	has "$RUN_DIR.err" 'Unable to mount root fs'
	has "$RUN_DIR.err" 'CONFIG_BLK_DEV_INITRD'
}

@test "a kernel that restarts again and again is ended at the first time, 125" {
	kernel 6.12
	boot 120 --scenario empty --append 'rdinit=/bin/sh -- -c "reboot -f"' "$KERNEL"
	is_status 125
	has "$RUN_DIR.err" 'restarted before /init'
}

@test "a kernel that hangs before /init is 125, and its last line is told" {
	kernel 6.12
	boot 120 --scenario empty --boot-timeout 8 --append 'rdinit=/bin/sleep -- 1000' "$KERNEL"
	is_status 125
	has "$RUN_DIR.err" 'did not reach /init within 8 s; its last line: .*[a-z]'
}

@test "without PCI and IPv6 the rest of a scenario that may skip is measured" {
	kernel 6.12
	some_steps
	boot 240 --scenario "$SCENARIO" --append 'pci=off ipv6.disable=1' "$KERNEL"
	is_status 0
	has "$RUN_DIR/records.jsonl" '"step":"readiness".*"result":"skip","cause":"option","reason":"[^"]*IPV6'
	has "$RUN_DIR/records.jsonl" '"step":"rt6_probe".*"result":"skip","cause":"option"'
	has "$RUN_DIR/records.jsonl" '"type":"sample","step":"netns_churn"'
	has "$RUN_DIR/run.json" '"records_from": *"mirror"'
	has "$RUN_DIR.out" 'the disk: this guest cannot take a disk'
}

@test "a step that asks for IPv6 is 125 without, and names the option" {
	kernel 6.12
	boot 120 --scenario r1-three-taps --append 'ipv6.disable=1' "$KERNEL"
	is_status 125
	has "$RUN_DIR.err" 'CONFIG_IPV6'
}

@test "a hog's share is no measurement: nothing else taken is 125" {
	kernel 6.12
	printf '%s\n' '# hog - no probe runs' 'guest smp=2' may-skip 'start antagonist_cpu policy=other nice=0 cpu=0' \
		'probe readiness repetitions=2' 'stop antagonist_cpu' >"$BATS_TEST_TMPDIR/hog.scenario"
	boot 120 --scenario "$BATS_TEST_TMPDIR/hog.scenario" --append 'ipv6.disable=1' "$KERNEL"
	is_status 125
	has "$RUN_DIR.err" 'nothing was measured'
	has "$RUN_DIR/records.jsonl" '"type":"sample","step":"antagonist_cpu"'
}

@test "without virtio, and without ext2 and ext4, the mirror's records count" {
	kernel 6.12
	for part in virtio_pci_driver_init ext4_init_fs; do
		boot 120 --scenario empty --append "initcall_blacklist=$part" "$KERNEL"
		is_status 0
		has "$RUN_DIR/run.json" '"records_from": *"mirror"'
	done
}

# one_port: this guest has no second serial port.
one_port() {
	# shellcheck disable=SC2016 # the text of a script
	wrap_qemu <<-'EOF'
		for ((i = 0; i < ${#args[@]}; i++)); do
			[ "${args[i]}" != file:mirror.jsonl ] || unset 'args[i]' 'args[i - 1]'
		done
	EOF
}

@test "with one serial port the records come by the disk alone" {
	kernel 6.12
	one_port
	boot 120 --scenario empty "$KERNEL"
	is_status 0
	has "$RUN_DIR/run.json" '"records_from": *"disk"'
	has "$RUN_DIR/records.jsonl" 'no second serial port'
}

@test "with one serial port and no disk nothing arrives, and both are named" {
	kernel 6.12
	one_port
	boot 120 --scenario empty --append 'pci=off' "$KERNEL"
	is_status 125
	has "$RUN_DIR.err" 'no second serial port .*CONFIG_SERIAL_8250_NR_UARTS.* the results disk was not written'
}

@test "a kernel that takes the second serial port for the first is 125" {
	kernel 6.12
	boot 120 --scenario empty --append '8250.nr_uarts=1 pci=off' "$KERNEL"
	is_status 125
	has "$RUN_DIR.err" 'the records came out of the console'
}

@test "without procfs the run goes on" {
	kernel 6.12
	hide proc
	some_steps
	boot 240 --scenario "$SCENARIO" "$KERNEL"
	is_status 0
	has "$RUN_DIR/records.jsonl" '"cmdline":"\(no /proc\)"'
	has "$RUN_DIR/records.jsonl" '"step":"netns_churn".*"cause":"option","reason":"CONFIG_PROC_FS is off'
	has "$RUN_DIR/records.jsonl" '"type":"sample"'
}

@test "without sysfs the run goes on, over the mirror" {
	kernel 6.12
	hide sys
	some_steps
	boot 240 --scenario "$SCENARIO" "$KERNEL"
	is_status 0
	has "$RUN_DIR/records.jsonl" '"type":"sample"'
	has "$RUN_DIR/run.json" '"records_from": *"mirror"'
}

# without_name WORD: set KERNEL to the vmlinux of this kernel, which calls a file
# system otherwise, and MODULES to its modules.  It has as many letters, and
# /init cannot mount what it does not know by its name.
without_name() {
	MODULES=$(echo "${KERNEL%/boot/*}"/lib/modules/*)
	"$KVERDICT" kernel "$KERNEL" --vmlinux "$BATS_TEST_TMPDIR/vmlinux" >/dev/null
	LC_ALL=C sed -i "s/$1/${1%?}_/g" "$BATS_TEST_TMPDIR/vmlinux"
	KERNEL=$BATS_TEST_TMPDIR/vmlinux
}

@test "without devtmpfs /init makes the devices: every probe is measured, the disk is written" {
	kernel 6.12
	without_name devtmpfs
	boot 240 --modules "$MODULES" "$KERNEL" -- 'cat /proc/filesystems; grep " /dev " /proc/mounts || echo nothing on /dev'
	is_status 0
	has "$RUN_DIR.out" 'devtmpf_'
	has "$RUN_DIR.out" '^nothing on /dev$'
	boot 400 --scenario smoke --modules "$MODULES" "$KERNEL"
	is_status 0
	[ "$(count "$RUN_DIR.out" '^skipped ')" -eq 0 ] || { show; false; }
	has "$RUN_DIR/run.json" '"records_from": *"disk"'
	for step in readiness netns_churn rt6_probe wq_delay; do
		has "$RUN_DIR/records.jsonl" "\"type\":\"sample\",\"step\":\"$step\""
	done
}

@test "without tracefs a traced step is skipped, and names the option" {
	kernel 6.12
	scenario_file may-skip 'probe test_spin name=traced ms=10 trace=workqueue' 'probe test_spin ms=10'
	boot 240 --scenario "$SCENARIO" --append initcall_blacklist=tracefs_init "$KERNEL"
	is_status 0
	has "$RUN_DIR/records.jsonl" '"step":"traced".*"result":"skip","cause":"option","reason":"CONFIG_FTRACE or CONFIG_ENABLE_DEFAULT_TRACERS is off'
	has "$RUN_DIR/records.jsonl" '"type":"sample","step":"test_spin"'
	sed -i '/^may-skip/d' "$SCENARIO"
	boot 240 --scenario "$SCENARIO" --append initcall_blacklist=tracefs_init "$KERNEL"
	is_status 125
	has "$RUN_DIR.err" 'step traced was skipped: CONFIG_FTRACE'
}
