#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Set-up without a network and without installing anything: package managers
# are stubs in front of PATH, and the mirror is a folder.  The
# stubs are texts, which expand when they run.

# shellcheck disable=SC2016

load common

setup() {
	T=$BATS_TEST_TMPDIR
	mkdir -p "$T/bin" "$T/few" "$T/build"
	BUILD=$T/build
	PATH=$T/bin:$PATH
	# shellcheck disable=SC1091 # the file is the system's
	RELEASE=$(. /etc/os-release && echo "${UBUNTU_CODENAME:-${VERSION_CODENAME:-}}")
}

# stub NAME BODY: a command in front of PATH
stub() {
	printf '#!/bin/sh\n%s\n' "$2" >"$T/bin/$1"
	chmod +x "$T/bin/$1"
}

# few COMMAND...: run it with no package manager within reach
few() {
	local tool
	for tool in sh awk cat chmod dirname realpath find grep head id mkdir mktemp mv rm sed sort tail \
		tr uname env; do
		ln -sf "$(command -v $tool)" "$T/few/$tool"
	done
	PATH=$T/bin:$T/few "$@"
}

deps() {
	"$TOP/host/deps.sh" "$@"
}

fetch() {
	"$TOP/host/fetch-kernel.sh" "$@"
}

# Everything is installed, but a QEMU of version $1.
stub_complete() {
	stub dpkg-query 'case "$*" in
	*{Version}*) echo "1:'"$1"'" ;;
	*) shift 3; for name in "$@"; do echo "$name installed"; done ;;
	esac'
}

# package SUITE NAME VERSION DEPENDS FOLDER: add it to the mirror
package() {
	local pool=$T/mirror/pool file index=$T/mirror/dists/$1/main/binary-amd64
	mkdir -p "$pool" "$index" "$5/DEBIAN"
	file=$pool/$2_$3.deb
	printf '%s: %s\n' Package "$2" Version "$3" Architecture amd64 \
		Maintainer 'Nobody <nobody@example.org>' Description 'for a test' \
		Depends "$4" | grep -v ': $' >"$5/DEBIAN/control"
	dpkg-deb --build --root-owner-group -Znone "$5" "$file" >/dev/null
	{
		cat "$5/DEBIAN/control"
		printf 'Filename: pool/%s\nSize: %s\nSHA256: %s\n\n' "${file##*/}" \
			"$(stat -c %s "$file")" "$(sha256sum <"$file" | cut -d' ' -f1)"
	} >>"$index/Packages"
	printf 'Suite: %s\nCodename: %s\nComponents: main\nArchitectures: amd64\nSHA256:\n %s %s %s\n' \
		"$1" "$1" "$(sha256sum <"$index/Packages" | cut -d' ' -f1)" \
		"$(stat -c %s "$index/Packages")" main/binary-amd64/Packages \
		>"$T/mirror/dists/$1/Release"
}

# The mirror is what the user's own sources name.
use_mirror() {
	command -v apt-get >/dev/null || skip 'no apt here'
	[ -n "$RELEASE" ] || skip 'the release has no name'
	printf 'deb [trusted=yes] file:%s/mirror %s main\n' "$T" "$RELEASE" >"$T/sources.list"
	printf 'Dir::Etc::sourcelist "%s";\nDir::Etc::sourceparts "/dev/null";\n' \
		"$T/sources.list" >"$T/apt.conf"
	export APT_CONFIG=$T/apt.conf
}

# kernel_package NAME VERSION RELEASE: an image and modules in one package
kernel_package() {
	mkdir -p "$T/root/boot" "$T/root/lib/modules/$3/kernel"
	echo "$3" >"$T/root/boot/vmlinuz-$3"
	package "$RELEASE" "$1" "$2" '' "$T/root"
	rm -r "$T/root"
}

@test "a complete system is left alone, without asking apt" {
	stub apt-get 'exit 99'
	stub apt-cache 'exit 99'
	stub_complete 9.0
	run deps
	[ "$status" -eq 0 ]
	[ -z "$output" ]
	DEPS=show run deps
	[ "$status" -eq 0 ]
	[ "$output" = 'nothing is missing' ]
}

@test "DEPS=show prints what is missing and the command, and runs neither" {
	stub apt-get 'echo "$@" >>"'"$T"'/called"; exit 99'
	stub apt-cache 'exit 0'
	stub dpkg-query 'echo "gcc installed"; echo "make deinstalled"; exit 1'
	DEPS=show run deps run
	[ "$status" -eq 0 ]
	[[ ${lines[0]} == 'missing: libc6-dev make git musl-tools '* ]]
	[[ ${lines[0]} != *' gcc '* ]]
	[[ ${lines[1]} == 'command: '*'--no-install-recommends install '*' make '* ]]
	[ ! -e "$T/called" ]
}

@test "only the sets that are asked for count" {
	stub apt-cache 'exit 0'
	stub dpkg-query 'exit 1'
	DEPS=show run deps run
	[[ $output != *' bats'* && $output != *' flex'* && $output == *' qemu-system-x86'* ]]
	DEPS=show run deps check kernel
	[[ $output == *' bats'* && $output == *' flex'* && $output != *' qemu-system-x86'* ]]
}

@test "what is missing is installed, after its name and the command are said" {
	stub id 'echo 0'
	stub apt-cache 'exit 0'
	stub dpkg-query '[ -e "'"$T"'/done" ] || exit 1
	case "$*" in
	*{Version}*) echo 1:9.0 ;;
	*) shift 3; for name in "$@"; do echo "$name installed"; done ;;
	esac'
	stub apt-get 'echo "apt-get $DEBIAN_FRONTEND $*"
	case " $* " in *" -s "*) ;; *" install "*) : >"'"$T"'/done" ;; esac'
	run deps run
	[ "$status" -eq 0 ]
	[[ ${lines[0]} == *'installing: gcc '* ]]
	[[ $output == *'running: '*'apt-get -y -q --no-install-recommends install gcc '* ]]
	[[ $output == *'apt-get noninteractive -y -q'* ]]
}

@test "an installation that fails ends with 128" {
	stub id 'echo 0'
	stub apt-cache 'exit 0'
	stub dpkg-query 'exit 1'
	stub apt-get 'exit 100'
	run deps run
	[ "$status" -eq 128 ]
	[[ $output == *'could not be installed'* ]]
}

@test "without root and sudo the command is printed, with 128" {
	stub id 'echo 1000'
	stub apt-get 'exit 99'
	stub apt-cache 'exit 0'
	stub dpkg-query 'exit 1'
	run few deps run
	[ "$status" -eq 128 ]
	[[ $output == *'run as root: sudo env DEBIAN_FRONTEND=noninteractive apt-get'* ]]
}

@test "Fedora's and Arch's packages go by their own names" {
	stub rpm 'exit 1'
	stub dnf 'exit 99'
	DEPS=show run few deps
	[ "$status" -eq 0 ]
	[[ $output == *'dnf -y'*' jansson-devel '*' ShellCheck '* ]]
	rm "$T/bin/dnf"
	stub pacman '[ "$1" = -T ] || exit 99
	shift
	printf "%s\n" "$@"
	exit 127'
	DEPS=show run few deps
	[ "$status" -eq 0 ]
	[[ $output == *'pacman -S --needed'*' jansson '*' bash-bats '* ]]
	[[ $output != *' - '* ]]
}

@test "deps.sh refuses wrong usage with 129, and a strange system with 128" {
	run deps nonsense
	[ "$status" -eq 129 ]
	DEPS=nonsense run deps
	[ "$status" -eq 129 ]
	run few deps
	[ "$status" -eq 128 ]
}

@test "the table of packages has four words a line" {
	[ "$(grep -v '^#' "$TOP/host/packages.def" | awk 'NF && NF != 4' | wc -l)" -eq 0 ]
	[ "$(awk '/^(run|check|kernel) / { print $2 }' "$TOP/host/packages.def" | sort | uniq -d | wc -l)" -eq 0 ]
}

@test "a QEMU that is too old gets a newer one beside it, once" {
	use_mirror
	stub_complete 7.2
	mkdir -p "$T/root/usr/bin"
	printf '#!/bin/sh\necho "$@"\n' >"$T/root/usr/bin/qemu-system-x86_64"
	chmod +x "$T/root/usr/bin/qemu-system-x86_64"
	package "$RELEASE" nothing 1 '' "$T/none"
	package "$RELEASE-backports" qemu-system-x86 99:10.0 '' "$T/root"
	# The firmware comes along even where the system has one of its own.
	mkdir -p "$T/firmware/usr/share/seabios"
	: >"$T/firmware/usr/share/seabios/bios-256k.bin"
	package "$RELEASE-backports" seabios 99:1.16 '' "$T/firmware"
	DEPS=show run deps run
	[[ $output == *'unpacked: a QEMU'* ]]
	run deps run
	[ "$status" -eq 0 ]
	[[ $output == *'unpacking QEMU 99:10.0 from'* ]]
	run "$BUILD/tools/qemu-system-x86_64" -version
	[ "$output" = "-L $BUILD/tools/qemu/usr/share/qemu -L $BUILD/tools/qemu/usr/share/seabios -version" ]
	[ -f "$BUILD/tools/qemu/usr/share/seabios/bios-256k.bin" ]
	[ ! -e "$BUILD/apt/debs" ]
	run deps run
	[ -z "$output" ]
}

@test "no newer QEMU is a note, and is not sought again the same day" {
	use_mirror
	stub_complete 7.2
	package "$RELEASE" qemu-system-x86 99:7.2 '' "$T/none"
	run deps run
	[ "$status" -eq 0 ]
	[[ $output == *'note: deterministic mode has one CPU only'* ]]
	[ ! -e "$BUILD/tools/qemu-system-x86_64" ]
	run deps run
	[ "$status" -eq 0 ]
	[ -z "$output" ]
}

@test "the distribution's own kernel is fetched, then found without a network" {
	use_mirror
	for meta in linux-image-cloud-amd64 linux-image-virtual; do
		package "$RELEASE" "$meta" 6.1.9-1 'linux-image-6.1.0-9-cloud-amd64 (= 6.1.9-1)' "$T/none"
	done
	kernel_package linux-image-6.1.0-9-cloud-amd64 6.1.9-1 6.1.0-9-cloud-amd64
	run fetch
	[ "$status" -eq 0 ]
	at=$BUILD/kernels/linux-image-6.1.0-9-cloud-amd64_6.1.9-1
	[ "${lines[-2]}" = "KERNEL=$at/boot/vmlinuz-6.1.0-9-cloud-amd64" ]
	[ "${lines[-1]}" = "MODULES=$at/lib/modules/6.1.0-9-cloud-amd64" ]
	rm -r "$T/mirror" "$BUILD/apt"
	stub apt-get 'exit 99'
	stub apt-cache 'exit 99'
	run fetch
	[ "$status" -eq 0 ]
	[ "${#lines[@]}" -eq 2 ]
	[ "${lines[0]}" = "KERNEL=$at/boot/vmlinuz-6.1.0-9-cloud-amd64" ]
}

@test "a kernel in several packages is put together" {
	use_mirror
	for meta in linux-image-cloud-amd64 linux-image-virtual; do
		package "$RELEASE" "$meta" 7.2-1 'linux-image-7.2-cloud (= 7.2-1), linux-base (>= 4)' "$T/none"
	done
	package "$RELEASE" linux-image-7.2-cloud 7.2-1 \
		'linux-binary-7.2-cloud (= 7.2-1), linux-modules-7.2-cloud, kmod | other' "$T/none"
	mkdir -p "$T/binary/usr/lib/modules/7.2-cloud" "$T/modules/usr/lib/modules/7.2-cloud/kernel"
	echo kernel >"$T/binary/usr/lib/modules/7.2-cloud/vmlinuz"
	package "$RELEASE" linux-binary-7.2-cloud 7.2-1 '' "$T/binary"
	package "$RELEASE" linux-modules-7.2-cloud 7.2-1 '' "$T/modules"
	run fetch
	[ "$status" -eq 0 ]
	at=$BUILD/kernels/linux-image-7.2-cloud_7.2-1/usr/lib/modules/7.2-cloud
	[ "${lines[-2]}" = "KERNEL=$at/vmlinuz" ]
	[ "${lines[-1]}" = "MODULES=$at" ]
	[ -d "$at/kernel" ]
}

@test "KVER= takes the newest kernel of a series, of the right flavour" {
	use_mirror
	grep -q '^ID=debian' /etc/os-release || skip "the names are Debian's"
	for name in 6.12.9+deb12-cloud-amd64 6.12.10+deb12-cloud-amd64 6.12.10+deb12.1-amd64 \
		6.12.11+deb12-rt-amd64 6.1.0-9-cloud-amd64 6.12.12+deb12-cloud-amd64-unsigned; do
		kernel_package "linux-image-$name" "${name%%-*}-1" "$name"
	done
	KVER=6.12 run fetch
	[[ ${lines[-2]} == KERNEL=*/vmlinuz-6.12.10+deb12-cloud-amd64 ]]
	KVER=6.1 run fetch
	[[ ${lines[-2]} == KERNEL=*/vmlinuz-6.1.0-9-cloud-amd64 ]]
	KVER=6.12 FLAVOUR=generic run fetch
	[[ ${lines[-2]} == KERNEL=*/vmlinuz-6.12.10+deb12.1-amd64 ]]
	KVER=6.12 run fetch --list
	[ "$output" = "$(printf '%s\n' linux-image-6.12.9+deb12-cloud-amd64 linux-image-6.12.10+deb12-cloud-amd64)" ]
	run fetch linux-image-6.12.9+deb12-cloud-amd64
	[[ ${lines[-2]} == KERNEL=*/vmlinuz-6.12.9+deb12-cloud-amd64 ]]
	run fetch "$(echo "$T"/mirror/pool/linux-image-6.1.0-9-cloud*.deb)"
	[[ ${lines[-1]} == KERNEL=*/vmlinuz-6.1.0-9-cloud-amd64 || ${lines[-2]} == KERNEL=*/vmlinuz-6.1.0-9-cloud-amd64 ]]
	run fetch linux-image-none
	[ "$status" -eq 129 ]
	KVER=5.4 run fetch
	[ "$status" -eq 128 ]
	[[ $output == *'no kernel 5.4'* ]]
}

@test "a metapackage of a series goes before a single kernel" {
	use_mirror
	grep -q '^ID=debian' /etc/os-release || skip "the names are Debian's"
	kernel_package linux-image-6.12.9+deb12-cloud-amd64 6.12.9-1 6.12.9+deb12-cloud-amd64
	kernel_package linux-image-6.12.10+deb12-cloud-amd64 6.12.10-1 6.12.10+deb12-cloud-amd64
	package "$RELEASE" linux-image-6.12-cloud-amd64 6.12.9-1 linux-image-6.12.9+deb12-cloud-amd64 "$T/none"
	KVER=6.12 run fetch
	[[ ${lines[-2]} == KERNEL=*/vmlinuz-6.12.9+deb12-cloud-amd64 ]]
}

@test "a mirror out of reach ends with 128, and nothing half is left" {
	use_mirror
	run fetch
	[ "$status" -eq 128 ]
	[[ $output == *'apt cannot fetch its lists'* ]]
	[ "$(find "$BUILD/kernels" -mindepth 1 | wc -l)" -eq 0 ]
}

@test "without apt a host whose kernel is out of reach ends with 128" {
	stub uname 'echo 0.0.0-none'
	run few fetch
	[ "$status" -eq 128 ]
	[[ $output == *'pass KERNEL='* ]]
}

@test "fetch-kernel.sh refuses wrong usage with 129" {
	run fetch --nonsense
	[ "$status" -eq 129 ]
	run fetch "$T"
	[ "$status" -eq 129 ]
	[[ $output == *'no kernel below'* ]]
	run fetch "$T/none.deb"
	[ "$status" -eq 129 ]
	run fetch --list
	[ "$status" -eq 129 ]
	KVER=latest run fetch
	[ "$status" -eq 129 ]
	FLAVOUR=rt run fetch
	[ "$status" -eq 129 ]
}
