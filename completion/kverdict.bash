# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Completion for run-qemu.sh, bisect.sh and kverdict in bash:
#
#	source /path/to/kverdict/completion/kverdict.bash
#
# Options, commands and topics are those that --help lists, so that nothing
# here can be out of date; scenarios, variants and metrics are read from the
# tree that the command belongs to.

declare -gA _kverdict_helps

# _kverdict_help COMMAND...: what its --help says, asked once.
_kverdict_help() {
	local key="$*"
	[ -n "${_kverdict_helps[$key]:-}" ] ||
		_kverdict_helps[$key]=$("$@" --help 2>/dev/null </dev/null)
	printf '%s\n' "${_kverdict_helps[$key]}"
}

_kverdict_options() {
	_kverdict_help "$@" | grep -oE -- '(^|[^[:alnum:]-])--[a-z][a-z-]*' | grep -oE -- '--[a-z-]+'
	printf '%s\n' --help
}

# The folder of the project that COMMAND belongs to.
_kverdict_top() {
	local file
	file=$(realpath -- "$(type -P -- "$1")" 2>/dev/null) || return
	case $file in
	*/build/host/kverdict) printf '%s\n' "${file%/build/host/kverdict}" ;;
	*) printf '%s\n' "${file%/*}" ;;
	esac
}

# What of the words WORD... fits, into COMPREPLY.
_kverdict_offer() {
	mapfile -t COMPREPLY < <(compgen -W "$*" -- "$cur")
}

_kverdict_names() {
	local file
	for file in "$top/$1"/*"$2"; do
		file=${file##*/}
		[ "$file" = "*$2" ] || printf '%s\n' "${file%"$2"}"
	done
}

_kverdict_files() {
	compopt -o filenames 2>/dev/null
	mapfile -t COMPREPLY < <(compgen -f -- "$cur")
}

_kverdict_scenarios() {
	local file
	_kverdict_offer "$(_kverdict_names rootfs/scenarios .scenario)"
	while IFS= read -r file; do
		if [ -d "$file" ]; then COMPREPLY+=("$file/"); fi
		case $file in *.scenario) COMPREPLY+=("$file") ;; esac
	done < <(compgen -f -- "$cur")
}

# STEP.METRIC of the scenario that was named before, else of all.
_kverdict_metrics() {
	local i file step probe word metric
	local -a files=("$top"/rootfs/scenarios/*.scenario)
	for ((i = 1; i < ${#COMP_WORDS[@]} - 1; i++)); do
		[ "${COMP_WORDS[i]}" = --scenario ] || continue
		file=${COMP_WORDS[i + 1]}
		[ -f "$file" ] || file=$top/rootfs/scenarios/$file.scenario
		files=("$file")
	done
	_kverdict_offer "$(cat -- "${files[@]}" 2>/dev/null | while read -r word probe step; do
		[ "$word" = probe ] || continue
		case " $step " in
		*' name='*) step=${step##*name=} step=${step%% *} ;;
		*) step=$probe ;;
		esac
		sed -n 's/.*probe_metric(ctx, "\([a-z0-9_]*\)".*/\1/p' "$top/probes/$probe.c" 2>/dev/null |
			while read -r metric; do printf '%s.%s\n' "$step" "$metric"; done
	done | sort -u)"
}

# _kverdict_value OPTION: offer its values; 1 where it takes none.
_kverdict_value() {
	case $1 in
	--scenario) _kverdict_scenarios ;;
	--metric) _kverdict_metrics ;;
	--accel) _kverdict_offer auto kvm tcg ;;
	--on-crash) _kverdict_offer skip bad ;;
	--direction) _kverdict_offer lower higher ;;
	--variant) _kverdict_offer "$(_kverdict_names kernel-configs .config | grep -vx base)" ;;
	--modules | --out | --add | --config | --good | --bad | --dir | --vmlinux | --cache | --verdict) _kverdict_files ;;
	--format) _kverdict_offer "$(_kverdict_help "${asked[@]}" | sed -n 's/.*--format \([a-z|]*\).*/\1/p' | head -n 1 | tr '|' '\n')" ;;
	--append | --seed | --seeds | --jobs | --smp | --mem | --budget | --*timeout | --quantile | --bad-above) COMPREPLY=() ;;
	*) return 1 ;;
	esac
}

_kverdict() {
	local cur=${COMP_WORDS[COMP_CWORD]} before='' top word
	local -a asked=("${COMP_WORDS[0]}")
	COMPREPLY=()
	[ "$COMP_CWORD" -lt 1 ] || before=${COMP_WORDS[COMP_CWORD - 1]}
	top=$(_kverdict_top "${COMP_WORDS[0]}") || return
	for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
		[ "$word" != -- ] || return 0
	done
	case ${COMP_WORDS[0]##*/} in
	kverdict)
		if [ "$COMP_CWORD" -eq 1 ]; then
			_kverdict_offer "$(_kverdict_help "${asked[@]}" | sed -n 's/^  \([a-z-]*\) .*/\1/p')" --help
			return
		fi
		asked+=("${COMP_WORDS[1]}")
		if [ "${COMP_WORDS[1]}" = help ]; then
			_kverdict_offer "$(_kverdict_help "${asked[@]}" | sed -n 's/^  \([a-z0-9-]*\) .*/\1/p')"
			return
		fi
		;;
	bisect.sh)
		if [ "$COMP_CWORD" -eq 1 ] && [[ $cur != -* ]]; then
			_kverdict_offer "$(_kverdict_help "${asked[@]}" | sed -n 's/^ *bisect\.sh \([a-z]*\).*/\1/p')"
			return
		fi
		;;
	esac
	! _kverdict_value "$before" || return 0
	case $cur in
	-*) _kverdict_offer "$(_kverdict_options "${asked[@]}")" ;;
	*) _kverdict_files ;;
	esac
}

complete -F _kverdict run-qemu.sh bisect.sh kverdict
