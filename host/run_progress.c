// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * run_progress.c - one line on the terminal that shows where a run is
 *
 * Only on a terminal: in a log, a line that is rewritten is noise.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run.h"

static bool shown;

static bool is_terminal(void)
{
	static int known = -1;
	const char *term = getenv("TERM");

	if (known < 0)
		known = isatty(STDERR_FILENO) && term && strcmp(term, "dumb");
	return known;
}

void progress_show(const char *fmt, ...)
{
	char text[78];
	va_list args;

	if (!is_terminal())
		return;
	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	fprintf(stderr, "\r%s\033[K", text);
	fflush(stderr);
	shown = true;
}

void progress_clear(void)
{
	if (!shown)
		return;
	fputs("\r\033[K", stderr);
	fflush(stderr);
	shown = false;
}
