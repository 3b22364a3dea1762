#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# kverdict export and replay: one file, another folder, the same records.

bats_require_minimum_version 1.5.0
load common

# export_once: EXPORT, of a boot that all tests of this file share.
export_once() {
	EXPORT=$BATS_FILE_TMPDIR/run.kverdict.tar.zst
	[ ! -e "$EXPORT" ] || return 0
	kernel 6.12
	boot 300 --deterministic --scenario empty --seed 3 "$KERNEL"
	is_status 0
	run -0 "$KVERDICT" export "$RUN_DIR" "$EXPORT"
	[[ $output == *packed*iB* ]]
	[[ $output == *"sha256 $(sha256sum "$EXPORT" | cut -c 1-64)"* ]]
	# Nothing of this host is told, and the same run makes the same file.
	tar --zstd -xOf "$EXPORT" manifest.json >"$BATS_TEST_TMPDIR/manifest"
	! grep -F "$TOP" "$BATS_TEST_TMPDIR/manifest" || false
	"$KVERDICT" export "$RUN_DIR" "$BATS_TEST_TMPDIR/again"
	cmp "$EXPORT" "$BATS_TEST_TMPDIR/again"
	run -129 "$KVERDICT" export "$RUN_DIR" "$EXPORT"
	run -129 "$KVERDICT" export "$BATS_FILE_TMPDIR"
	# In an archive of its own, a boot is not at hand any more.
	sed 's|"initrd_file": .*|"initrd_file": "/no/such",|' "$RUN_DIR/run.json" >"$BATS_TEST_TMPDIR/run.json"
	mv "$BATS_TEST_TMPDIR/run.json" "$RUN_DIR/"
	run -128 "$KVERDICT" export "$RUN_DIR" "$BATS_TEST_TMPDIR/third"
	[ ! -e "$BATS_TEST_TMPDIR/third" ]
	[ -z "$(find /tmp -maxdepth 1 -name 'kverdict-scenario*' -newer "$EXPORT")" ]
}

# changed NAME COMMAND...: CHANGED, the export after a command in its folder.
changed() {
	CHANGED=$BATS_TEST_TMPDIR/$1.tar.zst
	mkdir "$BATS_TEST_TMPDIR/$1"
	(
		cd "$BATS_TEST_TMPDIR/$1"
		tar --zstd -xf "$EXPORT"
		eval "$2"
		# shellcheck disable=SC2046 # our own names
		tar --zstd -cf "$CHANGED" manifest.json $(find . -mindepth 1 ! -name manifest.json -printf '%f\n')
	)
}

# refused ARGUMENT...: replay with these ends 128 and leaves nothing.
refused() {
	run -128 "$KVERDICT" replay --out "$BATS_TEST_TMPDIR/refused" "$@"
	[ -z "$(find "$BATS_TEST_TMPDIR" -maxdepth 1 -name 'refused*')" ]
}

@test "a replay has identical records" {
	export_once
	cd "$BATS_TEST_TMPDIR"
	run -0 timeout 300 "$KVERDICT" replay "$EXPORT"
	[[ $output == *"identical: the records have the sha256 "* ]]
	[ -s replay-run/run/console.log ]
	cmp replay-run/export/records.jsonl replay-run/run/records.jsonl
	grep -q '"seed":3,' replay-run/run/records.jsonl
	# Its run directory is one as every other.
	run -0 "$KVERDICT" compare --exact --force replay-run/export replay-run/run
	run -129 "$KVERDICT" replay "$EXPORT"
	[[ $output == *'replay-run exists'* ]]
	# And the file that it came from is not the last copy.
	run -0 "$KVERDICT" summary replay-run/run
}

@test "a replay that differs says so, and from which record on" {
	export_once
	changed seed "sed -i 's/kv.seed=3/kv.seed=4/' manifest.json"
	run -128 timeout 300 "$KVERDICT" replay --out "$BATS_TEST_TMPDIR/other" "$CHANGED"
	[[ $output == *'the records differ from record 1 on'* ]]
	[[ $output == *'kv.seed=4'* ]]
}

@test "a tampered export is refused" {
	export_once
	changed kernel 'printf x | dd of=kernel bs=1 seek=1000 conv=notrunc status=none'
	refused "$CHANGED"
	[[ $output == *'kernel has other bytes'* ]]
	changed records 'sed -i s/6/7/ records.jsonl'
	refused "$CHANGED"
	[[ $output == *'records.jsonl has other bytes'* ]]
	changed argv "sed -i 's|\"none\"|\"vnc=:0\"|' manifest.json"
	refused "$CHANGED"
	[[ $output == *vnc=:0* ]]
	changed missing 'rm initrd'
	refused "$CHANGED"
	[[ $output == *'initrd is missing'* ]]
	changed more 'echo >more'
	refused "$CHANGED"
	[[ $output == *"'more' is no part"* ]]
	head -c 100000 "$EXPORT" >"$BATS_TEST_TMPDIR/cut.tar.zst"
	refused "$BATS_TEST_TMPDIR/cut.tar.zst"
}

@test "a hostile archive writes nothing outside its folder" {
	local name
	cd "$BATS_TEST_TMPDIR"
	mkdir evil
	echo evil >evil/escaped
	echo '{}' >manifest.json
	for name in ../escaped /tmp/kverdict-escaped x/../../escaped; do
		tar --zstd -P -cf hostile.tar.zst manifest.json --transform "s|evil/escaped|$name|" evil/escaped
		refused hostile.tar.zst
		[[ $output == *'no part of an export'* ]]
	done
	ln -s /etc kernel
	tar --zstd -cf hostile.tar.zst manifest.json kernel
	refused hostile.tar.zst
	rm kernel
	mkfifo kernel
	tar --zstd -cf hostile.tar.zst manifest.json kernel
	refused hostile.tar.zst
	[ ! -e /tmp/kverdict-escaped ]
	[ ! -e "$BATS_FILE_TMPDIR/escaped" ]
	refused /dev/null
	run -129 "$KVERDICT" replay no-such-file
	run -129 "$KVERDICT" replay
}

@test "another QEMU is told before anything is booted" {
	export_once
	cat >"$BATS_TEST_TMPDIR/qemu" <<-END
	#!/bin/sh
	[ "\$1" != --version ] || { echo 'QEMU emulator version 99.0.1'; exit; }
	exec "${QEMU:-$BUILD/tools/qemu-system-x86_64}" "\$@"
	END
	chmod +x "$BATS_TEST_TMPDIR/qemu"
	QEMU=$BATS_TEST_TMPDIR/qemu run -0 "$KVERDICT" replay --check --out "$BATS_TEST_TMPDIR/check" "$EXPORT"
	[[ $output == *'QEMU differs: '*' in the export, 99.0.1 here'* ]]
	[[ $output == *'whole: the files in'* ]]
	[ ! -e "$BATS_TEST_TMPDIR/check/run" ]
}
