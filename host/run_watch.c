// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * run_watch.c - a boot from QEMU's start to its end
 *
 * Three things happen meanwhile: both serial files are followed, the results
 * disk is plugged once the last record was seen, and a guest that hangs is
 * ended.
 */
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "clock.h"
#include "qemu_disk.h"
#include "run_boot.h"

#define TICK_MS	    50
#define PANIC_NS    (2 * NS_PER_S) /* a panicked guest restarts at once */
#define PROGRESS_S  10		   /* who was heard this long ago is not hung */
#define FLOOD_BYTES (256u << 20)
#define ASLEEP_NS   (5 * NS_PER_S) /* between two ticks: we did not run */

void boot_line(void *tally, char *line, size_t len)
{
	tally_line(tally, line, len);
}

static void take_console(void *context, char *line, size_t len)
{
	console_line(context, line, len);
}

/*
 * A kernel that hangs as a whole may go on saying so.  Since it said that, it
 * is heard by its records only; a guest without a mirror has no others.
 */
static bool is_heard(struct boot *b, bool mirror, bool serial)
{
	uint64_t stalls = b->console.count[MARK_STALL];

	if (mirror)
		b->stalls = stalls;
	return mirror ||
	       (serial && (!b->tally.run_seen || stalls == b->stalls));
}

/* Reads what is new on both channels. Returns how many bytes that was. */
static int64_t read_news(struct boot *b)
{
	uint64_t now_ns = clock_mono_ns();
	int64_t mirror = follow_lines(&b->mirror, boot_line, &b->tally);
	int64_t serial = follow_lines(&b->serial, take_console, &b->console);

	if (mirror < 0 || serial < 0)
		return 0;
	if (is_heard(b, mirror > 0, serial > 0))
		b->news_ns = now_ns;
	if (!b->init_ns && b->tally.run_seen) {
		b->init_ns = now_ns;
		b->lockstep = qemu_has_mapped(&b->qemu, RUN_LOCKSTEP);
	}
	if (!b->end_ns && b->tally.end_seen)
		b->end_ns = now_ns;
	if (!b->panic_ns &&
	    (b->console.count[MARK_PANIC] || b->console.count[MARK_MEMORY]))
		b->panic_ns = now_ns;
	return mirror + serial;
}

static void plug_disk(struct boot *b)
{
	int err;

	if (!b->tally.disk && !b->console.plug)
		snprintf(b->no_disk, sizeof(b->no_disk),
			 "this guest cannot take a disk");
	else if (!b->o->disk_template)
		snprintf(b->no_disk, sizeof(b->no_disk), "none was asked for");
	else if ((err = qemu_disk_copy(b->o->disk_template, b->dir_fd,
				       RUN_DISK)))
		snprintf(b->no_disk, sizeof(b->no_disk),
			 "copy %s into the run directory: %s",
			 b->o->disk_template, strerror(-err));
	else
		b->plugged = qemu_plug_disk(&b->qemu, RUN_DISK, b->no_disk,
					    sizeof(b->no_disk));
}

static bool stop(struct boot *b, enum run_stop why, uint64_t limit_s)
{
	b->stop = why;
	b->limit_s = limit_s;
	return true;
}

/* A guest whose QEMU does not run is not to blame for its silence. */
static bool time_is_up(struct boot *b, enum run_stop why, uint64_t limit_s)
{
	if (qemu_held(&b->qemu, b->detail, sizeof(b->detail)))
		why = STOP_QEMU;
	return stop(b, why, limit_s);
}

/*
 * What was stopped or suspended with us could not be heard meanwhile, so the
 * time counts for no limit, and the guest gets a new chance to be heard.
 */
static void note_sleep(struct boot *b)
{
	uint64_t now_ns = clock_mono_ns();

	if (now_ns - b->tick_ns > ASLEEP_NS) {
		b->asleep_ns += now_ns - b->tick_ns;
		b->news_ns = now_ns;
	}
	b->tick_ns = now_ns;
}

/* Has one of the limits of this boot passed?  Sets why it stops. */
static bool limit_passed(struct boot *b)
{
	const struct run_options *o = b->o;
	uint64_t now_ns = clock_mono_ns();
	uint64_t awake_ns = now_ns - b->start_ns - b->asleep_ns;
	uint64_t step_s = b->tally.step_timeout_s * o->factor;
	uint64_t silent_ns = now_ns - b->news_ns;

	if (b->serial.bytes > FLOOD_BYTES || b->mirror.bytes > FLOOD_BYTES)
		return stop(b, STOP_FLOOD, 0);
	if (o->shell || o->gdb)
		return false;
	if (b->panic_ns && now_ns - b->panic_ns > PANIC_NS)
		return stop(b, STOP_PANIC, 0);
	if (!b->tally.run_seen && !b->console.init &&
	    awake_ns > o->boot_s * NS_PER_S)
		return time_is_up(b, STOP_BOOT_TIMEOUT, o->boot_s);
	/* Without a mirror nobody knows how long a step may be silent. */
	if ((b->tally.run_seen || !b->console.init) &&
	    silent_ns > (o->silence_s + step_s) * NS_PER_S)
		return time_is_up(b, STOP_SILENCE, o->silence_s + step_s);
	if (awake_ns > o->total_s * NS_PER_S) {
		b->progress = silent_ns <
			      (PROGRESS_S * o->factor + step_s) * NS_PER_S;
		return time_is_up(b, STOP_TIMEOUT, o->total_s);
	}
	return false;
}

static void show_progress(const struct boot *b)
{
	unsigned int s =
		(unsigned int)((clock_mono_ns() - b->start_ns) / NS_PER_S);
	size_t count = b->tally.step_count;

	if (!b->live || b->o->shell)
		return;
	if (b->tally.end_seen)
		progress_show("[%3u s] collecting", s);
	else if (count > 0)
		progress_show("[%3u s] step %zu of %" PRIu64 ": %s", s, count,
			      b->tally.asked_steps,
			      b->tally.steps[count - 1].name);
	else if (b->tally.run_seen)
		progress_show("[%3u s] /init", s);
	else
		progress_show("[%3u s] booting: %s", s, b->console.last);
}

static void set_qemu_stop(struct boot *b)
{
	bool leaves = (b->o->shell || b->o->gdb) && WIFEXITED(b->qemu.status) &&
		      WEXITSTATUS(b->qemu.status) == 0;

	b->stop = STOP_GUEST;
	if (!leaves && qemu_fault(&b->qemu, b->detail, sizeof(b->detail)))
		b->stop = STOP_QEMU;
}

void boot_watch(struct boot *b)
{
	bool plug_tried = false;

	b->tick_ns = b->start_ns;
	for (;;) {
		bool ended;

		if (run_wait(b->qemu.qmp.fd, POLLIN, TICK_MS)) {
			stop(b, STOP_SIGNAL, 0);
			break;
		}
		note_sleep(b);
		ended = qemu_check(&b->qemu);
		read_news(b);
		if (ended) {
			set_qemu_stop(b);
			break;
		}
		if ((b->tally.end_seen || b->console.plug) && !plug_tried) {
			plug_tried = true;
			plug_disk(b);
		}
		if (limit_passed(b))
			break;
		show_progress(b);
	}
	qemu_end(&b->qemu);
	while (read_news(b) > 0)
		;
	follow_close(&b->mirror, NULL, NULL);
	follow_close(&b->serial, take_console, &b->console);
}
