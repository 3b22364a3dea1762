#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# run-qemu.sh - boot a Linux kernel once, measure it, say how it went
#
# Finds what a boot needs, writes QEMU's command line, and hands over to
# `kverdict run`, which accompanies QEMU and writes the run directory.
#
# Output:  the summary on standard output (with a COMMAND, what it wrote), the
#          rest on standard error, whose last line is "run: DIRECTORY"
# Status:  as docs/exit-status.md says; 129 is wrong usage

set -eu

prog=${0##*/}
self=$(realpath -- "$0")
top=${self%/*}
build=${BUILD:-$top/build}
case $build in /*) ;; *) build=$PWD/$build ;; esac
LC_ALL=C
export LC_ALL
shopt -s execfail

scenario='' modules='' accel=auto seed=1 seeds='' smp='' mem='' append=''
out='' kernel='' command='' scratch='' purpose=''
deterministic=false verify=false shell=false gdb=false dry_run=false force=false
has_command=false given_seed=false pvh=true added_sha256=''
add=()  # what --add names
pass=() # options for `kverdict run` as they are

usage() {
	cat <<-EOF
	Usage: $prog [option...] KERNEL [-- COMMAND...]

	Boot KERNEL (a bzImage, or the vmlinux taken from one) in QEMU, run a scenario
	or a COMMAND (of busybox sh) in it, and collect what was measured.

	  --scenario NAME|FILE  what to run (default): a NAME of rootfs/scenarios, or a
	                        NAME.scenario of your own
	  --add FILE[:PATH]     bring FILE into the guest, as PATH (/add/NAME); may be
	                        repeated; docs/your-own-test.md
	  --modules DIR         the kernel's modules, a lib/modules/RELEASE; found alone if
	                        they lie beside KERNEL as in its package
	  --accel auto|kvm|tcg  real time; auto takes KVM if a guest really runs under it
	  --deterministic       virtual time: the same records, bit for bit, on any host
	  --seed N              another interleaving, just as exact ($seed)
	  --seeds A-B           an ensemble, one boot a seed; --jobs N of them at once (1)
	  --verify              boot twice, say whether the records are identical
	  --smp N, --mem MIB    size of the guest (2 and 1024, or what the scenario says)
	  --timeout S           the whole run, in seconds of this host (600 or what the
	                        scenario needs; 3 times that with TCG, 6 times with
	                        --deterministic)
	  --boot-timeout S      until /init is reached (60, times the same)
	  --silence-timeout S   without a sign of life beyond a step's own deadline (120,
	                        times the same)
	  --append "ARGS"       more kernel parameters
	  --no-pvh              boot the bzImage as it is, not the vmlinux inside it
	  --out DIR             the run directory; must not exist (results/TIME-SCENARIO-...)
	  --keep-disk           keep both copies of the records, results.img and mirror.jsonl
	  --shell               a shell in the guest on this terminal
	  --gdb                 wait for gdb on port 1234
	  --dry-run             print QEMU's command line, boot nothing
	  --force               go on where a doubtful combination is refused

	Variables: QEMU, the program to run (default: the one that make deps unpacked, else
	qemu-system-x86_64); BUILD, what make built ($build)
	EOF
}

say() {
	printf '%s: %s\n' "$prog" "$*" >&2 || :
}

# leave STATUS: the only way out with a status of our own.
leave() {
	purpose=yes
	exit "$1"
}

die() {
	say "$*"
	leave 128
}

bad_usage() {
	say "$*: see $prog --help"
	leave 129
}

# A status that nobody set on purpose is ours, and not the kernel's.
finish() {
	local status=$?
	trap - EXIT
	[ -z "$scratch" ] || rm -rf -- "$scratch"
	[ -n "$purpose" ] || [ "$status" -eq 0 ] || [ "$status" -eq 128 ] || {
		say "stopped by a tool that ended with status $status"
		status=128
	}
	exit "$status"
}

# run_ours PROGRAM...: one of ours, which says itself what is wrong.
run_ours() {
	local status=0
	"$@" || status=$?
	case $status in
	0) ;;
	128 | 129 | 130) leave "$status" ;;
	*) die "$1 ended with status $status" ;;
	esac
}

need_number() {
	case $2 in
	'' | *[!0-9]* | 0?* | ?????????*) bad_usage "$1 $2: not a number without leading zeros" ;;
	esac
	if [ "$2" -lt "$3" ] || [ "$2" -gt "$4" ]; then
		bad_usage "$1 $2: not within $3 to $4"
	fi
}

parse_options() {
	while [ $# -gt 0 ]; do
		case $1 in
		--help | -h) usage; leave 0 ;;
		--deterministic) deterministic=true ;;
		--verify) verify=true pass+=("$1") ;;
		--keep-disk) pass+=("$1") ;;
		--shell) shell=true pass+=("$1") ;;
		--gdb) gdb=true pass+=("$1") ;;
		--dry-run) dry_run=true pass+=("$1") ;;
		--no-pvh) pvh=false ;;
		--force) force=true ;;
		--)
			shift
			has_command=true command=$*
			return
			;;
		--scenario | --add | --modules | --accel | --seed | --seeds | --jobs | \
			--smp | --mem | --timeout | --boot-timeout | \
			--silence-timeout | --append | --out)
			[ $# -ge 2 ] || bad_usage "$1 needs a value"
			parse_value "$1" "$2"
			shift
			;;
		--*=*) bad_usage "$1: give an option and its value as two words" ;;
		-*) bad_usage "there is no option $1" ;;
		*)
			[ -z "$kernel" ] || bad_usage "more than one kernel: $kernel and $1"
			kernel=$1
			[ -n "$kernel" ] || bad_usage 'the kernel has an empty name'
			;;
		esac
		shift
	done
}

parse_value() {
	[ -n "$2" ] || [ "$1" = --append ] || bad_usage "$1 has an empty value"
	case $1 in
	--scenario) scenario=$2 ;;
	--add) add+=("$2") ;;
	--modules) modules=$2 ;;
	--accel) accel=$2 ;;
	--seed) seed=$2 given_seed=true ;;
	--seeds) seeds=$2 ;;
	--smp) need_number "$1" "$2" 1 64; smp=$2 ;;
	--mem) need_number "$1" "$2" 128 65536; mem=$2 ;;
	--append) append=$2 ;;
	--out) out=$2 ;;
	*) pass+=("$1" "$2") ;;
	esac
}

check_options() {
	[ -n "$kernel" ] || bad_usage 'no kernel is given'
	! $has_command || [ -n "$command" ] || bad_usage 'no command follows --'
	case $accel in
	auto | tcg) ;;
	kvm) ! $deterministic || bad_usage '--deterministic needs TCG, not --accel kvm' ;;
	*) bad_usage "--accel $accel: not auto, kvm or tcg" ;;
	esac
	if [ -n "$seeds" ] || $verify; then
		$deterministic || bad_usage '--seeds and --verify need --deterministic: in real time no two boots are equal'
		if $has_command || $shell || $gdb; then
			bad_usage '--seeds and --verify boot a scenario, not a command, a shell or for gdb'
		fi
	fi
	[ -z "$seeds" ] || { ! $verify && ! $given_seed; } ||
		bad_usage 'give one of --seed, --seeds and --verify'
	! $has_command && ! $shell || [ -z "$scenario" ] ||
		bad_usage '--scenario goes with neither a command nor --shell, which run in its place'
	! $shell || [ -t 0 ] || bad_usage '--shell needs a terminal: its standard input is none'
	case " $append" in
	*[[:space:]]kv.*) bad_usage '--append: the kv.* parameters are set by options, see --seed, --deterministic and --scenario' ;;
	esac
	! $shell || { ! $has_command && ! $gdb && ! $deterministic; } ||
		bad_usage '--shell goes with neither a command, --gdb nor --deterministic'
	[ -z "$out" ] || { [ ! -e "$out" ] && [ ! -L "$out" ]; } ||
		bad_usage "--out $out: it exists, and a run directory is never used twice"
}

find_programs() {
	if [ ! -x "$build/host/kverdict" ] || [ ! -x "$build/guest/init" ] ||
		[ ! -x "$build/guest/probe" ] || { $deterministic && [ ! -e "$build/host/lockstep.so" ]; }; then
		command -v make >/dev/null || die "$build is not built: install make, then run make deps"
		mkdir -p -- "$build" || die "$build cannot be made"
		# Of several first runs at once, one builds.
		flock "$build/.lock" make -s -C "$top" BUILD="$build" guest host >&2 ||
			die "the programs cannot be built: run make deps"
	fi
	build=$(CDPATH='' cd -- "$build" && pwd)
	kverdict=$build/host/kverdict
	cache=$build/cache
	mkdir -p -- "$cache" || die "$cache cannot be made"
	scratch=$(mktemp -d "$cache/.XXXXXX") || die "$cache cannot be written: make it yours, or choose another folder with BUILD="
}

# Set $qemu to the program's path, $qemu_version and $qemu_number (8.1 is 801).
find_qemu() {
	local name=${QEMU:-} first major minor
	if [ -z "$name" ]; then
		name=$build/tools/qemu-system-x86_64
		[ -x "$name" ] || name='qemu-system-x86_64'
	fi
	qemu=$(command -v -- "$name") || die "there is no $name: run make deps, or name a QEMU with QEMU="
	qemu=$(realpath -s -- "$qemu")
	first=$("$qemu" --version 2>&1 | head -n 1) || :
	qemu_version=${first#QEMU emulator version }
	[ "$qemu_version" != "$first" ] || die "$qemu is no QEMU: it says \"$first\""
	IFS=. read -r major minor _ <<<"$qemu_version"
	case $major$minor in
	*[!0-9]*) die "$qemu has an unknown version: $qemu_version" ;;
	esac
	qemu_number=$((major * 100 + minor))
	firmware_sha256=$(firmware | sha256sum)
	firmware_sha256=${firmware_sha256%% *}
}

# The firmware is guest code that runs first, and comes from packages of its
# own: print what this QEMU would load.
firmware() {
	local name dir
	for name in bios-256k.bin pvh.bin linuxboot_dma.bin kvmvapic.bin; do
		"$qemu" -L help | while IFS= read -r dir; do
			[ ! -f "$dir/$name" ] || { cat -- "$dir/$name"; break; }
		done
	done
}

sha256() {
	local sum
	sum=$(sha256sum <"$1") || die "$1 cannot be read"
	printf '%s\n' "${sum%% *}"
}

# prune KEEP PATTERN...: remove all but the newest files of the cache.
prune() {
	local keep=$1 file
	shift
	# shellcheck disable=SC2012 # all names in the cache are ours
	ls -t -- "$@" 2>/dev/null | tail -n "+$((keep + 1))" | while IFS= read -r file; do
		rm -f -- "$file"
	done
}

# Set $release, and $booted to what QEMU gets: the vmlinux inside, if it boots
# by PVH, because then the guest has nothing to unpack.
identify_kernel() {
	local info fact boot=bzimage reason='' type=''
	run_ours "$kverdict" kernel "$kernel" >/dev/null
	kernel=$(realpath -s -- "$kernel")
	kernel_sha256=$(sha256 "$kernel")
	info=$cache/$kernel_sha256.info
	if [ ! "$info" -nt "$kverdict" ] ||
		{ grep -q '^sha256=' "$info" && [ ! -e "${info%.info}.vmlinux" ]; }; then
		run_ours "$kverdict" kernel "$kernel" --vmlinux "$scratch/vmlinux" >"$scratch/info"
		if [ -e "$scratch/vmlinux" ]; then
			printf 'sha256=%s\n' "$(sha256 "$scratch/vmlinux")" >>"$scratch/info"
			mv -- "$scratch/vmlinux" "${info%.info}.vmlinux"
		fi
		mv -- "$scratch/info" "$info"
	fi
	release=unknown booted=$kernel booted_sha256=$kernel_sha256
	while IFS= read -r fact; do
		case $fact in
		type=*) type=${fact#*=} ;;
		release=*) release=${fact#*=} ;;
		boot=*) boot=${fact#*=} ;;
		reason=*) reason=${fact#*=} ;;
		sha256=*) ! $pvh || booted_sha256=${fact#*=} ;;
		esac
	done <"$info"
	if $pvh && [ "$type$boot" = bzImagepvh ]; then
		booted=${info%.info}.vmlinux
		touch -c -- "$booted"
		prune 16 "$cache"/*.vmlinux
	fi
	say "kernel $release, $type${reason:+, which unpacks itself: $reason}"
}

# The modules of a package lie beside its kernel; so do those of /boot.
find_modules() {
	local dir=${kernel%/*} real candidate
	if [ -n "$modules" ]; then
		[ -d "$modules" ] || bad_usage "--modules $modules: there is no such folder"
		modules=$(realpath -- "$modules")
		[ "${modules##*/}" = "$release" ] || [ "$release" = unknown ] || $force ||
			bad_usage "--modules $modules: its name says that it is not for kernel $release (--force takes it)"
		return
	fi
	real=$(realpath -- "$kernel")
	real=${real%/*}
	for candidate in "$dir" "$dir/../lib/modules/$release" "$dir/../usr/lib/modules/$release" \
		"$real/../lib/modules/$release" "$real/../usr/lib/modules/$release"; do
		if [ "$(basename -- "$candidate")" = "$release" ] && [ -d "$candidate/kernel" ]; then
			modules=$(realpath -- "$candidate")
			say "modules $modules"
			return
		fi
	done
	say "no modules of $release lie beside the kernel: what is not built in is missing (--modules DIR gives them)"
}

choose_accel() {
	local why
	if $deterministic; then
		accel=tcg
	elif [ "$accel" != tcg ]; then
		if why=$("$kverdict" kvm-check --cache "$cache"); then
			accel=kvm
		elif [ "$accel" = kvm ]; then
			die "$why"
		else
			accel=tcg
		fi
		say "${accel^^}: $why"
	fi
}

# After init has said which line is wrong.
bad_scenario() {
	say "docs/scenario-format.md has the grammar (build/host/kverdict help scenario-format)"
	leave 129
}

# Set $scratch/added to the list of what is brought along.
find_added() {
	: >"$scratch/added"
	[ ${#add[@]} -gt 0 ] || return 0
	run_ours "$top/host/add-files.sh" list "${add[@]}" >"$scratch/added"
	added_sha256=$("$top/host/add-files.sh" hash "${add[@]}")
}

# The guest has it twice while it unpacks.
check_added_size() {
	local kind file rest bytes=0 kib
	while read -r kind _ rest; do
		[ "$kind" = file ] || continue
		file=${rest% * 0 0}
		bytes=$((bytes + $(stat -c %s -- "$file")))
	done <"$scratch/added"
	kib=$((bytes / 1024))
	[ "$kib" -le $((mem * 1024 / 3)) ] ||
		bad_usage "--add: $((kib / 1024)) MiB are too much for a guest of $mem MiB: give it more with --mem"
}

# need_added NAME: a step runs the program /add/NAME.
need_added() {
	grep -q "^file /add/$1 " "$scratch/added" ||
		bad_usage "--scenario $scenario: exec $1 runs /add/$1, and no --add brings a file of this name"
}

# Set $scenario_file, $scenario to its name, and the guest's size.
check_scenario() {
	local facts fact
	own_scenario=false scenario_file='' scenario_timeout=0
	if ! $has_command && ! $shell; then
		case ${scenario:=default} in
		*/* | *.scenario) own_scenario=true scenario_file=$scenario ;;
		*) scenario_file=$top/rootfs/scenarios/$scenario.scenario ;;
		esac
		[ -f "$scenario_file" ] || bad_usage "--scenario $scenario: there is no file $scenario_file"
		"$build/guest/init" --check "$scenario_file" "$build/guest/probe" >"$scratch/facts" || {
			[ $? -ne 129 ] || bad_scenario
			die "$scenario_file cannot be checked"
		}
		read -r -a facts <"$scratch/facts"
		for fact in "${facts[@]}"; do
			case $fact in
			exec=*) need_added "${fact#*=}" ;;
			name=*) scenario=${fact#*=} ;;
			smp=*) smp=${smp:-${fact#*=}} ;;
			mem_mib=*) mem=${mem:-${fact#*=}} ;;
			timeout_s=*) scenario_timeout=${fact#*=} ;;
			esac
		done
	fi
	# 0: the scenario does not say.
	[ "${smp:-0}" -gt 0 ] || smp=2
	[ "${mem:-0}" -gt 0 ] || mem=1024
	check_added_size
}

check_cpus() {
	if $deterministic && [ "$smp" -gt 1 ] && [ "$qemu_number" -lt 801 ] && ! $force; then
		die "QEMU $qemu_version lets a CPU starve in deterministic mode with more than one: use --smp 1, or QEMU 8.1 or later (make deps unpacks one, QEMU= names one)"
	fi
	[ "$accel" != kvm ] && ! $deterministic || return 0
	# What runs at this moment, less this shell: other guests, a build.
	local cpus busy=1
	cpus=$(nproc)
	IFS=' /' read -r _ _ _ busy _ </proc/loadavg || :
	busy=$((busy - 1))
	[ "$((smp + busy))" -le "$cpus" ] ||
		say "note: $smp guest CPUs and $busy busy tasks share $cpus CPUs of this host, which distorts what is measured in real time"
}

# Print the parameters that make the TSC the guest's clock, where its frequency
# is known: an emulated guest that must calibrate it on a busy host may be wrong
# by a factor.  On virtual time it counts nanoseconds.  Kernels before 5.8 do not
# take the frequency, so in real time they keep the HPET, slow and right.
clock_parameters() {
	local khz major minor
	if $deterministic; then
		printf 'tsc=reliable tsc_early_khz=1000000 '
		return
	fi
	[ "$accel" = tcg ] || return 0
	# On a busy host too few timer interrupts arrive while the kernel looks
	# whether any do, and it panics: "IO-APIC + timer doesn't work!"
	printf 'no_timer_check '
	IFS=.- read -r major minor _ <<<"$release"
	case $major$minor in
	*[!0-9]* | '') ;;
	*) [ "$major" -gt 5 ] || { [ "$major" -eq 5 ] && [ "$minor" -ge 8 ]; } || return 0 ;;
	esac
	khz=$("$build/host/kverdict" tsc-khz 2>/dev/null) || return 0
	printf 'tsc=reliable tsc_early_khz=%s ' "$khz"
}

# Set $initrd to the image with the archive of this run behind it, and
# $cmdline.  Nothing of this one run, no date, name or path, may get into
# either: every byte in guest memory decides the interleaving.
make_image() {
	local mode=realtime task=scenario parameters image
	local -a args=(--second "$scratch/second")
	! $deterministic || mode=deterministic
	! $has_command || { task='command'; args+=(--command "$command"); }
	! $shell || task=shell
	! $own_scenario || args+=(--scenario "$scenario_file" --name "$scenario")
	[ -z "$modules" ] || args+=(--modules "$modules")
	[ ! -s "$scratch/added" ] || args+=(--more "$scratch/added")
	disk=$build/images/results-disk.img
	[ "$disk" -nt "$top/mkimage.sh" ] || args+=(--disk "$scratch/disk")
	parameters="${scenario:+kv.scenario=$scenario }kv.mode=$mode kv.task=$task"
	! $shell || parameters+=' kv.disk=0'
	run_ours env BUILD="$build" "$top/mkimage.sh" "${args[@]}" --cmdline "$parameters" >"$scratch/image"
	image=$(<"$scratch/image")
	[ ! -e "$scratch/disk" ] || mv -- "$scratch/disk" "$disk"

	image_sha256=$(sha256 "$image")
	cat -- "$image" "$scratch/second" >"$scratch/initrd" || die "$cache has no room for the image"
	initrd_sha256=$(sha256 "$scratch/initrd")
	initrd=$cache/$initrd_sha256.initrd
	mv -- "$scratch/initrd" "$initrd"
	prune 64 "$cache"/*.initrd

	# Self-tests of the kernel's ciphers measure nothing, and take an emulated
	# CPU most of a second.
	cmdline="console=ttyS0 panic=-1 $(clock_parameters)nokaslr norandmaps random.trust_cpu=off"
	cmdline+=" random.trust_bootloader=off cryptomgr.notests"
	cmdline+=" initcall_blacklist=crypto_kdf108_init $parameters kv.seed=@SEED@${append:+ $append}"
	# The kernel cuts a longer one without a word; a seed has up to 19 digits.
	[ $((${#cmdline} + 13)) -le 2047 ] ||
		bad_usage "--append: $((${#cmdline} + 13 - 2047)) bytes too many for the kernel's command line"
}

# Paths are relative to the run directory, where QEMU runs.
make_qemu_command() {
	argv=("$qemu" -machine pc -nodefaults -no-user-config -display none -no-reboot)
	if [ "$accel" = kvm ]; then
		argv+=(-accel kvm -cpu host)
	elif $deterministic; then
		argv+=(-accel 'tcg,thread=single' -icount 'shift=2,sleep=off'
			-rtc 'base=2020-01-01,clock=vm' -cpu 'max,-rdrand,-rdseed' -seed @SEED@)
	else
		argv+=(-accel tcg -cpu max)
	fi
	argv+=(-smp "$smp" -m "$mem" -kernel "$booted" -initrd "$initrd" -append "$cmdline")
	if $shell; then
		argv+=(-chardev 'stdio,id=console,mux=on,signal=off,logfile=console.log' -serial chardev:console)
	else
		argv+=(-serial file:console.log)
	fi
	argv+=(-serial file:mirror.jsonl)
	! $gdb || argv+=(-gdb tcp:127.0.0.1:1234 -S)
}

hand_over() {
	local name=$scenario
	! $has_command || name='command'
	! $shell || name=shell
	if [ -z "$out" ]; then
		$dry_run || mkdir -p -- "$top/results"
		out=$top/results/$(date +%Y%m%d-%H%M%S)-$name-$release
		pass+=(--unique)
	fi
	pass+=(--dir "$out" --scenario-timeout "$scenario_timeout"
		--disk-template "$disk" --number "smp=$smp" --number "mem_mib=$mem"
		--fact "kernel_path=$kernel" --fact "kernel_sha256=$kernel_sha256" --fact "kernel_release=$release"
		--fact "booted_file=$booted" --fact "booted_sha256=$booted_sha256" --fact "modules=$modules"
		--fact "image_sha256=$image_sha256" --fact "initrd_file=$initrd" --fact "initrd_sha256=$initrd_sha256"
		--fact "qemu_version=$qemu_version" --fact "firmware_sha256=$firmware_sha256" --fact "scenario=$name"
		--fact "commit=$(git --git-dir="$top/.git" --work-tree="$top" -C "$top" describe --always --dirty --abbrev=40 --exclude='*' 2>/dev/null || echo unknown)")
	if [ -n "$seeds" ]; then pass+=(--seeds "$seeds"); else pass+=(--seed "$seed"); fi
	$shell || pass+=(--fact "disk_file=$disk")
	[ -z "$scenario_file" ] || pass+=(--scenario-file "$scenario_file")
	[ -z "$added_sha256" ] || pass+=(--fact "added_sha256=$added_sha256")
	[ "$accel" != kvm ] || pass+=(--kvm)
	! $deterministic || pass+=(--deterministic)
	! $has_command || pass+=(--command --fact "command=$command")
	! $shell || say 'leave the shell with exit, or end the guest with Ctrl-A x'
	! $gdb || say "waiting: gdb vmlinux -ex 'target remote :1234' (the vmlinux of the kernel's build, with its symbols)"
	rm -rf -- "$scratch"
	scratch=''
	exec "$kverdict" run "${pass[@]}" -- "${argv[@]}"
}

trap finish EXIT
trap 'leave 130' HUP INT TERM

parse_options "$@"
check_options
find_programs
find_qemu
identify_kernel
find_modules
choose_accel
find_added
check_scenario
check_cpus
make_image
make_qemu_command
hand_over
