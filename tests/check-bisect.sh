#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# check-bisect.sh - does git bisect run name the right commit, unattended?
#
# On the history of tests/make-history.sh, with real kernels.  HISTORY=small
# (one bisect of 6 commits) is for continuous integration; HISTORY=full takes
# hours:
#   R1's culprit among 20 commits, with two busy loops beside it all the time
#   20 variants of its good end, which must all be judged good by booting them
#   R3's culprit, about 1 % of throughput, among 20 commits
#   a history without a culprit, which must be refused
#
# Variables: HISTORY, SOURCE (an unpacked linux-source-6.12, else it is
# fetched), BUILD, SCENARIO (in place of r1-readiness), JOBS
# Output:    TAP, and the report of each bisect
# Status:    0 if nothing failed, else 1

set -eu

top=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
build=${BUILD:-$top/build}
mkdir -p -- "$build"
build=$(CDPATH='' cd -- "$build" && pwd)
history=${HISTORY:-full}
area=$build/check-bisect
linux=$area/linux
export BUILD=$build RESULTS=$area/results
r1=(--scenario "${SCENARIO:-r1-readiness}" --metric readiness.ready_ns)
r3=(--scenario "$area/r3-windows.scenario" --metric rt6_probe.sends_per_s)
jobs=()
[ -z "${JOBS:-}" ] || jobs=(--jobs "$JOBS")
tests=0 failed=0 busy=()

# shellcheck disable=SC2317 # called by the trap
finish() {
	idle
	trap - EXIT
}

be_busy() {
	local i
	for i in 1 2; do
		timeout 36000 sh -c "while :; do :; done" &
		busy+=($!)
	done
}

idle() {
	[ ${#busy[@]} -eq 0 ] || kill "${busy[@]}" 2>/dev/null || :
	busy=()
}

# check NAME COMMAND...: one test
check() {
	local name=$1
	shift
	tests=$((tests + 1))
	if "$@"; then
		printf 'ok %d %s\n' "$tests" "$name"
	else
		printf 'not ok %d %s\n' "$tests" "$name"
		failed=$((failed + 1))
	fi
}

is() {
	[ "$1" = "$2" ] || { printf '# %s is not %s\n' "$1" "$2"; return 1; }
}

ours() {
	"$top/bisect.sh" "$@"
}

# bisect BRANCH OPTION...: to the end, whatever it is.
bisect() {
	local branch=$1
	shift
	git bisect reset >/dev/null 2>&1 || :
	git bisect start "$branch" base
	# Git ends its last line without a newline.
	git bisect run "$top/bisect.sh" "$@" "${jobs[@]}" || printf '# git bisect run ended with status %d' $?
	echo
}

culprit_of() {
	sed -n "s/^$1 //p" "$area/culprits"
}

named() {
	check "git names the culprit of $1" is "$(git rev-parse refs/bisect/bad)" "$(culprit_of "$1")"
	check "the report confirms it" ours report
}

refused() {
	local status=0
	git bisect reset >/dev/null 2>&1 || :
	git bisect start none base
	ours "$@" "${jobs[@]}" || status=$?
	is "$status" 128
}

# By booting them: each with other bytes than all the others, none by its twin.
variants_good() {
	local names=() i status=0 lines
	for i in $(seq 20); do
		names+=("variant-$i")
	done
	ours judge "${r1[@]}" "${jobs[@]}" "${names[@]}" | tee "$area/variants" || status=${PIPESTATUS[0]}
	lines=$(grep -c ': GOOD: ' "$area/variants")
	is "$status $lines" '0 20' && ! grep 'not booted' "$area/variants"
}

trap finish EXIT
trap 'exit 130' HUP INT TERM
case $history in
small | full) ;;
*) printf 'HISTORY=%s: it is small or full\n' "$history" >&2; exit 1 ;;
esac

if [ "$(cat "$area/made" 2>/dev/null)" != "$history" ]; then
	rm -rf -- "$area"
	mkdir -p "$area"
	"$top/tests/make-history.sh" "$linux" "$history" ${SOURCE:+"$SOURCE"} >"$area/culprits"
	# Eight windows a boot say more than one of the same length in all.
	printf "# r3-windows - R3 in short windows\nprobe rt6_probe senders=40 seconds=2 windows=8 timeout_s=300\n" >"$area/r3-windows.scenario"
	echo "$history" >"$area/made"
fi
cd "$linux"

if [ "$history" = small ]; then
	bisect small "${r1[@]}"
	named small
else
	be_busy
	bisect r1 "${r1[@]}"
	named r1
	idle
	check '20 variants of the good kernel are good' variants_good
	bisect r3 "${r3[@]}"
	named r3
	check 'a history without a culprit is refused' refused "${r1[@]}"
fi
git bisect reset
printf '1..%d\n# %d failed; all runs are in %s\n' "$tests" "$failed" "$RESULTS"
[ "$failed" -eq 0 ]
