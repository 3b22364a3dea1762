# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# bisect-images.sh - `images`: a bisect of kernels that are built already
#
# Sourced by bisect.sh.  The list becomes a git history with one commit for
# each kernel, whose file `kernel` says where it is, so that the ends, the
# steps, their state and the report are those of any bisect; build_kernel
# takes what the file names in place of building.

# shellcheck disable=SC2154,SC2034 # shared with who sources this

# in_list WORD: every kernel of a list as "PACKAGE NAME" or "FILE PATH", in its
# order; what is found in a folder, and may be none, as "ENTRY PATH".
in_list() {
	local word=$1 line base
	case $word in
	debian: | debian:-*) bad_usage "images $word: name a series, such as debian:6.12" ;;
	debian:*) in_series "${word#debian:}" ;;
	*)
		if [ -d "$word" ]; then
			base=$(realpath -- "$word")
			find "$base" -mindepth 1 -maxdepth 1 ! -name '.*' | sort -V | sed 's/^/ENTRY /'
			return
		fi
		[ -f "$word" ] || bad_usage "images $word: it is no file, no folder, and not debian:SERIES"
		# Paths are relative to the list's own folder.
		base=$(realpath -- "$(dirname -- "$word")")
		while IFS= read -r line || [ -n "$line" ]; do
			line=${line#"${line%%[![:space:]]*}"}
			line=${line%"${line##*[![:space:]]}"}
			case $line in
			'' | '#'*) ;;
			/*) printf 'FILE %s\n' "$line" ;;
			*/* | *.deb) printf 'FILE %s\n' "$base/$line" ;;
			*)
				if [ -e "$base/$line" ]; then
					printf 'FILE %s\n' "$base/$line"
				else
					printf 'PACKAGE %s\n' "$line"
				fi
				;;
			esac
		done <"$word"
		;;
	esac
}

# in_series SERIES[-generic]: what the distribution's suites offer
in_series() {
	local status=0 names flavour=cloud
	case $1 in
	*-generic) flavour=generic ;;
	esac
	names=$(KVER=${1%-generic} FLAVOUR=$flavour "$top/host/fetch-kernel.sh" --list) || status=$?
	case $status in
	0) printf '%s\n' "$names" | sed 's/^/PACKAGE /' ;;
	*) leave "$status" ;;
	esac
}

# no_kernel PATH: why it is none, or nothing.  A folder is unpacked later.
no_kernel() {
	local status=0 said
	if [ -d "$1" ] || [[ $1 == *.deb ]]; then
		return
	fi
	said=$({ "$kverdict" kernel "$1" >/dev/null; } 2>&1) || status=$?
	case $status in
	0) ;;
	129) printf '%s\n' "${said:-$1}" ;;
	*) die "kverdict kernel ended with status $status" ;;
	esac
}

# A file is known by its bytes: if it changes, this is another list.  What is
# no kernel is found now, and not in the middle of the night.
with_sums() {
	local kind name why
	while read -r kind name; do
		if [ "$kind" = PACKAGE ]; then
			printf 'PACKAGE - %s\n' "$name"
			continue
		fi
		[ -f "$name" ] || [ -d "$name" ] || bad_usage "the list names $name: there is no such file or folder"
		why=$(no_kernel "$name")
		if [ -n "$why" ]; then
			[ "$kind" = ENTRY ] || bad_usage "the list names what is no kernel: $why"
			say "note: left out: ${why#kverdict: }"
		elif [ -f "$name" ]; then
			printf 'FILE %s %s\n' "$(sha256 "$name")" "$name"
		else
			printf 'FILE - %s\n' "$name"
		fi
	done
}

# make_series LIST: the history, in $series/.git
make_series() {
	local kind sum name date_s=1577836800
	local -a make=(env GIT_AUTHOR_NAME=kverdict 'GIT_AUTHOR_EMAIL=<>' GIT_COMMITTER_NAME=kverdict 'GIT_COMMITTER_EMAIL=<>'
		git -C "$series" -c core.hooksPath=/dev/null -c commit.gpgSign=false -c gc.auto=0)
	rm -rf -- "$series"
	mkdir -p -- "$series" || die "$series cannot be made"
	"${make[@]}" init -q || die "git cannot make a repository in $series"
	while read -r kind sum name; do
		date_s=$((date_s + 60))
		printf '%s\n%s\n%s\n' "$kind" "$sum" "$name" >"$series/kernel" || die "$series cannot be written"
		"${make[@]}" add -f kernel
		name=${name%/}
		name=${name##*/}
		GIT_AUTHOR_DATE="$date_s +0000" GIT_COMMITTER_DATE="$date_s +0000" \
			"${make[@]}" commit -q --allow-empty --cleanup=verbatim -m "${name#linux-image-}" || die "git cannot commit in $series"
	done <"$1"
	# With these terms either end may be the better one.
	"${make[@]}" bisect start --no-checkout --term-old=old --term-new=new HEAD "$("${make[@]}" rev-list --max-parents=0 HEAD)" >/dev/null ||
		die "git cannot bisect in $series"
	: >"$series/.git/$series_mark"
}

# take_image COMMIT FOLDER: the kernel that a commit of a series names.  Sets
# $built, and $why if it is none.
take_image() {
	local kind sum name status=0 kernel='' modules=''
	{ read -r kind; read -r sum; IFS= read -r name; } < <(g show "$1:kernel")
	[ "$kind" != FILE ] || [ -e "$name" ] || die "$name is there no longer"
	if [ "$kind" = FILE ] && [ -f "$name" ] && [[ $name != *.deb ]]; then
		kernel=$name
	else
		[ "$kind" = FILE ] || say "fetching $name"
		attend "$top/host/fetch-kernel.sh" "$name" >"$2/fetched" || status=$?
		case $status in
		0) ;;
		129) why='no kernel is in it' built=false; put "$1" "unbuilt=$why"; return ;;
		*) pass_on "$status" fetch-kernel.sh ;;
		esac
		kernel=$(sed -n 's/^KERNEL=//p' "$2/fetched")
		modules=$(sed -n 's/^MODULES=//p' "$2/fetched")
		rm -f -- "$2/fetched"
	fi
	[ "$sum" = - ] || [ "$(sha256 "$name")" = "$sum" ] ||
		die "$name is not what it was when this bisect began"
	cp -- "$kernel" "$2/bzImage.part" || die "$kernel cannot be copied to $2"
	mv -- "$2/bzImage.part" "$2/bzImage"
	sum=$(sha256 "$2/bzImage")
	[ -z "$modules" ] || printf '%s\n' "$modules" >"$2/modules"
	# A kernel with other modules is another kernel.
	put "$1" "subject=$(subject "$1")" "image=$sum" "code=$sum${modules:+ $modules}"
}

# pass_on STATUS PROGRAM: leave with it, if a program of ours may end like that.
pass_on() {
	case $1 in
	128 | 129 | 130) leave "$1" ;;
	*) die "$2 ended with status $1" ;;
	esac
}

# series_left: how many kernels may still be the one, but the last known
series_left() {
	now_new=$(g rev-parse refs/bisect/new)
	mapfile -t now_old < <(g for-each-ref --format='%(objectname)' 'refs/bisect/old-*')
	mapfile -t skipped < <(g for-each-ref --format='%(objectname)' 'refs/bisect/skip-*')
	find_culprit
}

# The options of a step, out of ours.
set_step_words() {
	local spec
	step_words=(--scenario "$scenario" --on-crash "$on_crash" --accel "$accel" --jobs "$jobs" --budget "$budget")
	[ -z "$metric" ] || step_words+=(--metric "$metric")
	[ -z "$direction" ] || step_words+=(--direction "$direction")
	for spec in "${add[@]}"; do step_words+=(--add "$spec"); done
	[ -z "$append" ] || step_words+=(--append "$append")
	[ -z "$smp" ] || step_words+=(--smp "$smp")
	[ -z "$mem" ] || step_words+=(--mem "$mem")
	$deterministic || step_words+=(--realtime)
}

open_series() {
	local list kernels
	# What points into the repository of the caller, who may be a hook.
	# shellcheck disable=SC2046 # names of variables
	unset $(git rev-parse --local-env-vars)
	scratch=$(mktemp -d)
	list=$scratch/list
	in_list "${words[0]}" | with_sums >"$list"
	kernels=$(wc -l <"$list")
	[ "$kernels" -ge 2 ] || bad_usage "images ${words[0]}: a series has two kernels at least"
	commondir=''
	series=$results/images-$({ settings images; cat -- "$list"; } | sha256sum | cut -c 1-12)
	gitdir=$series/.git
	# Two at once would make one history, and each mark what the other judged.
	exec 8>"$series.lock"
	flock -n 8 || die "another bisect of this list is at work (it holds $series.lock): wait for it, or end it"
	# Without the mark it was not finished; without the ref, git bisect reset
	# was called there.  The same list makes the same commits.
	if [ ! -f "$gitdir/$series_mark" ] || ! g rev-parse --verify -q refs/bisect/new >/dev/null; then
		make_series "$list"
	fi
	say "$kernels kernels, from $(head -n 1 "$list" | cut -d ' ' -f 3-) to $(tail -n 1 "$list" | cut -d ' ' -f 3-)"
	# Of two, git names the newer one without a look at either.
	[ "$kernels" -gt 2 ] || unseen=true
}

# One step, as git bisect run would make it.  Sets $verdict.
series_step() {
	local status=0
	attend "$top/bisect.sh" "${step_words[@]}" || status=$?
	case $status in
	0) verdict=old ;;
	1) verdict=new ;;
	125) verdict=skip ;;
	*) pass_on "$status" 'a step' ;;
	esac
}

# Git's refs say what it knows, and not its status.
keep_verdict() {
	local before
	before=$(g for-each-ref refs/bisect)
	git -C "$series" bisect "$verdict" >/dev/null 2>&1 || :
	[ "$(g for-each-ref refs/bisect)" != "$before" ] ||
		die "git bisect $verdict changes nothing in $series: is there room?"
}

# The whole bisect, and its report.
images() {
	local status=0 verdict unseen=false
	[ -z "$config${variants[*]}" ] || bad_usage 'images builds nothing, so it takes no --config and no --variant'
	case $scenario in */* | *.scenario) scenario=$(realpath -- "$scenario_file") ;; esac
	open_series
	set_step_words
	cd -- "$series" || die "$series cannot be entered"
	export BUILD=$build RESULTS=$results
	! $unseen || series_step
	while series_left && [ "$left" -gt 0 ]; do
		series_step
		keep_verdict
	done
	# shellcheck disable=SC2046 # a word or none
	attend "$top/bisect.sh" report $($confirm || echo --no-confirm) || status=$?
	case $status in
	0 | 125) leave "$status" ;;
	*) pass_on "$status" 'the report' ;;
	esac
}
