#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The person at the keyboard: wrong words, Ctrl-C, a /dev/kvm that hangs.

bats_require_minimum_version 1.5.0
load common

@test "wrong usage is 129 and says what to do" {
	kernel 6.12
	boot 20
	is_status 129
	boot 20 --no-such-option "$KERNEL"
	is_status 129
	boot 20 --scenario no-such-scenario "$KERNEL"
	is_status 129
	boot 20 "$BATS_TEST_TMPDIR/no-such-kernel"
	is_status 129
	has "$RUN_DIR.err" 'no-such-kernel'
	boot 20 "$TOP/README.md"
	is_status 129
	has "$RUN_DIR.err" 'text'
	mkdir "$BATS_TEST_TMPDIR/there"
	run -129 "$TOP/run-qemu.sh" --out "$BATS_TEST_TMPDIR/there" "$KERNEL"
	run -129 "$KVERDICT" no-such-command
}

@test "a scenario with a mistake is refused with the number of its line" {
	local file=$BATS_TEST_TMPDIR/bad.scenario

	kernel 6.12
	printf '# bad\n\nprobe readiness repetitions=none\n' >"$file"
	boot 20 --scenario "$file" "$KERNEL"
	is_status 129
	has "$RUN_DIR.err" 'bad.scenario:3'
}

@test "--dry-run prints the command and boots nothing" {
	kernel 6.12
	boot 60 --dry-run "$KERNEL"
	is_status 0
	has "$RUN_DIR.out" 'qemu-system'
	# Else a busy host makes some kernels panic early.
	has "$RUN_DIR.out" 'no_timer_check'
	[ ! -e "$RUN_DIR" ]
}

@test "the KVM check ends in time, and --accel auto goes on without" {
	local begin=$SECONDS usable=0

	rm -rf "$BUILD"/cache/kvm*
	timeout 30 "$KVERDICT" kvm-check || usable=$?
	[ "$usable" -eq 0 ] || [ "$usable" -eq 128 ]
	[ $((SECONDS - begin)) -lt 30 ]

	kernel 6.12
	timeout 120 "$TOP/run-qemu.sh" --accel auto --scenario empty --out "$BATS_TEST_TMPDIR/auto" "$KERNEL" \
		>"$BATS_TEST_TMPDIR/out" 2>"$BATS_TEST_TMPDIR/err"
	if [ "$usable" -eq 0 ]; then
		grep -q '"accelerator": "kvm"' "$BATS_TEST_TMPDIR/auto/run.json"
	else
		grep -qi 'tcg' "$BATS_TEST_TMPDIR/err"
		run -128 "$TOP/run-qemu.sh" --accel kvm --scenario empty --out "$BATS_TEST_TMPDIR/kvm" "$KERNEL"
	fi
}

# interrupt SIGNAL: start a run, send the signal once /init was reached.
interrupt() {
	local dir=$BATS_TEST_TMPDIR/run-$1 pid status=0 tries=0

	printf '# slow - a test\nprobe test_spin ms=60000 timeout_s=120\n' >"$BATS_TEST_TMPDIR/slow.scenario"
	"$TOP/run-qemu.sh" --accel tcg --scenario "$BATS_TEST_TMPDIR/slow.scenario" --out "$dir" "$KERNEL" \
		>"$dir.out" 2>"$dir.err" &
	pid=$!
	until grep -qs '"event":"begin"' "$dir/mirror.jsonl"; do
		tries=$((tries + 1))
		[ "$tries" -lt 1200 ]
		read -rt 0.1 <> <(:) || true
	done
	kill "-$1" "$pid"
	wait "$pid" || status=$?
	[ "$status" -eq 130 ]
	# What arrived is kept, and no QEMU of this run is left.
	grep -q '"type":"run"' "$dir/records.jsonl"
	[ -s "$dir/console.log" ]
	run ! grep -qxF "$dir" <(readlink /proc/[0-9]*/cwd)
}

@test "SIGINT and SIGTERM end a run with 130 and keep what arrived" {
	kernel 6.12
	interrupt TERM
	interrupt INT
}

@test "paths with spaces and a closed stdin work" {
	local dir="$BATS_TEST_TMPDIR/with some spaces"

	kernel 6.12
	mkdir "$dir"
	cp "$KERNEL" "$dir/my kernel"
	timeout 120 "$TOP/run-qemu.sh" --accel tcg --scenario empty --out "$dir/a run" "$dir/my kernel" <&- >"$dir/out" 2>"$dir/err"
	[ -s "$dir/a run/records.jsonl" ]
}

@test "qemu-cmd of a run directory boots the same again" {
	kernel 6.12
	boot 120 --scenario empty "$KERNEL"
	is_status 0
	mkdir "$BATS_TEST_TMPDIR/again"
	timeout 300 sh "$RUN_DIR/qemu-cmd" "$BATS_TEST_TMPDIR/again" </dev/null
	grep -q '"type":"end"' "$BATS_TEST_TMPDIR/again/mirror.jsonl"
}

@test "no script ends in 1 to 127 because its messages go nowhere" {
	local script status

	for script in run-qemu.sh mkimage.sh bisect.sh host/deps.sh host/fetch-kernel.sh; do
		status=0
		"$TOP/$script" --no-such-option >/dev/null 2>/dev/full </dev/null || status=$?
		[ "$status" -ge 128 ] || { echo "$script: $status"; false; }
		status=0
		"$TOP/$script" --no-such-option >/dev/null 2>&- </dev/null || status=$?
		[ "$status" -ge 128 ] || { echo "$script: $status"; false; }
	done
}

@test "every script finds its folder behind a link" {
	local script
	for script in run-qemu.sh mkimage.sh bisect.sh build-kernel.sh host/deps.sh host/fetch-kernel.sh; do
		ln -s "$TOP/$script" "$BATS_TEST_TMPDIR/${script##*/}"
		run -0 "$BATS_TEST_TMPDIR/${script##*/}" --help
	done
	run -0 "$BATS_TEST_TMPDIR/mkimage.sh" --list
	[[ $output == *bin/probe* ]]
}

@test "a number with a leading zero, an empty value and kv.* are wrong usage" {
	kernel 6.12
	boot 20 --smp 010 "$KERNEL"
	is_status 129
	boot 20 --scenario '' "$KERNEL"
	is_status 129
	boot 20 --append 'quiet kv.seed=2' "$KERNEL"
	is_status 129
}

@test "a command whose output is lost is no success" {
	local status=0

	kernel 6.12
	timeout 120 "$TOP/run-qemu.sh" --accel tcg --out "$BATS_TEST_TMPDIR/lost" "$KERNEL" -- 'echo hello' \
		>/dev/full 2>"$BATS_TEST_TMPDIR/err" || status=$?
	[ "$status" -eq 128 ]
	grep -q "write the command's output" "$BATS_TEST_TMPDIR/err"
}

@test "what cannot work is told before anything is booted" {
	kernel 6.12
	boot 60 --dry-run --timeout 0 "$KERNEL"
	is_status 129
	boot 60 --dry-run --seed x "$KERNEL"
	is_status 129
	boot 60 --dry-run --deterministic --seeds 1-2 --jobs 0 "$KERNEL"
	is_status 129
	boot 60 --jobs 2 --scenario empty "$KERNEL"
	is_status 129
	has "$RUN_DIR.err" '--jobs needs --seeds or --verify'
	run -129 "$TOP/run-qemu.sh" --accel tcg --scenario empty --dry-run --out "$BATS_TEST_TMPDIR/no/such" "$KERNEL"
	run -129 "$TOP/run-qemu.sh" --accel tcg --scenario empty --out "$BATS_TEST_TMPDIR/no/such" "$KERNEL"
	[[ $output == *'the folder that it shall be in is not there'* ]]
}

@test "a build without what virtual time needs is 128, and says so" {
	mkdir -p "$BATS_TEST_TMPDIR/build/host"
	cp "$KVERDICT" "$BATS_TEST_TMPDIR/build/host"
	run -128 --separate-stderr "$BATS_TEST_TMPDIR/build/host/kverdict" run \
		--dir "$BATS_TEST_TMPDIR/run" --deterministic -- /bin/false
	# shellcheck disable=SC2154 # set by run
	[[ $stderr == *'lockstep.so, which QEMU needs in virtual time: No such file'*'run make'* ]]
}

@test "a damaged bzImage is refused before the boot" {
	kernel 6.12
	cp "$KERNEL" "$BATS_TEST_TMPDIR/damaged"
	dd if=/dev/zero of="$BATS_TEST_TMPDIR/damaged" bs=1M seek=3 count=1 conv=notrunc status=none
	boot 60 --scenario empty "$BATS_TEST_TMPDIR/damaged"
	is_status 129
	has "$RUN_DIR.err" 'is damaged'
}

@test "a collection that nobody can read about is no success" {
	local status=0

	mkdir "$BATS_TEST_TMPDIR/run"
	cp "$TOP/tests/data/streams/good.jsonl" "$BATS_TEST_TMPDIR/run/mirror.jsonl"
	"$KVERDICT" collect "$BATS_TEST_TMPDIR/run" >/dev/full || status=$?
	[ "$status" -eq 128 ]
}
