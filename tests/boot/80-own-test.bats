#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A program of the user's as a step: what --add brings in, what becomes of it.

bats_require_minimum_version 1.5.0
load common

@test "a program's exit, samples and faults are what its step says" {
	kernel 6.12
	cat >"$BATS_TEST_TMPDIR/count.sh" <<-'END'
	#!/bin/sh
	for i in 1 2 3; do kv-sample latency $((i * loops)); done
	echo "direct 7" >&3
	END
	cat >"$BATS_TEST_TMPDIR/own.scenario" <<-'END'
	# own - what do programs of the user's say?
	guest mem_mib=512
	exec count name=a loops=100 better=lower unit=us
	exec shell better=higher -- for i in 1 2 3 4; do kv-sample runs $i; done
	exec data -- grep -q '^some data$' /srv/deep/data
	exec env x=1 y=2 -- test "$x$y$seed" = 121
	exec pinned cpu=1 -- grep -q 'Cpus_allowed_list:.1$' /proc/self/status
	exec fails -- exit 3
	exec skips -- echo "skip option CONFIG_X is off" >&3; exit 4
	exec selftest_skips -- exit 4
	exec not_there -- no_such_program
	exec crashes -- kill -SEGV $$
	exec hangs timeout_s=2 -- sleep 1000
	exec no_cpu cpu=7 -- true
	exec bad_name -- echo 'Latency 5' >&3
	exec bad_value -- echo 'latency 1.5' >&3
	exec huge_value -- echo 'latency 9223372036854775808' >&3
	exec silent better=lower -- true
	exec floods -- yes 'latency 5' >&3
	END
	echo 'some data' >"$BATS_TEST_TMPDIR/some data"
	boot 240 --scenario "$BATS_TEST_TMPDIR/own.scenario" --add "$BATS_TEST_TMPDIR/count.sh:/add/count" \
		--add "$BATS_TEST_TMPDIR/some data:/srv/deep/data" "$KERNEL"
	is_status 1
	R=$RUN_DIR/records.jsonl
	has "$R" '"type":"metric","step":"a","probe":"count","metric":"latency","better":"lower","unit":"us"'
	has "$R" '"type":"sample","step":"a","probe":"count","repetition":2,"time_ns":[0-9]+,"latency":300}'
	has "$RUN_DIR.out" '^ *a +latency +lower +3 +100 us +200 us '
	[ "$(count "$R" '"step":"shell".*"runs":[1-4]}')" = 4 ]
	for step in a shell data env pinned; do
		has "$R" '"event":"end","step":"'$step'","verb":"exec".*"result":"pass"'
	done
	has "$R" '"step":"fails".*"result":"fail".*ended with status 3'
	has "$R" '"step":"skips".*"result":"skip","cause":"option","reason":"CONFIG_X is off"'
	has "$R" '"step":"selftest_skips".*"result":"skip","cause":"option"'
	has "$R" '"step":"not_there".*"result":"skip","cause":"other".*status 127'
	has "$R" '"step":"crashes".*"result":"crash".*signal 11'
	has "$R" '"step":"hangs".*"result":"timeout"'
	has "$R" '"step":"no_cpu".*"result":"skip".*cpu='
	has "$R" '"step":"bad_name".*"result":"fail","cause":"protocol".*Latency'
	has "$R" '"step":"bad_value".*"cause":"protocol".*1\.5'
	has "$R" '"step":"huge_value".*"cause":"protocol".*9223372036854775808'
	has "$R" '"step":"silent".*"result":"skip".*no sample'
	has "$R" '"step":"floods".*"result":"crash".*File size limit'
	[ "$(count "$R" '"type":"sample","step":"floods"')" = 65536 ]
	has "$R" '"type":"end"'
}

@test "a command may give samples too, and declare its own metric" {
	kernel 6.12
	boot 120 "$KERNEL" -- 'echo "metric a better=lower unit=ms" >&3; kv-sample a 5; exit 9'
	is_status 9
	has "$RUN_DIR/records.jsonl" '"type":"metric","step":"command","probe":"command","metric":"a","better":"lower","unit":"ms"'
	has "$RUN_DIR/records.jsonl" '"type":"sample","step":"command".*"a":5}'
	run -0 "$KVERDICT" summary "$RUN_DIR"
	[[ $output == *'5 ms'* ]]
}

# add ARGUMENT...: --dry-run with them, which must be refused; its message.
refused() {
	run -129 "$TOP/run-qemu.sh" --accel tcg --dry-run "$@" "$KERNEL"
}

@test "what --add cannot bring is refused before the boot" {
	kernel 6.12
	cd "$BATS_TEST_TMPDIR"
	echo >file
	mkdir folder
	refused --add no-such-file
	refused --add folder
	[[ $output == *'one by one'* ]]
	refused --add ''
	for path in /init /bin/probe /bin/sh /kv/x /scenarios/x /proc/x /tmp/x /a/../b /a//b /a/. '/a b' "/a'b"; do
		refused --add "file:$path"
	done
	refused --add file --add file
	[[ $output == *twice* ]]
	# The guest has no libraries.
	refused --add "$KVERDICT"
	[[ $output == *ld-linux* ]]
	[[ $output == *docs/your-own-test.md* ]]
	printf '#!/bin/bash\n' >script
	refused --add script
	[[ $output == *'#!/bin/sh'* ]]
	printf '\177ELF\2\1\1' >elf
	refused --add elf
	truncate -s 500M large
	refused --add large
	[[ $output == *--mem* ]]
	# A step that runs what nobody brings.
	printf '# a\nexec program\n' >own.scenario
	refused --scenario ./own.scenario
	[[ $output == *'/add/program'* ]]
	refused --scenario ./own.scenario --add file
	printf '#!/bin/sh\n' >program
	run -0 "$TOP/run-qemu.sh" --accel tcg --dry-run --scenario ./own.scenario --add program "$KERNEL"
}

@test "the same files make the same bytes, wherever they come from" {
	kernel 6.12
	cd "$BATS_TEST_TMPDIR"
	mkdir other
	printf '#!/bin/sh\n' >program
	cp program other/name
	chmod 755 other/name
	touch -d 2001-01-01 other/name
	one=$("$TOP/run-qemu.sh" --accel tcg --dry-run --add program "$KERNEL")
	[ "$one" = "$("$TOP/run-qemu.sh" --accel tcg --dry-run --add other/name:/add/program "$KERNEL")" ]
	echo : >>program
	[ "$one" != "$("$TOP/run-qemu.sh" --accel tcg --dry-run --add program "$KERNEL")" ]
}
