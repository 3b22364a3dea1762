// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * run_boot.c - one boot, from QEMU's start to the last file
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "die.h"
#include "follow.h"
#include "qemu_disk.h"
#include "run.h"
#include "slurp.h"

#define TICK_MS	    50
#define PANIC_NS    (2 * NS_PER_S) /* a panicked guest restarts at once */
#define PROGRESS_S  10		   /* who was heard this long ago is not hung */
#define FLOOD_BYTES (256u << 20)
#define ROOM_BYTES  (1u << 20)

struct boot {
	const struct run_options *o;
	const char *dir;
	int dir_fd;
	bool live;
	struct qemu qemu;
	struct follow mirror, serial;
	struct console console;
	struct tally tally;
	enum run_stop stop;
	char detail[640];  /* of STOP_QEMU and STOP_HOST */
	char no_disk[320]; /* why there is no results disk, or "" */
	bool plugged;
	uint64_t start_ns, init_ns, end_ns; /* 0: not yet */
	uint64_t news_ns, panic_ns;
	uint64_t limit_s; /* the timeout that passed */
	bool progress;
};

static void write_output(int fd, const void *bytes, size_t len)
{
	const char *at = bytes;

	progress_clear();
	while (len > 0) {
		ssize_t done = write(fd, at, len);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return; /* nobody reads it; records.jsonl has it */
		at += done;
		len -= (size_t)done;
	}
}

static void take_mirror(void *context, char *line, size_t len)
{
	tally_line(context, line, len);
}

static void take_console(void *context, char *line, size_t len)
{
	console_line(context, line, len);
}

/* Reads what is new on both channels. Returns how many bytes that was. */
static int64_t read_news(struct boot *b)
{
	uint64_t now_ns = clock_mono_ns();
	int64_t mirror = follow_lines(&b->mirror, take_mirror, &b->tally);
	int64_t serial = follow_lines(&b->serial, take_console, &b->console);

	if (mirror < 0 || serial < 0)
		return 0;
	if (mirror + serial > 0)
		b->news_ns = now_ns;
	if (!b->init_ns && b->tally.run_seen)
		b->init_ns = now_ns;
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

	if (!b->tally.disk)
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

/* Has one of the limits of this boot passed?  Sets why it stops. */
static bool limit_passed(struct boot *b)
{
	const struct run_options *o = b->o;
	uint64_t now_ns = clock_mono_ns();
	uint64_t step_s = b->tally.step_timeout_s * o->factor;
	uint64_t silent_ns = now_ns - b->news_ns;

	if (b->serial.bytes > FLOOD_BYTES || b->mirror.bytes > FLOOD_BYTES)
		return stop(b, STOP_FLOOD, 0);
	if (o->shell || o->gdb)
		return false;
	if (b->panic_ns && now_ns - b->panic_ns > PANIC_NS)
		return stop(b, STOP_PANIC, 0);
	if (!b->tally.run_seen && now_ns - b->start_ns > o->boot_s * NS_PER_S)
		return stop(b, STOP_BOOT_TIMEOUT, o->boot_s);
	if (silent_ns > (o->silence_s + step_s) * NS_PER_S)
		return stop(b, STOP_SILENCE, o->silence_s + step_s);
	if (now_ns - b->start_ns > o->total_s * NS_PER_S) {
		b->progress = silent_ns <
			      (PROGRESS_S * o->factor + step_s) * NS_PER_S;
		return stop(b, STOP_TIMEOUT, o->total_s);
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

/* Accompanies the guest until it ends, or has to be ended. */
static void watch(struct boot *b)
{
	bool plug_tried = false;

	for (;;) {
		bool ended;

		if (run_wait(b->qemu.qmp.fd, TICK_MS)) {
			stop(b, STOP_SIGNAL, 0);
			break;
		}
		ended = qemu_check(&b->qemu);
		read_news(b);
		if (ended) {
			set_qemu_stop(b);
			break;
		}
		if (b->tally.end_seen && !plug_tried) {
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

static void set_host_stop(struct boot *b, const char *what, int err)
{
	b->stop = STOP_HOST;
	snprintf(b->detail, sizeof(b->detail), "%s: %s", what, strerror(-err));
}

/* Makes the files, starts QEMU and accompanies it; sets why it ended. */
static void boot(struct boot *b, uint64_t seed)
{
	struct termios terminal;
	bool restore = b->o->shell && tcgetattr(STDIN_FILENO, &terminal) == 0;
	int err = run_write_replay(b->dir, b->o, seed);

	if (!err)
		err = follow_create(&b->mirror, b->dir_fd, RUN_MIRROR);
	if (!err)
		err = follow_create(&b->serial, b->dir_fd, RUN_CONSOLE);
	if (err) {
		set_host_stop(b, "write into the run directory", err);
		return;
	}
	b->start_ns = b->news_ns = clock_mono_ns();
	err = qemu_start(&b->qemu, qemu_argv(b->o->qemu, seed, true), b->dir,
			 b->o->shell);
	if (err) {
		char *what = xprintf("start %s", b->o->qemu[0]);

		set_host_stop(b, what, err);
		free(what);
		return;
	}
	watch(b);
	if (restore)
		tcsetattr(STDIN_FILENO, TCSANOW, &terminal);
	progress_clear();
}

static bool disk_full(const struct boot *b)
{
	struct statvfs room;

	return fstatvfs(b->dir_fd, &room) == 0 &&
	       (uint64_t)room.f_bavail * room.f_frsize < ROOM_BYTES;
}

/* The collected records instead of what was seen of the mirror. */
static void read_records(struct boot *b)
{
	struct tally fresh = { .command_status = -1 };
	struct follow *records = xalloc(1, sizeof(*records));

	if (follow_open(records, b->dir_fd, RUN_RECORDS) == 0) {
		while (follow_lines(records, take_mirror, &fresh) > 0)
			;
		follow_close(records, NULL, NULL);
		tally_free(&b->tally);
		b->tally = fresh;
	}
	free(records);
}

/* Do two files of the run directory have the same bytes? */
static bool same_bytes(const struct boot *b, const char *one, const char *two)
{
	char *path[2] = { xprintf("%s/%s", b->dir, one),
			  xprintf("%s/%s", b->dir, two) };
	char *bytes[2] = { NULL, NULL };
	size_t len[2];
	bool same;

	same = slurp(path[0], RECORD_STREAM_MAX, &bytes[0], &len[0]) == 0 &&
	       slurp(path[1], RECORD_STREAM_MAX, &bytes[1], &len[1]) == 0 &&
	       len[0] == len[1] && memcmp(bytes[0], bytes[1], len[0]) == 0;
	for (int i = 0; i < 2; i++) {
		free(bytes[i]);
		free(path[i]);
	}
	return same;
}

/* One records.jsonl out of what arrived; nothing that it lacks is removed. */
static void collect(struct boot *b, struct collect_result *got)
{
	enum status status = collect_run(b->dir, got);

	if (status == STATUS_HOST && b->stop != STOP_SIGNAL) {
		b->stop = STOP_HOST;
		snprintf(b->detail, sizeof(b->detail), "%s", got->message);
	}
	if (got->complete)
		read_records(b);
	if (!b->o->keep_disk && (got->spent || !b->plugged))
		unlinkat(b->dir_fd, RUN_DISK, 0);
	if (b->mirror.bytes == 0 ||
	    (!b->o->keep_disk && same_bytes(b, RUN_MIRROR, RUN_RECORDS)))
		unlinkat(b->dir_fd, RUN_MIRROR, 0);
}

static void decide(struct boot *b, const struct collect_result *got,
		   struct outcome *out)
{
	const struct tally *t = &b->tally;
	const struct outcome_input in = {
		.phase = t->end_seen   ? PHASE_END
			 : t->run_seen ? PHASE_STEPS
				       : PHASE_BOOT,
		.stop = b->stop,
		.kvm = b->o->kvm,
		.deterministic = b->o->deterministic,
		.command = b->o->command,
		.interactive = b->o->shell || (b->o->gdb && !got->complete),
		.complete = got->complete,
		.progress = b->progress,
		.disk_full = disk_full(b),
		.may_skip = t->may_skip,
		.limit_s = b->limit_s,
		.asked_steps = t->asked_steps,
		.samples = t->samples,
		.command_status = t->command_status,
		.steps = t->steps,
		.step_count = t->step_count,
		.console = &b->console,
		.detail = b->detail,
		.damage = got->message,
	};

	outcome_decide(out, &in);
}

static uint64_t since_start_ms(const struct boot *b, uint64_t when_ns)
{
	return when_ns ? (when_ns - b->start_ns) / NS_PER_MS : 0;
}

static void write_json(struct boot *b, struct boot_report *report,
		       const struct collect_result *got,
		       const struct outcome *out)
{
	int err;

	report->argv = b->qemu.argv;
	report->kernel = b->tally.kernel;
	report->outcome = out;
	report->command_status = b->tally.command_status;
	report->records_from = collect_word(got->from);
	report->no_disk = b->no_disk[0] ? b->no_disk : got->disk_note;
	report->qemu_status = b->qemu.ended ? b->qemu.status : -1;
	report->init_ms = since_start_ms(b, b->init_ns);
	report->end_ms = since_start_ms(b, b->end_ns);
	report->total_ms = since_start_ms(b, clock_mono_ns());
	err = run_write_json(b->dir, report);
	if (err)
		warn("write %s/" RUN_JSON ": %s", b->dir, strerror(-err));
}

void run_boot(const struct run_options *o, const char *dir, uint64_t seed,
	      bool live, struct outcome *out)
{
	struct boot *b = xalloc(1, sizeof(*b));
	struct boot_report report = { .options = o, .seed = seed };
	struct collect_result got;

	b->o = o;
	b->dir = dir;
	b->live = live;
	b->tally.command_status = -1;
	b->tally.output = live && o->command ? write_output : NULL;
	b->mirror.fd = b->serial.fd = b->qemu.errors_fd = b->qemu.qmp.fd = -1;
	b->dir_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (b->dir_fd < 0)
		die_errno(STATUS_HOST, "open %s", dir);
	report.begin_s = time(NULL);

	boot(b, seed);
	report.qemu_ms = since_start_ms(b, b->start_ns ? clock_mono_ns() : 0);
	collect(b, &got);
	if (b->stop == STOP_FLOOD)
		console_trim(b->dir_fd, RUN_CONSOLE);
	if (run_wait(-1, 0))
		b->stop = STOP_SIGNAL;
	decide(b, &got, out);
	write_json(b, &report, &got, out);

	collect_free(&got);
	follow_close(&b->mirror, NULL, NULL);
	follow_close(&b->serial, NULL, NULL);
	tally_free(&b->tally);
	qemu_free(&b->qemu);
	close(b->dir_fd);
	free(b);
}
