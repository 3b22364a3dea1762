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
	timeout --kill-after=10 "$seconds" "$TOP/run-qemu.sh" --accel tcg --out "$RUN_DIR" "$@" \
		>"$RUN_DIR.out" 2>"$RUN_DIR.err" </dev/null || status=$?
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
