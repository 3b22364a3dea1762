#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Completion and help: nothing that there is may be missing in them.  No boots.

bats_require_minimum_version 1.5.0
load common

setup() {
	# shellcheck source=completion/kverdict.bash
	. "$TOP/completion/kverdict.bash"
	cd "$BATS_TEST_TMPDIR"
}

# complete_words WORD...: what is offered for the last one, in COMPREPLY.
complete_words() {
	COMP_WORDS=("$@")
	COMP_CWORD=$(($# - 1))
	_kverdict || true
}

# offers WORD: it is among what was offered.
offers() {
	printf '%s\n' "${COMPREPLY[@]}" | grep -qxF -- "$1" || {
		printf '%s is not among: %s\n' "$1" "${COMPREPLY[*]}"
		return 1
	}
}

# Every option that a --help names at the start of an entry, in any column.
help_options() {
	"$@" --help 2>/dev/null | tr ' ,;(' '\n' | grep -xE -- '--[a-z][a-z-]+' | sort -u
}

@test "completion offers every option that --help lists" {
	local option count=0 command
	for command in run-qemu.sh bisect.sh; do
		complete_words "$TOP/$command" --
		while IFS= read -r option; do
			offers "$option"
			count=$((count + 1))
		done < <(help_options "$TOP/$command")
	done
	[ "$count" -gt 30 ]
	for command in $("$KVERDICT" --help | sed -n 's/^  \([a-z-]*\) .*/\1/p'); do
		[ "$command" != help ] || continue
		complete_words "$KVERDICT" "$command" --
		while IFS= read -r option; do
			offers "$option"
			count=$((count + 1))
		done < <(help_options "$KVERDICT" "$command")
	done
	[ "$count" -gt 60 ]
}

@test "every command has a --help" {
	local command
	for command in $("$KVERDICT" --help | sed -n 's/^  \([a-z-]*\) .*/\1/p'); do
		run -0 --separate-stderr "$KVERDICT" "$command" --help
		[[ $output == *"Usage: kverdict $command"* ]]
		grep -q "^\.B[IR]* [\"]*${command//-/\\\\-}\b" "$TOP/docs/kverdict.1" || { echo "$command"; false; }
	done
}

@test "every option that a script knows is in its --help" {
	local script option
	for script in run-qemu.sh bisect.sh; do
		while IFS= read -r option; do
			"$TOP/$script" --help | grep -qE -- "$option([^a-z-]|\$)" || { echo "$script $option"; false; }
		done < <(sed -n '/^parse_options()/,/^}/p; /^parse_value()/,/^}/p' "$TOP/$script" |
			grep -E '^[[:space:]]*(-|\\)?.*--[a-z-]+( \||\))' | grep -oE -- '--[a-z][a-z-]+' | sort -u | grep -vx -e --help)
	done
}

@test "completion knows commands, topics, scenarios, variants and metrics" {
	complete_words "$KVERDICT" ''
	offers judge
	offers export
	complete_words "$KVERDICT" help ''
	offers your-own-test
	offers run-qemu
	complete_words "$TOP/bisect.sh" ''
	offers report
	offers images
	complete_words "$TOP/run-qemu.sh" --scenario ''
	offers default
	offers r3-rt6-probe
	complete_words "$TOP/run-qemu.sh" --scenario r1-r
	offers r1-readiness
	[ "$(printf '%s\n' "${COMPREPLY[@]}" | grep -cv '^r1-r')" = 0 ]
	complete_words "$TOP/bisect.sh" --variant ''
	offers nocb-all
	[[ " ${COMPREPLY[*]} " != *' base '* ]]
	complete_words "$TOP/bisect.sh" --scenario r1-readiness --metric ''
	offers readiness.ready_ns
	[ "$(printf '%s\n' "${COMPREPLY[@]}" | grep -cv '^readiness\.')" = 0 ]
	complete_words "$TOP/bisect.sh" --metric netns_churn_h
	offers netns_churn_hog.rate_per_s
	complete_words "$TOP/run-qemu.sh" --accel k
	[ "${COMPREPLY[*]}" = kvm ]
	# A file of one's own, and nothing after -- or in place of a number.
	echo >own.scenario
	complete_words "$TOP/run-qemu.sh" --scenario own
	offers own.scenario
	complete_words "$TOP/run-qemu.sh" own
	offers own.scenario
	complete_words "$TOP/run-qemu.sh" kernel -- o
	[ ${#COMPREPLY[@]} -eq 0 ]
	complete_words "$TOP/run-qemu.sh" --seed ''
	[ ${#COMPREPLY[@]} -eq 0 ]
}

@test "every metric of a scenario that a run declares is offered" {
	local metric
	complete_words "$TOP/bisect.sh" --scenario default --metric ''
	for metric in readiness.tries rt6_probe.sends_per_s rt6_probe_hog.sender_sends_per_s netns_churn.drained_per_s; do
		offers "$metric"
	done
}

@test "kverdict help shows every page of docs/" {
	local page
	run -0 "$KVERDICT" help
	for page in "$TOP"/docs/*.md "$TOP"/docs/*.1; do
		page=${page##*/}
		[[ $output == *"  ${page%.*} "* ]]
	done
	for page in "$TOP"/docs/*.md; do
		page=${page##*/}
		"$KVERDICT" help "${page%.md}" | cmp - "$TOP/docs/$page"
	done
	run -0 "$KVERDICT" help run-qemu.sh
	[[ $output == *'run-qemu.sh'*'boot a Linux kernel'* ]]
	run -0 "$KVERDICT" help exec
	[[ $output == *'# Your own test'* ]]
	for page in no-such ../README '' a/b .; do
		run -129 "$KVERDICT" help "$page"
	done
	run -129 "$KVERDICT" help a b
}

@test "a page that a message names is there" {
	local page
	while IFS= read -r page; do
		[ -e "$TOP/$page" ] || { echo "$page"; false; }
	done < <(cd "$TOP" && git ls-files '*.sh' '*.c' '*.md' '*.1' | xargs grep -hoE 'docs/[a-z0-9-]+\.(md|1)' | sort -u)
	kernel 6.12
	printf '# a\nprobe nothing\n' >bad.scenario
	run -129 "$TOP/run-qemu.sh" --accel tcg --dry-run --scenario ./bad.scenario "$KERNEL"
	[[ $output == *'docs/scenario-format.md'* ]]
}
