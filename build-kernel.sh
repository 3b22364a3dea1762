#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Build a kernel for kverdict out of tree, the same bytes every time.
#
# Merges kernel-configs/base.config and the variants over allnoconfig, checks
# that the finished .config has every line, and builds bzImage.  Standard
# output carries the path of the bzImage and nothing else; the log of make is
# kept in OUT/build.log.
#
# Exit status: 0 built, 125 this tree does not build or lacks an option that
# the scenario needs, 128 a tool is missing or the host is broken, 129 usage.

set -eu

prog=${0##*/}
top=$(dirname -- "$(realpath -- "$0")")
configs=$top/kernel-configs
status=128
scratch=

finish() {
	status=$1
	shift
	[ $# -eq 0 ] || printf '%s: %s\n' "$prog" "$*" >&2
	exit "$status"
}

# A tool that failed under `set -e` must not end as good, bad or skip.
# shellcheck disable=SC2317 # called by the trap
on_exit() {
	[ -z "$scratch" ] || rm -rf "$scratch"
	trap - EXIT
	exit "$status"
}
trap on_exit EXIT
trap 'finish 130' INT TERM HUP

usage() {
	cat <<-EOF
	Usage: $prog [--config FILE] [--scenario NAME|FILE] SRC OUT [VARIANT...]

	  SRC              a kernel source tree; it is only read, and must be clean
	  OUT              the build directory, kept for the next build
	  VARIANT          of kernel-configs/: $(variants)
	  --config FILE    start from this .config instead of allnoconfig and ours;
	                   only what the scenario needs is then checked
	  --scenario NAME  what the kernel must be able to run (default: all probes)
	EOF
}

variants() {
	(cd "$configs" && printf '%s ' *.config) | sed 's/\.config//g; s/base //; s/ $//'
}

# The sections of a fragment that decide whether the kernel can run the
# scenario: the appliance, the variant asked for, the scenario's probes and
# what it traces.
needed_sections() {
	echo appliance
	echo variant
	if [ -z "$scenario" ]; then
		sed -n -e 's/^## \(probe .*\)/\1/p' -e 's/^## \(trace .*\)/\1/p' "$configs/base.config"
	else
		sed -n 's/^[[:blank:]]*probe[[:blank:]]\{1,\}\([a-z0-9_]*\).*/probe \1/p' "$scenario"
		sed -n 's/^[^#]*[[:blank:]]trace=\([a-z0-9_]*\).*/trace \1/p' "$scenario"
	fi
}

# Print "SECTION<TAB>LINE" for every option of a fragment.
options_of() {
	awk '/^## / { section = substr($0, 4) }
	     /^CONFIG_|^# CONFIG_[A-Z0-9_]* is not set/ { print section "\t" $0 }' "$@"
}

known_to_tree() {
	[ -f "$scratch/symbols" ] ||
		find "$src" -name 'Kconfig*' -type f -exec sed -n \
			's/^[[:blank:]]*\(menu\)\{0,1\}config[[:blank:]]\{1,\}\([A-Za-z0-9_]*\).*/\2/p' {} + |
		sort -u >"$scratch/symbols"
	grep -qx "$1" "$scratch/symbols"
}

# check_config FRAGMENT...: compare the finished .config with every line.
check_config() {
	local section line option missing=0

	needed_sections >"$scratch/needed"
	while IFS=$'\t' read -r section line; do
		option=${line#\# }
		option=${option#CONFIG_}
		option=${option%%[= ]*}
		case $line in
		'#'*) ! grep -q "^CONFIG_$option=" "$out/.config" && continue ;;
		*) grep -qx "$line" "$out/.config" && continue
		   [ "$line" = "CONFIG_$option=y" ] && [ -n "$config" ] &&
			grep -qx "CONFIG_$option=m" "$out/.config" && continue ;;
		esac
		if ! known_to_tree "$option"; then
			printf '%s: note: this kernel does not know CONFIG_%s (%s)\n' "$prog" "$option" "$section" >&2
		elif grep -qxF "$section" "$scratch/needed"; then
			printf '%s: the tree dropped "%s", which "%s" needs\n' "$prog" "$line" "$section" >&2
			missing=1
		elif [ -z "$config" ]; then
			printf '%s: note: the tree dropped "%s" (%s)\n' "$prog" "$line" "$section" >&2
		fi
	done < <(options_of "$@" | sort -u)
	[ "$missing" = 0 ] || finish 125 "this tree cannot be configured for the scenario; see the lines above and $out/.config"
}

kernel_make() {
	make -C "$src" O="$out" ARCH=x86_64 KBUILD_BUILD_TIMESTAMP='2020-01-01 00:00:00' \
		KBUILD_BUILD_USER=kverdict KBUILD_BUILD_HOST=kverdict KBUILD_BUILD_VERSION=1 \
		LOCALVERSION= CC="$cc" HOSTCC="$hostcc" "$@"
}

scenario=''
config=''
words=()
while [ $# -gt 0 ]; do
	case $1 in
	--config) [ $# -ge 2 ] || finish 129 '--config needs a file'; config=$2; shift ;;
	--scenario) [ $# -ge 2 ] || finish 129 '--scenario needs a name or a file'; scenario=$2; shift ;;
	-h | --help) usage; finish 0 ;;
	-*) usage >&2; finish 129 "unknown option $1" ;;
	*) words+=("$1") ;;
	esac
	shift
done
[ ${#words[@]} -ge 2 ] || { usage >&2; finish 129 'a source tree and a build directory are needed'; }
src=$(readlink -f -- "${words[0]}") || finish 129 "no such folder: ${words[0]}"
[ -f "$src/scripts/kconfig/merge_config.sh" ] ||
	finish 129 "$src is not a kernel source tree: it has no scripts/kconfig/merge_config.sh"
[ ! -f "$src/.config" ] || finish 129 "$src was built in place: run 'make mrproper' there, or give another tree"
[ -z "$scenario" ] || [ -f "$scenario" ] || scenario=$top/rootfs/scenarios/$scenario.scenario
[ -z "$scenario" ] || [ -f "$scenario" ] || finish 129 "no such scenario: $scenario"
[ -z "$config" ] || [ -r "$config" ] || finish 129 "cannot read $config"

fragments=("$configs/base.config")
for variant in "${words[@]:2}"; do
	[ -f "$configs/$variant.config" ] || finish 129 "no variant is named $variant; there are: $(variants)"
	fragments+=("$configs/$variant.config")
done
for tool in make gcc flex bison bc perl; do
	command -v "$tool" >/dev/null || finish 128 "$tool is missing: run 'make deps'"
done

mkdir -p "${words[1]}" || finish 128 "cannot make ${words[1]}"
out=$(readlink -f -- "${words[1]}")
scratch=$(mktemp -d)
cc=${CC:-gcc} hostcc=${HOSTCC:-gcc}
if command -v ccache >/dev/null; then
	cc="ccache $cc" hostcc="ccache $hostcc"
	# Paths of the build do not make another object of the same source.
	export CCACHE_BASEDIR=$src CCACHE_NOHASHDIR=1
fi

# An unchanged .config keeps its time, so that make does not walk everything.
new=$scratch/config
mkdir "$new"
if [ -n "$config" ]; then
	cp -- "$config" "$new/.config"
	target=olddefconfig
	check=("$configs/base.config")
else
	"$src/scripts/kconfig/merge_config.sh" -m -O "$new" "${fragments[@]}" >"$out/config.log" 2>&1 ||
		finish 128 "cannot merge the configuration; see $out/config.log"
	target=allnoconfig
	check=("${fragments[@]}")
fi
sum=$(cat "$new/.config" - <<<"$target $cc" | sha256sum)
if [ ! -f "$out/.config" ] || [ "$sum" != "$(cat "$out/.config.asked" 2>/dev/null)" ]; then
	if [ "$target" = allnoconfig ]; then
		kernel_make KCONFIG_ALLCONFIG="$new/.config" allnoconfig
	else
		cp "$new/.config" "$out/.config"
		kernel_make olddefconfig
	fi >>"$out/config.log" 2>&1 || finish 125 "this tree cannot be configured; see $out/config.log"
	printf '%s\n' "$sum" >"$out/.config.asked"
fi
check_config "${check[@]}"

kernel_make -j"${JOBS:-$(nproc)}" bzImage >"$out/build.log" 2>&1 ||
	finish 125 "this tree does not build; see $out/build.log"
printf '%s\n' "$out/arch/x86/boot/bzImage"
finish 0
