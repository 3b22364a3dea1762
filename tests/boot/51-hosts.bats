#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Hosts that lack something, are full, busy, or interrupted at any moment.

bats_require_minimum_version 1.5.0
load common

MADE=() # run directories outside the test's own folder

teardown() {
	[ -z "${SMALL:-}" ] || umount "$SMALL" || true
	[ ${#MADE[@]} -eq 0 ] || [ -z "${BATS_TEST_COMPLETED:-}" ] || rm -rf "${MADE[@]}"
}

# small_disk SIZE: set SMALL to a file system of that size.
small_disk() {
	SMALL=$BATS_TEST_TMPDIR/small
	mkdir -p "$SMALL"
	mount -t tmpfs -o "size=$1" tmpfs "$SMALL" 2>/dev/null || { SMALL=''; skip 'a file system cannot be mounted here'; }
}

# tidy: nothing of a run that ended is left in the cache or running.
tidy() {
	[ -z "$(find "$BUILD/cache" "$BUILD/images" -maxdepth 1 -name '.*' -newer "$BATS_TEST_TMPDIR/begin" ! -name cache ! -name images)" ]
	! readlink /proc/[0-9]*/cwd | grep -qF "$BATS_TEST_TMPDIR/"
}

@test "without /dev/kvm, or with one that is none, the KVM check says why" {
	local file=$BATS_TEST_TMPDIR/kvm

	run -128 "$KVERDICT" kvm-check --device "$file"
	[[ $output == *"there is no $file"* ]]
	: >"$file"
	run -128 "$KVERDICT" kvm-check --device "$file"
	[[ $output == *'KVM_CREATE_VM'* ]]
	[ ! -e /dev/kvm ] || [ "$(id -u)" -ne 0 ] || {
		mknod "$BATS_TEST_TMPDIR/closed" c 10 232 && chmod 0 "$BATS_TEST_TMPDIR/closed"
		cp "$KVERDICT" "$BATS_TEST_TMPDIR/kverdict"
		chmod 711 "$BATS_TEST_TMPDIR"
		run setpriv --bounding-set=-all --inh-caps=-all --reuid=65534 --clear-groups \
			"$BATS_TEST_TMPDIR/kverdict" kvm-check --device "$BATS_TEST_TMPDIR/closed"
		[ "$status" -eq 126 ] || [[ $status$output == 128*'permission denied'*'adduser'* ]]
	}
}

@test "a disk that is full, at whatever moment, is 128 and never a bad kernel" {
	local size good=0 full=0

	kernel 6.12
	for size in 4k 8k 16k 28k 64k; do
		small_disk "$size"
		BOOTS=$((${BOOTS:-0} + 1))
		RUN_DIR=$BATS_TEST_TMPDIR/run-$BOOTS
		status=0
		timeout 120 "$TOP/run-qemu.sh" --accel tcg --scenario empty --out "$SMALL/run" "$KERNEL" \
			>"$RUN_DIR.out" 2>"$RUN_DIR.err" || status=$?
		echo "size $size: status $status: $(grep ^kverdict "$RUN_DIR.err" | tail -n 1)"
		case $status in
		0) good=$((good + 1)); "$KVERDICT" summary "$SMALL/run" >/dev/null ;;
		128) full=$((full + 1)); has "$RUN_DIR.err" 'No space left|no room' ;;
		*) show; false ;;
		esac
		umount "$SMALL"
		SMALL=''
	done
	# Where the records and run.json had room the run is as good as any.
	[ "$full" -ge 2 ]
	[ "$good" -ge 1 ]
}

@test "a cache without room is 128" {
	kernel 6.12
	small_disk 128k
	mkdir -p "$SMALL/host" "$SMALL/guest"
	ln -s "$BUILD/host/kverdict" "$SMALL/host/"
	ln -s "$BUILD/guest/init" "$BUILD/guest/probe" "$SMALL/guest/"
	BUILD=$SMALL QEMU=$(real_qemu) boot 60 --scenario empty "$KERNEL"
	is_status 128
	has "$RUN_DIR.err" 'depmod cannot index .*/small/images/.*: No space left on device'
	[ ! -e "$RUN_DIR" ]
}

@test "without debugfs the mirror's records count" {
	kernel 6.12
	DEBUGFS=/nonexistent/debugfs boot 120 --scenario empty "$KERNEL"
	is_status 0
	has "$RUN_DIR/run.json" '"records_from": *"mirror"'
	has "$RUN_DIR.out" 'e2fsprogs'
}

# stage NAME: a program that says it was reached, then takes its time.
stage() {
	printf '#!/bin/bash\n: >%q\nread -rt 5 <> <(:)\nexec %q "$@"\n' "$BATS_TEST_TMPDIR/reached" "$2" >"$BATS_TEST_TMPDIR/$1"
	chmod +x "$BATS_TEST_TMPDIR/$1"
}

# interrupted: Ctrl-C, as a terminal sends it, once the file `reached` is there.
interrupted() {
	local pid tries=0

	rm -f "$BATS_TEST_TMPDIR/reached"
	: >"$BATS_TEST_TMPDIR/begin"
	BOOTS=$((${BOOTS:-0} + 1))
	RUN_DIR=$BATS_TEST_TMPDIR/run-$BOOTS
	# A job of its own group, with SIGINT not ignored, as an interactive one.
	setsid env --default-signal=INT,TERM "$TOP/run-qemu.sh" --accel tcg --scenario empty --out "$RUN_DIR" "$KERNEL" \
		>"$RUN_DIR.out" 2>"$RUN_DIR.err" </dev/null &
	pid=$!
	until [ -e "$BATS_TEST_TMPDIR/reached" ] || [ -s "$RUN_DIR/${1:-none}" ]; do
		tries=$((tries + 1))
		[ "$tries" -lt 600 ]
		read -rt 0.1 <> <(:) || true
	done
	kill -INT -- "-$pid"
	status=0
	wait "$pid" || status=$?
	is_status 130
	tidy
}

@test "Ctrl-C is 130 at each stage, and leaves nothing" {
	kernel 6.12
	stage qemu "$(real_qemu)"
	QEMU=$BATS_TEST_TMPDIR/qemu interrupted # before the image
	interrupted console.log                 # before /init
	has "$RUN_DIR/run.json" '"exit_status": *130'
	stage debugfs "$(command -v /usr/sbin/debugfs || command -v debugfs)"
	DEBUGFS=$BATS_TEST_TMPDIR/debugfs interrupted # while collecting
	has "$RUN_DIR/records.jsonl" '"type":"end"'
}

@test "a reader that stops reading takes nothing from the run" {
	kernel 6.12
	timeout 120 "$TOP/run-qemu.sh" --accel tcg --scenario empty --out "$BATS_TEST_TMPDIR/run" "$KERNEL" 2>/dev/null </dev/null |
		true
	[ "${PIPESTATUS[0]}" -eq 0 ]
	[ -s "$BATS_TEST_TMPDIR/run/summary.txt" ]
}

# at_once N: so many runs begin together, and each has all its records, in a
# folder of its own that nobody named.
at_once() {
	local i dir=$BATS_TEST_TMPDIR/$1-runs pid=() runs=()

	mkdir "$dir"
	for ((i = 1; i <= $1; i++)); do
		timeout 500 "$TOP/run-qemu.sh" --accel tcg --scenario empty --smp 2 --mem 256 --boot-timeout 150 "$KERNEL" \
			>"$dir/$i.out" 2>"$dir/$i.err" </dev/null &
		pid+=($!)
	done
	for i in "${pid[@]}"; do
		status=0
		wait "$i" || status=$?
		echo "status $status"
		[ "$status" -eq 0 ] || failed=yes
	done
	for ((i = 1; i <= $1; i++)); do
		tail -n 2 "$dir/$i.err"
		runs+=("$(sed -n 's/^run: //p' "$dir/$i.err")")
	done
	MADE+=("${runs[@]}")
	[ -z "${failed:-}" ]
	for i in "${runs[@]}"; do
		[ "$(grep -c '"type":"end"' "$i/records.jsonl")" -eq 1 ]
		grep -q '"exit_status": *0' "$i/run.json"
		[ ! -e "$i/results.img" ]
	done
	[ "$(printf '%s\n' "${runs[@]}" | sort -u | wc -l)" -eq "$1" ]
}

@test "two, four and eight runs at once do not meet, and the doubtful times are told" {
	kernel 6.12
	: >"$BATS_TEST_TMPDIR/begin"
	at_once 2
	at_once 4
	at_once 8
	# Each guest has two CPUs: the last of eight finds no host of our size idle.
	[ "$(nproc)" -gt 14 ] || grep -q 'note: 2 guest CPUs and [1-9][0-9]* busy tasks share' "$BATS_TEST_TMPDIR"/8-runs/*.err
	tidy
}

@test "the distribution's own QEMU does as well as a newer one beside it" {
	kernel 6.12
	[ -x /usr/bin/qemu-system-x86_64 ] || skip 'there is none'
	QEMU=/usr/bin/qemu-system-x86_64 boot 240 --scenario empty "$KERNEL"
	is_status 0
	has "$RUN_DIR/run.json" '"records_from": *"disk"'
	QEMU=/usr/bin/qemu-system-x86_64 boot 240 --deterministic --smp 1 --scenario empty "$KERNEL"
	is_status 0
}

@test "no deadline of ours goes by a clock that can be set" {
	cd "$TOP"
	run grep -nE 'CLOCK_REALTIME|gettimeofday|[^_.a-z]time\(' host/*.c init/*.c probes/*.c probes/lib/*.c record/*.c record/*.h
	# time(NULL) names when a run began and ended, and that is all.
	[ "$(grep -cv 'time(NULL)' <<<"$output")" -eq 0 ] || { echo "$output"; false; }
}
