/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * charts_trace.h - how long the work of each workqueue waited
 */
#ifndef CHARTS_TRACE_H
#define CHARTS_TRACE_H

#include <stdbool.h>

#include "charts.h"

/**
 * charts_trace() - the waits of one traced step, a row for each workqueue
 * @sides:	the sides, of which CHARTS_SIDES_MAX at most are drawn
 * @step:	the step's name
 *
 * A workqueue's name is the one word of a guest in a script: of its
 * characters only letters, digits and a few more get there.
 *
 * Return: the commands, which the caller frees, or NULL if no complete run has
 *	   a trace of that step.
 */
char *charts_trace(const struct sides *sides, const char *step);

/**
 * charts_trace_steps() - the steps that some complete run has traced
 * @sides:	the sides
 * @count:	where to store how many
 * Return: their names, which live as long as the runs; the caller frees the
 *	   array.
 */
const char **charts_trace_steps(const struct sides *sides, size_t *count);

#endif
