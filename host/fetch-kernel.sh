#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# fetch-kernel.sh - find a kernel to boot for someone who brought none
#
# On Debian and Ubuntu it is what the distribution's own kernel package
# depends on, downloaded and unpacked into BUILD/kernels, never installed.
# Elsewhere it is the kernel of this host, where it can be read.  What was
# fetched once is found again without a network.
#
# Output:  KERNEL=path, and MODULES=path if it has any, on standard output
# Status:  0 found, 128 none can be had, 129 wrong usage, 130 interrupted

set -eu

prog=${0##*/}
here=$(dirname -- "$(realpath -- "$0")")
build=${BUILD:-$here/../build}
series=${KVER:-}
flavour=${FLAVOUR:-cloud}
# shellcheck source=host/script.sh
. "$here/script.sh"

usage() {
	cat <<-EOF
	Usage: [KVER=SERIES] [FLAVOUR=cloud|generic] $prog [--list | PACKAGE]

	Print KERNEL=path and MODULES=path of a kernel to boot, fetching it into
	BUILD/kernels if need be.  A newer one is fetched after
	\`rm -r BUILD/kernels\`.

	  --list           only print the packages of the series, oldest first
	  PACKAGE          this one: a package's name, a .deb file, or a folder
	                   with a package unpacked

	  KVER=6.12        the newest of this series (default: the
	                   distribution's own choice)
	  FLAVOUR=generic  the kernel for real machines (default: cloud)
	EOF
}

# first FILE...: the first that exists
first() {
	for file in "$@"; do
		if [ -e "$file" ]; then
			printf '%s\n' "$file"
			return
		fi
	done
	return 1
}

# Print the kernel in folder $1 and its modules, wherever its packages have
# put them; fail if there is none.
print_kernel() {
	kernel=$(first "$1"/boot/vmlinuz-* "$1"/usr/lib/modules/*/vmlinuz \
		"$1"/lib/modules/*/vmlinuz) || return 1
	printf 'KERNEL=%s\n' "$kernel"
	tree=$(first "$1"/lib/modules/* "$1"/usr/lib/modules/*) || return 0
	printf 'MODULES=%s\n' "$tree"
}

# The names of packages for a flavour differ; see each distribution's
# "linux-meta" or "linux-signed" source.
name_packages() {
	# shellcheck disable=SC1091 # the file is the system's
	distro=$(. /etc/os-release && printf '%s' "${ID:-} ${ID_LIKE:-}")
	case $distro/$flavour in
	*ubuntu*/cloud) default=linux-image-virtual suffix=generic ;;
	*ubuntu*/generic) default=linux-image-generic suffix=generic ;;
	*/cloud) default=linux-image-cloud-amd64 suffix=cloud-amd64 ;;
	*) default=linux-image-amd64 suffix=amd64 ;;
	esac
}

exists() {
	ours apt-cache show "$1" >/dev/null 2>&1
}

# The kernels of the series, oldest first.  What follows the series in a name
# is a revision; "cloud" and "rt" are flavours.
list_series() {
	pattern=$(printf '%s' "$series" | sed 's/\./\\./g')
	ours apt-cache pkgnames "linux-image-$series" |
		grep -E "^linux-image-$pattern([.+~][^-]*)?(-[0-9]+)?-$suffix\$" |
		grep -vx "linux-image-$series-$suffix" | sort -V | grep . ||
		die "there is no kernel $series-$suffix: see \`apt-cache" \
			"pkgnames linux-image\`"
}

# The package to start from: the distribution's own, or for a series its
# metapackage if there is one, else its newest kernel.
choose_package() {
	if [ -z "$series" ]; then
		exists "$default" || die "there is no package $default"
		printf '%s\n' "$default"
		return
	fi
	if exists "linux-image-$series-$suffix"; then
		printf '%s\n' "linux-image-$series-$suffix"
		return
	fi
	names=$(list_series) || exit
	printf '%s\n' "$names" | tail -n 1
}

# The parts of a kernel that package $1 depends on, one a line.
parts_of() {
	ours apt-cache show --no-all-versions "$1" |
		sed -n 's/^Depends: //p' | tr ',' '\n' |
		sed 's/^ *//; s/[ (|:].*//' |
		grep -E '^linux-(image|binary|modules)-' |
		grep -vE -- '^linux-modules-extra-|-dbg$' || :
}

# A package and all parts below it, each once, from the top down.
closure() {
	todo=$1
	seen=' '
	while [ -n "$todo" ]; do
		next=''
		for package in $todo; do
			case $seen in
			*" $package "*) continue ;;
			esac
			seen="$seen$package "
			printf '%s\n' "$package"
			next="$next $(parts_of "$package" | tr '\n' ' ')"
		done
		todo=${next# }
		[ -n "${todo## }" ] || break
	done
}

# fetch_package NAME: with its parts, below $kernels; sets $folder
fetch_package() {
	packages=$(closure "$1")
	package=$(printf '%s\n' "$packages" | grep '^linux-image-' | tail -n 1)
	version=$(ours apt-cache show --no-all-versions "$package" |
		sed -n 's/^Version: //p')
	[ -n "$version" ] || die "the package $1 has no kernel"
	folder=$(printf '%s_%s' "$package" "$version" | tr ':' '-')
	if [ ! -d "$kernels/$folder" ]; then
		say "fetching $package $version into $kernels"
		scratch=$(mktemp -d "$kernels/.XXXXXX")
		chmod 755 "$scratch"
		# shellcheck disable=SC2086 # words, and none has a blank
		apt_unpack "$scratch" $packages
		print_kernel "$scratch" >/dev/null ||
			die "$package has no kernel"
		mv -T -- "$scratch" "$kernels/$folder"
	fi
}

fetch() {
	name_packages
	apt_update
	package=$(choose_package)
	fetch_package "$package"
	printf '%s\n' "$folder" >"$wanted.$$"
	mv -- "$wanted.$$" "$wanted"
}

# unpack_file FILE.deb: sets $folder
unpack_file() {
	command -v dpkg-deb >/dev/null || die "there is no dpkg-deb to unpack $1"
	sum=$(sha256sum <"$1") || die "$1 cannot be read"
	folder=${1##*/}
	folder=${folder%.deb}-$(printf '%s' "$sum" | cut -c 1-12)
	[ ! -d "$kernels/$folder" ] || return 0
	scratch=$(mktemp -d "$kernels/.XXXXXX")
	chmod 755 "$scratch"
	dpkg-deb -x "$1" "$scratch" || die "dpkg cannot unpack $1"
	mv -T -- "$scratch" "$kernels/$folder"
}

# The kernel that $1 names, whatever it is.
named_kernel() {
	if [ -d "$1" ]; then
		print_kernel "$1" || bad_usage "there is no kernel below $1"
		return
	fi
	case $1 in
	*.deb)
		[ -f "$1" ] || bad_usage "there is no file $1"
		unpack_file "$1"
		;;
	*)
		apt_here || die "there is no apt here to fetch $1"
		apt_update
		exists "$1" || bad_usage "there is no package $1"
		fetch_package "$1"
		;;
	esac
	print_kernel "$kernels/$folder" || bad_usage "$1 has no kernel"
}

list_kernels() {
	apt_here || die "there is no apt here, so no series to list"
	[ -n "$series" ] || bad_usage "--list needs KVER=SERIES"
	name_packages
	apt_update >&2
	list_series
}

host_kernel() {
	release=$(uname -r)
	kernel=$(first "/lib/modules/$release/vmlinuz" \
		"/boot/vmlinuz-$release" /boot/vmlinuz-linux) ||
		die "this host's kernel $release has no image here: pass KERNEL=..."
	[ -r "$kernel" ] || die "$kernel is readable by root only: run" \
		"\`sudo install -o \$USER -m 644 $kernel .\`, and pass KERNEL=..."
	[ -z "$series${FLAVOUR:-}" ] || say "note: KVER and FLAVOUR choose among" \
		"a distribution's packages, and not here"
	printf 'KERNEL=%s\n' "$kernel"
	[ ! -d "/lib/modules/$release" ] ||
		printf 'MODULES=%s\n' "/lib/modules/$release"
}

case $#/${1:-} in
0/ | 1/--list | 1/[!-]*) ;;
1/--help) usage; exit 0 ;;
*) usage >&2; exit 129 ;;
esac
case $series in
*[!0-9.]* | .* | *.) bad_usage "KVER=$series is no kernel series" ;;
esac
case $flavour in
cloud | generic) ;;
*) bad_usage "FLAVOUR=$flavour is neither cloud nor generic" ;;
esac

mkdir -p "$build/kernels"
build=$(CDPATH='' cd -- "$build" && pwd)
kernels=$build/kernels
wanted=$kernels/wanted-$flavour${series:+-$series}
if [ $# -eq 0 ] && [ -f "$wanted" ] && print_kernel "$kernels/$(cat "$wanted")"; then
	exit 0
fi
# shellcheck disable=SC1091 # is checked by itself
. "$here/apt.sh"
if [ $# -gt 0 ]; then
	case $1 in
	--list) list_kernels ;;
	*) named_kernel "$1" ;;
	esac
elif apt_here; then
	fetch
	print_kernel "$kernels/$(cat "$wanted")"
else
	host_kernel
fi
