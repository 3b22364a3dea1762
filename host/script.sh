# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# script.sh - how a script of ours begins, speaks and ends
#
# Sourced by the scripts that set up and pack, with $prog set.  $scratch, if
# it gets a value, is a folder that goes when the script ends.
#
# Status of all of them: 0, 128 this side is broken, 129 wrong usage, 130
# interrupted, whatever a tool ended with.

scratch=''

# Sorting and number formats must not depend on the user's language, and tools
# such as mke2fs are not in every user's path.
LC_ALL=C
PATH=$PATH:/usr/sbin:/sbin
export LC_ALL PATH

say() {
	# shellcheck disable=SC2154 # set by who sources this
	printf '%s: %s\n' "$prog" "$*" >&2 || :
}

die() {
	say "$*"
	exit 128
}

bad_usage() {
	say "$*: see $prog --help"
	exit 129
}

# shellcheck disable=SC2317 # called by the trap
finish() {
	status=$?
	trap - EXIT
	[ -z "$scratch" ] || rm -rf -- "$scratch"
	case $status in
	0 | 128 | 129 | 130) exit "$status" ;;
	*) die "stopped by a tool that ended with status $status" ;;
	esac
}

trap finish EXIT
trap 'exit 130' HUP INT TERM
