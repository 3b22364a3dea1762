#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# make-history.sh - a kernel history whose culprits are known, to bisect
#
# Debian's linux-source-6.12 becomes the first commit, tagged "base", and
# every commit above it is one edit of this script.  What no x86 build reads
# (documentation, boards of other architectures, the register headers of one
# graphics driver) is left out: it would only cost time.
#
#   small      6 commits: R1's culprit, one that does not build, comments
#   r1, r3    20 commits each: the culprit of that report, one commit that
#             does not build, one that panics and one that hangs at boot, and
#             comments and unrelated code
#   none      the same 20 with no culprit
#   variant-N each one commit on base that moves bytes and changes nothing
#
# Output:  the culprits as "BRANCH COMMIT" lines on standard output
# Status:  0 made, 128 it could not be, 129 wrong usage, 130 interrupted

set -eu

prog=${0##*/}
top=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
LC_ALL=C
export LC_ALL
status=128

say() {
	printf '%s: %s\n' "$prog" "$*" >&2
}

die() {
	say "$*"
	exit 128
}

usage() {
	cat <<-EOF
	Usage: $prog DIR [small|full] [SOURCE]

	  DIR     the git repository to make; must not exist
	  small   only the branch of 6 commits (default: full)
	  SOURCE  an unpacked linux-source-6.12 (default: fetched into BUILD/kernels)
	EOF
}

# shellcheck disable=SC2317 # called by the trap
finish() {
	trap - EXIT
	exit "$status"
}

g() {
	git -C "$dir" -c core.compression=1 -c gc.auto=0 "$@"
}

copy_source() {
	mkdir -p -- "$dir"
	tar -C "$source" -cf - --exclude-vcs --exclude=./Documentation/'[a-zA-Z]*'/'*' \
		--exclude=./drivers/gpu/drm/amd/include/asic_reg --exclude=./tools/testing \
		--exclude='./arch/[a-wyz]*/boot' --exclude='./arch/[a-wyz]*/configs' \
		--exclude='./arch/[a-wyz]*/mach-*' . | tar -C "$dir" -xf -
	g init -q -b debian
	g config user.name kverdict
	g config user.email kverdict@example.org
	commit 'Import linux-source-6.12'
	g tag base
}

# Every commit has a date of its own, and the same one each time.
date_s=1577836800
commit() {
	date_s=$((date_s + 3600))
	g add -A .
	! g diff --cached --quiet 2>/dev/null || die "the commit \"$1\" changes nothing: this is not the source that it is for"
	GIT_AUTHOR_DATE="$date_s +0000" GIT_COMMITTER_DATE="$date_s +0000" g commit -q --no-verify -m "$1"
}

# below FILE LINE TEXT: insert TEXT below the first line that has LINE.
below() {
	awk -v wanted="$2" -v text="$3" '
		{ print }
		!done && index($0, wanted) { print text; done = 1 }
	' "$dir/$1" >"$dir/.new"
	mv -- "$dir/.new" "$dir/$1"
}

# replace FILE OLD NEW: in the first line that has OLD.
replace() {
	awk -v old="$2" -v new="$3" '
		!done && (at = index($0, old)) {
			$0 = substr($0, 1, at - 1) new substr($0, at + length(old))
			done = 1
		}
		{ print }
	' "$dir/$1" >"$dir/.new"
	mv -- "$dir/.new" "$dir/$1"
}

# above_warn FILE: a comment of two lines above the first WARN in a function.
above_warn() {
	awk '
		!done && /^\t+WARN_ON/ && last !~ /\\$/ {
			print "\t/* This must not happen, and so"; print "\t * it is told. */"; done = 1
		}
		{ print; last = $0 }
	' "$dir/$1" >"$dir/.new"
	mv -- "$dir/.new" "$dir/$1"
}

at_end() {
	printf '%s\n' "$2" >>"$dir/$1"
}

# move_up FILE FUNCTION ABOVE: a static function to above another one.
move_up() {
	awk -v name="$2" -v above="$3" '
		NR == FNR { line[NR] = $0; next }
		END {
			for (i = 1; i <= length(line); i++) {
				if (line[i] ~ "^static .*" name "\\(") from = i
				if (from && !to && line[i] == "}") to = i
				if (line[i] ~ "^static .*" above "\\(") target = i
			}
			for (i = 1; i <= length(line); i++) {
				if (i == target) {
					for (j = from; j <= to; j++) print line[j]
					print ""
				}
				if (i < from || i > to) print line[i]
			}
		}
	' "$dir/$1" "$dir/$1" >"$dir/.new"
	mv -- "$dir/.new" "$dir/$1"
}

branch() {
	g checkout -q -b "$1" base
	date_s=1580000000
}

culprit_r1() {
	replace net/ipv6/addrconf.c create_singlethread_workqueue create_workqueue
	commit 'ipv6: give the address work queue a worker per CPU'
	printf '%s %s\n' "$1" "$(g rev-parse HEAD)"
}

# The test before the lock goes, so every packet takes the writer lock.
culprit_r3() {
	awk '
		/if \(READ_ONCE\(neigh->nud_state\) & NUD_VALID\)/ && !done { skip = 2; done = 1 }
		skip { skip--; next }
		{ print }
	' "$dir/net/ipv6/route.c" >"$dir/.new"
	mv -- "$dir/.new" "$dir/net/ipv6/route.c"
	commit 'ipv6: look at the neighbour state under its lock only'
	printf '%s %s\n' "$1" "$(g rev-parse HEAD)"
}

culprit_none() {
	at_end net/ipv6/addrconf.c '/* Nothing follows. */'
	commit 'ipv6: mark the end of addrconf.c'
}

anchor='sock_skb_cb_check_size(sizeof(struct inet6_skb_parm));'

make_small() {
	branch small
	above_warn net/ipv6/addrconf.c
	commit 'ipv6: explain a warning of addrconf'
	replace fs/ramfs/inode.c 'int error = -ENOSPC;' 'int error = -EDQUOT;'
	commit 'ramfs: say EDQUOT where a node cannot be made'
	below net/ipv6/af_inet6.c "$anchor" '	this_was_never_declared(AF_INET6);'
	commit 'ipv6: call a function that nobody has written'
	replace net/ipv6/af_inet6.c '	this_was_never_declared(AF_INET6);' '	/* Sizes were checked above. */'
	commit 'ipv6: make it build again'
	culprit_r1 small
	at_end net/ipv6/route.c '/* Routes end here. */'
	commit 'ipv6: mark the end of route.c'
}

make_full() {
	branch "$1"
	at_end net/ipv6/addrconf.c '/* See RFC 4862. */'
	commit 'ipv6: name the RFC of addrconf'
	replace fs/ramfs/inode.c 'int error = -ENOSPC;' 'int error = -EDQUOT;'
	commit 'ramfs: say EDQUOT where a node cannot be made'
	above_warn net/ipv6/ip6_fib.c
	commit 'ipv6: explain a warning of the routing table'
	replace net/ipv6/af_inet6.c 'but administratively disabled' 'but disabled by the administrator'
	commit 'ipv6: reword a message'
	below net/ipv6/af_inet6.c "$anchor" '	panic("inet6_init: it was not meant to work");'
	commit 'ipv6: panic at boot'
	replace net/ipv6/af_inet6.c '	panic("inet6_init: it was not meant to work");' '	/* Sizes were checked above. */'
	commit 'ipv6: panic no more'
	move_up net/ipv6/addrconf_core.c eafnosupport_ipv6_fragment eafnosupport_fib6_get_table
	commit 'ipv6: sort the functions of addrconf_core.c'
	above_warn net/core/neighbour.c
	commit 'neighbour: explain a warning'
	at_end net/ipv6/ndisc.c '/* See RFC 4861. */'
	commit 'ipv6: name the RFC of ndisc'
	below net/ipv6/af_inet6.c "$anchor" '	this_was_never_declared(AF_INET6);'
	commit 'ipv6: call a function that nobody has written'
	replace net/ipv6/af_inet6.c '	this_was_never_declared(AF_INET6);' '	/* Nor is that needed. */'
	commit 'ipv6: make it build again'
	above_warn kernel/workqueue.c
	commit 'workqueue: explain a warning'
	"culprit_$1" "$1"
	at_end net/ipv6/route.c '/* Routes end here. */'
	commit 'ipv6: mark the end of route.c'
	below net/ipv6/af_inet6.c "$anchor" '	while (READ_ONCE(disable_ipv6_mod) >= 0) cpu_relax();'
	commit 'ipv6: hang at boot'
	replace net/ipv6/af_inet6.c '	while (READ_ONCE(disable_ipv6_mod) >= 0) cpu_relax();' '	/* Go on. */'
	commit 'ipv6: hang no more'
	above_warn fs/inode.c
	commit 'fs: explain a warning of inodes'
	at_end fs/ramfs/inode.c 'static const char ramfs_note[] __used = "inodes in memory";'
	commit 'ramfs: leave a note'
	above_warn net/core/dev.c
	commit 'net: explain a warning of devices'
	at_end kernel/workqueue.c '/* All work is done. */'
	commit 'workqueue: mark the end of the file'
}

# variant TEXT: the edit just made, as a branch of its own
variants=0
variant() {
	variants=$((variants + 1))
	commit "$1"
	g branch -q "variant-$variants"
	g checkout -q base
}

make_variants() {
	local file bytes

	g checkout -q --detach base
	for file in net/ipv6/addrconf.c net/ipv6/ip6_fib.c net/core/neighbour.c \
		net/core/dev.c net/core/skbuff.c kernel/workqueue.c fs/inode.c \
		kernel/sched/core.c mm/page_alloc.c; do
		above_warn "$file"
		variant "$file: explain a warning"
	done
	# Less than the alignment leaves would change nothing.
	for bytes in 17 64 100 333 512 1000 2048 3000 4096; do
		at_end net/ipv6/addrconf.c "static const char addrconf_pad[$bytes] __used = \"\";"
		variant "ipv6: add $bytes unused bytes"
	done
	move_up net/ipv6/addrconf_core.c eafnosupport_ipv6_fragment eafnosupport_fib6_get_table
	variant 'ipv6: move a function up'
	move_up net/ipv6/addrconf_core.c eafnosupport_ipv6_dev_find eafnosupport_ip6_del_rt
	variant 'ipv6: move another function up'
}

trap finish EXIT
trap 'status=130; exit 130' HUP INT TERM

case ${1:-} in
-h | --help) usage; status=0; exit 0 ;;
'' | -*) usage >&2; status=129; exit 129 ;;
esac
case ${2:-full} in
small | full) ;;
*) usage >&2; status=129; exit 129 ;;
esac
dir=$1
[ ! -e "$dir" ] || { say "$dir exists"; status=129; exit 129; }
source=${3:-}
[ -n "$source" ] || source=$("$top/tests/kernel-source.sh") || exit 128
[ -f "$source/Kbuild" ] || { say "$source is no kernel source tree"; status=129; exit 129; }

copy_source
make_small
if [ "${2:-full}" = full ]; then
	for culprit in r1 r3 none; do
		make_full "$culprit"
	done
	make_variants
fi
g checkout -q small
status=0
