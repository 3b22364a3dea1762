#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# bisect.sh on histories of kernels that are text files: the git side, what it
# keeps, and its exit statuses.  Building and booting are stand-ins that take
# no time; the judge is the real one.  tests/check-bisect.sh has real kernels.

bats_require_minimum_version 1.5.0
load common

setup() {
	local dir
	TMP=$BATS_TEST_TMPDIR
	mkdir -p "$TMP/top/host" "$TMP/top/rootfs/scenarios" "$TMP/top/kernel-configs" "$TMP/build"
	cp "$TOP/bisect.sh" "$TMP/top/"
	cp "$TOP"/host/bisect-*.sh "$TMP/top/host/"
	for dir in host guest; do
		ln -s "$BUILD/$dir" "$TMP/build/$dir"
	done
	printf '# fake - a test\nprobe readiness\n' >"$TMP/top/rootfs/scenarios/fake.scenario"
	stand_ins
	export BUILD=$TMP/build RESULTS=$TMP/results STAND_IN_LOG=$TMP/boots
	export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
	export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
	STEP=(--scenario fake --metric readiness.ready_ns --jobs 2)
	mkdir "$TMP/linux"
	cd "$TMP/linux" || return
	git init -q
}

# A kernel is the file `kernel` with lines speed=fast|uneven|slow,
# broken=build|panic|memory|unpack and others; its comments are in the image, but
# not in what is code and data.
stand_ins() {
	cat >"$TMP/top/build-kernel.sh" <<-'END'
	#!/bin/bash
	set -eu
	echo "build-kernel.sh $*" >>"$STAND_IN_LOG.words"
	while [[ $1 == --* ]]; do shift 2; done
	mkdir -p "$2/arch/x86/boot"
	echo "${STAND_IN_BUILD_ERROR:-kernel.c:1: error: nobody wrote this}" >"$2/build.log"
	[ -z "${STAND_IN_CONFIG_ERROR:-}" ] || { rm "$2/build.log"; echo "$STAND_IN_CONFIG_ERROR" >"$2/config.log"; exit 125; }
	[ -z "${STAND_IN_BUILD_ERROR:-}" ] || exit 125
	[ ! -e "$2/half.o" ] || { echo 'half.o: file truncated' >"$2/build.log"; exit 125; }
	[ -z "${STAND_IN_CUT:-}" ] || { : >"$2/half.o"; exec 9>&-; kill -9 $PPID; exit 125; }
	! grep -q '^broken=build' "$1/kernel" || exit 125
	cp "$1/kernel" "$2/arch/x86/boot/bzImage"
	grep -v '^#' "$1/kernel" >"$2/flat"
	objcopy -I binary -O elf64-x86-64 --rename-section .data=.data,alloc,load,data,contents "$2/flat" "$2/vmlinux"
	echo "$2/arch/x86/boot/bzImage"
	END
	cat >"$TMP/top/run-qemu.sh" <<-'END'
	#!/bin/bash
	set -eu
	echo "run-qemu.sh $*" >>"$STAND_IN_LOG.words"
	kernel=${!#} mode=realtime one=''
	while [ $# -gt 0 ]; do
		case $1 in
		--deterministic) mode=deterministic ;;
		--seeds) seeds=$2 ;;
		--seed) seeds=$2 one=yes ;;
		--out) out=$2 ;;
		esac
		shift
	done
	sum=$(sha256sum <"$kernel"); sum=${sum%% *}
	speed=$(sed -n 's/^speed=//p' "$kernel")
	[ -z "${STAND_IN_SLEEP:-}" ] || { sleep 120 & echo $! >"$STAND_IN_SLEEP"; wait; }
	worst=0
	for seed in $(seq "${seeds%-*}" "${seeds#*-}"); do
		echo "${sum:0:8} $seed" >>"$STAND_IN_LOG"
		[ "$(wc -l <"$STAND_IN_LOG")" != "${STAND_IN_STOP_AT:-0}" ] || exit "$STAND_IN_STATUS"
		run=$out${one:-/seed-$seed} status=0
		run=${run%yes} message=complete init=100
		mkdir -p "$run"
		case $(sed -n 's/^#* *broken=//p' "$kernel" | tail -n 1) in
		panic) message='the kernel did not reach /init: panic' init=-1 ;;
		memory) message='the guest ran out of memory before /init (Kernel panic): give it more with --mem' init=-1 ;;
		unpack) message='the kernel could not unpack the image (write error): give the guest more memory' init=-1 ;;
		esac
		[ $init -ge 0 ] || status=125 worst=125
		{
			echo '{"type":"run","record_version":1,"kernel":"6.0","scenario":"fake","mode":"'$mode'","seed":'"$seed"',"cpus":2,"mem_kib":1000,"clocksource":"tsc","steps":1,"may_skip":0,"disk":1,"cmdline":""}'
			echo '{"type":"step","event":"begin","step":"readiness","verb":"probe","probe":"readiness","params":"","timeout_s":60,"time_ns":1}'
			echo '{"type":"metric","step":"readiness","probe":"readiness","metric":"ready_ns","better":"lower"}'
			for i in $(seq 0 9); do
				ns=$((1000 + (seed * 37 + i * 13) % 100))
				case $speed in uneven) slow=$((seed % 4)) ;; slow) slow=6 ;; *) slow=0 ;; esac
				[ $i -ge $slow ] || ns=$((ns + 8000))
				echo '{"type":"sample","step":"readiness","probe":"readiness","repetition":'$i',"warmup":0,"time_ns":2,"ready_ns":'$ns',"capped":0}'
			done
			echo '{"type":"step","event":"end","step":"readiness","verb":"probe","probe":"readiness","result":"pass","duration_ns":5}'
		} >"$run/records.jsonl"
		crc=$(gzip -c "$run/records.jsonl" | tail -c 8 | od -An -tx4 -N4 | tr -d ' ')
		echo '{"type":"end","records":14,"crc32":"'$crc'"}' >>"$run/records.jsonl"
		[ $init -ge 0 ] || rm "$run/records.jsonl"
		printf '{"mode":"'$mode'","accelerator":"tcg","qemu_version":"1","image_sha256":"2","commit":"c","scenario":"fake","scenario_text":"t","smp":2,"mem_mib":128,"seed":%s,"kernel_sha256":"%s","booted_sha256":"%s","qemu_argv":["-append","kv.seed=%s"],"outcome":{"status":%s,"exit_status":%s,"message":"%s"},"times":{"init_ms":%s}}\n' \
			$seed $sum $sum $seed $status $status "$message" $init >"$run/run.json"
	done
	exit $worst
	END
	chmod +x "$TMP/top/build-kernel.sh" "$TMP/top/run-qemu.sh"
}

# kernel_commit LINE...: a commit whose kernel has these lines, tagged cN.
kernel_commit() {
	printf '%s\n' "$@" >kernel
	N=$((${N:-0} + 1))
	[ -e README ] || echo nothing >README
	echo "$N" >Makefile
	git add -A
	git commit -q -m "commit $N: $*"
	git tag "c$N"
}

# step ARGUMENT...: run -STATUS on the step, with its output at hand.
bisect() {
	"$TMP/top/bisect.sh" "$@"
}

# Eight commits; the fifth makes it slow.
history_of_8() {
	kernel_commit speed=fast
	kernel_commit speed=fast 'pad=1'
	kernel_commit speed=fast '# no code' 'pad=1'
	kernel_commit broken=build
	kernel_commit speed=slow 'pad=1'
	kernel_commit broken=panic
	kernel_commit speed=slow 'pad=2'
	kernel_commit speed=slow 'pad=3'
}

boots() {
	wc -l <"$STAND_IN_LOG"
}

@test "wrong usage is 129, and nothing is built" {
	history_of_8
	run -129 bisect
	run -129 bisect --scenario fake
	run -129 bisect --scenario no-such --metric a.b
	run -129 bisect --scenario fake --metric word
	run -129 bisect "${STEP[@]}" --budget 0
	run -129 bisect "${STEP[@]}" --no-such-option
	run -129 bisect "${STEP[@]}" a-word
	run -129 bisect judge
	run -129 bisect report
	run -129 bisect "${STEP[@]}" # no bisect is in progress
	[[ $output == *'git bisect'* ]]
	git bisect start c8 c1
	run -129 bisect --scenario fake --metric readiness.no_such
	cd /
	run -129 bisect "${STEP[@]}"
	run -0 bisect --help
	[ ! -e "$STAND_IN_LOG" ] || [ "$(boots)" -le 1 ]
}

@test "git bisect run finds the culprit, and report confirms it" {
	history_of_8
	git bisect start c8 c1
	echo "of the user" >>README
	run git bisect run "$TMP/top/bisect.sh" "${STEP[@]}"
	echo "$output"
	[ "$(git rev-parse refs/bisect/bad)" = "$(git rev-parse c5)" ] || [ -n "$(git for-each-ref 'refs/bisect/skip-*')" ]
	grep -q "of the user" README
	[[ $output == *'not committed are not measured'* ]]
	# The commit before the culprit does not build, so it may be that one.
	run -125 bisect report
	[[ $output == *"culprit      $(git rev-parse c5)"* ]]
	[[ $output == *"or           $(git rev-parse c4)"*'does not build'* ]]
	[[ $output == *'confirmed    culprit'*'yes'* ]]
	git bisect reset
	run -125 bisect report --no-confirm
	[[ $output == *"culprit      $(git rev-parse c5)"* ]]
	# Not one kernel was booted twice with a seed.
	[ -z "$(sort "$STAND_IN_LOG" | uniq -d)" ]
}

@test "an interrupted bisect goes on where it was; report works in any folder" {
	local before
	kernel_commit speed=fast
	kernel_commit speed=fast pad=1
	kernel_commit speed=slow pad=2
	kernel_commit speed=slow pad=3
	git bisect start c4 c1
	STAND_IN_STOP_AT=12 STAND_IN_STATUS=130 run -130 bisect "${STEP[@]}"
	before=$(boots)
	run -0 git bisect run "$TMP/top/bisect.sh" "${STEP[@]}"
	[ "$(git rev-parse refs/bisect/bad)" = "$(git rev-parse c3)" ]
	# Only the boot that was interrupted, and what its batch had, is repeated.
	[ "$(sort "$STAND_IN_LOG" | uniq -d | wc -l)" -le 1 ]
	before=$(boots)
	git bisect reset
	git bisect start c4 c1
	run -0 git bisect run "$TMP/top/bisect.sh" "${STEP[@]}"
	[ "$(boots)" = "$before" ]
	mkdir -p deep/folder
	cd deep/folder
	run -0 bisect report
	[[ $output == *"culprit      $(git rev-parse c3) commit 3"* ]]
	[[ $output == *'confirmed    parent'*'yes'* ]]
}

@test "same code and data: no boot; --no-checkout, judge" {
	kernel_commit speed=fast
	kernel_commit speed=fast '# a comment'
	kernel_commit speed=slow pad=2
	kernel_commit speed=slow pad=2 '# a comment'
	git bisect start --no-checkout c4 c1
	run -0 git bisect run "$TMP/top/bisect.sh" "${STEP[@]}"
	[ "$(git rev-parse refs/bisect/bad)" = "$(git rev-parse c3)" ]
	[[ $output == *'same code and data as'*'not booted'* ]]
	[ "$(cut -d ' ' -f 1 "$STAND_IN_LOG" | sort -u | wc -l)" = 2 ]
	kernel_commit speed=slow pad=9
	run -1 bisect judge "${STEP[@]}" HEAD c1
	[[ $output == *'asked'*'BAD'* ]]
}

@test "ends that are one kernel, alike, or the wrong way round are refused" {
	kernel_commit speed=fast
	kernel_commit speed=fast '# a comment'
	git bisect start c2 c1
	run -128 bisect "${STEP[@]}"
	[[ $output == *'same code and data'* ]]
	kernel_commit speed=fast pad=3
	kernel_commit speed=fast pad=4
	git bisect reset
	git bisect start c4 c1
	run -128 bisect "${STEP[@]}"
	[[ $output == *'cannot be told apart'* ]]
	kernel_commit speed=slow
	kernel_commit speed=slow pad=5
	kernel_commit speed=fast pad=6
	git bisect reset
	git bisect start c7 c5
	run -128 bisect "${STEP[@]}"
	[[ $output == *'swap the ends'* ]]
}

@test "with terms of one's own either end may be the better" {
	kernel_commit speed=slow
	kernel_commit speed=slow pad=1
	kernel_commit speed=fast pad=2
	kernel_commit speed=fast pad=3
	git bisect start --term-old=slow --term-new=fast c4 c1
	run -0 git bisect run "$TMP/top/bisect.sh" "${STEP[@]}"
	echo "$output"
	[ "$(git rev-parse refs/bisect/fast)" = "$(git rev-parse c3)" ]
	run -0 bisect report
	[[ $output == *"culprit      $(git rev-parse c3)"* ]]
}

@test "what the host breaks stops the bisect with 128" {
	local status
	history_of_8
	git bisect start c8 c1
	STAND_IN_BUILD_ERROR='ld: No space left on device' run -128 bisect "${STEP[@]}"
	STAND_IN_STOP_AT=1 STAND_IN_STATUS=128 run -128 bisect "${STEP[@]}"
	for status in 2 126 127 77; do
		rm -f "$STAND_IN_LOG"
		STAND_IN_STOP_AT=1 STAND_IN_STATUS=$status run -128 bisect "${STEP[@]}"
	done
	mkdir "$TMP/bin"
	ln -s /usr/bin/* "$TMP/bin/"
	rm "$TMP/bin/objcopy"
	PATH=$TMP/bin run -128 bisect "${STEP[@]}"
	[[ $output == *'no objcopy'* ]]
	rm "$TMP/bin/cmp"
	PATH=$TMP/bin run -128 bisect "${STEP[@]}"
	[[ $output == *'no cmp'* ]]
	rm "$TMP/bin/realpath" "$TMP/bin/dirname"
	PATH=$TMP/bin run -128 bisect "${STEP[@]}"
	dir=$(echo "$RESULTS"/bisect-*)
	run -125 bisect "${STEP[@]}" # the commit in the middle does not build
	sed -i 's/"verdict": "skip"/"verdict": "SKIP"/' "$dir/state.json"
	run -128 bisect "${STEP[@]}"
	echo 'not JSON' >"$dir/state.json"
	run -128 bisect "${STEP[@]}"
	rm "$TMP/top/run-qemu.sh"
	rm -r "$RESULTS"
	run -128 bisect "${STEP[@]}"
}

@test "a build that the host ended is no fault of the commit" {
	local line
	history_of_8
	git bisect start c8 c1
	for line in 'ld: No space left on device' 'make: *** [Makefile:9: vmlinux] Error 137' \
		'make[1]: *** [Makefile:9: a.o] Killed' 'collect2: fatal error: ld terminated with signal 7 [Bus error]' \
		$'/bin/sh: 1: bc: not found\nmake: *** [Kbuild:9: timeconst.h] Error 127'; do
		STAND_IN_BUILD_ERROR=$line run -128 bisect "${STEP[@]}"
		[[ $output == *'the host broke the build'*"${line%%$'\n'*}"* ]]
	done
	STAND_IN_CONFIG_ERROR='cp: No space left on device' run -128 bisect "${STEP[@]}"
	[[ $output == *'the host broke the build'*'No space left'* ]]
	for line in $'a.c:1:2: error: x\n    1 | puts("Killed, out of memory")' \
		$'a.c:1:2: fatal error: a.h: No such file or directory\nmake: *** [Kbuild:9: a.o] Error 1' \
		$'/bin/sh: 1: ./scripts/no.sh: not found\nmake: *** [Kbuild:9: a.h] Error 127'; do
		STAND_IN_BUILD_ERROR=$line run -128 bisect "${STEP[@]}"
		[[ $output == *'does not build'* ]]
	done
	# What make left behind when it was killed is not built upon.
	STAND_IN_CUT=yes run -137 bisect "${STEP[@]}"
	run git bisect run "$TMP/top/bisect.sh" "${STEP[@]}"
	[[ $output == *'was cut off'* ]]
	[ "$(git rev-parse refs/bisect/bad)" = "$(git rev-parse c5)" ]
}

@test "a full disk leaves no half of what is kept" {
	local what before
	history_of_8
	mkdir "$TMP/bin"
	cat >"$TMP/bin/cp" <<-END
	#!/bin/bash
	from=\${*: -2:1} to=\${*: -1}
	[ -z "\${STAND_IN_FULL:-}" ] || [[ \$to != *\$STAND_IN_FULL* ]] || { head -c 5 "\$from" >"\$to"; exit 1; }
	exec $(command -v cp) "\$@"
	END
	chmod +x "$TMP/bin/cp"
	PATH=$TMP/bin:$PATH
	cp "$TOP/host/add-files.sh" "$TMP/top/host/"
	cp "$TMP/top/rootfs/scenarios/fake.scenario" "$TMP/my.scenario"
	printf '# CONFIG_SMP is not set\n' >"$TMP/my-config"
	STEP+=(--scenario "$TMP/my.scenario" --config "$TMP/my-config" --add "$TMP/my-config:/add/test")
	git bisect start c8 c1
	for what in my.scenario /config added/0 session; do
		STAND_IN_FULL=$what run -128 bisect "${STEP[@]}"
	done
	# Half a session must not be taken for the beginning of this one.
	git bisect reset
	git bisect start c7 c2
	STAND_IN_BUILD_ERROR='No space left on device' run -128 bisect "${STEP[@]}"
	[[ $output == *"broke the build of $(git rev-parse --short=12 c2)"* ]]
	git bisect reset
	git bisect start c8 c1
	run -125 bisect "${STEP[@]}"
	dir=${output#*bisecting in }
	dir=${dir%%$'\n'*}
	cmp "$TMP/my.scenario" "$dir/my.scenario"
	cmp "$TMP/my-config" "$dir/config"
	cmp "$TMP/my-config" "$dir/added/0"
}

@test "a signal ends a bisect and all that it started at once, with 130" {
	local signal pid status tries
	kernel_commit speed=fast
	kernel_commit speed=fast pad=1
	kernel_commit speed=slow pad=2
	git bisect start c3 c1
	for signal in TERM HUP; do
		rm -f "$TMP/sleeping"
		STAND_IN_SLEEP=$TMP/sleeping "$TMP/top/bisect.sh" "${STEP[@]}" 3>&- &
		pid=$! tries=0
		until [ -s "$TMP/sleeping" ]; do
			tries=$((tries + 1))
			[ "$tries" -lt 600 ]
			read -rt 0.1 <> <(:) || true
		done
		kill -s "$signal" "$pid"
		status=0
		wait "$pid" || status=$?
		[ "$status" -eq 130 ]
		gone "$(cat "$TMP/sleeping")"
	done
	run -0 bisect "${STEP[@]}"
}

@test "a reader that has gone ends a step with 128, not with a signal" {
	local out status=0
	kernel_commit speed=fast
	kernel_commit speed=fast pad=1
	kernel_commit speed=slow
	git bisect start c3 c1
	exec {out}> >(:)
	wait $!
	"$TMP/top/bisect.sh" "${STEP[@]}" >&"$out" 2>"$TMP/said" || status=$?
	exec {out}>&-
	cat "$TMP/said"
	[ "$status" -eq 128 ]
	[[ $(<"$TMP/said") != *'stopped by a tool'* ]]
	run -0 bisect "${STEP[@]}"
}

@test "a git that cannot list commits names no culprit" {
	kernel_commit speed=fast
	kernel_commit speed=slow
	git bisect start c2 c1
	mkdir "$TMP/bin"
	cat >"$TMP/bin/git" <<-END
	#!/bin/sh
	case " \$* " in *" rev-list "*" --not "*" -- "*) exit 128 ;; esac
	exec $(command -v git) "\$@"
	END
	chmod +x "$TMP/bin/git"
	run -0 bisect judge "${STEP[@]}" c1
	PATH=$TMP/bin:$PATH run -128 bisect report --no-confirm
	[[ $output == *'git cannot list the commits that are left'* ]]
	[[ $output != *culprit* ]]
	run -0 bisect report --no-confirm
	[[ $output == *"culprit      $(git rev-parse c2)"* ]]
	rm -r "$RESULTS"
	PATH=$TMP/bin:$PATH run -128 bisect "${STEP[@]}"
	[[ $output == *'git cannot list the commits between the ends'* ]]
}

@test "references that are told apart no longer stop a step" {
	local dir
	kernel_commit speed=fast
	kernel_commit speed=fast pad=1
	kernel_commit speed=fast pad=2
	kernel_commit speed=slow
	git bisect start c4 c1
	run -0 bisect "${STEP[@]}"
	dir=$(echo "$RESULTS"/bisect-*)
	sed -i 's/"refs": [0-9]*/"refs": 2/' "$dir/state.json"
	git checkout -q c2
	run -128 bisect "${STEP[@]}"
	[[ $output == *'the references are told apart no longer'* ]]
	[ "$("$KVERDICT" bisect get "$dir/state.json" "$(git rev-parse c2)" verdict)" = '' ]
}

@test "locks that a git left behind in the worktree stop no step" {
	local own
	history_of_8
	git bisect start c8 c1
	run -125 bisect "${STEP[@]}" # the commit in the middle does not build
	own=$(git -C "$BUILD"/bisect/*/linux rev-parse --absolute-git-dir)
	: >"$own/HEAD.lock"
	: >"$own/index.lock"
	git checkout -q c7
	run -1 bisect "${STEP[@]}"
	[ ! -e "$own/HEAD.lock" ]
}

@test "numbers may begin with 0, and judge wants commits that are there" {
	kernel_commit speed=fast
	kernel_commit speed=fast pad=1
	kernel_commit speed=slow
	git bisect start c3 c1
	run -129 bisect judge "${STEP[@]}" TYPO
	[[ $output == *'there is no commit TYPO'* ]]
	run -129 bisect judge "${STEP[@]}" c2 TYPO
	[ ! -e "$STAND_IN_LOG.words" ]
	run -129 bisect "${STEP[@]}" --jobs 00
	run -0 bisect "${STEP[@]}" --jobs 08 --budget 009
	grep '^run-qemu.sh' "$STAND_IN_LOG.words" >"$TMP/words"
	[ -s "$TMP/words" ]
	run -1 grep -v -- '--jobs 8 ' "$TMP/words"
}

# rounds_with_room JOBS: of what was booted, but for the first boot of all and
# the last that the judge may want
rounds_with_room() {
	sed -n 's/.* --seeds \([0-9-]*\) .*/\1/p' "$STAND_IN_LOG.words" |
		awk -F - -v jobs="$1" '$2 != 1 && $2 != 16 && $2 != 19 && ($2 - $1 + 1) % jobs'
}

@test "--jobs changes no verdict, and no round has room for another boot" {
	local jobs
	kernel_commit speed=fast
	kernel_commit speed=fast pad=1
	kernel_commit speed=uneven
	git bisect start c3 c1
	for jobs in 1 3; do
		rm -f "$STAND_IN_LOG.words"
		RESULTS=$TMP/results-$jobs run -0 bisect "${STEP[@]}" --jobs "$jobs"
		grep -E ' ref  |^bisect: step' <<<"$output" | sed 's/built in [0-9]* s//' >"$TMP/told-$jobs"
		[ -z "$(rounds_with_room "$jobs")" ]
	done
	# It took more than the first five boots of each end.
	grep -E 'good ref +1[0-9] boots' "$TMP/told-1"
	grep -E '^bisect: step .* 1[0-9] boots: GOOD' "$TMP/told-1"
	diff "$TMP/told-1" "$TMP/told-3"
}

@test "a larger budget goes on with what was undecided" {
	local before
	kernel_commit speed=fast
	kernel_commit speed=uneven pad=1
	kernel_commit speed=uneven pad=2
	git bisect start c3 c1
	run -125 bisect "${STEP[@]}" --budget 4
	[[ $output == *'4 boots: UNDECIDED: no verdict after the budget of 4 boots'* ]]
	before=$(boots)
	run -125 bisect judge "${STEP[@]}" --budget 4 c2
	[ "$(boots)" -eq "$before" ]
	run -1 bisect judge "${STEP[@]}" --budget 40 c2
	[[ $output == *' BAD: error <= 0.001'* ]]
	[ -z "$(sort "$STAND_IN_LOG" | uniq -d)" ]
	# It is a step still, and what is decided stays so.
	before=$(boots)
	run -1 bisect "${STEP[@]}" --budget 4
	[ "$(boots)" -eq "$before" ]
	grep -q '"role": "step"' "$RESULTS"/bisect-*/state.json
}

@test "a second bisect of the same repository waits its turn" {
	local lock
	history_of_8
	git bisect start c8 c1
	STAND_IN_STOP_AT=1 STAND_IN_STATUS=130 run -130 bisect "${STEP[@]}"
	lock=$(echo "$BUILD"/bisect/*/lock)
	run -128 flock "$lock" "$TMP/top/bisect.sh" "${STEP[@]}"
	[[ $output == *'another bisect'* ]]
}

@test "a range of 16 commits measures control kernels, and minds them" {
	local i
	kernel_commit speed=fast
	for i in $(seq 2 9); do kernel_commit speed=fast "pad=$i"; done
	for i in $(seq 10 18); do kernel_commit speed=slow "pad=$i"; done
	git bisect start c18 c1
	run -0 git bisect run "$TMP/top/bisect.sh" "${STEP[@]}"
	[ "$(git rev-parse refs/bisect/bad)" = "$(git rev-parse c10)" ]
	[[ $output == *"control $(git rev-parse --short=12 c2)"*GOOD* ]]
	[[ $output == *"control $(git rev-parse --short=12 c17)"*BAD* ]]
	git bisect reset
	kernel_commit speed=fast pad=a
	kernel_commit speed=slow pad=b
	git bisect start c20 c1
	run -128 bisect "${STEP[@]}"
	[[ $output == *'or the culprit is this commit'* ]]
}

@test "a crash is hunted as one" {
	kernel_commit speed=fast
	kernel_commit speed=fast pad=1
	kernel_commit broken=panic
	kernel_commit broken=panic pad=2
	git bisect start c4 c1
	run -0 git bisect run "$TMP/top/bisect.sh" --scenario fake --on-crash bad --jobs 2
	[ "$(git rev-parse refs/bisect/bad)" = "$(git rev-parse c3)" ]
}

@test "a hunt for a crash goes by the whole image" {
	kernel_commit speed=fast
	kernel_commit speed=fast '# broken=panic'
	kernel_commit broken=panic
	kernel_commit broken=panic pad=2
	git bisect start c4 c1
	run -0 git bisect run "$TMP/top/bisect.sh" --scenario fake --on-crash bad --jobs 2
	[ "$(git rev-parse refs/bisect/bad)" = "$(git rev-parse c2)" ]
}

@test "what the user configured for git changes nothing" {
	kernel_commit speed=fast
	kernel_commit speed=fast pad=1
	kernel_commit speed=slow pad=2
	kernel_commit speed=slow pad=3
	printf '#!/bin/sh\necho a signature >&2\nexit 1\n' >"$TMP/gpg"
	chmod +x "$TMP/gpg"
	git cat-file commit c4 | sed 's/^committer.*/&\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----/' >"$TMP/signed"
	git tag -f c4 "$(git hash-object -t commit -w "$TMP/signed")"
	git config gpg.program "$TMP/gpg"
	git config log.showSignature true
	git config core.autocrlf true
	git config core.safecrlf false
	git config commit.gpgSign true
	git config status.showUntrackedFiles no
	git sparse-checkout set --no-cone /README
	git bisect start c4 c1
	run -0 git bisect run "$TMP/top/bisect.sh" "${STEP[@]}"
	[[ $output != *'a signature'* ]]
	[ "$(git rev-parse refs/bisect/bad)" = "$(git rev-parse c3)" ]
	run -1 grep -c $'\r' "$RESULTS"/bisect-*/*/bzImage
}

@test "a crash counts as bad where that was asked for, beside a metric" {
	kernel_commit speed=fast
	kernel_commit speed=fast pad=1
	kernel_commit broken=panic
	kernel_commit speed=slow
	git bisect start c4 c1
	run -0 git bisect run "$TMP/top/bisect.sh" "${STEP[@]}" --on-crash bad
	[ "$(git rev-parse refs/bisect/bad)" = "$(git rev-parse c3)" ]
	[[ $output == *'BAD: seed 1: the kernel did not reach /init: panic'* ]]
}

@test "a guest that is too small is no crash" {
	local commit
	kernel_commit speed=fast
	kernel_commit broken=memory
	kernel_commit broken=unpack
	kernel_commit broken=panic
	kernel_commit speed=slow
	git bisect start c5 c1
	for commit in c2 c3; do
		run -125 bisect judge "${STEP[@]}" --on-crash bad "$commit"
		[[ $output == *' SKIP: seed 1: the '*'more memory'* || $output == *' SKIP: seed 1: the '*'--mem'* ]]
	done
	run -1 bisect judge "${STEP[@]}" --on-crash bad c4
	git bisect reset
	git bisect start c4 c1
	run -125 bisect judge --scenario fake --on-crash bad --jobs 2 c2 c3
	[[ $output == *' SKIP: seed 1: the guest ran out of memory'*' SKIP: seed 1: the kernel could not unpack'* ]]
	run -125 bisect ab --scenario fake c1 c2
	[[ $output == *'the change cannot be measured: seed 1: the guest ran out of memory'* ]]
	git bisect reset
	git bisect start c3 c1
	run -128 bisect --scenario fake --on-crash bad
	[[ $output == *'the bad end '*' cannot be measured: '*'could not unpack'* ]]
}

@test "every parent of a merge is measured again" {
	local first second
	kernel_commit speed=fast
	git checkout -q -b side
	kernel_commit speed=fast pad=2
	git checkout -q -
	kernel_commit speed=fast pad=3
	git merge -q --no-ff --no-commit -s ours side
	kernel_commit speed=slow pad=4
	first=$(git rev-parse --short=12 c4^1) second=$(git rev-parse --short=12 c4^2)
	kernel_commit speed=slow pad=5
	git bisect start c5 c1
	run -0 git bisect run "$TMP/top/bisect.sh" "${STEP[@]}"
	run -0 bisect report
	[[ $output == *"culprit      $(git rev-parse c4)"* ]]
	[[ $output == *"confirmed    parent $first: yes, "*"confirmed    parent $second: yes, "* ]]
	run -0 --separate-stderr bisect report --format mail
	[ "$(grep -cE "^parent ($first|$second) " <<<"$output")" -eq 2 ]
	[[ ${output//$'\n'/ } == *"parent $second was measured again"* ]]
}

@test "report minds paths and --first-parent, but not what was only asked" {
	mkdir net
	kernel_commit speed=fast
	echo 1 >net/a
	kernel_commit speed=fast pad=2
	kernel_commit speed=fast pad=3
	git checkout -q -b side
	kernel_commit speed=fast pad=4
	kernel_commit speed=slow pad=5
	git checkout -q -
	git merge -q --no-ff -m merge side
	git tag merge
	echo 2 >net/a
	kernel_commit speed=slow pad=6
	git bisect start --first-parent c6 c1
	run -0 git bisect run "$TMP/top/bisect.sh" "${STEP[@]}"
	run -0 bisect report
	[[ $output == *"culprit      $(git rev-parse merge) merge"* ]]
	# The branch that was merged is part of the culprit.
	[ "$(grep -c '^confirmed    parent' <<<"$output")" -eq 1 ]
	[[ $output == *'note '*'the other parents were not measured'* ]]
	git checkout -q c6
	kernel_commit speed=fast pad=7
	run -0 bisect judge "${STEP[@]}" c7
	git bisect reset
	run -0 bisect report --no-confirm
	[[ $output == *"culprit      $(git rev-parse merge) merge"* ]]
	# With these paths the merge is no candidate.
	git bisect start c6 c1 -- net
	run -0 git bisect run "$TMP/top/bisect.sh" "${STEP[@]}"
	run -0 bisect report --no-confirm
	[[ $output == *"culprit      $(git rev-parse c6)"* ]]
	run -0 bisect report --no-confirm --format mail
	[[ $output == *"git bisect start "*" -- net"* ]]
}

@test "real time, a variant and a config reach what builds and boots" {
	kernel_commit speed=fast
	kernel_commit speed=fast pad=1
	kernel_commit speed=slow
	kernel_commit speed=slow pad=1
	: >"$TMP/top/kernel-configs/debug.config"
	printf '# why\nslub_debug=FZ\n' >"$TMP/top/kernel-configs/debug.boot"
	echo CONFIG_SMP=y >"$TMP/config"
	git bisect start c4 c1
	run -129 bisect "${STEP[@]}" --config "$TMP/none"
	run -129 bisect "${STEP[@]}" --variant none
	run -0 git bisect run "$TMP/top/bisect.sh" "${STEP[@]}" --realtime --accel tcg \
		--variant debug --config "$TMP/config" --append 'a=1 b' --smp 1 --mem 300
	[ "$(git rev-parse refs/bisect/bad)" = "$(git rev-parse c3)" ]
	run -1 grep -E '^run-qemu.sh.*--(deterministic|seeds)' "$STAND_IN_LOG.words"
	grep '^run-qemu.sh' "$STAND_IN_LOG.words" >"$TMP/booted"
	run -1 grep -vE -- "--append a=1 b slub_debug=FZ +--smp 1 --mem 300 .*--accel tcg --seed [0-9]+ --out" "$TMP/booted"
	grep '^build-kernel.sh' "$STAND_IN_LOG.words" >"$TMP/built"
	run -1 grep -vE -- "--config $RESULTS/bisect-[0-9a-f]+/config .* debug\$" "$TMP/built"
	[ -s "$TMP/booted" ]
	[ -s "$TMP/built" ]
}

@test "a shallow clone says what is missing" {
	history_of_8
	git clone -q --depth 3 "file://$TMP/linux" "$TMP/shallow"
	git -C "$TMP/shallow" fetch -q --depth 1 origin tag c1
	cd "$TMP/shallow"
	git bisect start HEAD c1 || :
	run -128 bisect "${STEP[@]}"
	[[ $output == *'shallow'*'--unshallow'* ]]
}

@test "ab says slower, faster, or the same, of commits and of the tree" {
	kernel_commit speed=fast
	kernel_commit speed=slow
	run -1 bisect ab --scenario fake c1 c2
	[[ $output == *'SLOWER: readiness.ready_ns'* ]]
	run -0 bisect ab --scenario fake c2 c1
	[[ $output == *'FASTER: readiness.ready_ns'* ]]
	run -0 bisect ab --scenario fake c2
	[[ $output == *'SAME'* ]]
	printf 'speed=fast\npad=7\n' >kernel
	run -0 bisect ab --scenario fake c1
	[[ $output == *'NO DIFFERENCE SHOWN'* ]]
	git diff --quiet --cached
	grep -q pad=7 kernel
}

# series LINE...: a folder with one kernel for each LINE, in this order, which
# has the head of a bzImage
series() {
	local line n=0
	perl -e '$h = "\0" x 1023 . "\n"; substr($h, 0x1f1, 1) = "\1"; substr($h, 0x1fe, 2) = "\x55\xaa";
		substr($h, 0x202, 6) = "HdrS\x0f\2"; substr($h, 0x211, 1) = substr($h, 0x236, 1) = "\1";
		print $h' >"$TMP/head"
	mkdir -p "$TMP/series"
	for line in "$@"; do
		n=$((n + 1))
		{ cat "$TMP/head"; printf '%s\npad=%s\n' "$line" "$n"; } >"$TMP/series/vmlinuz-6.$n"
	done
}

@test "images: a series of kernels is bisected without building one" {
	series speed=fast speed=fast broken=panic speed=fast speed=fast speed=fast speed=fast \
		speed=fast speed=fast speed=slow speed=slow speed=slow
	cd /
	echo CONFIG_SMP=y >"$TMP/series/config-6.1"
	run -129 bisect images "${STEP[@]}"
	run -129 bisect images "${STEP[@]}" "$TMP/nothing"
	run -129 bisect images "${STEP[@]}" debian:
	[[ $output == *'name a series, such as debian:6.12'* ]]
	run -129 bisect images "${STEP[@]}" --variant debug "$TMP/series"
	run -0 bisect images "${STEP[@]}" "$TMP/series"
	[[ $output == *'note: left out: '*config-6.1* ]]
	[[ $output == *'culprit '*' vmlinuz-6.10'* ]]
	[[ $output == *'confirmed    culprit '*': yes'*'confirmed    parent '*': yes'* ]]
	[[ $output != *building* ]]
	before=$(boots)
	run -0 bisect images "${STEP[@]}" "$TMP/series"
	[[ $output == *'culprit '*' vmlinuz-6.10'* ]]
	[ "$(boots)" -eq "$before" ]
	# The faster end may be the later one, and a list may be a file.
	(cd "$TMP/series" && printf '# newest first\n\n%s\n' vmlinuz-6.12) >"$TMP/series/list"
	(cd "$TMP/series" && printf '%s\n' vmlinuz-6.11 "$TMP/series/vmlinuz-6.5" vmlinuz-6.2) >>"$TMP/series/list"
	run -0 bisect images "${STEP[@]}" --no-confirm "$TMP/series/list"
	[[ $output == *'culprit '*' vmlinuz-6.5'* ]]
	echo nothing-like-it >>"$TMP/series/list"
	printf '#!/bin/sh\nexit 129\n' >"$TMP/top/host/fetch-kernel.sh"
	chmod +x "$TMP/top/host/fetch-kernel.sh"
	run -128 bisect images "${STEP[@]}" "$TMP/series/list"
	[[ $output == *'no kernel is in it'* ]]
}

@test "images: packages are fetched when their turn comes, with their modules" {
	local n
	series speed=fast speed=fast speed=slow
	cat >"$TMP/top/host/fetch-kernel.sh" <<-END
	#!/bin/sh
	case \$1 in
	--list) [ "\$KVER/\$FLAVOUR" = 6.12/cloud ] && printf 'linux-image-%s\n' 6.1 6.2 6.3 ;;
	*) echo "KERNEL=$TMP/series/vmlinuz-\${1#linux-image-}"; echo "MODULES=/modules/\$1" ;;
	esac
	END
	chmod +x "$TMP/top/host/fetch-kernel.sh"
	run -0 bisect images "${STEP[@]}" debian:6.12
	[[ $output == *'culprit '*' 6.3'* ]]
	for n in 1 2 3; do
		grep -q "^/modules/linux-image-6.$n$" "$RESULTS"/bisect-*/*/modules
	done
}

@test "images: a series without a difference is refused, and says so" {
	series speed=fast speed=fast speed=fast speed=fast
	run -128 bisect images "${STEP[@]}" "$TMP/series"
	[[ $output == *'no difference is shown along the series'* ]]
}

@test "images: two kernels, a list with blanks and CRLF, a folder, --add" {
	local here
	series speed=fast speed=fast speed=slow
	here="$TMP/a 'b'"
	mkdir -p "$here/6.3/boot"
	mv "$TMP/series/vmlinuz-6.1" "$here/"
	mv "$TMP/series/vmlinuz-6.3" "$here/6.3/boot/"
	printf ' # a comment\r\n\r\nvmlinuz-6.1 \r\n\t6.3/\r\n' >"$here/list"
	cp "$TOP/host/fetch-kernel.sh" "$TOP/host/script.sh" "$TOP/host/apt.sh" "$TOP/host/add-files.sh" "$TMP/top/host/"
	printf '#!/bin/sh\n' >"$here/own"
	# A caller such as a hook names its own repository; nothing may get into it.
	kernel_commit speed=fast
	cd "$here"
	GIT_DIR=$TMP/linux/.git run -0 bisect images "${STEP[@]}" --add own:/add/test list
	[[ $output == *'culprit '*' 6.3'*'confirmed    culprit '*': yes'* ]]
	grep '^run-qemu.sh' "$STAND_IN_LOG.words" >"$TMP/words"
	! grep -v -- '--add .*/added/0:/add/test' "$TMP/words" || false
	cd "$TMP/linux"
	[ "$(git rev-list --all --count)" = 1 ]
	# In its repository the verbs work by hand; after a reset it begins anew.
	cd "$RESULTS"/images-*/
	run -0 bisect report --no-confirm
	[[ $output == *'culprit '*' 6.3'* ]]
	git bisect reset
	before=$(boots)
	cd "$here"
	run -0 bisect images "${STEP[@]}" --no-confirm --add own:/add/test list
	[[ $output == *'culprit '*' 6.3'* ]]
	[ "$(boots)" -eq "$before" ]
}

@test "images: what goes wrong on this side is no verdict" {
	series speed=fast speed=fast speed=slow
	printf '%s\n' vmlinuz-6.1 ./vmlinuz-6.9 vmlinuz-6.3 >"$TMP/series/list"
	run -129 bisect images "${STEP[@]}" "$TMP/series/list"
	[[ $output == *'there is no such file'* ]]
	printf '%s\n' vmlinuz-6.1 list vmlinuz-6.3 >"$TMP/series/list"
	run -129 bisect images "${STEP[@]}" "$TMP/series/list"
	[[ $output == *'what is no kernel: '*/list* ]]
	printf '%s\n' vmlinuz-6.1 a-package vmlinuz-6.3 >"$TMP/series/list"
	run -128 bisect images "${STEP[@]}" "$TMP/series/list" # no fetch-kernel.sh
	[[ $output == *'fetch-kernel.sh ended with status'* ]]
	rm -r "$TMP/series/list" "$RESULTS"
	# A git that keeps no verdict must not make it go round for ever.
	mkdir "$TMP/bin"
	printf '#!/bin/sh\ncase " $* " in *" bisect old "*) exit 1 ;; esac\nexec %s "$@"\n' "$(command -v git)" >"$TMP/bin/git"
	chmod +x "$TMP/bin/git"
	PATH=$TMP/bin:$PATH run -128 timeout 100 "$TMP/top/bisect.sh" images "${STEP[@]}" "$TMP/series"
	[[ $output == *'git bisect old changes nothing'* ]]
	# A file that is gone was not one that cannot be measured.
	rm -r "$TMP/series/vmlinuz-6.2" "$RESULTS"/bisect-*
	cd "$RESULTS"/images-*/
	run -128 bisect "${STEP[@]}"
	[[ $output == *'vmlinuz-6.2 is there no longer'* ]]
}

@test "images: one bisect of a list at a time, and nothing is left in TMPDIR" {
	local lock
	series speed=fast speed=fast speed=slow
	mkdir "$TMP/tmp"
	export TMPDIR=$TMP/tmp
	printf '%s\n' vmlinuz-6.1 ./vmlinuz-6.9 >"$TMP/series/list"
	run -129 bisect images "${STEP[@]}" "$TMP/series/list"
	rm "$TMP/series/list"
	STAND_IN_STOP_AT=1 STAND_IN_STATUS=130 run -130 bisect images "${STEP[@]}" "$TMP/series"
	lock=$(echo "$RESULTS"/images-*.lock)
	# Not even the history is made beside one that is at work.
	rm -r "${lock%.lock}"
	run -128 flock "$lock" "$TMP/top/bisect.sh" images "${STEP[@]}" "$TMP/series"
	[[ $output == *'another bisect of this list is at work'* ]]
	[ ! -e "${lock%.lock}" ]
	run -0 bisect images "${STEP[@]}" --no-confirm "$TMP/series"
	[[ $output == *'culprit '*' vmlinuz-6.3'* ]]
	kernel_commit speed=fast
	kernel_commit speed=slow
	echo more >>kernel
	rm .git/index
	run -128 bisect ab --scenario fake c1
	[ -z "$(ls -A "$TMPDIR")" ]
}

# lines_commit SPEED PAD: a commit that other ones can be reverted under
lines_commit() {
	printf '%s\n' "speed=$1" a b c d e f g "pad=$2" >kernel
	git commit -q -m "make it $1, $2" kernel
}

@test "report --format mail: what the kernel's lists expect, and the revert" {
	kernel_commit speed=fast a b c d e f g pad=0
	lines_commit fast 1
	lines_commit slow 1
	lines_commit slow 2
	run -129 bisect report --format html
	run -129 bisect --format mail "${STEP[@]}"
	git bisect start HEAD c1
	git bisect run "$TMP/top/bisect.sh" "${STEP[@]}"
	run -0 --separate-stderr bisect report --format mail
	culprit=$(git rev-parse --short=12 refs/bisect/bad)
	[ "${lines[0]}" = 'Subject: [REGRESSION] make it slow, 1' ]
	[[ $output == *"    $culprit (\"make it slow, 1\")"* ]]
	[[ $output == *'measured again with fresh seeds, with the same result.'* ]]
	[[ ${output//$'\n'/ } == *'With it reverted the bad end measures like the good one'* ]]
	[ "${lines[-1]}" = "#regzbot introduced: $culprit" ]
	[ "$(awk 'length > 72' <<<"$output")" = '' ]
	[ "$(grep -c '^bad, reverted ' <<<"$output")" -eq 1 ]
	git diff --quiet HEAD
	# What it prints to repeat the bisect can be run.
	command=$(sed -n '/git bisect start/,/^$/p' <<<"$output")
	[[ $command == *"git bisect start $(git rev-parse --short=12 main 2>/dev/null || git rev-parse --short=12 master)"* ]]
	# A culprit that cannot be reverted is said to be so.
	git bisect reset
	printf 'speed=slow\nx=1\n' >kernel
	git commit -q -m 'make it short' kernel
	git bisect start HEAD c1
	git bisect run "$TMP/top/bisect.sh" "${STEP[@]}"
	run -0 --separate-stderr bisect report --format mail
	[[ ${output//$'\n'/ } == *'cannot be reverted on top of the bad end'* ]]
}

@test "report --format mail: whatever people call a commit or themselves" {
	local long='net: 100% of "what" a person $(may) write in größe, and on, and on, until it is too long'
	kernel_commit speed=fast
	printf 'speed=fast\npad=1\n' >kernel
	git commit -q -a -m 4711
	git checkout -q -b side c1
	git commit -q --allow-empty -m side
	git checkout -q -
	git merge -q --no-ff --no-commit side
	printf 'speed=slow\n' >kernel
	git commit -q -a --author='J. "X" Müller, Jr <a@b>' -m "$long"
	printf 'speed=slow\npad=1\n' >kernel
	git commit -q -a -m 0042
	git bisect start --term-old=unaffected --term-new=regressed HEAD c1
	run -0 git bisect run "$TMP/top/bisect.sh" "${STEP[@]}"
	run -0 --separate-stderr bisect report --format mail --no-confirm
	[ "$(LC_ALL=C awk 'length > 72' <<<"$output")" = '' ]
	[[ ${output//$'\n'/} == *"Subject: [REGRESSION] $long"* ]]
	[[ $output == *$'\nCc: "J. \\"X\\" Müller, Jr" <a@b>\n'* ]]
	[[ $output == *'git bisect start --term-old=unaffected --term-new=regressed '* ]]
	[[ $output != *'by this commit alone'* ]]
	run -0 bisect report --no-confirm
	[[ $output == *' 4711 '*' error'* ]]
	[[ $output == *' 0042 '*' reference'* || $output == *' reference'*' 0042 '* ]]
}

@test "--add brings what the files were at the first step, also to report" {
	history_of_8
	cp "$TOP/host/add-files.sh" "$TMP/top/host/"
	printf '#!/bin/sh\n' >"$TMP/own"
	STEP+=(--add "$TMP/own:/add/test")
	git bisect start c8 c1
	run -129 bisect "${STEP[@]}" --add "$TMP/no-such"
	run -125 bisect "${STEP[@]}" # the commit in the middle does not build
	dir=$(echo "$TMP"/results/bisect-*/)
	grep '^run-qemu.sh' "$STAND_IN_LOG.words" >"$TMP/words"
	[ -s "$TMP/words" ]
	! grep -v -- "--add ${dir}added/0:/add/test" "$TMP/words" || false
	cmp "$TMP/own" "${dir}added/0"
	# Other bytes make another bisect.
	echo : >>"$TMP/own"
	run -125 bisect "${STEP[@]}" # the commit in the middle does not build
	[ "$(ls -d "$TMP"/results/bisect-*/ | wc -l)" = 2 ]
}

@test "--add goes with images too, and with the report" {
	series speed=fast speed=fast speed=slow speed=slow
	cp "$TOP/host/add-files.sh" "$TMP/top/host/"
	cd "$TMP"
	printf '#!/bin/sh\n' >own
	run -0 bisect images "${STEP[@]}" --add own:/add/test "$TMP/series"
	[[ $output == *'culprit '*' vmlinuz-6.3'* ]]
	[ -z "$(grep '^run-qemu.sh' "$STAND_IN_LOG.words" | grep -v -- '--add /[^ ]*:/add/test ')" ]
}
