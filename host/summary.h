/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * summary.h - what was measured, as tables for people
 */
#ifndef SUMMARY_H
#define SUMMARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "die.h"
#include "rundir.h"

#define SUMMARY_WIDTH 100 /* columns at most, as far as names allow */

/**
 * summary_write() - show one run, or pool several
 * @out:	where to
 * @dirs:	run directories and ensemble folders
 * @count:	how many, at least 1
 * @force:	pool what should not be pooled
 *
 * A run without a valid `end` is shown as far as it came, but never pooled.
 *
 * Return: STATUS_GOOD, STATUS_CANNOT_TELL if a run is incomplete, STATUS_HOST
 *	   if they may not be pooled, STATUS_USAGE if one is not there; for the
 *	   last two stderr tells why.
 */
int summary_write(FILE *out, const char *const *dirs, size_t count, bool force);

/**
 * summary_head() - kernel, scenario, guest and host, a line each
 * @out:	where to
 * @run:	the run; for several, the first of them
 */
void summary_head(FILE *out, const struct rundir *run);

/**
 * summary_line() - one line with a label before it
 * @out:	where to
 * @label:	what it is about, "" for one more line of the same
 * @fmt:	the line; what a guest wrote is made harmless here
 */
void summary_line(FILE *out, const char *label, const char *fmt, ...)
	__printf(3, 4);

/**
 * summary_steps() - what was skipped, failed or did not end, notes, shares
 * @out:	where to
 * @s:		the records of a run
 */
void summary_steps(FILE *out, const struct stream *s);

/**
 * summary_kernel() - what the kernel said of its own failure, with a call trace
 * @out:	where to
 * @dir:	the run directory, whose console.log may be missing
 */
void summary_kernel(FILE *out, const char *dir);

/**
 * summary_pool() - several runs of one kernel as one, and apart
 * @out:	where to
 * @runs:	at least two, of which those that are complete count
 */
void summary_pool(FILE *out, const struct runs *runs);

#endif
