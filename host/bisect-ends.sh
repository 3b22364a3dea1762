# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# bisect-ends.sh - the two ends of a bisect become references
#
# Sourced by bisect.sh.  $old and $new are git's ends; $better and $worse the
# same two as the judge sees them.  docs/judge.md says why each step is there.

# shellcheck disable=SC2154 # set by who sources this

# end_name COMMIT: as the user knows it.
end_name() {
	if [ "$1" = "$old" ]; then
		printf 'the %s end %s' "$term_old" "${1:0:12}"
	else
		printf 'the %s end %s' "$term_new" "${1:0:12}"
	fi
}

build_ends() {
	local end
	for end in "$old" "$new"; do
		put "$end" "role=$([ "$end" = "$old" ] && echo "$term_old" || echo "$term_new") end" "subject=$(subject "$end")"
		build_kernel "$end"
		$built || put "$end" unbuilt= # the next call tries again
		$built ||
			die "$(end_name "$end") $why: this history cannot be bisected; see $(kernel_dir "$end")"
	done
	[ "$(get "$old" code)" != "$(get "$new" code)" ] ||
		die "both ends have the same code and data with this configuration: nothing is to be found between them"
}

# boot_ends N MOST: boots 1 to N of both; where a round has room, up to MOST.
boot_ends() {
	local end kdir slowest=0 init
	for end in "$old" "$new"; do
		kdir=$(kernel_dir "$end")
		boot "$kdir/bzImage" "$kdir" 1 "$1" "$2"
		read_boots "$kdir" 1 "$1"
		[ -z "$cannot" ] || die "$(end_name "$end") cannot be measured: $cannot"
		[ -z "$crash" ] || $hunt ||
			die "$(end_name "$end") crashed, so its speed cannot be judged: $crash; --on-crash bad without --metric hunts a crash"
		put "$end" "boots=$1"
		init=$("$kverdict" bisect outcome "$kdir/seed-1" | cut -d ' ' -f 2)
		[ "$init" -le "$slowest" ] || slowest=$init
	done
	[ "$slowest" -le 0 ] || put - "init_ms=$slowest"
}

# The metric's name is wrong as early as possible.
check_metric() {
	local status=0 kdir
	kdir=$(kernel_dir "$old")
	boot "$kdir/bzImage" "$kdir" 1 1 1
	[ -n "$metric" ] || return 0
	read_boots "$kdir" 1 1
	[ -z "$crash$cannot" ] || return 0 # boot_ends says so
	"$kverdict" judge --metric "$metric" --bad-above 1e300 "$kdir/seed-1" >/dev/null 2>"$dir/metric.err" || status=$?
	[ "$status" -ne 129 ] || { cat -- "$dir/metric.err" >&2; leave 129; }
}

# In which direction?  With terms of one's own either end may be the better.
orient() {
	local swapped
	judge_with judge "$dir" "$1"
	[ "$word" != apart ] || return 0
	swapped=$better better=$worse worse=$swapped
	judge_with judge "$dir" "$1"
	swapped=$better better=$worse worse=$swapped
	[ "$word" = apart ] || return 0
	[ "$term_new/$term_old" != bad/good ] ||
		die "on ${metric:-crashes} the bad end is the better one: swap the ends, pass --direction, or start with git bisect start --term-old=slow --term-new=fast"
	put - "better=$new"
	set_better
}

# tell_apart FROM MOST: boots until the references are told apart, FROM of each
# and more.  Sets $n.
tell_apart() {
	n=$1
	while :; do
		boot_ends "$n" "$2"
		orient "$n"
		judge_with judge "$dir" "$n"
		[ "$word" != apart ] || return 0
		[ "$n" -lt "$2" ] || ! $prebuilt ||
			die "no difference is shown along the series: its first and its last kernel cannot be told apart by ${metric:-crashes} after $n boots each; see $dir/judge.txt"
		[ "$n" -lt "$2" ] ||
			die "the ends cannot be told apart by ${metric:-crashes} after $n boots each: another metric or scenario may show it; see $dir/judge.txt"
		n=$((n + 1))
		progress "the ends are not told apart yet"
	done
}

# measure_ends: what the first step does.  Three more boots than it took to
# tell them apart: stopping at the first success picks lucky references.
measure_ends() {
	local n begin
	[ -z "$(get - refs)" ] || return 0
	build_ends
	begin=$SECONDS
	check_metric
	[ -n "$(get - boot_s)" ] || put - "boot_s=$((SECONDS - begin + 1))"
	estimate
	tell_apart "$refs_first" "$refs_most"
	tell_apart $((n + 3)) $((refs_most + 3))
	# The error rates that the judge has on just these references.
	while judge_with simulate "$dir" "$n" && [ "$word" = refused ]; do
		[ "$n" -lt $((refs_most + 6)) ] ||
			die "the judge's error rate on these references stays above the bound after $n boots each: see $dir/simulate.txt"
		say "the judge's error rate on these references is above the bound: 3 more boots of each"
		tell_apart $((n + 3)) $((n + 3))
	done
	put "$better" verdict=good "why=reference, $n boots"
	put "$worse" verdict=bad "why=reference, $n boots"
	put - "refs=$n"
	references_told
}

references_told() {
	local line
	while IFS= read -r line; do
		case $line in
		metric* | good\ ref* | bad\ ref*) say "$line" ;;
		esac
	done <"$dir/judge.txt"
	[ "$better" = "$old" ] || say "the $term_new end is the better one"
}

# more_references: where a control could not be judged.
more_references() {
	local n
	n=$(get - refs)
	put - more_refs=1
	say "3 more boots of each reference"
	boot_ends $((n + 3)) $((n + 3))
	put - "refs=$((n + 3))"
}

# control COMMIT END: it must be judged like the end beside it, or an unrelated
# change weighs as much as the culprit.  Sets $told to whether it says anything.
control() {
	local wanted=bad
	[ "$2" = "$worse" ] || wanted=good
	told=false
	decide "$1" control
	if [ "$word" = undecided ] && [ -z "$(get - more_refs)" ]; then
		more_references
		put "$1" verdict=
		decide "$1" control
	fi
	[ "$boots" -eq 0 ] || step_line "$1" control
	case $word/$boots in
	skip/* | */0) return 0 ;;
	"$wanted"/*) told=true; return 0 ;;
	undecided/*)
		say "note: the control ${1:0:12} was not judged; the stated bound rests on the ends alone"
		told=true
		return 0
		;;
	esac
	die "the control ${1:0:12}, beside $(end_name "$2"), is judged $word and not $wanted: an unrelated change moves ${metric:-crashes} as much as the culprit does, or the culprit is this commit or next to it"
}

# The commits beside an end, inside the range, nearest first.
beside() {
	if [ "$1" = "$old" ]; then
		g rev-list --reverse --topo-order "${walk[@]}" --ancestry-path "$old..$new" | grep -vx "$new"
	else
		g rev-list --first-parent "$old..$new" | tail -n +2
	fi | head -n 3
}

measure_controls() {
	local end commit
	if [ -n "$(get - controls)" ] || [ "$(get - commits)" -lt "$controls_from" ]; then
		return 0
	fi
	for end in "$old" "$new"; do
		for commit in $(beside "$end"); do
			control "$commit" "$end"
			! $told || break
		done
	done
	put - controls="done"
}
