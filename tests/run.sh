#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Run every test and count: the tests of `make check`.
#
# Each suite prints TAP.  A suite that ends badly without saying which test
# failed counts as one failure, so a crash never passes.  With words, only the
# suites whose name has one of them run: tests/run.sh unit 10-image
# FULL=yes: also those of tests/full, see tests/check-full.sh.
#
# Exit status: 0 if nothing failed, else 1; 129 if no suite has the words.

set -u

top=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
cd "$top" || exit 1
BUILD=${BUILD:-build}
case $BUILD in /*) ;; *) BUILD=$top/$BUILD ;; esac
export BUILD
passed=0 failed=0 skipped=0 suites=0
wanted=("$@")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=()

is_wanted() {
	local word

	[ ${#wanted[@]} -gt 0 ] || return 0
	for word in "${wanted[@]}"; do
		case $1 in *"$word"*) return 0 ;; esac
	done
	return 1
}

# suite NAME COMMAND...: run it, show its TAP, add up
suite() {
	local name=$1 begin=$SECONDS status ok bad skip
	shift
	is_wanted "$name" || return 0
	suites=$((suites + 1))
	printf '# %s\n' "$name"
	"$@" </dev/null 2>&1 | tee "$scratch/tap"
	status=${PIPESTATUS[0]}
	skip=$(grep -ciE '^ok .*# skip' "$scratch/tap")
	ok=$(($(grep -cE '^ok ' "$scratch/tap") - skip))
	bad=$(grep -cE '^not ok ' "$scratch/tap")
	while IFS= read -r line; do
		failures+=("$name: $line")
	done < <(grep -E '^not ok ' "$scratch/tap")
	if [ "$status" -ne 0 ] && [ "$bad" -eq 0 ]; then
		bad=1
		failures+=("$name: ended with status $status and named no test")
	elif [ $((ok + bad + skip)) -eq 0 ]; then
		bad=1
		failures+=("$name: ran no test")
	fi
	passed=$((passed + ok)) failed=$((failed + bad)) skipped=$((skipped + skip))
	printf '# %s: %d passed, %d failed, %d skipped in %d s\n' "$name" "$ok" "$bad" "$skip" $((SECONDS - begin))
}

for source in tests/unit/test_*.c; do
	name=${source##*/}
	name=${name%.c}
	suite "unit/$name" env CMOCKA_MESSAGE_OUTPUT=TAP "$BUILD/tests/$name"
done
suite fuzz tests/fuzz.sh 30
for file in tests/boot/*.bats; do
	name=${file##*/}
	suite "boot/${name%.bats}" bats --formatter tap "$file"
done
if [ -n "${FULL:-}" ]; then
	for file in tests/full/*.bats; do
		name=${file##*/}
		suite "full/${name%.bats}" bats --formatter tap "$file"
	done
fi

[ "$suites" -gt 0 ] || { echo "run.sh: no suite is named like $*: see tests/unit and tests/boot" >&2; exit 129; }
printf '\n'
for failure in "${failures[@]}"; do
	printf 'FAILED %s\n' "$failure"
done
printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
[ "$failed" -eq 0 ]
