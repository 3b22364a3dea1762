# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# bisect-report.sh - the result of a bisect, and `ab`
#
# Sourced by bisect.sh.  What git found is read from its refs alone: its prose
# differs between versions.

# shellcheck disable=SC2154,SC2034 # shared with who sources this

# The options that the steps were called with.
load_options() {
	local key
	for key in scenario metric direction on_crash deterministic accel append smp mem; do
		printf -v "$key" '%s' "$(get - "$key")"
	done
	term_old=$(get - term_old) term_new=$(get - term_new)
	old=$(get - old) new=$(get - new)
	read -r -a olds <<<"$(get - olds)"
	read -r -a variants <<<"$(get - variants)"
	[ ! -f "$dir/config" ] || config=$dir/config
	[ ! -f "$dir/added.list" ] || mapfile -t add <"$dir/added.list"
	scenario_file=$dir/${scenario##*/}
	scenario_file=${scenario_file%.scenario}.scenario
	[ -n "$metric" ] || hunt=true
	first_parent=$(get - first_parent) names=$(get - names)
	set_range
	first=3
	! $deterministic || first=2
	[ -n "$jobs" ] || jobs=$(nproc)
	set_arguments
	set_better
}

# The bisect in progress, else the last one of this repository.
find_folder() {
	local kept newest=''
	now_new=$(g rev-parse --verify -q "refs/bisect/$term_new") || now_new=''
	mapfile -t now_old < <(g for-each-ref --format='%(objectname)' "refs/bisect/$term_old-*")
	for kept in "$results"/bisect-*/session; do
		[ -f "$kept" ] || continue
		dir=${kept%/*}
		[ "$(get - repository)" = "$commondir" ] || continue
		if [ -n "$now_new" ] && ! is_session "$kept"; then
			continue
		fi
		[ -n "$newest" ] && [ ! "$dir/state.json" -nt "$newest/state.json" ] || newest=$dir
	done
	[ -n "$newest" ] || bad_usage "no bisect of this repository is kept in $results"
	dir=$newest
}

# verdicts WORD...: the kernels with one, but for those that only `judge` was
# asked about, which may be of any history.
verdicts() {
	local word commit
	for word in "$@"; do
		while IFS= read -r commit; do
			[ "$(get "$commit" role)" = asked ] || printf '%s\n' "$commit"
		done < <(notes find "$dir/state.json" verdict "$word")
	done
}

# Git's marks; after git bisect reset, those that follow from the verdicts.
find_marks() {
	local commit distance nearest=''
	if [ -n "$now_new" ]; then
		mapfile -t skipped < <(g for-each-ref --format='%(objectname)' 'refs/bisect/skip-*')
		return
	fi
	mapfile -t now_old < <(printf '%s\n' "${olds[@]}" && verdicts "$old_word")
	mapfile -t skipped < <(verdicts skip third undecided)
	while IFS= read -r commit; do
		distance=$(g rev-list --count "$commit" --not "${now_old[@]}")
		if [ -z "$nearest" ] || [ "$distance" -lt "$nearest" ]; then
			nearest=$distance now_new=$commit
		fi
	done < <(printf '%s\n' "$new" && verdicts "$new_word")
}

# Sets $culprit, $doubtful to the skipped commits that may be it as well, and
# $left to how many were never looked at.  Where only some paths matter the
# newer end need not be one of the commits, and then there is no $culprit.
find_culprit() {
	local commit range
	range=$(commits_between "$now_new" "${now_old[@]}") || die "git cannot list the commits that are left"
	doubtful=() left=0 culprit=''
	while IFS= read -r commit; do
		if [ "$commit" = "$now_new" ]; then
			culprit=$commit
		elif [[ " ${skipped[*]} " == *" $commit "* ]]; then
			doubtful+=("$commit")
		else
			left=$((left + 1))
		fi
	done < <([ -z "$range" ] || printf '%s\n' "$range")
}

# Kernels that were judged by booting them, each with the bound's error.
count_judged() {
	local commit role
	judged=0
	while IFS= read -r commit; do
		role=$(get "$commit" role)
		case $role in
		step | control) [ "$(get "$commit" boots)" = 0 ] || judged=$((judged + 1)) ;;
		esac
	done < <(notes find "$dir/state.json" verdict good && notes find "$dir/state.json" verdict bad)
}

# confirm_one COMMIT WORD NAME: with seeds that no step used.
confirm_one() {
	local runs name=$3
	runs=$(kernel_dir "$1")/confirm
	build_kernel "$1"
	if ! $built; then
		word=skip boots=0
	else
		judge_kernel "$1" "$runs" "$fresh"
	fi
	[ "$word" = "$2" ] || confirmed=false
	if [ "$format" = text ]; then
		printf 'confirmed    %s %s: %s, %s boots with fresh seeds: %s: %s\n' "$3" "${1:0:12}" \
			"$([ "$word" = "$2" ] && echo yes || echo NO)" "$boots" "${word^^}" "$why"
		return
	fi
	[ ${#parents[@]} -lt 2 ] || [ "$3" = culprit ] || name+=" ${1:0:12}"
	if [ "$word" = "$2" ]; then
		confirm_told+="${confirm_told:+ }The $name was measured again with fresh seeds, with the same result."
	else
		confirm_told+="${confirm_told:+ }The $name, measured again with fresh seeds, did NOT give the same result ($why)."
	fi
}

# The culprit and its parents once more.
confirm() {
	local commit
	use_home
	confirm_one "$culprit" "$new_word" culprit
	[ ${#doubtful[@]} -eq 0 ] || return 0
	for commit in "${parents[@]}"; do
		confirm_one "$commit" "$old_word" parent
	done
	if ! $merge || [ -z "$first_parent" ]; then
		return
	fi
	if [ "$format" = text ]; then
		printf 'note         what it merged is part of it, by --first-parent: the other parents were not measured\n'
	else
		confirm_told+=' What it merged is part of it, by --first-parent, so its other parents were not measured.'
	fi
}

skipped_why() {
	local why
	why=$(get "$1" why)
	case $(get "$1" verdict) in
	'') why='by hand' ;;
	good | bad) why="by hand; $why" ;;
	esac
	printf '%s\n' "$why"
}

print_report() {
	local commit
	printf 'bisect       %s .. %s, %s commits; %s\n' "${old:0:12}" "${new:0:12}" "$(get - commits)" "${metric:-crashes}"
	printf 'kept in      %s\n' "$dir"
	if [ "$left" -gt 0 ]; then
		printf 'culprit      not found yet: %s commits are left; go on with git bisect run\n' "$((left + 1))"
	elif [ -z "$culprit" ]; then
		printf 'culprit      none that touches the paths of this bisect and was measured\n'
	else
		printf 'culprit      %s %s\n' "$culprit" "$(subject "$culprit")"
		$prebuilt || printf '             %s\n' "$(g log -1 --format='%an, %ad' --date=short "$culprit")"
	fi
	for commit in "${doubtful[@]}"; do
		printf 'or           %s %s (skipped: %s)\n' "$commit" "$(subject "$commit")" "$(skipped_why "$commit")"
	done
	printf 'error        at most %s: %s judged at %s each (union bound)\n' \
		"$(awk -v n="$judged" -v p="$bound" 'BEGIN { printf "%g", n * p }')" \
		"$([ "$judged" = 1 ] && echo '1 kernel' || echo "$judged kernels")" "$bound"
	[ "$better" = "$old" ] || printf 'note         the %s end is the better one: good below means %s\n' "$term_new" "$term_new"
	printf '\n'
	notes table "$dir/state.json"
	printf '\n'
}

report() {
	local confirmed=true confirm_told='' merge=false
	local -a parents=()
	find_folder
	load_options
	find_marks
	find_culprit
	count_judged
	if [ "$left" -gt 0 ] || [ -z "$culprit" ]; then
		print_report
		leave 125
	fi
	read -r -a parents <<<"$(g log -1 --format=%P "$culprit")"
	[ ${#parents[@]} -lt 2 ] || merge=true
	# With --first-parent what was merged is part of the culprit.
	[ -z "$first_parent" ] || parents=("${parents[@]:0:1}")
	if [ "$format" = text ]; then
		print_report
		! $confirm || confirm
	else
		! $confirm || confirm
		mail
	fi
	if $confirmed && [ ${#doubtful[@]} -eq 0 ]; then
		leave 0
	fi
	leave 125
}

# --- the everyday question -----------------------------------------------

# snapshot: the tree as it is, as a commit that no branch names.  The index and
# the files are only read; a name and a date that stay make the same tree the
# same commit.
snapshot() {
	local index=$scratch/index tree_id
	cp -- "$gitdir/index" "$index" || die "the index of $worktree cannot be read"
	GIT_INDEX_FILE=$index git --git-dir="$gitdir" --work-tree="$worktree" add -A -- "$worktree" ||
		die "the tree $worktree cannot be read"
	tree_id=$(GIT_INDEX_FILE=$index git --git-dir="$gitdir" write-tree) || die "the tree $worktree cannot be kept"
	GIT_AUTHOR_NAME=kverdict GIT_AUTHOR_EMAIL='<>' GIT_AUTHOR_DATE='1577836800 +0000' \
		GIT_COMMITTER_NAME=kverdict GIT_COMMITTER_EMAIL='<>' GIT_COMMITTER_DATE='1577836800 +0000' \
		g commit-tree -p HEAD -m 'the tree as it is' "$tree_id"
}

# Every metric that the first boot measured.
list_metrics() {
	sed -n 's/.*"type":"metric","step":"\([a-z0-9_]*\)".*"metric":"\([a-z0-9_]*\)".*/\1.\2/p' \
		"$(kernel_dir "$old")/seed-1/records.jsonl"
}

# look N: is it slower, faster or neither, by $metric?  Sets $answer; the
# report is in $dir/$metric.txt.
look() {
	local swap
	better=$old worse=$new answer=slower
	judge_with judge "$dir" "$1"
	if [ "$word" != apart ]; then
		mv -- "$dir/judge.txt" "$dir/$metric.txt"
		mv -- "$dir/verdict.json" "$dir/$metric.json"
		better=$new worse=$old answer=faster
		judge_with judge "$dir" "$1"
		better=$old worse=$new
		if [ "$word" != apart ]; then
			answer=open
			return
		fi
	fi
	mv -- "$dir/judge.txt" "$dir/$metric.txt"
	mv -- "$dir/verdict.json" "$dir/$metric.json"
}

look_at_all() {
	open=0
	for metric in "${metrics[@]}"; do
		look "$1"
		[ "$answer" != open ] || open=$((open + 1))
	done
}

# One metric in words, and its part in the status.
tell() {
	local log_s
	look "$1"
	log_s=$("$kverdict" bisect verdict "$dir/$metric.json" log10_s)
	if [ "$answer" = faster ]; then
		sed -n 's/^bad ref /base    /p; s/^good ref/changed /p; s/^metric  /metric  /p' "$dir/$metric.txt"
	else
		sed -n 's/^good ref/base    /p; s/^bad ref /changed /p; s/^metric  /metric  /p' "$dir/$metric.txt"
	fi
	case $answer in
	slower) worst=1 ;;
	faster) ;;
	open)
		answer='no difference shown'
		if awk -v s="${log_s:-0}" 'BEGIN { exit !(s > 0) }'; then
			answer='cannot tell'
			[ "$worst" -ne 0 ] || worst=125
		fi
		;;
	esac
	printf 'verdict     %s: %s after %s boots each (evidence for a difference 10^%s, 10^2 is asked for)\n\n' \
		"${answer^^}" "$metric" "$1" "$(printf '%.1f' "${log_s:-0}")"
}

# ab_boot N: a change that breaks the kernel is worse than a slower one.
ab_boot() {
	local kdir end begin=$SECONDS
	for end in "$old" "$new"; do
		kdir=$(kernel_dir "$end")
		boot "$kdir/bzImage" "$kdir" 1 "$1" $((refs_most + 3))
		read_boots "$kdir" 1 "$1"
		[ -z "$crash$cannot" ] || [ "$end" = "$new" ] || die "BASE cannot be measured: $crash$cannot"
		if [ -n "$crash" ]; then
			printf 'verdict     BROKEN: with the change the kernel crashes: %s\n' "$crash"
			leave 1
		fi
		[ -z "$cannot" ] || { say "the change cannot be measured: $cannot"; leave 125; }
	done
	booted=$((SECONDS - begin))
}

ab() {
	local n=$refs_first worst=0 per_boot commit
	local -a metrics=()
	old=$(g rev-parse --verify -q "${words[0]}^{commit}") || bad_usage "there is no commit ${words[0]}"
	if [ "${words[1]:-worktree}" = worktree ]; then
		[ -n "$worktree" ] || bad_usage 'this repository has no work tree: name a commit'
		scratch=$(mktemp -d)
		new=$(snapshot)
	else
		new=$(g rev-parse --verify -q "${words[1]}^{commit}") || bad_usage "there is no commit ${words[1]}"
	fi
	olds=("$old") better=$old worse=$new
	open_folder ab "$old" "$new"
	use_home
	keep_options
	for commit in "$old" "$new"; do
		put "$commit" "subject=$(subject "$commit")"
		build_kernel "$commit"
		if ! $built; then
			[ "$commit" = "$new" ] || die "BASE $why"
			say "the change $why; see $(kernel_dir "$new")"
			leave 125
		fi
	done
	if [ "$(get "$old" code)" = "$(get "$new" code)" ]; then
		printf 'verdict     SAME: both have the same code and data; nothing to measure\n'
		leave 0
	fi
	ab_boot "$n"
	per_boot=$((booted / n + 1))
	if [ -n "$metric" ]; then metrics=("$metric"); else mapfile -t metrics < <(list_metrics); fi
	[ ${#metrics[@]} -gt 0 ] || bad_usage "the scenario $scenario measures nothing"
	while look_at_all "$n" && [ "$open" -gt 0 ] && [ "$n" -lt "$refs_most" ]; do
		say "$n boots each, $open of ${#metrics[@]} metrics open; at most $(((refs_most + 3 - n) * per_boot)) s left"
		n=$((n + 1))
		ab_boot "$n"
	done
	say "$n boots each; 3 more to be sure, about $((3 * per_boot)) s left"
	n=$((n + 3))
	ab_boot "$n"
	for metric in "${metrics[@]}"; do
		tell "$n"
	done
	printf 'kept in     %s\n' "$dir"
	leave "$worst"
}
