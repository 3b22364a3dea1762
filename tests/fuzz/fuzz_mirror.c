// SPDX-License-Identifier: GPL-2.0-or-later
// sources: host/run_tally.c host/run_base64.c host/run_console.c host/run_outcome.c host/flat.c host/follow.c host/die.c
/*
 * fuzz_mirror.c - no bytes on a serial port may make `kverdict run` misbehave
 *
 * The first byte chooses how the boot stopped; the bytes up to the first 0xff
 * are the mirror, the rest the console.  What holds for every input is
 * asserted.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "follow.h"
#include "run_outcome.h"
#include "run_tally.h"

#define STOPS (STOP_HOST + 1)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint64_t shown;

static void check(bool holds)
{
	if (!holds)
		abort();
}

static void show(int fd, const void *bytes, size_t len)
{
	check(fd == 1 || fd == 2);
	check(bytes && len > 0);
	shown += len;
}

static void take_record(void *tally, char *line, size_t len)
{
	check(line[len] == '\0');
	tally_line(tally, line, len);
}

static void take_console(void *console, char *line, size_t len)
{
	console_line(console, line, len);
}

static void follow(const uint8_t *bytes, size_t size, follow_fn *fn,
		   void *context)
{
	static struct follow f;

	memset(&f, 0, sizeof(f));
	f.fd = memfd_create("port", MFD_CLOEXEC);
	check(f.fd >= 0 && write(f.fd, bytes, size) == (ssize_t)size);
	lseek(f.fd, 0, SEEK_SET);
	while (follow_lines(&f, fn, context) > 0)
		continue;
	check(f.bytes == size);
	follow_close(&f, fn, context);
}

static void check_console(const struct console *c)
{
	check(memchr(c->last, '\0', sizeof(c->last)));
	for (int i = 0; i < MARK_COUNT; i++)
		check((c->count[i] > 0) == (c->first[i][0] != '\0'));
}

/* Whatever was written: an exit status of the table, and one line of text. */
static void check_outcome(const struct tally *t, const struct console *c,
			  uint8_t choice)
{
	struct outcome_input in = {
		.phase = t->end_seen   ? PHASE_END
			 : t->run_seen ? PHASE_STEPS
				       : PHASE_BOOT,
		.stop = (enum run_stop)(choice % STOPS),
		.kvm = choice & 0x10,
		.deterministic = choice & 0x20,
		.command = choice & 0x40,
		.complete = t->end_seen && choice & 0x80,
		.may_skip = t->may_skip,
		.asked_steps = t->asked_steps,
		.samples = t->samples,
		.command_status = t->command_status,
		.steps = t->steps,
		.step_count = t->step_count,
		.console = c,
		.detail = "detail",
		.fatal = t->fatal,
	};
	struct outcome out;

	outcome_decide(&out, &in);
	check(out.message[0] && memchr(out.message, '\0', sizeof(out.message)));
	check(out.status == STATUS_GOOD || out.status == STATUS_BAD ||
	      out.status == STATUS_CANNOT_TELL || out.status == STATUS_HOST ||
	      out.status == STATUS_INTERRUPTED);
	check(out.exit_status == (int)out.status ||
	      (in.command && out.exit_status > 0 && out.exit_status < 125));
	/* A stream without its end is never good. */
	check(in.complete || out.status != STATUS_GOOD);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct console console;
	struct tally tally = { .command_status = -1, .output = show };
	const uint8_t *cut;
	size_t mirror;

	if (size == 0)
		return 0;
	cut = memchr(data + 1, 0xff, size - 1);
	mirror = cut ? (size_t)(cut - data) - 1 : size - 1;
	memset(&console, 0, sizeof(console));
	shown = 0;
	follow(data + 1, mirror, take_record, &tally);
	follow(data + 1 + mirror, size - 1 - mirror, take_console, &console);
	check(shown == tally.output_bytes);
	check_console(&console);
	check_outcome(&tally, &console, data[0]);
	tally_free(&tally);
	return 0;
}
