#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Boot many times while things go wrong at random: `make soak`.
#
#   tests/soak.sh [N [SEED]]     N boots (200), another SEED other faults (1)
#
# KERNEL names the kernel; default: the distribution's own.  Each boot of the
# scenario `empty` meets one fault, or none.  It has to end in time, with a
# status that this fault allows, and to leave no process, no socket and no file
# but those of a run directory.  What does not is kept, and named.
#
# Exit status: 0 if nothing was wrong, 1 if something was, 128 no kernel, 129
# wrong usage.

set -u

top=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
cd "$top" || exit 128
BUILD=$(realpath -m -- "${BUILD:-build}")
export BUILD
count=${1:-200} seed=${2:-1}
[[ $count =~ ^[1-9][0-9]{0,8}$ && $seed =~ ^[0-9]{1,9}$ ]] || { echo 'soak.sh: how many boots? tests/soak.sh [N [SEED]]' >&2; exit 129; }
limit_s=300 # far more than a boot takes, on a busy host too
RANDOM=$seed
scratch=$(mktemp -d "${TMPDIR:-/tmp}/kverdict-soak.XXXXXX") || exit 128
small=$scratch/small
printf '%s\n' '# spin - time for a fault' 'probe test_spin ms=2000' >"$scratch/spin.scenario"
wrong=()
hogs=()
declare -A statuses=() longest_of=() boots_of=()
faults=(none none none load full_start full_boot full_init full_collect kill_qemu term_qemu stop_qemu int_run term_run kill_run panic)

clean() {
	[ ${#hogs[@]} -eq 0 ] || kill "${hogs[@]}" 2>/dev/null
	! mountpoint -q "$small" || umount "$small"
	[ ${#wrong[@]} -gt 0 ] || rm -rf "$scratch"
}
trap clean EXIT
trap 'exit 130' HUP INT TERM

if [ -z "${KERNEL:-}" ]; then
	KERNEL=$(host/fetch-kernel.sh 2>/dev/null | sed -n 's/^KERNEL=//p')
	[ -n "$KERNEL" ] || { echo 'soak.sh: no kernel can be had: name one with KERNEL=' >&2; exit 128; }
fi

# allowed FAULT: print the statuses that it may end in.  A fault may come when
# the records are complete, and then it takes nothing away.
allowed() {
	case $1 in
	none) echo 0 ;;
	load) echo 0 125 ;; # too slow here says nothing of the kernel
	panic) echo 125 ;;
	full_* | kill_qemu | term_qemu | stop_qemu) echo 0 128 ;;
	int_run | term_run) echo 0 130 ;;
	kill_run) echo 0 137 ;;
	esac
}

# qemu_of PID: set qemu_pid to the QEMU of a run once it is there.  Return:
# whether it came while the run went on.
qemu_of() {
	while kill -0 "$1" 2>/dev/null; do
		qemu_pid=$(pgrep -P "$1" -f -- '-no-reboot' | head -n 1)
		[ -z "$qemu_pid" ] || return 0
		read -rt 0.02 <> <(:)
	done
	return 1
}

# fill_up FAULT DIR KIB: leave KIB of room beside DIR, once the run in it has
# come as far as the fault says.
fill_up() {
	until case $1 in
		full_start) true ;;
		full_boot) [ -s "$2/console.log" ] ;;
		full_init) [ -s "$2/mirror.jsonl" ] ;;
		full_collect) [ -e "$2/results.img" ] ;;
		esac
	do
		read -rt 0.01 <> <(:)
	done
	head -c "$3K" /dev/zero >"$small/spare"
	head -c 8M /dev/zero >"$small/filler" 2>/dev/null
	: >"$small/spare"
}

# meet FAULT PID DIR: let it happen to the run, at a random moment of a boot.
meet() {
	local delay=$((RANDOM % 3000)) target=$2 signal

	case $1 in
	full_start) return ;;
	full_*) fill_up "$1" "$3" "$room_kib"; return ;;
	kill_qemu) signal=KILL ;;
	term_qemu) signal=TERM ;;
	stop_qemu) signal=STOP ;;
	int_run) signal=INT ;;
	term_run) signal=TERM ;;
	kill_run) signal=KILL ;;
	*) return ;;
	esac
	qemu_of "$2" || return
	case $1 in *_qemu) target=$qemu_pid ;; esac
	read -rt "$((delay / 1000)).$(printf '%03d' $((delay % 1000)))" <> <(:)
	kill "-$signal" "$target" 2>/dev/null
}

# left_over DIR: print what a run that ended left behind and should not have.
left_over() {
	local tries=0 link hidden

	# A QEMU whose run was killed is gone a moment later, and so is what a run
	# beside this one is making.
	while
		link=$(readlink /proc/[0-9]*/cwd | grep -xF -e "$1" -e "$1 (deleted)")
		hidden=$(find "$BUILD/cache" "$BUILD/images" -mindepth 1 -maxdepth 1 -name '.*' -newer "$scratch/begin")
		[ -n "$link$hidden" ]
	do
		tries=$((tries + 1))
		[ "$tries" -lt 200 ] || { printf '%s%s\n' "${link:+process in $link }" "$hidden"; break; }
		read -rt 0.05 <> <(:)
	done
	[ ! -d "$1" ] || find "$1" -mindepth 1 ! \( -type f \( -name run.json -o -name qemu-cmd -o -name console.log \
		-o -name records.jsonl -o -name mirror.jsonl -o -name results.img -o -name summary.txt \) \)
}

# one NUMBER FAULT: a boot that meets a fault.
one() {
	local out=$scratch/run-$1 err=$scratch/err-$1 begin status pid killer watchdog took what
	local args=(--boot-timeout 120) scenario=empty room_kib

	: >"$scratch/begin"
	case $2 in
	full_*)
		mkdir -p "$small"
		mount -t tmpfs -o size=4m tmpfs "$small" 2>/dev/null || {
			echo "soak.sh: a small file system cannot be mounted: no full disk this time" >&2
			return
		}
		out=$small/run
		# Some of them hold a part of what a run writes.
		room_kib=$((RANDOM % 4 * 4))
		# `empty` would end before all is full.
		[ "$2" != full_init ] || scenario=$scratch/spin.scenario
		[ "$2" != full_start ] || fill_up "$2" "$out" "$room_kib"
		;;
	load)
		for _ in 1 2 3; do
			timeout "$limit_s" sh -c 'while :; do :; done' &
			hogs+=($!)
		done
		;;
	stop_qemu) args=(--boot-timeout 5 --silence-timeout 5) ;;
	panic) args+=(--append 'rdinit=/nowhere init=/nowhere') ;;
	esac
	begin=$SECONDS
	env --default-signal=INT ./run-qemu.sh --accel tcg --scenario "$scenario" --out "$out" "${args[@]}" "$KERNEL" \
		>/dev/null 2>"$err" </dev/null &
	pid=$!
	meet "$2" "$pid" "$out" &
	killer=$!
	{
		read -rt "$limit_s" <> <(:)
		kill -KILL "$pid"
	} 2>/dev/null &
	watchdog=$!
	status=0
	wait "$pid" 2>/dev/null || status=$?
	took=$((SECONDS - begin))
	kill "$killer" "$watchdog" 2>/dev/null
	wait "$killer" "$watchdog" 2>/dev/null
	[ ${#hogs[@]} -eq 0 ] || { kill "${hogs[@]}"; wait "${hogs[@]}"; } 2>/dev/null
	hogs=()

	what=$(left_over "$out")
	[ "$took" -lt "$limit_s" ] || what+=" did not end within $limit_s s"
	case " $(allowed "$2") " in
	*" $status "*) ;;
	*) what+=" status $status: $(tail -n 2 "$err" | tr '\n' ' ')" ;;
	esac
	! mountpoint -q "$small" || umount "$small" 2>/dev/null || umount -l "$small"
	boots_of[$2]=$((${boots_of[$2]:-0} + 1))
	statuses[$2:$status]=$((${statuses[$2:$status]:-0} + 1))
	[ "$took" -le "${longest_of[$2]:-0}" ] || longest_of[$2]=$took
	if [ -n "$what" ]; then
		wrong+=("boot $1, $2: $what ($out)")
	else
		rm -rf "$out" "$err"
	fi
}

for ((boot = 1; boot <= count; boot++)); do
	one "$boot" "${faults[RANDOM % ${#faults[@]}]}"
	[ ! -t 2 ] || printf '\r%d of %d, %d wrong ' "$boot" "$count" ${#wrong[@]} >&2
done

printf '%-12s  %5s  %9s  %s\n' fault boots 'longest s' 'exit statuses'
for fault in $(printf '%s\n' "${!boots_of[@]}" | sort); do
	list=''
	for key in $(printf '%s\n' "${!statuses[@]}" | sort); do
		[ "${key%:*}" != "$fault" ] || list+="${key#*:} (${statuses[$key]})  "
	done
	printf '%-12s  %5d  %9d  %s\n' "$fault" "${boots_of[$fault]}" "${longest_of[$fault]:-0}" "$list"
done
for line in "${wrong[@]}"; do
	printf 'WRONG %s\n' "$line"
done
printf '%d boots, %d wrong, seed %d, %d s\n' "$count" ${#wrong[@]} "$seed" "$SECONDS"
[ ${#wrong[@]} -eq 0 ]
