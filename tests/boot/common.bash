# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# What the tests on real boots share.  No test asserts a duration; `timeout`
# is only there so that a hang ends.

TOP=$(CDPATH='' cd -- "$BATS_TEST_DIRNAME/../.." && pwd)
BUILD=${BUILD:-$TOP/build}
KVERDICT=$BUILD/host/kverdict
export BUILD TOP KVERDICT

# kernel 6.1|6.12: set KERNEL to Debian's cloud kernel of that series.
kernel() {
	KERNEL=$(KVER=$1 "$TOP/host/fetch-kernel.sh" 2>/dev/null | sed -n 's/^KERNEL=//p')
	[ -n "$KERNEL" ] || skip "no $1 kernel can be had on this distribution"
}

# boot SECONDS ARGUMENT...: run-qemu.sh into a fresh run directory RUN_DIR,
# with its status in $status, stdout and stderr in files beside it.
boot() {
	local seconds=$1
	shift
	BOOTS=$((${BOOTS:-0} + 1))
	RUN_DIR=$BATS_TEST_TMPDIR/run-$BOOTS
	status=0
	local begin_ms=${EPOCHREALTIME/./}
	timeout --kill-after=10 "$seconds" "$TOP/run-qemu.sh" --accel tcg --out "$RUN_DIR" "$@" \
		>"$RUN_DIR.out" 2>"$RUN_DIR.err" </dev/null || status=$?
	note_case $(((${EPOCHREALTIME/./} - begin_ms) / 1000))
}

# note_case MS: with CASES=FILE in the environment, add a row for a table of
# all cases: test, exit status, seconds, message.
note_case() {
	[ -n "${CASES:-}" ] || return 0
	printf '%s\t%s\t%s.%s\t%s\n' "$BATS_TEST_DESCRIPTION" "$status" $(($1 / 1000)) $(($1 % 1000 / 100)) \
		"$(grep -E '^(kverdict|run-qemu.sh|mkimage.sh): ' "$RUN_DIR.err" | grep -vE '^[^ ]*: (kernel|modules|TCG:|note:)' | tail -n 1)" >>"$CASES"
}

# real_qemu: print the QEMU that run-qemu.sh would take.
real_qemu() {
	local qemu=${QEMU:-$BUILD/tools/qemu-system-x86_64}
	[ -x "$qemu" ] || qemu='qemu-system-x86_64'
	command -v "$qemu"
}

# wrap_qemu: make QEMU a bash script that has its arguments in "${args[@]}" and
# the program in $qemu; standard input is what it does between --version and
# the start.
wrap_qemu() {
	{
		printf '#!/bin/bash\nqemu=%q\n' "$(real_qemu)"
		# shellcheck disable=SC2016 # the text of a script
		printf '%s\n' 'case $1 in --version | -L) exec "$qemu" "$@" ;; esac' 'args=("$@")'
		cat
		# shellcheck disable=SC2016
		printf '%s\n' 'exec "$qemu" "${args[@]}"'
	} >"$BATS_TEST_TMPDIR/qemu-wrapper"
	chmod +x "$BATS_TEST_TMPDIR/qemu-wrapper"
	export QEMU=$BATS_TEST_TMPDIR/qemu-wrapper
}

# scenario_file LINE...: set SCENARIO to a scenario of these lines.
scenario_file() {
	SCENARIO=$BATS_TEST_TMPDIR/case.scenario
	printf '%s\n' '# case - a test' "$@" >"$SCENARIO"
}

# show: what bats prints when the test then fails.
show() {
	printf 'status %s\n' "$status"
	tail -n 20 "$RUN_DIR.out" "$RUN_DIR.err"
	tail -n 5 "$RUN_DIR/console.log" 2>/dev/null
}

# is_status N: the status of the last boot.
is_status() {
	[ "$status" -eq "$1" ] || { show; return 1; }
}

# has FILE PATTERN: a line of FILE matches the extended regular expression.
has() {
	grep -Eq -- "$2" "$1" || { printf 'no line of %s matches %s\n' "$1" "$2"; show; return 1; }
}

# count FILE PATTERN: print how many lines match.
count() {
	grep -Ec -- "$2" "$1"
}

# gone PID: it ends, now or soon.  One that its parent has not waited for yet
# has ended too: where PID 1 is no init, an orphan stays like that for ever.
gone() {
	local state tries=0
	while state=$(sed 's/.*) //; s/ .*//' "/proc/$1/stat" 2>/dev/null) && [ "$state" != Z ] && [ "$state" != X ]; do
		tries=$((tries + 1))
		[ "$tries" -lt 600 ] || { printf 'process %s is still there, in state %s\n' "$1" "$state"; return 1; }
		read -rt 0.1 <> <(:) || true
	done
}
