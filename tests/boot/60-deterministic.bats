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
	"$KVERDICT" compare --exact "$BATS_TEST_TMPDIR/run-1" "$BATS_TEST_TMPDIR/run-2"
	"$KVERDICT" compare --exact "$BATS_TEST_TMPDIR/run-1" "$BATS_TEST_TMPDIR/run-3"
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
	run ! cmp -s "$both/seed-1/records.jsonl" "$both/seed-2/records.jsonl"

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

# slow_halts LINE: a QEMU whose main thread gets its time just where a CPU
# halts, and a SCENARIO in which they halt; LINE is a piece of shell that comes
# before.  Only what the lockstep lets out of ppoll() gets that far.
slow_halts() {
	local real=$QEMU
	scenario_file 'probe netns_churn count=20 every=5 mode=add' 'probe readiness repetitions=20 cpu=0'
	printf '#!/bin/bash\ncase $1 in --version | -L) exec %q "$@" ;; esac\n%s\nexport LD_PRELOAD=${LD_PRELOAD:+$LD_PRELOAD:}%q\nexec %q "$@"\n' \
		"$real" "$1" "$BUILD/tests/slow_halt.so" "$real" >"$BATS_TEST_TMPDIR/slow-qemu"
	chmod +x "$BATS_TEST_TMPDIR/slow-qemu"
	boot 600 --deterministic --scenario "$SCENARIO" "$KERNEL"
	is_status 0
	grep -q '"lockstep": true' "$RUN_DIR/run.json"
	FIRST=$RUN_DIR
}

boot_slow() {
	QEMU=$BATS_TEST_TMPDIR/slow-qemu boot 900 --deterministic --scenario "$SCENARIO" "$KERNEL"
	is_status 0
}

@test "a host that gives main its time at the worst of moments changes nothing" {
	needs_fair_slicing
	kernel 6.12
	slow_halts :
	boot_slow
	grep -q '"lockstep": true' "$RUN_DIR/run.json"
	"$KVERDICT" compare --exact "$FIRST" "$RUN_DIR"
}

@test "negative control: without the lockstep such a host is seen within three boots" {
	needs_fair_slicing
	kernel 6.12
	local i
	slow_halts 'unset LD_PRELOAD'
	for i in 1 2 3; do
		boot_slow
		grep -q '"lockstep": false' "$RUN_DIR/run.json"
		grep -q 'did not take turns' "$RUN_DIR/summary.txt"
		cmp -s "$FIRST/records.jsonl" "$RUN_DIR/records.jsonl" || return 0
	done
	echo 'three boots were as on any other host'
	return 1
}

# The main loop of QEMU is held while CPUs run, and has to end this guest.
@test "a guest that restarts beside a CPU that never halts ends" {
	needs_fair_slicing
	kernel 6.12
	printf '%s\n' '#define _GNU_SOURCE' '#include <fcntl.h>' '#include <sched.h>' '#include <unistd.h>' \
		'int main(void) { cpu_set_t one; CPU_ZERO(&one); CPU_SET(1, &one); if (fork() == 0) { sched_setaffinity(0, sizeof(one), &one); for (;;) ; }' \
		'sleep(1); int fd = open("/proc/sysrq-trigger", O_WRONLY); return write(fd, "b", 1) != 1; }' >"$BATS_TEST_TMPDIR/restart.c"
	"${GUESTCC:-musl-gcc}" -static -o "$BATS_TEST_TMPDIR/restart" "$BATS_TEST_TMPDIR/restart.c"
	boot 300 --deterministic --smp 2 --add "$BATS_TEST_TMPDIR/restart:/bin/restart" "$KERNEL" -- /bin/restart
	is_status 1
	grep -q restart "$RUN_DIR.err"
}

# spoilt SCRIPT: a QEMU whose arguments went through a piece of shell first.
spoilt() {
	printf '#!/bin/bash\nargs=()\nfor word; do\n%s\nargs+=("$word")\ndone\nexec %q "${args[@]}"%s\n' \
		"$1" "$QEMU" "${2:-}" >"$BATS_TEST_TMPDIR/qemu"
	chmod +x "$BATS_TEST_TMPDIR/qemu"
	QEMU=$BATS_TEST_TMPDIR/qemu
}

# differs: of up to four boots, two do not have the same records.
differs() {
	local i

	for i in 1 2 3 4; do
		[ "$i" -ne 2 ] || busy
		boot 900 --deterministic --scenario smoke --smp 1 "$KERNEL"
		is_status 0
		cmp -s "$BATS_TEST_TMPDIR/run-1/records.jsonl" "$RUN_DIR/records.jsonl" || return 0
	done
	echo 'four boots were the same'
	return 1
}

# QEMU's -seed also decides what RDRAND returns, so it has to go as well.
@test "negative control: RDRAND left on is seen within four boots" {
	kernel 6.12
	spoilt '[ "$word" != max,-rdrand,-rdseed ] || word=max
if [ "$word" = -seed ]; then cut=yes; continue; fi
if [ -n "${cut:-}" ]; then cut=; continue; fi'
	differs
}

@test "negative control: a disk present from boot is seen within four boots" {
	kernel 6.12
	truncate -s 64M "$BATS_TEST_TMPDIR/disk.img"
	spoilt '' " -drive if=virtio,format=raw,file=$BATS_TEST_TMPDIR/disk.img"
	differs
}

@test "one byte more on the command line is another interleaving" {
	kernel 6.12
	boot 600 --deterministic --scenario smoke --smp 1 "$KERNEL"
	is_status 0
	boot 600 --deterministic --scenario smoke --smp 1 --append x "$KERNEL"
	is_status 0
	# The command line itself is in the first record; the rest must differ too.
	run ! cmp -s <(sed 1d "$BATS_TEST_TMPDIR/run-1/records.jsonl" | grep '"type":"sample"') \
		<(sed 1d "$BATS_TEST_TMPDIR/run-2/records.jsonl" | grep '"type":"sample"')
}

@test "the mirror does not disturb: a reader as slow as can be changes nothing" {
	needs_fair_slicing
	kernel 6.12
	local slow=$BATS_TEST_TMPDIR/slow
	boot 600 --deterministic --scenario smoke "$KERNEL"
	is_status 0

	# The same again with the mirror going through a pipe, byte by byte.
	mkdir "$slow"
	mkfifo "$slow/pipe.in" "$slow/pipe.out"
	sed 's,file:mirror.jsonl,pipe:pipe,' "$RUN_DIR/qemu-cmd" >"$slow/cmd"
	timeout 900 dd bs=1 status=none if="$slow/pipe.out" of="$slow/mirror" 3>&- &
	timeout 900 sh "$slow/cmd" "$slow" </dev/null
	wait $!
	cmp "$RUN_DIR/records.jsonl" "$slow/mirror"
}

@test "gdb stops at the end of the n-th repetition of the same run" {
	needs_fair_slicing
	command -v gdb >/dev/null || skip 'gdb is not installed'
	kernel 6.12
	local scenario=$BATS_TEST_TMPDIR/replay.scenario pid same
	printf '# replay - a test\nprobe readiness repetitions=6 cpu=0\n' >"$scenario"
	boot 300 --deterministic --seed 7 --scenario "$scenario" "$KERNEL"
	is_status 0

	timeout 600 "$TOP/run-qemu.sh" --deterministic --seed 7 --scenario "$scenario" --gdb \
		--out "$BATS_TEST_TMPDIR/gdb" "$KERNEL" >"$BATS_TEST_TMPDIR/gdb.out" 2>&1 </dev/null 3>&- &
	pid=$!
	timeout 500 gdb -batch -nx -ex 'set tcp connect-timeout 120' -ex 'target remote :1234' \
		-ex 'hbreak *(0x10000000 + 2 * 3 + 1)' -ex continue -ex 'info registers rip' \
		-ex delete -ex continue >"$BATS_TEST_TMPDIR/gdb.log" 2>&1 3>&-
	wait "$pid"
	grep -q 'rip  *0x10000007' "$BATS_TEST_TMPDIR/gdb.log"
	# Repetitions 0 to 3 had ended when it stopped, and are the same.
	same='"repetition":[0-3],'
	cmp <(grep -E "$same" "$RUN_DIR/records.jsonl") <(grep -E "$same" "$BATS_TEST_TMPDIR/gdb/records.jsonl")
	[ "$(grep -cE "$same" "$RUN_DIR/records.jsonl")" -eq 4 ]
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
