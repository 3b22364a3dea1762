#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Virtual time: the same bytes however busy the host is, and what would spoil
# that is seen.

bats_require_minimum_version 1.5.0
load common

setup() {
	QEMU=${QEMU:-$BUILD/tools/qemu-system-x86_64}
	[ -x "$QEMU" ] || QEMU=$(command -v qemu-system-x86_64)
	export QEMU
	BUSY=()
}

teardown() {
	idle
}

# Keep both host CPUs and one more thread busy until idle() or the test's end.
busy() {
	local i

	for i in 1 2 3; do
		timeout 600 sh -c 'while :; do :; done' 3>&- &
		BUSY+=($!)
	done
}

idle() {
	[ ${#BUSY[@]} -eq 0 ] || kill "${BUSY[@]}" 2>/dev/null || true
	BUSY=()
}

needs_fair_slicing() {
	local version

	version=$("$QEMU" --version | sed -n 's/.*version \([0-9]*\)\.\([0-9]*\).*/\1 \2/p')
	# shellcheck disable=SC2086 # two words
	set -- $version
	[ "$1" -gt 8 ] || { [ "$1" -eq 8 ] && [ "$2" -ge 1 ]; } ||
		skip "several CPUs need QEMU 8.1, and this is $1.$2"
}

# thrice ARGUMENT...: three boots, the second under load, have the same bytes.
thrice() {
	boot 600 --deterministic "$@"
	is_status 0
	busy
	boot 900 --deterministic "$@"
	idle
	is_status 0
	boot 600 --deterministic "$@"
	is_status 0
	cmp "$BATS_TEST_TMPDIR/run-1/records.jsonl" "$BATS_TEST_TMPDIR/run-2/records.jsonl"
	cmp "$BATS_TEST_TMPDIR/run-1/records.jsonl" "$BATS_TEST_TMPDIR/run-3/records.jsonl"
	[ "$(count "$RUN_DIR/records.jsonl" '"type":"sample"')" -gt 10 ]
}

# boot of common.bash chooses plain TCG, which goes without saying here.
boot() {
	local seconds=$1
	shift
	BOOTS=$((${BOOTS:-0} + 1))
	RUN_DIR=$BATS_TEST_TMPDIR/run-$BOOTS
	status=0
	timeout --kill-after=10 "$seconds" "$TOP/run-qemu.sh" --out "$RUN_DIR" "$@" \
		>"$RUN_DIR.out" 2>"$RUN_DIR.err" </dev/null || status=$?
}

@test "smoke on 6.1 with 2 CPUs: three boots, one under load, same bytes" {
	needs_fair_slicing
	kernel 6.1
	thrice --scenario smoke --smp 2 "$KERNEL"
}

@test "smoke on 6.12 with 2 CPUs: three boots, one under load, same bytes" {
	needs_fair_slicing
	kernel 6.12
	thrice --scenario smoke --smp 2 "$KERNEL"
}

@test "smoke on 6.12 with 1 CPU: three boots, one under load, same bytes" {
	kernel 6.12
	thrice --scenario smoke --smp 1 "$KERNEL"
}

@test "smoke on 6.12 with 4 CPUs: three boots, one under load, same bytes" {
	needs_fair_slicing
	kernel 6.12
	thrice --scenario smoke --smp 4 "$KERNEL"
}

@test "seeds differ, each is exact, and two at once equal one at a time" {
	needs_fair_slicing
	kernel 6.12
	boot 900 --deterministic --seeds 1-2 --jobs 2 --scenario smoke "$KERNEL"
	is_status 0
	local both=$RUN_DIR
	boot 600 --deterministic --seed 1 --scenario smoke "$KERNEL"
	is_status 0
	cmp "$both/seed-1/records.jsonl" "$RUN_DIR/records.jsonl"
	! cmp -s "$both/seed-1/records.jsonl" "$both/seed-2/records.jsonl"

	# Pooled, the spread within a boot and between seeds is shown apart.
	run -0 "$KVERDICT" summary "$both"
	[[ $output == *between* ]]
	# The same seed of the same kernel is no new evidence.
	run -128 "$KVERDICT" summary "$both/seed-1" "$RUN_DIR"
	# Another scenario is another experiment.
	boot 600 --deterministic --seed 3 --scenario empty "$KERNEL"
	run -128 "$KVERDICT" summary "$both/seed-1" "$RUN_DIR"
	[[ $output == *scenario* ]]

	run -0 "$KVERDICT" compare --exact "$both/seed-1" "$both/seed-1"
	run -1 "$KVERDICT" compare --exact "$both/seed-1" "$both/seed-2"
	[[ $output == *'"seed":2'* ]]
}

@test "--verify boots twice and says identical" {
	kernel 6.12
	boot 600 --deterministic --verify --scenario empty --smp 1 "$KERNEL"
	is_status 0
	grep -qi identical "$RUN_DIR.out" "$RUN_DIR.err"
}

@test "KVM and virtual time together are wrong usage" {
	kernel 6.12
	boot 30 --deterministic --accel kvm "$KERNEL"
	is_status 129
}

@test "several CPUs on a QEMU before 8.1 are refused" {
	local old=/usr/bin/qemu-system-x86_64

	"$old" --version 2>/dev/null | grep -qE 'version ([0-7]\.|8\.0)' || skip "no QEMU before 8.1 is installed"
	kernel 6.12
	QEMU=$old boot 60 --deterministic --smp 2 --scenario empty "$KERNEL"
	is_status 128
	has "$RUN_DIR.err" '8\.1'
	QEMU=$old boot 600 --deterministic --smp 1 --scenario empty "$KERNEL"
	is_status 0
}
