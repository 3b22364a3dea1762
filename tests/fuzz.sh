#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Run every fuzzer for some seconds, and print TAP.
#
#   tests/fuzz.sh [SECONDS]     for all of them together (30)
#
# They begin with the seeds of tests/data and a few of their own; what they find
# is kept in BUILD/fuzz/NAME.corpus, so that a long run by hand makes all later
# ones better.  An input that breaks a fuzzer is left there as crash-*.
#
# Exit status: 0 if nothing was found, else 1; 129 wrong usage.

set -u

top=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
cd "$top" || exit 1
BUILD=$(realpath -m -- "${BUILD:-build}")
fuzzers=(tests/fuzz/fuzz_*.c)
[[ ${1:-30} =~ ^[1-9][0-9]{0,8}$ ]] || { echo 'fuzz.sh: for how long? tests/fuzz.sh [SECONDS]' >&2; exit 129; }
seconds=$((${1:-30} / ${#fuzzers[@]}))
[ "$seconds" -gt 0 ] || seconds=1
status=0 number=0

# seeds NAME DIR: what fuzzer NAME begins with
seeds() {
	local file

	case $1 in
	fuzz_stream) cp tests/data/streams/*.jsonl "$2" ;;
	fuzz_mirror)
		for file in tests/data/streams/*.jsonl; do
			{
				printf '\200'
				cat "$file"
				printf '\377[    1.5] Oops: 0002 [#1] SMP\n# kverdict: Linux 6.12\n[    2.0] Kernel panic - not syncing: x\n'
			} >"$2/${file##*/}"
		done
		;;
	fuzz_summary)
		for file in tests/data/streams/*.jsonl; do
			{
				cat "$file"
				printf '\377{"run_version":1,"kernel_sha256":"ab","outcome":{"records_from":"disk"},"times":{"total_ms":9}}'
				printf '\377[    1.5][ T1] BUG: unable to handle page fault\nCall Trace:\n f+0x1\n---[ end trace 0 ]---\n'
				printf '\377{"index_version":1,"runs":[{"dir":"a","seed":1},{"dir":"a","repeats":"a"}]}'
			} >"$2/${file##*/}"
		done
		;;
	fuzz_fd3)
		printf 'metric x_ns better=lower\nsample repetition=0 time_ns=1 x_ns=42\nsample x_ns=1 capped=1\nnote hello\nskip option CONFIG_X is off\n' >"$2/seed"
		printf 'metric r better=higher count=c window=w_ns\nsample repetition=0 time_ns=1 warmup=1 c=1 w_ns=2\nfail kernel it broke\n' >"$2/seed2"
		;;
	fuzz_kernel) printf 'Lfile /init init 755 0 0\n' >"$2/line" ;;
	esac
}

printf '1..%d\n' "${#fuzzers[@]}"
for source in "${fuzzers[@]}"; do
	name=${source##*/}
	name=${name%.c}
	number=$((number + 1))
	corpus=$BUILD/fuzz/$name.corpus
	mkdir -p "$corpus"
	seeds "$name" "$corpus"
	# Of what the fuzzed code says of bad input nothing is shown.
	if "$BUILD/fuzz/$name" -max_total_time="$seconds" -max_len=16384 -rss_limit_mb=4096 -timeout=20 \
		-close_fd_mask=2 -artifact_prefix="$corpus/" -print_final_stats=1 "$corpus" >"$BUILD/fuzz/$name.log" 2>&1; then
		printf 'ok %d - %s: %s inputs\n' "$number" "$name" \
			"$(sed -n 's/^stat::number_of_executed_units: *//p' "$BUILD/fuzz/$name.log")"
	else
		status=1
		printf 'not ok %d - %s: see %s\n' "$number" "$name" "$BUILD/fuzz/$name.log"
		grep -aE 'ERROR|SUMMARY|crash-|Test unit written' "$BUILD/fuzz/$name.log" | sed 's/^/# /' | head -n 10
	fi
done
exit "$status"
