# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# bisect-mail.sh - the report of a bisect as a mail to the kernel's lists
#
# Sourced by bisect.sh.  Plain text in 72 columns, commits as the kernel's
# process documents want them, and a line for the regression tracker.

# shellcheck disable=SC2154,SC2034 # shared with who sources this

width=72

# para TEXT...: a paragraph
para() {
	printf '%s\n' "$*" | fold -s -w "$width" | sed 's/ *$//'
}

# indented TEXT...: a paragraph that is quoted
indented() {
	printf '%s\n' "$*" | fold -s -w $((width - 4)) | sed 's/ *$//; s/^/    /'
}

# header NAME: TEXT...: of a mail, where what goes on begins with a blank
header() {
	printf '%s\n' "$*" | fold -s -w $((width - 1)) | sed 's/ *$//; 2,$s/^/ /'
}

# author COMMIT: as a mail's header takes a name
author() {
	local name
	name=$(g log -1 --format=%an "$1")
	case $name in
	*[\(\)\<\>\[\]:\;@\\,.\"]*) name=${name//\\/\\\\} name=\"${name//\"/\\\"}\" ;;
	esac
	printf '%s <%s>\n' "$name" "$(g log -1 --format=%ae "$1")"
}

# named COMMIT: as the kernel's documents name one
named() {
	printf '%s ("%s")\n' "${1:0:12}" "$(subject "$1")"
}

# mail_row LABEL RUN...: how the metric is spread over all boots of a kernel
mail_row() {
	local label=$1 better boots values p50 p90 p99 max
	shift
	IFS=$'\t' read -r better boots values p50 p90 p99 max < <("$kverdict" bisect metric "$metric" "$@") || return 0
	: "$better"
	printf '%-20.20s%5s%7s%10s%10s%10s%10s\n' "$label" "$boots" "$values" "$p50" "$p90" "$p99" "$max"
}

# rows_of LABEL FOLDER: if it was booted, in a step or to confirm it
rows_of() {
	local -a runs=()
	local run
	for run in "$2"/seed-* "$2"/confirm/seed-*; do
		[ ! -d "$run" ] || runs+=("$run")
	done
	[ ${#runs[@]} -eq 0 ] || mail_row "$1" "${runs[@]}"
}

mail_table() {
	local commit
	printf '%-20.20s%5s%7s%10s%10s%10s%10s\n' '' boots values p50 p90 p99 max
	rows_of "$term_old ${old:0:12}" "$(kernel_dir "$old")"
	for commit in "${parents[@]}"; do
		[ "$commit" = "$old" ] || rows_of "parent ${commit:0:12}" "$(kernel_dir "$commit")"
	done
	[ "$culprit" = "$new" ] || rows_of "culprit ${culprit:0:12}" "$(kernel_dir "$culprit")"
	rows_of "$term_new ${new:0:12}" "$(kernel_dir "$new")"
	[ -z "$reverted" ] || rows_of "$term_new, reverted" "$(kernel_dir "$reverted")"
}

# What the judge goes by, where it is a share: a median can say the opposite.
mail_cut() {
	local cut good bad
	cut=$(sed -n 's/^metric .*; cut \([0-9.]* [a-z]*\).*/\1/p' "$dir/judge.txt")
	good=$(sed -n 's/^good ref .*values: \([0-9.]* %\) beyond.*/\1/p' "$dir/judge.txt")
	bad=$(sed -n 's/^bad ref .*values: \([0-9.]* %\) beyond.*/\1/p' "$dir/judge.txt")
	[ -n "$cut" ] && [ -n "$good" ] && [ -n "$bad" ] || return 0
	para "What decides is how many values lie on the worse side of $cut: $good at $(end_name "$better"), $bad at $(end_name "$worse")."
	printf '\n'
}

# revert_culprit: the newer end without the culprit, built and measured.  Sets
# $reverted to the commit, and $revert_told to what came of it.
revert_culprit() {
	local tree_id
	reverted=''
	if $merge; then
		revert_told="It is a merge, so reverting it was not tried."
		return
	fi
	use_home
	checkout "$new"
	if ! in_tree -c user.name=kverdict -c user.email=kverdict@localhost revert --no-commit "$culprit" >/dev/null 2>&1; then
		in_tree reset -q --hard
		revert_told="It cannot be reverted on top of the $term_new end without conflicts."
		return
	fi
	tree_id=$(in_tree write-tree) || die "the revert cannot be kept in $tree"
	in_tree reset -q --hard
	reverted=$(GIT_AUTHOR_NAME=kverdict GIT_AUTHOR_EMAIL='<>' GIT_AUTHOR_DATE='1577836800 +0000' \
		GIT_COMMITTER_NAME=kverdict GIT_COMMITTER_EMAIL='<>' GIT_COMMITTER_DATE='1577836800 +0000' \
		g commit-tree -p "$new" -m "Revert \"$(subject "$culprit")\"" "$tree_id")
	build_kernel "$reverted"
	if ! $built; then
		revert_told="With it reverted the $term_new end $why."
		reverted=''
		return
	fi
	judge_kernel "$reverted" "$(kernel_dir "$reverted")/confirm" "$fresh"
	case $word in
	"$old_word") revert_told="With it reverted the $term_new end measures like the $term_old one ($boots boots)." ;;
	"$new_word") revert_told="With it reverted the $term_new end still measures as before ($boots boots)." ;;
	*) revert_told="With it reverted the $term_new end measures like neither end ($boots boots: $why)." ;;
	esac
}

# A value of the first boot's run.json
of_run() {
	"$kverdict" bisect verdict "$(kernel_dir "$old")/seed-1/run.json" "$1"
}

# A command too long for a line goes on in the next.
mail_command() {
	local line='' word
	for word in "$@"; do
		case $word in *[!A-Za-z0-9_./=:,+-]*) word="'${word//\'/\'\\\'\'}'" ;; esac
		if [ -n "$line" ] && [ $((${#line} + ${#word})) -gt $((width - 7)) ]; then
			printf '    %s \\\n' "$line"
			line="   $word"
		else
			line+=${line:+ }$word
		fi
	done
	printf '    %s\n' "$line"
}

mail_options() {
	options=(--scenario "${scenario##*/}")
	[ -z "$metric" ] || options+=(--metric "$metric")
	[ -z "$direction" ] || options+=(--direction "$direction")
	[ "$on_crash" = skip ] || options+=(--on-crash "$on_crash")
	$deterministic || options+=(--realtime)
	[ -z "$append" ] || options+=(--append "$append")
	[ -z "$smp" ] || options+=(--smp "$smp")
	[ -z "$mem" ] || options+=(--mem "$mem")
	for word in "${variants[@]}"; do options+=(--variant "$word"); done
	[ -z "$config" ] || options+=(--config config)
	for word in "${add[@]}"; do options+=(--add "FILE:${word##*:}"); done
}

mail_head() {
	header "Subject: [REGRESSION] $(subject "$culprit")"
	$prebuilt || header "Cc: $(author "$culprit")"
	printf 'Cc: regressions@lists.linux.dev\n\n'
}

# What was measured, in the words of the metric.
mail_finding() {
	local better rest what
	if [ -z "$metric" ]; then
		what='the kernel crashes'
	else
		IFS=$'\t' read -r better rest < <("$kverdict" bisect metric "$metric" "$(kernel_dir "$old")/seed-1") || better=
		: "${rest:-}"
		what="$metric (${better:-?} is better) of the scenario ${scenario##*/} changes"
		[ "$better_end" != old ] || what="$metric (${better:-?} is better) of the scenario ${scenario##*/} gets worse"
	fi
	para "git bisect names this commit as the first with which $what:"
	printf '\n'
	indented "$(named "$culprit")"
	printf '\n'
}

mail_doubts() {
	local commit
	[ ${#doubtful[@]} -gt 0 ] || return 0
	para 'These commits next to it could not be measured, so it may be one of them instead:'
	printf '\n'
	for commit in "${doubtful[@]}"; do
		indented "$(named "$commit")"
	done
	printf '\n'
}

mail_terms() {
	local virtual='in real time' alone=''
	[ ${#parents[@]} -eq 0 ] || $prebuilt || $merge ||
		alone='; the parent differs from the culprit by this commit alone'
	! $deterministic || virtual='in virtual time (QEMU icount), so that each boot repeats bit for bit'
	para "Measured with kverdict $(of_run commit | cut -c 1-12) on QEMU $(of_run qemu_version), $(of_run accelerator), $virtual; $(of_run smp) CPUs and $(of_run mem_mib) MiB, on a host with $(of_run host_cpu)."
	printf '\n'
	para "Each kernel was judged with an error probability of at most $bound, $judged of them in all: at most $(awk -v n="$judged" -v p="$bound" 'BEGIN { printf "%g", n * p }') (union bound). It does not cover that an unrelated change can move the metric$alone."
	printf '\n'
}

mail_repeat() {
	local -a options start=("${walk[@]}")
	mail_options
	[ "$term_old/$term_new" = good/bad ] || start+=("--term-old=$term_old" "--term-new=$term_new")
	[ ${#paths[@]} -eq 0 ] || paths=(-- "${paths[@]}")
	printf 'To repeat it:\n\n'
	if ! $prebuilt; then
		mail_command git bisect start "${start[@]}" "${new:0:12}" "${old:0:12}" "${paths[@]}"
		mail_command git bisect run bisect.sh "${options[@]}"
		printf '\n'
	fi
	printf 'and one boot of a kernel:\n\n'
	if $deterministic; then
		mail_command run-qemu.sh --deterministic --seed 1 --scenario "${scenario##*/}" bzImage
	else
		mail_command run-qemu.sh --scenario "${scenario##*/}" bzImage
	fi
	printf '\n'
}

# mail: $culprit and what belongs to it are known, and $confirmed in words is
# in $confirm_told.
mail() {
	local reverted='' revert_told='' better_end=old
	[ "$better" = "$old" ] || better_end=new
	! $confirm || $prebuilt || revert_culprit
	mail_head
	mail_finding
	mail_doubts
	[ -z "$metric" ] || { mail_table; printf '\n'; mail_cut; }
	[ -z "$confirm_told$revert_told" ] || { para "$confirm_told${confirm_told:+ }$revert_told"; printf '\n'; }
	mail_terms
	mail_repeat
	$prebuilt || printf '#regzbot introduced: %s\n' "${culprit:0:12}"
}
