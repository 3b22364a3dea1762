# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# bisect-kernel.sh - from a commit to a verdict: build, boot, judge
#
# Sourced by bisect.sh, which decides which commit and what it means.  $dir is
# the folder of the bisect, with state.json and one folder for each kernel;
# $home is that of the repository, with its worktree and its build directory.
#
# Nothing here is done twice: what a crash or Ctrl-C interrupted goes on at the
# next call, from what state.json and the run directories say.

# shellcheck disable=SC2154,SC2034 # shared with who sources this

notes() {
	"$kverdict" bisect "$@" || die "the notes in $dir cannot be kept"
}

get() {
	notes get "$dir/state.json" "$1" "$2"
}

put() {
	notes put "$dir/state.json" "$@"
}

kernel_dir() {
	printf '%s/%s\n' "$dir" "${1:0:12}"
}

subject() {
	g log -1 --format=%s "$1"
}

sha256() {
	local sum
	sum=$(sha256sum <"$1") || die "$1 cannot be read"
	printf '%s\n' "${sum%% *}"
}

# use_home: one worktree, one build directory and one bisect at a time.  The
# lock is inherited by what is started here, so that a compiler left over from
# a killed bisect cannot write beside the next one.
use_home() {
	home=$build/bisect/$(printf '%s' "$commondir" | sha256sum | cut -c 1-12)
	tree=$home/linux out=$home/out
	mkdir -p -- "$home" || die "$home cannot be made"
	exec 9>"$home/lock"
	flock -n 9 || die "another bisect of this repository is at work (it holds $home/lock): wait for it, or end it"
}

# What the user configured for a tree of his own must not change the sources.
as_committed=(-c core.hooksPath=/dev/null -c core.autocrlf=false -c core.eol=lf -c core.sparseCheckout=false
	-c core.fsmonitor=false -c submodule.recurse=false)

in_tree() {
	git -C "$tree" "${as_committed[@]}" -c advice.detachedHead=false "$@"
}

# checkout COMMIT: make the worktree exactly that, leaving the times of files
# that stay as they are, for make.
checkout() {
	if [ "$(in_tree rev-parse --show-toplevel 2>/dev/null)" != "$(realpath -m -- "$tree")" ]; then
		rm -rf -- "$tree"
		g worktree prune
		say "making the worktree $tree"
		g "${as_committed[@]}" worktree add -q --force --detach "$tree" "$1" >&2 ||
			die "no worktree can be made in $tree: is there room?"
		return
	fi
	rm -f -- "$(in_tree rev-parse --absolute-git-dir)"/{index,HEAD}.lock
	in_tree checkout -q --force --detach "$1" || die "$1 cannot be checked out in $tree"
	in_tree clean -qffdx || die "$tree cannot be cleaned"
}

# host_fault LOG...: the first line that says that the host ended a build, which
# is no fault of the commit.  What gcc quotes of the source says nothing.
host_fault() {
	local lines name='[A-Za-z0-9._+-]+'
	lines=$(cat -- "$@" 2>/dev/null | grep -Ev '^ *[0-9]* \|') || :
	grep -Em 1 'No space left on device|Disk quota exceeded|Read-only file system|Input/output error|Stale file handle|virtual memory exhausted|[Cc]annot allocate memory|out of memory|Too many open files|Resource temporarily unavailable|Killed signal|terminated (by|with) signal (7|9|15)|\] (Killed|Terminated|Bus error)|\] Error 1(35|37|43)$' <<<"$lines" ||
		{ grep -q '\] Error 127$' <<<"$lines" &&
			grep -Em 1 "^[^ ]*(make(\[[0-9]+\])?|sh): ((line )?[0-9]+: )?$name: (command not found|not found|No such file or directory)\$" <<<"$lines"; } || :
}

# After a build that was cut off, make may take half a file for a whole one.
begin_build() {
	if [ -e "$home/unfinished" ]; then
		say "the last build was cut off: building all anew"
		rm -rf -- "$out"
	fi
	mkdir -p -- "$out" || die "$out cannot be made"
	: >"$home/unfinished" || die "$home cannot be written"
	building=true
}

# end_build STATUS: what ends by itself has tidied up.
end_build() {
	building=false
	[ "$1" -gt 130 ] || rm -f -- "$home/unfinished"
}

# build_kernel COMMIT: its bzImage into its folder.  Sets $built, and $why if
# the commit does not build.  (No function that works fails on purpose: in a
# condition the shell would not stop at what goes wrong inside.)
build_kernel() {
	local kdir log fault status=0 begin=$SECONDS
	kdir=$(kernel_dir "$1")
	why=$(get "$1" unbuilt)
	built=false
	[ -z "$why" ] || return 0
	built=true
	[ ! -f "$kdir/bzImage" ] || [ -z "$(get "$1" code)" ] || return 0

	if $prebuilt; then
		mkdir -p -- "$kdir" || die "$kdir cannot be made"
		take_image "$1" "$kdir"
		return
	fi
	say "building ${1:0:12} ($(subject "$1"))"
	log=$out/build.log
	mkdir -p -- "$kdir" || die "$kdir cannot be made"
	begin_build
	rm -f -- "$log" "$out/config.log"
	checkout "$1"
	# Without GIT_DIR a kernel that puts its commit into its version would
	# have other bytes for each commit.
	GIT_DIR=/dev/null attend "$top/build-kernel.sh" "${build_args[@]}" "$tree" "$out" "${variants[@]}" \
		>"$kdir/built" 2>"$kdir/build-kernel.log" </dev/null || status=$?
	end_build "$status"
	case $status in
	0) ;;
	125)
		cp -- "$log" "$kdir/build.log" 2>/dev/null || :
		fault=$(host_fault "$log" "$out/config.log")
		[ -z "$fault" ] || die "the host broke the build of ${1:0:12}: ${fault:0:100}; see $out"
		why="does not build: $(build_error "$kdir")"
		put "$1" "unbuilt=$why"
		built=false
		return
		;;
	130) leave 130 ;;
	*)
		cat -- "$kdir/build-kernel.log" >&2
		[ "$status" -ne 129 ] || leave 129
		die "build-kernel.sh ended with status $status"
		;;
	esac
	keep_kernel "$1" "$kdir" $((SECONDS - begin))
}

# build_error FOLDER: the first line that says why, of those that name a cause
# if there is one.
build_error() {
	local line
	line=$(grep -m 1 -E '(^|[ :])error: |undefined reference|No rule to make target' "$1/build.log" 2>/dev/null) ||
		line=$(grep -m 1 -F '***' "$1/build.log" 2>/dev/null) ||
		line=$(tail -n 1 "$1/build-kernel.log")
	line=${line//"$tree/"/}
	printf '%s\n' "${line:0:100}"
}

# The hash is that of what gets into memory, without the build id, which is a
# hash of the debug information too.
keep_kernel() {
	local image code
	cp -- "$(<"$2/built")" "$2/bzImage.part" || die "$2 has no room for a kernel"
	mv -- "$2/bzImage.part" "$2/bzImage"
	image=$(sha256 "$2/bzImage") code=$image
	# What unpacks the kernel and may crash is in the image alone.
	if [ "$on_crash" = skip ]; then
		objcopy -O binary -R .notes "$out/vmlinux" "$home/code" || die "objcopy cannot read $out/vmlinux"
		code=$(sha256 "$home/code")
	fi
	put "$1" "subject=$(subject "$1")" "built_s=$3" "image=$image" "code=$code"
	rm -f -- "$home/code" "$2/built"
}

# settle RUNS: what an ensemble brought, moved to RUNS/seed-N.  What was
# interrupted is no evidence, and is removed.
settle() {
	local run seed status rest
	for run in "$1"/batch/seed-*; do
		[ -d "$run" ] || continue
		seed=${run##*/}
		read -r status rest < <("$kverdict" bisect outcome "$run" 2>/dev/null || echo 128)
		case $status in
		0 | 1 | 125) [ -d "$1/$seed" ] || mv -T -- "$run" "$1/$seed" || die "$run cannot be kept" ;;
		*) : "${rest:-}" ;;
		esac
	done
	rm -rf -- "$1/batch"
}

# boot KERNEL RUNS FROM TO MOST: boots number FROM to TO, into RUNS/seed-N; in
# virtual time as many more as the last round has room for, but none after MOST.
boot() {
	local from=$3 to=$4 status=0
	local -a args=(--scenario "$scenario" "${boot_args[@]}")
	mkdir -p -- "$2" || die "$2 cannot be made"
	settle "$2"
	while [ "$from" -le "$to" ] && [ -d "$2/seed-$from" ]; do
		from=$((from + 1))
	done
	[ "$from" -le "$to" ] || return 0
	# A round takes no less time with one boot in it.  Whoever judges looks at
	# none before its turn, so the verdicts do not depend on --jobs.
	! $deterministic || to=$((from + ((to - from) / jobs + 1) * jobs - 1))
	[ "$to" -le "$5" ] || to=$5
	progress "booting ${2#"$dir/"}, seeds $from to $to"
	[ ! -f "${1%/*}/modules" ] || args+=(--modules "$(<"${1%/*}/modules")")
	boot_timeout args
	if $deterministic; then
		attend "$top/run-qemu.sh" "${args[@]}" --deterministic --seeds "$from-$to" --jobs "$jobs" \
			--out "$2/batch" "$1" >"$2/boots.log" 2>&1 </dev/null || status=$?
	else
		mkdir -p -- "$2/batch" || die "$2 cannot be written"
		while [ "$from" -le "$to" ] && [ "$status" -lt 126 ]; do
			status=0
			attend "$top/run-qemu.sh" "${args[@]}" --accel "$accel" --seed "$from" \
				--out "$2/batch/seed-$from" "$1" >"$2/boots.log" 2>&1 </dev/null || status=$?
			from=$((from + 1))
		done
	fi
	settle "$2"
	case $status in
	0 | 1 | 125) ;;
	130) leave 130 ;;
	*)
		tail -n 20 -- "$2/boots.log" >&2
		[ "$status" -ne 129 ] || leave 129
		die "run-qemu.sh ended with status $status; see $2/boots.log"
		;;
	esac
}

# A kernel that hangs before /init is waited for ten times as long as the
# slowest reference needed, not for as long as any kernel may need; but where a
# hang is bad, a host that was busy for a while must not look like one.
boot_timeout() {
	local -n to=$1
	local slowest
	slowest=$(get - init_ms)
	[ "$on_crash" = bad ] || [ -z "$slowest" ] || [ "$slowest" -gt 30000 ] ||
		to+=(--boot-timeout $((10 + slowest / 100)))
}

# read_boots RUNS FROM TO: sets $crash and $cannot to the first reason why a
# boot was a crash, or gave nothing for another reason; and $crashes to a 0 or
# 1 for each.
read_boots() {
	local n status init crashed message
	crash='' cannot='' crashes=()
	for ((n = $2; n <= $3; n++)); do
		read -r status init crashed message < <("$kverdict" bisect outcome "$1/seed-$n") ||
			die "$1/seed-$n cannot be read"
		: "$init"
		if [ "$crashed" = crashed ]; then
			crashes+=(1)
			crash=${crash:-"seed $n: $message"}
		else
			crashes+=(0)
			[ "$status" -eq 0 ] || cannot=${cannot:-"seed $n: $message"}
		fi
	done
}

# evidence ARRAY RUNS FROM TO: add what `judge` reads of these boots: the runs,
# or in the hunt for a crash a file of zeros and ones.
evidence() {
	local -n list=$1
	local n
	if [ -n "$metric" ]; then
		for ((n = $3; n <= $4; n++)); do
			list+=("$2/seed-$n")
		done
		return
	fi
	read_boots "$2" "$3" "$4"
	printf '%s\n' "${crashes[@]}" >"$2/crashes" || die "$2 cannot be written"
	list+=("$2/crashes")
}

# judge_with JUDGE|SIMULATE FOLDER REFS [RUNS FROM TO]: sets $word, from the
# references and, if given, the boots of a kernel; the report is FOLDER/JUDGE.txt.
judge_with() {
	local n status=0 name=$1 folder=$2
	local -a good=() bad=() runs=() args=(--sequential --metric "${metric:-crash}")
	evidence good "$(kernel_dir "$better")" 1 "$3"
	evidence bad "$(kernel_dir "$worse")" 1 "$3"
	[ $# -lt 4 ] || evidence runs "$4" "$5" "$6"
	for n in "${good[@]}"; do args+=(--good "$n"); done
	for n in "${bad[@]}"; do args+=(--bad "$n"); done
	[ "$name" = simulate ] || args+=(--budget "$budget" --verdict "$folder/verdict.json")
	[ -z "$direction" ] || args+=(--direction "$direction")
	! $deterministic || args+=(--first 2)
	"$kverdict" "$name" "${args[@]}" "${runs[@]}" >"$folder/$name.txt" 2>"$folder/$name.err" || status=$?
	read -r word more <"$folder/$name.txt" || word=''
	case $status/$word in
	0/* | 1/bad | 125/* | 128/refused) ;;
	*)
		cat -- "$folder/$name.err" >&2
		[ "$status" -ne 129 ] || leave 129
		die "kverdict $name ended with status $status"
		;;
	esac
}

# judge_kernel COMMIT RUNS FIRST: boot and judge until there is a verdict or
# the budget is spent; FIRST is the first seed.  Sets $word (good, bad, third,
# undecided, skip), $why and $boots.
judge_kernel() {
	local n=0 want=$first kdir last
	kdir=$(kernel_dir "$1")
	while :; do
		last=$(($3 + want - 1))
		boot "$kdir/bzImage" "$2" "$3" "$last" $(($3 + budget - 1))
		n=$want boots=$n
		read_boots "$2" "$3" "$last"
		if [ -n "$crash$cannot" ] && ! $hunt; then
			word=skip why=${crash:-$cannot}
			[ -z "$crash" ] || [ "$on_crash" = skip ] || word=bad
			return
		fi
		[ -z "$cannot" ] || { word=skip why=$cannot; return; }
		judge_with judge "$2" "$(get - refs)" "$2" "$3" "$last"
		[ "$word" != refused ] || die "the references are told apart no longer: see $2/judge.txt"
		if [ "$word" != more ] || [ "$n" -ge "$budget" ]; then
			break
		fi
		want=$((n + (more < jobs ? more : jobs)))
		[ "$want" -le "$budget" ] || want=$budget
	done
	[ "$word" != more ] || word=undecided
	explain "$2"
}

# explain RUNS: $why out of the judge's report, for people.
explain() {
	local share
	boots=$("$kverdict" bisect verdict "$1/verdict.json" candidate.boots_looked_at)
	share=$(sed -n 's/^candidate *[^:]*: \([^;]*\).*/\1/p' "$1/judge.txt")
	case $word in
	good | bad) why="error <= $bound" ;;
	third) why=$("$kverdict" bisect verdict "$1/verdict.json" reason) ;;
	undecided) why="no verdict after the budget of $budget boots" ;;
	esac
	! grep -q 'exact; error bound' "$1/judge.txt" || why='exact, no error bound'
	why+=${share:+; $share}
}

# twin COMMIT: an end or a judged kernel with the same code and data, if any.
twin() {
	local other code
	code=$(get "$1" code)
	while IFS= read -r other; do
		[ "$other" != "$1" ] || continue
		case $(get "$other" verdict) in
		good | bad) printf '%s\n' "$other"; return ;;
		esac
	done < <(notes find "$dir/state.json" code "$code")
}

# decide COMMIT ROLE: the verdict of a kernel, made once: sets $word, $why,
# $boots.  One that the budget was too small for is made again with a larger.
decide() {
	local other
	word=$(get "$1" verdict) why=$(get "$1" why) boots=$(get "$1" boots)
	# A step stays one if it is asked about later.
	case $(get "$1" role) in
	'' | asked) put "$1" "role=$2" ;;
	esac
	if [ -n "$word" ] && { [ "$word" != undecided ] || [ "$boots" -ge "$budget" ]; }; then
		return
	fi
	boots=0
	put "$1" "subject=$(subject "$1")"
	build_kernel "$1"
	if ! $built; then
		word=skip
	else
		other=$(twin "$1")
		if [ -n "$other" ]; then
			word=$(get "$other" verdict)
			why="same code and data as ${other:0:12}, not booted"
			[ "$(get "$other" image)" != "$(get "$1" image)" ] || why="same image as ${other:0:12}, not booted"
		else
			judge_kernel "$1" "$(kernel_dir "$1")" 1
		fi
	fi
	put "$1" "verdict=$word" "why=$why" "boots=$boots"
}
