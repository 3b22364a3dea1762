// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * run_boot.c - one boot, from the first file of its run directory to the last
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "die.h"
#include "run_boot.h"
#include "slurp.h"
#include "tree.h"

#define ROOM_BYTES (1u << 20)

/*
 * A reader that is slow makes us wait here, and not the guest; Ctrl-C still
 * ends it.  What cannot be written is in records.jsonl.
 */
static int output_error; /* errno of an output that was lost, or 0 */

static void write_output(int fd, const void *bytes, size_t len)
{
	struct pollfd ready = { .fd = fd, .events = POLLOUT };
	const char *at = bytes;

	progress_clear();
	while (len > 0) {
		ssize_t done;

		/* A pipe that is ready takes one record without blocking. */
		while (poll(&ready, 1, 0) == 0)
			if (run_wait(fd, POLLOUT, 1000))
				return;
		done = write(fd, at, len);
		if (done < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (done < 0) {
			/* Who reads only the first lines wants no more. */
			if (errno != EPIPE)
				output_error = errno;
			return;
		}
		at += done;
		len -= (size_t)done;
	}
}

static void set_host_stop(struct boot *b, const char *what, int err)
{
	b->stop = STOP_HOST;
	snprintf(b->detail, sizeof(b->detail), "%s: %s", what, strerror(-err));
}

char *run_lockstep(const struct run_options *o)
{
	return o->deterministic && !o->gdb ? tree_built("host/" RUN_LOCKSTEP)
					   : NULL;
}

/* Makes the files, starts QEMU and accompanies it; sets why it ended. */
static void boot(struct boot *b, uint64_t seed)
{
	struct termios terminal;
	bool restore = b->o->shell && tcgetattr(STDIN_FILENO, &terminal) == 0;
	int err = run_write_replay(b->dir, b->o, seed);
	char *preload;

	if (!err)
		err = follow_create(&b->mirror, b->dir_fd, RUN_MIRROR);
	if (!err)
		err = follow_create(&b->serial, b->dir_fd, RUN_CONSOLE);
	if (err) {
		set_host_stop(b, "write into the run directory", err);
		return;
	}
	b->start_ns = b->news_ns = clock_mono_ns();
	preload = run_lockstep(b->o);
	if (preload && access(preload, R_OK) < 0) {
		err = -errno;
		b->stop = STOP_HOST;
		snprintf(b->detail, sizeof(b->detail),
			 "%s, which QEMU needs in virtual time: %s; run make",
			 preload, strerror(-err));
		free(preload);
		return;
	}
	err = qemu_start(&b->qemu, qemu_argv(b->o->qemu, seed, true), b->dir,
			 b->o->shell, preload);
	free(preload);
	if (err) {
		char *what = xprintf("start %s", b->o->qemu[0]);

		set_host_stop(b, what, err);
		free(what);
		return;
	}
	boot_watch(b);
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
		while (follow_lines(records, boot_line, &fresh) > 0)
			;
		follow_close(records, NULL, NULL);
		/* What was shown came over the mirror alone. */
		if (fresh.output_bytes != b->tally.output_bytes)
			output_error = EIO;
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
		.measured = t->measured,
		.command_status = t->command_status,
		.steps = t->steps,
		.step_count = t->step_count,
		.console = &b->console,
		.detail = b->detail,
		.damage = got->message,
		.fatal = t->fatal,
	};

	outcome_decide(out, &in);
}

/* A command that went well, and whose output went nowhere, did not. */
static void lose_output(struct outcome *out)
{
	if (out->status == STATUS_INTERRUPTED)
		return;
	out->status = STATUS_HOST;
	out->exit_status = STATUS_HOST;
	snprintf(out->message, sizeof(out->message),
		 "write the command's output: %s; what it wrote is in "
		 "records.jsonl",
		 strerror(output_error));
}

static uint64_t since_start_ms(const struct boot *b, uint64_t when_ns)
{
	return when_ns ? (when_ns - b->start_ns) / NS_PER_MS : 0;
}

static void write_json(struct boot *b, struct boot_report *report,
		       const struct collect_result *got, struct outcome *out)
{
	int err;

	report->argv = b->qemu.argv;
	report->kernel = b->tally.kernel;
	report->outcome = out;
	report->command_status = b->tally.command_status;
	report->records_from = collect_word(got->from);
	report->lockstep = b->lockstep;
	report->no_disk = b->no_disk[0] ? b->no_disk : got->disk_note;
	report->qemu_status = b->qemu.ended ? b->qemu.status : -1;
	report->init_ms = since_start_ms(b, b->init_ns);
	report->end_ms = since_start_ms(b, b->end_ns);
	report->total_ms = since_start_ms(b, clock_mono_ns());
	err = run_write_json(b->dir, report);
	if (err && out->status != STATUS_HOST) {
		out->status = STATUS_HOST;
		out->exit_status = STATUS_HOST;
		snprintf(out->message, sizeof(out->message),
			 "write %s/" RUN_JSON ": %s", b->dir, strerror(-err));
	}
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
	if (run_wait(-1, 0, 0))
		b->stop = STOP_SIGNAL;
	decide(b, &got, out);
	if (output_error && o->command)
		lose_output(out);
	write_json(b, &report, &got, out);

	collect_free(&got);
	follow_close(&b->mirror, NULL, NULL);
	follow_close(&b->serial, NULL, NULL);
	tally_free(&b->tally);
	qemu_free(&b->qemu);
	close(b->dir_fd);
	free(b);
}
