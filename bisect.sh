#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# bisect.sh - one step of `git bisect run`: build, boot, judge
#
# Runs without anyone watching, for hours, as the program that says good or
# bad: so whatever goes wrong on this side must stop the bisect and may never
# look like a verdict.  The first step measures both ends of the range.  All
# that was measured is kept in results/bisect-*, and a later call goes on
# there.  The user's tree is only read: kernels are built in a linked worktree.
#
# Output:  one line a step on standard output; what happens meanwhile on
#          standard error
# Status:  0 good (old), 1 bad (new), 125 skip, 128 this side is broken, 129
#          wrong usage, 130 interrupted; nothing else, see docs/exit-status.md

set -eu

prog=${0##*/}
LC_ALL=C
export LC_ALL
shopt -s execfail

# docs/judge.md has the reasons of these numbers.
bound=0.001 refs_first=5 refs_most=16 controls_from=16
fresh=1001 # the first seed that no step uses

scenario='' metric='' direction='' config='' append='' smp='' mem=''
accel=auto jobs='' budget=16 on_crash=skip deterministic=true hunt=false
# A repository of `images` has this file beside its refs.
series_mark=kverdict-series prebuilt=false
first_parent='' names='' walk=() paths=()
variants=() words=() add=() added='' scratch='' purpose='' child='' building=false verb=step confirm=true format=text

usage() {
	cat <<-EOF
	Usage: git bisect run /path/to/$prog --scenario NAME --metric STEP.METRIC
	       $prog report
	       $prog judge [option...] COMMIT...
	       $prog ab [option...] BASE [COMMIT|worktree]
	       $prog images [option...] LIST

	Build the commit that git bisect stands at, boot it, and say whether it is good
	or bad by what was measured.  report names the culprit and measures it again.
	judge asks about any commit, by the references of the bisect in progress.  ab
	compares two commits, or one with the tree as it is (worktree, the default).
	images bisects kernels that are built: LIST is a file that names them in order
	(kernel images, .deb files, names of packages), a folder, or debian:SERIES.

	  --scenario NAME|FILE    what to run, of rootfs/scenarios or a file
	  --metric STEP.METRIC    what to judge by
	  --add FILE[:PATH]       bring FILE into the guest; may be repeated
	  --direction lower|higher  which is better (what the metric declares)
	  --on-crash skip|bad     what a panic or a hang means ($on_crash); bad without
	                          --metric hunts a crash
	  --realtime              do not use virtual time; --accel auto|kvm|tcg ($accel)
	  --jobs N                boots at a time, in virtual time (the number of CPUs)
	  --budget N              boots of a kernel at most ($budget)
	  --variant NAME          of kernel-configs/; may be repeated
	  --config FILE           a .config in place of kernel-configs/
	  --append "ARGS"         more kernel parameters
	  --smp N, --mem MIB      size of the guest
	  --no-confirm            report: do not measure the culprit again
	  --format text|mail      report: for a terminal, or to send to the kernel's
	                          lists, with the culprit reverted on the newer end

	Variables: BUILD, what make built ($build); RESULTS, where to keep what was
	measured ($results); QEMU, the program to run; CC, the compiler
	EOF
}

say() {
	printf '%s: %s\n' "$prog" "$*" >&2 || :
}

# A passing remark: only for a person who watches.
progress() {
	[ ! -t 2 ] || say "$*"
}

# leave STATUS: the only way out with a status of our own.  From a subshell it
# ends the whole script, whoever looks at the subshell's status.
leave() {
	purpose=yes
	if [ "$BASHPID" != "$$" ]; then
		case $1 in
		129) kill -s USR2 "$$" ;;
		130) kill -s TERM "$$" ;;
		*) kill -s USR1 "$$" ;;
		esac
	fi
	exit "$1"
}

die() {
	say "$*"
	leave 128
}

bad_usage() {
	say "$*: see $prog --help"
	leave 129
}

# attend PROGRAM...: run it to its end, but end it, with all that it started, as
# soon as a signal arrives here: it is a session of its own.
attend() {
	local status=0
	(
		trap - EXIT HUP INT QUIT TERM PIPE USR1 USR2
		exec setsid "$@"
	) &
	child=$!
	wait "$child" || status=$?
	child=''
	return "$status"
}

# A status that nobody set on purpose is ours, and not the kernel's.
finish() {
	local status=$? ended=0
	trap - EXIT HUP INT TERM
	if [ -n "$child" ]; then
		# It may not have got to its own session yet.
		kill -s TERM -- "-$child" 2>/dev/null || kill -s TERM "$child" 2>/dev/null || :
		wait "$child" || ended=$?
		! $building || end_build "$ended"
	fi
	[ -z "$scratch" ] || rm -rf -- "$scratch"
	[ -n "$purpose" ] || [ "$status" -eq 128 ] || {
		say "stopped by a tool that ended with status $status"
		status=128
	}
	exit "$status"
}

trap finish EXIT
trap 'leave 130' HUP INT TERM
trap 'leave 128' USR1 PIPE
trap 'leave 129' USR2

self=$(realpath -- "$0")
top=${self%/*}
build=${BUILD:-$top/build}
results=${RESULTS:-$top/results}

# shellcheck source=host/bisect-kernel.sh
. "$top/host/bisect-kernel.sh"
# shellcheck source=host/bisect-ends.sh
. "$top/host/bisect-ends.sh"
# shellcheck source=host/bisect-images.sh
. "$top/host/bisect-images.sh"
# shellcheck source=host/bisect-mail.sh
. "$top/host/bisect-mail.sh"
# shellcheck source=host/bisect-report.sh
. "$top/host/bisect-report.sh"

# --- words ---------------------------------------------------------------

need_number() {
	case $2 in
	'' | *[!0-9]* | ?????????*) bad_usage "$1 $2: not a number" ;;
	esac
	if [ "$2" -lt "$3" ] || [ "$2" -gt "$4" ]; then
		bad_usage "$1 $2: not within $3 to $4"
	fi
}

parse_value() {
	case $1 in
	--scenario) scenario=$2 ;;
	--metric)
		case $2 in
		?*.?*) metric=$2 ;;
		*) bad_usage "--metric $2: it is STEP.METRIC, such as readiness.ready_ns" ;;
		esac
		;;
	--direction)
		case $2 in lower | higher) direction=$2 ;; *) bad_usage "--direction $2: not lower or higher" ;; esac
		;;
	--on-crash)
		case $2 in bad | skip) on_crash=$2 ;; *) bad_usage "--on-crash $2: not bad or skip" ;; esac
		;;
	--accel)
		case $2 in auto | kvm | tcg) accel=$2 ;; *) bad_usage "--accel $2: not auto, kvm or tcg" ;; esac
		;;
	--format)
		case $verb/$2 in
		report/text | report/mail) format=$2 ;;
		report/*) bad_usage "--format $2: not text or mail" ;;
		*) bad_usage '--format is for report' ;;
		esac
		;;
	--jobs) need_number "$1" "$2" 1 64; jobs=$((10#$2)) ;;
	--budget) need_number "$1" "$2" 3 1000; budget=$((10#$2)) ;;
	--add) add+=("$2") ;;
	--variant) variants+=("$2") ;;
	--config) config=$2 ;;
	--append) append=$2 ;;
	--smp) smp=$2 ;;
	--mem) mem=$2 ;;
	esac
}

parse_options() {
	case ${1:-} in
	report | judge | ab | images) verb=$1; shift ;;
	esac
	while [ $# -gt 0 ]; do
		case $1 in
		--help | -h) usage; leave 0 ;;
		--realtime) deterministic=false ;;
		--no-confirm) confirm=false ;;
		--scenario | --metric | --add | --direction | --on-crash | --accel | --jobs | \
			--budget | --variant | --config | --append | --smp | --mem | --format)
			[ $# -ge 2 ] || bad_usage "$1 needs a value"
			parse_value "$1" "$2"
			shift
			;;
		-*) bad_usage "there is no option $1" ;;
		*) words+=("$1") ;;
		esac
		shift
	done
	case $verb/${#words[@]} in
	step/0 | report/0 | judge/[1-9]* | ab/[12] | images/1) ;;
	step/*) bad_usage "what is ${words[0]}? A step of git bisect run takes options only" ;;
	judge/0) bad_usage 'judge which commit?' ;;
	images/0) bad_usage 'images of which LIST?' ;;
	ab/0) bad_usage 'ab compares with which BASE?' ;;
	*) bad_usage "too many words: ${words[*]}" ;;
	esac
}

# Files are named in the folder where the script was called, which may be the
# kernel's, so what they hold is kept: a checkout could change them.
check_options() {
	local name
	[ -n "$scenario" ] || bad_usage 'which scenario? Pass --scenario'
	case $scenario in
	*/* | *.scenario) scenario_file=$scenario ;;
	*) scenario_file=$top/rootfs/scenarios/$scenario.scenario ;;
	esac
	[ -f "$scenario_file" ] || bad_usage "--scenario $scenario: there is no file $scenario_file"
	[ -n "$metric" ] || [ "$on_crash" = bad ] || [ "$verb" = ab ] ||
		bad_usage 'which metric? Pass --metric STEP.METRIC, or --on-crash bad to hunt a crash'
	[ -n "$metric" ] || [ "$verb" = ab ] || hunt=true
	[ ${#add[@]} -eq 0 ] || find_added
	[ -z "$config" ] || [ -r "$config" ] || bad_usage "--config $config: it cannot be read"
	for name in "${variants[@]}"; do
		[ -f "$top/kernel-configs/$name.config" ] || bad_usage "--variant $name: there is no kernel-configs/$name.config"
		# What a variant needs on the command line belongs to it.
		[ ! -f "$top/kernel-configs/$name.boot" ] || append+="${append:+ }$(grep -v '^#' "$top/kernel-configs/$name.boot" | tr '\n' ' ')"
	done
	first=3
	! $deterministic || first=2
	# The load average would count the build that has just ended.
	[ -n "$jobs" ] || jobs=$(nproc)
}

# What is brought along, by whole paths: `images` goes elsewhere.
find_added() {
	added=$("$top/host/add-files.sh" hash "${add[@]}") || leave 129
	mapfile -t add < <("$top/host/add-files.sh" where "${add[@]}")
}

# --- programs ------------------------------------------------------------

# Everything that a step calls, so that none ends with the shell's 126 or 127
# in the middle of the night.
find_programs() {
	local tool
	for tool in git make flock setsid sha256sum awk sed sort find head tail cut grep cmp wc tr mktemp \
		xargs nproc cat cp mv rm mkdir dirname fold; do
		command -v "$tool" >/dev/null || die "there is no $tool: run make deps in $top"
	done
	if [ ! -x "$build/host/kverdict" ] || [ ! -x "$build/guest/init" ] || [ ! -x "$build/guest/probe" ]; then
		make -s -C "$top" BUILD="$build" guest host >&2 || die "the programs cannot be built: run make deps in $top"
	fi
	build=$(CDPATH='' cd -- "$build" && pwd)
	export BUILD=$build
	kverdict=$build/host/kverdict
	mkdir -p -- "$results" || die "$results cannot be made"
	results=$(CDPATH='' cd -- "$results" && pwd)
}

find_compiler() {
	local tool
	for tool in gcc flex bison bc perl objcopy; do
		command -v "$tool" >/dev/null || die "there is no $tool: run make deps in $top"
	done
}

check_scenario() {
	local status=0
	"$build/guest/init" --check "$scenario_file" "$build/guest/probe" >/dev/null || status=$?
	[ "$status" -eq 0 ] || leave 129
}

# --- the repository ------------------------------------------------------

# Where the user stands; from here on git works by $gitdir alone, for git sets
# variables for the program it runs that would point into the user's tree.
enter_repository() {
	gitdir=$(git rev-parse --absolute-git-dir 2>/dev/null) || bad_usage 'this folder is in no git repository'
	commondir=$(realpath -- "$(git rev-parse --git-common-dir)")
	worktree=$(git rev-parse --show-toplevel 2>/dev/null) || worktree=''
	term_old=$(git bisect terms --term-old 2>/dev/null) || term_old=good
	term_new=$(git bisect terms --term-new 2>/dev/null) || term_new=bad
	# shellcheck disable=SC2046 # names of variables
	unset $(git rev-parse --local-env-vars)
	if [ -f "$gitdir/$series_mark" ]; then prebuilt=true; else find_compiler; fi
}

# g WORD...: git, whose output is as expected whatever the user configured
g() {
	git --git-dir="$gitdir" -c log.showSignature=false -c i18n.logOutputEncoding=UTF-8 "$@"
}

# commits_between NEW OLD...: those that this bisect looks at, by the options of
# git bisect start.  Their paths are those of the top folder.
commits_between() {
	local new=$1
	shift
	g -C / rev-list "${walk[@]}" "$new" --not "$@" -- "${paths[@]}"
}

# What git bisect knows now, by its refs: $now_new, $now_old.
read_marks() {
	now_new=$(g rev-parse --verify -q "refs/bisect/$term_new") || now_new=''
	mapfile -t now_old < <(g for-each-ref --format='%(objectname)' "refs/bisect/$term_old-*" | sort)
	if [ -z "$now_new" ] || [ ${#now_old[@]} -eq 0 ]; then
		bad_usage "git bisect has no two ends here: start with git bisect start COMMIT($term_new) COMMIT($term_old)"
	fi
}

# is_session FILE: is it this session of git bisect whose first lines are kept
# there?  Its log only grows.
is_session() {
	local size
	size=$(wc -c <"$1")
	[ "$size" -gt 0 ] || return 1
	head -c "$size" -- "$gitdir/BISECT_LOG" 2>/dev/null | cmp -s -- - "$1"
}

# The ends of the range are where the session began, not where it is now.
find_session() {
	local kept
	session=$gitdir/BISECT_LOG
	[ -r "$session" ] || die "git bisect keeps no log here ($session)"
	new=$now_new olds=("${now_old[@]}")
	for kept in "$results"/bisect-*/session; do
		[ -f "$kept" ] || continue
		dir=${kept%/*}
		[ "$(get - repository)" = "$commondir" ] || continue
		is_session "$kept" || continue
		new=$(get - new)
		read -r -a olds <<<"$(get - olds)"
		return
	done
}

# With several old ends the reference is the one nearest to the other end.
choose_old() {
	local end distance nearest=''
	for end in "${olds[@]}"; do
		distance=$(g rev-list --count "$end..$new")
		if [ -z "$nearest" ] || [ "$distance" -lt "$nearest" ]; then
			nearest=$distance old=$end
		fi
	done
	better=$old worse=$new
}

# A shallow clone has commits without their parents; between the ends, that is
# a gap which git bisect does not see.
check_history() {
	local boundary missing
	[ "$(g rev-parse --is-shallow-repository)" = true ] || return 0
	boundary=$(g rev-parse --git-path shallow)
	case $boundary in /*) ;; *) boundary=$gitdir/$boundary ;; esac
	missing=$(g rev-list "$new" --not "${olds[@]}" | grep -Fxf "$boundary" | head -n 1) || :
	[ -z "$missing" ] ||
		die "this clone is shallow: what comes before ${missing:0:12} is missing between the two ends; fetch it with git fetch --unshallow"
}

# --- the bisect's folder -------------------------------------------------

settings() {
	printf '%s\n' "$commondir" "$@" "$(sha256 "$scenario_file")" "${scenario_file##*/}" "$metric" "$direction" \
		"$deterministic $accel $on_crash $smp $mem" "$append" "${variants[*]}" "${CC:-gcc}"
	[ -z "$config" ] || sha256 "$config"
	[ -z "$added" ] || printf '%s\n' "$added"
}

# copy_whole FILE TO: a full disk leaves no half of it.
copy_whole() {
	cp -- "$1" "$2.part" || die "$2 cannot be written"
	mv -- "$2.part" "$2" || die "$2 cannot be written"
}

# open_folder NAME COMMIT...: $dir, by what is compared and how.
open_folder() {
	local name=$1 text
	shift
	text=$(settings "$@")
	dir=$results/$name-$(printf '%s' "$text" | sha256sum | cut -c 1-12)
	mkdir -p -- "$dir" || die "$dir cannot be made"
	[ -f "$dir/${scenario_file##*/}" ] || copy_whole "$scenario_file" "$dir/${scenario_file##*/}"
	if [ -n "$config" ]; then
		[ -f "$dir/config" ] || copy_whole "$config" "$dir/config"
		config=$dir/config
	fi
	case $scenario in */* | *.scenario) scenario=$dir/${scenario_file##*/} ;; esac
	[ ${#add[@]} -eq 0 ] || keep_added
	set_arguments
}

# What --add names, as it is now.
keep_added() {
	[ -f "$dir/added.list" ] || "$top/host/add-files.sh" copy "$dir/added" "${add[@]}" >"$dir/added.part" ||
		die "what --add names cannot be kept in $dir"
	[ ! -f "$dir/added.part" ] || mv -- "$dir/added.part" "$dir/added.list"
	mapfile -t add <"$dir/added.list"
}

set_arguments() {
	local spec
	build_args=(--scenario "$dir/${scenario_file##*/}") boot_args=()
	[ -z "$config" ] || build_args+=(--config "$config")
	for spec in "${add[@]}"; do boot_args+=(--add "$spec"); done
	[ -z "$append" ] || boot_args+=(--append "$append")
	[ -z "$smp" ] || boot_args+=(--smp "$smp")
	[ -z "$mem" ] || boot_args+=(--mem "$mem")
}

# What git bisect start was told beside the ends.
read_start() {
	first_parent='' names=''
	[ ! -f "$gitdir/BISECT_FIRST_PARENT" ] || first_parent=yes
	[ ! -f "$gitdir/BISECT_NAMES" ] || names=$(<"$gitdir/BISECT_NAMES")
	set_range
}

# Which commits $first_parent and $names leave; git quotes names for a shell.
set_range() {
	walk=()
	[ -z "$first_parent" ] || walk=(--first-parent)
	mapfile -t paths < <(xargs -r printf '%s\n' <<<"$names")
}

# What report needs to go on without the options.
keep_options() {
	local commits
	commits=$(commits_between "$new" "${olds[@]}") || die "git cannot list the commits between the ends"
	put - "repository=$commondir" "new=$new" "old=$old" "olds=${olds[*]}" \
		"first_parent=$first_parent" "names=$names" \
		"scenario=$scenario" "metric=$metric" "direction=$direction" "on_crash=$on_crash" \
		"deterministic=$deterministic" "accel=$accel" "append=$append" "smp=$smp" "mem=$mem" \
		"variants=${variants[*]}" "term_old=$term_old" "term_new=$term_new" \
		"commits=$(wc -w <<<"$commits")"
}

open_bisect() {
	read_marks
	find_session
	choose_old
	check_history
	read_start
	open_folder bisect "$new" "${olds[@]}"
	use_home
	if [ ! -f "$dir/session" ] || ! is_session "$dir/session"; then
		keep_options
		copy_whole "$session" "$dir/session"
	fi
	set_better
}

# Which end is the better one, and so what old and new are as verdicts.
set_better() {
	better=$(get - better)
	better=${better:-$old}
	worse=$new old_word=good new_word=bad
	[ "$better" = "$old" ] || worse=$old old_word=bad new_word=good
}

# --- what a step says ----------------------------------------------------

# logarithm COUNT: bisect steps for so many commits.
logarithm() {
	local steps=0 left=$1
	while [ "$left" -gt 1 ]; do
		left=$(((left + 1) / 2)) steps=$((steps + 1))
	done
	printf '%s\n' "$steps"
}

# Costs of this repository, as the last bisect left them; else a guess.
estimate() {
	local commits steps builds boots cold_s build_s boot_s last=600\ 40\ 60 seconds
	! $prebuilt || last=0\ 0\ 60
	[ ! -f "$home/seconds" ] || last=$(<"$home/seconds")
	read -r cold_s build_s boot_s <<<"$last"
	[ -z "$(get - boot_s)" ] || boot_s=$(get - boot_s)
	[ ! -e "$out/vmlinux" ] || cold_s=$build_s
	commits=$(get - commits)
	steps=$(logarithm "$commits")
	builds=$((steps + 1)) boots=$((2 * (refs_first + 3) + 3 * steps))
	if [ "$commits" -ge "$controls_from" ]; then
		builds=$((builds + 2)) boots=$((boots + 8))
	fi
	seconds=$((cold_s + builds * build_s + boots * boot_s / jobs))
	! $prebuilt || builds=-1
	say "$commits commits: about $steps steps, $((builds + 1)) builds, $boots boots ($jobs at a time, $boot_s s each), $(((seconds + 59) / 60)) minutes"
}

keep_costs() {
	local build_s boot_s
	! $prebuilt || return 0
	build_s=$(get "$new" built_s)
	boot_s=$(get - boot_s)
	if printf '%s %s %s\n' "$(get "$old" built_s)" "${build_s:-40}" "${boot_s:-60}" >"$home/seconds.part"; then
		mv -- "$home/seconds.part" "$home/seconds"
	fi
}

# step_line COMMIT WHAT: one line that a person can follow.
step_line() {
	local built
	built=$(get "$1" built_s)
	[ -n "$built" ] && built="built in $built s" || built='not built'
	! $prebuilt || built=prebuilt
	printf 'bisect: %s %s (%s): %s, %s boots: %s: %s\n' "$2" "${1:0:12}" "$(subject "$1")" \
		"$built" "$boots" "${word^^}" "$why"
}

# Judged words are about speed; git wants old or new.
leave_word() {
	case $word in
	"$old_word") leave 0 ;;
	"$new_word") leave 1 ;;
	skip | third | undecided) leave 125 ;;
	*) die "a verdict $word in $dir/state.json is none of ours" ;;
	esac
}

begin() {
	say "bisecting in $dir"
	if [ -n "$worktree" ] && [ -n "$(git -C "$worktree" --no-optional-locks status --porcelain -uno 2>/dev/null | head -n 1)" ]; then
		say "note: changes in $worktree that are not committed are not measured"
	fi
	estimate
}

# What a step and `judge` need before any commit can be judged.
prepare() {
	[ -n "$(get - refs)" ] || begin
	measure_ends
	keep_costs
	measure_controls
}

step() {
	local commit
	open_bisect
	# With git bisect start --no-checkout nothing else names the commit.
	commit=$(g rev-parse --verify -q BISECT_HEAD) || commit=$(g rev-parse --verify HEAD)
	prepare
	decide "$commit" step
	step_line "$commit" step
	leave_word
}

judge() {
	local commit name worst=0
	local -a commits=()
	for name in "${words[@]}"; do
		commit=$(g rev-parse --verify -q "$name^{commit}") || bad_usage "there is no commit $name"
		commits+=("$commit")
	done
	open_bisect
	prepare
	for commit in "${commits[@]}"; do
		decide "$commit" asked
		step_line "$commit" asked
		case $word in
		good) ;;
		bad) worst=1 ;;
		*) [ "$worst" -eq 1 ] || worst=125 ;;
		esac
	done
	leave "$worst"
}

parse_options "$@"
find_programs
[ "$verb" = images ] || enter_repository
case $verb in
report) report ;;
ab) [ -n "$scenario" ] || scenario=r1-readiness-quiet ;;
images) [ -n "$scenario$metric" ] || scenario=r1-readiness metric=readiness.ready_ns ;;
esac
check_options
check_scenario
"$verb"
