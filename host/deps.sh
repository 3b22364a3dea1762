#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# deps.sh - install what is missing, and nothing else: `make deps`
#
# The only file of the project that installs anything.  It prints the packages
# and the command first, and asks the package database, so that a complete
# system costs no time.  On a release whose QEMU is too old for deterministic
# mode with several CPUs it unpacks a newer one from the release's backports
# into BUILD/tools, beside the installed one, which stays as it is.
#
# Output:  messages on standard error; with DEPS=show the packages that are
#          missing and the command on standard output
# Status:  0 nothing is missing (any more), 128 it could not be installed,
#          129 wrong usage, 130 interrupted

set -eu

prog=${0##*/}
here=$(dirname -- "$(realpath -- "$0")")
build=${BUILD:-$here/../build}
qemu_needed=8.1 # the first that does not starve a CPU on virtual time
show=false
sets='run check kernel'
# shellcheck source=host/script.sh
. "$here/script.sh"

usage() {
	cat <<-EOF
	Usage: [DEPS=show] $prog [run] [check] [kernel]

	Install what is missing to build and boot (run), for the tests (check)
	and to build kernels (kernel); all of it without a word.  DEPS=show only
	prints what would be installed.  host/packages.def is the list.
	EOF
}

find_manager() {
	for manager in apt-get dnf pacman; do
		! command -v "$manager" >/dev/null || return 0
	done
	die "neither apt, dnf nor pacman is here: install by hand what" \
		"host/packages.def lists"
}

# The packages of the chosen sets, by this distribution's names.
list_packages() {
	case $manager in
	apt-get) column=2 ;;
	dnf) column=3 ;;
	pacman) column=4 ;;
	esac
	awk -v sets=" $sets " -v column="$column" '
		/^#/ || !NF || !index(sets, " " $1 " ") { next }
		$column != "-" { print $column }' "$here/packages.def"
}

# missing NAME...: those that are not installed, one a line
missing() {
	case $manager in
	apt-get)
		# A name that dpkg has never heard of is missing, too.
		dpkg-query -W -f '${binary:Package} ${db:Status-Status}\n' \
			"$@" 2>/dev/null |
			awk -v names="$*" '
				$2 == "installed" { sub(/:.*/, "", $1); has[$1] = 1 }
				END {
					n = split(names, name, " ")
					for (i = 1; i <= n; i++)
						if (!(name[i] in has))
							print name[i]
				}'
		;;
	dnf)
		for name in "$@"; do
			rpm -q --quiet --whatprovides "$name" ||
				printf '%s\n' "$name"
		done
		;;
	pacman) pacman -T "$@" || : ;;
	esac
}

has_lists() {
	[ -n "$(find /var/lib/apt/lists -maxdepth 1 -name '*Packages*' \
		"$@" 2>/dev/null)" ]
}

# Set $wanted to what is missing.  A name with "?" counts only where the
# release has such a package, or where nobody can tell without any lists.
find_missing() {
	names=$(list_packages)
	# shellcheck disable=SC2046,SC2086 # words without blanks
	set -- $(missing $(printf '%s\n' "$names" | tr -d '?'))
	wanted=''
	for name in "$@"; do
		case "
$names
" in
		*"
$name?
"*) apt-cache show "$name" >/dev/null 2>&1 || ! has_lists || continue ;;
		esac
		wanted="$wanted${wanted:+ }$name"
	done
}

# Set $install to the command that installs $wanted.
make_command() {
	sudo=''
	[ "$(id -u)" -eq 0 ] || sudo='sudo '
	case $manager in
	apt-get)
		install="${sudo}env DEBIAN_FRONTEND=noninteractive apt-get -y"
		install="$install -q --no-install-recommends install $wanted"
		;;
	dnf)
		install="${sudo}dnf -y -q --setopt=install_weak_deps=False"
		install="$install install $wanted"
		;;
	pacman) install="${sudo}pacman -S --needed --noconfirm $wanted" ;;
	esac
}

# May apt not know all packages, or versions that the mirror no longer has?
apt_is_stale() {
	# shellcheck disable=SC2086 # words without blanks
	! has_lists -mmin -1440 ||
		! apt-get -s --no-install-recommends install $wanted \
			>/dev/null 2>&1
}

update_lists() {
	say "running: ${sudo}apt-get -q update"
	# A mirror that fails may be one that is not needed.
	if [ -n "$sudo" ]; then
		sudo apt-get -q update >&2 || say 'note: the update failed'
	else
		apt-get -q update >&2 || say 'note: the update failed'
	fi
	find_missing
	make_command
}

install_packages() {
	say "installing: $wanted"
	if [ -n "$sudo" ] && ! command -v sudo >/dev/null; then
		die "not root, and sudo is not installed: run as root: $install"
	fi
	if [ -n "$sudo" ] && ! sudo -n true 2>/dev/null && [ ! -t 0 ]; then
		die "sudo needs a password, and nobody can be asked: run $install"
	fi
	if [ "$manager" = apt-get ] && apt_is_stale; then
		update_lists
	fi
	say "running: $install"
	$install >&2 || die "the packages could not be installed: see above"
	find_missing
	[ -z "$wanted" ] || die "still missing: $wanted"
}

# Is the release's QEMU too old, and no newer one unpacked or tried today?
wants_newer_qemu() {
	case $manager/$sets in
	apt-get/*run*) ;;
	*) return 1 ;;
	esac
	[ ! -x "$build/tools/qemu-system-x86_64" ] || return 1
	version=$(dpkg-query -W -f '${Version}' qemu-system-x86 2>/dev/null || :)
	# Not installed yet, so the release's own counts.
	[ -n "$version" ] || version=$(apt-cache policy qemu-system-x86 |
		sed -n 's/^ *Candidate: \([0-9].*\)/\1/p')
	! dpkg --compare-versions "${version#*:}" ge "$qemu_needed" || return 1
	[ -z "$(find "$build/apt/no-qemu" -mmin -1440 2>/dev/null)" ]
}

# Print a script that starts the QEMU in the folder "qemu" beside it.
print_wrapper() {
	cat <<-'END'
	#!/bin/sh
	# The QEMU that host/deps.sh has unpacked here, with its own data,
	# modules and libraries.
	qemu=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)/qemu
	lib=$qemu/usr/lib/x86_64-linux-gnu
	export QEMU_MODULE_DIR="$lib/qemu"
	export LD_LIBRARY_PATH="$lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
	exec "$qemu/usr/bin/qemu-system-x86_64" \
		-L "$qemu/usr/share/qemu" -L "$qemu/usr/share/seabios" "$@"
	END
}

# Runs in a subshell: all that fails in here means no newer QEMU, no more.
# shellcheck disable=SC2154 # apt.sh sets the apt_* variables
unpack_qemu() {
	# shellcheck disable=SC1091 # is checked by itself
	. "$here/apt.sh"
	apt_read_release
	apt_update
	suite=$apt_release-backports
	# What apt would install or upgrade on this system, without doing it.
	ours apt-get -s --no-install-recommends -t "$suite" \
		install qemu-system-x86 >"$apt_area/plan" 2>&1 ||
		die "$suite has no QEMU that fits this system"
	version=$(sed -n 's/^Inst qemu-system-x86 .*(\([^ ]*\) .*/\1/p' \
		"$apt_area/plan")
	dpkg --compare-versions "${version#*:}" ge "$qemu_needed" ||
		die "$suite has no QEMU from $qemu_needed on"
	# Its firmware always: of another version it would be another machine.
	names=$({
		echo seabios
		sed -n 's/^Inst \([^ ]*\) .*/\1/p' "$apt_area/plan"
	} | grep -E '^(lib.*|qemu-system-(x86|common|data)|seabios|ipxe-qemu)$' |
		sort -u)
	say "unpacking QEMU $version from $suite into $build/tools/qemu"
	tools=$build/tools
	mkdir -p "$tools"
	rm -rf -- "$tools/qemu" "$tools/qemu.tmp"
	# shellcheck disable=SC2086 # words without blanks
	apt_unpack "$tools/qemu.tmp" -t "$suite" $names
	mv -T -- "$tools/qemu.tmp" "$tools/qemu"
	print_wrapper >"$tools/new-wrapper"
	chmod +x "$tools/new-wrapper"
	"$tools/new-wrapper" --version >/dev/null ||
		die "the unpacked QEMU does not start here"
	mv -- "$tools/new-wrapper" "$tools/qemu-system-x86_64"
}

newer_qemu() {
	mkdir -p "$build/apt"
	build=$(CDPATH='' cd -- "$build" && pwd)
	(unpack_qemu) || {
		: >"$build/apt/no-qemu"
		say "note: deterministic mode has one CPU only, for want of a" \
			"QEMU from $qemu_needed on"
	}
}

case ${1:-} in
--help) usage; exit 0 ;;
esac
for word in "$@"; do
	case $word in
	run | check | kernel) ;;
	*) usage >&2; exit 129 ;;
	esac
done
[ $# -eq 0 ] || sets=$*
case ${DEPS:-} in
'') ;;
show) show=true ;;
*) say "DEPS=$DEPS is unknown: only \"show\" is"; exit 129 ;;
esac

find_manager
find_missing
make_command
if $show; then
	if [ -z "$wanted" ]; then
		echo 'nothing is missing'
	else
		printf 'missing: %s\ncommand: %s\n' "$wanted" "$install"
	fi
	! wants_newer_qemu ||
		echo "unpacked: a QEMU from $qemu_needed on, into BUILD/tools"
	exit 0
fi
[ -z "$wanted" ] || install_packages
! wants_newer_qemu || newer_qemu
