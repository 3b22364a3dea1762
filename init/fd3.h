/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fd3.h - what a probe writes to descriptor 3, as records
 *
 * Pure: bytes in, records out through a function.  docs/guest.md has the
 * grammar.  It is checked here once, so that no probe can spoil a stream; no
 * value's meaning is known here.
 */
#ifndef FD3_H
#define FD3_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "outcome.h"

#define FD3_LINE_MAX  2048u  /* bytes of a line with its LF */
#define FD3_SHORT_MAX 65536u /* samples of a step in the short form */

/* Where the records go and what they say beside the probe's own words. */
struct fd3_step {
	const char *step;
	const char *probe;
	uint64_t begin_ns; /* `time_ns` of samples in the short form */

	/* What the names of the short form are as metrics: "lower" or
	 * "higher", and a unit or NULL.  Without @better they are none.
	 */
	const char *better, *unit;

	bool tracer; /* `trace` lines are taken, as it writes none that is wrong */

	/* Takes a record; returns false if there is no room for it. */
	bool (*sink)(void *arg, const char *line, size_t len);
	void *arg;
};

/**
 * fd3_parse() - turn what a probe wrote into records
 * @step:	the step it belongs to
 * @text:	what was written; need not be NUL-terminated
 * @len:	bytes of @text
 * @said:	where to store the last `skip` or `fail`, and the first line that
 *		is none of the grammar; records stop before that line
 *
 * Return: false if the sink had no room for a record; those after it are left
 *	   out.
 */
bool fd3_parse(const struct fd3_step *step, const char *text, size_t len,
	       struct statement *said);

#endif
