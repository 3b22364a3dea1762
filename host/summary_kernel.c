// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * summary_kernel.c - what the kernel said about its own failure
 *
 * The call trace is what a developer wants first, so it stands in the summary.
 * It comes from the console, which has no checksum: it is shown, and decides
 * nothing.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "follow.h"
#include "run_console.h"
#include "summary.h"

#define CONSOLE	  "console.log"
#define LINES_MAX 60 /* an oops of 6.12 with modules has 50 */
#define TRACE_END "---[ end "

/* The worst first; the traces of the first few are worth their lines. */
static const enum console_mark by_weight[] = {
	MARK_OOPS,  MARK_MEMORY, MARK_PANIC,  MARK_STALL,
	MARK_CLOCK, MARK_WARN,	 MARK_UNPACK, MARK_OOM,
};

#define MARKS  (sizeof(by_weight) / sizeof(by_weight[0]))
#define TRACES 4u

struct reader {
	struct console console;
	size_t taking; /* whose trace the next line is of; TRACES: nobody's */
	size_t count[TRACES];
	char *line[TRACES][LINES_MAX];
};

/* Not all that stands on a console is UTF-8, as a summary is. */
static char *ascii(const char *line)
{
	char *text = xprintf("%s", line);
	size_t len = strlen(text);

	for (char *c = text; *c; c++)
		if ((unsigned char)*c >= 0x80)
			*c = '?';
	while (len > 0 && strchr("\r ", text[len - 1]))
		text[--len] = '\0';
	return text;
}

static void take_line(void *context, char *line, size_t len)
{
	struct reader *r = context;
	const char *text = console_text(line);
	bool seen[TRACES];

	for (size_t i = 0; i < TRACES; i++)
		seen[i] = r->console.count[by_weight[i]];
	console_line(&r->console, line, len);
	for (size_t i = 0; i < r->taking; i++)
		if (!seen[i] && r->console.count[by_weight[i]])
			r->taking = i;
	if (r->taking == TRACES)
		return;
	r->line[r->taking][r->count[r->taking]++] = ascii(text);
	if (r->count[r->taking] == LINES_MAX ||
	    !strncmp(text, TRACE_END, strlen(TRACE_END)))
		r->taking = TRACES;
}

static void show(FILE *out, struct reader *r)
{
	bool traced = false;

	for (size_t i = 0; i < MARKS; i++) {
		uint64_t count = r->console.count[by_weight[i]];
		char *first;

		if (!count)
			continue;
		first = ascii(r->console.first[by_weight[i]]);
		if (count > 1)
			summary_line(out, "kernel", "%s (%" PRIu64 " such)",
				     first, count);
		else
			summary_line(out, "kernel", "%s", first);
		free(first);
		for (size_t k = 1; i < TRACES && !traced && k < r->count[i];
		     k++)
			summary_line(out, "", "%s", r->line[i][k]);
		traced |= i < TRACES;
	}
}

void summary_kernel(FILE *out, const char *dir)
{
	struct reader *r = xalloc(1, sizeof(*r));
	struct follow *file = xalloc(1, sizeof(*file));
	int dir_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	r->taking = TRACES;
	if (dir_fd >= 0 && follow_open(file, dir_fd, CONSOLE) == 0) {
		while (follow_lines(file, take_line, r) > 0)
			continue;
		follow_close(file, take_line, r);
		show(out, r);
	}
	if (dir_fd >= 0)
		close(dir_fd);
	for (size_t i = 0; i < TRACES; i++)
		for (size_t k = 0; k < r->count[i]; k++)
			free(r->line[i][k]);
	free(file);
	free(r);
}
