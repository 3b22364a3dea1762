/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace.h - a kernel trace around a step that asks for one
 */
#ifndef TRACE_H
#define TRACE_H

#include <stdbool.h>
#include <stdint.h>

struct outcome;
struct step;

/* The program, a probe of /bin/probe, that does the work. */
#define TRACER "trace_workqueue"

/* How long it may take to set up a trace, and again to read it. */
#define TRACE_TIMEOUT_S 60

/**
 * trace_start() - begin the trace of a step, if it has one
 * @step:	the step
 * @seed:	the run's seed
 * @outcome:	on failure: why not
 *
 * No process is left of it.
 *
 * Return: whether the step can be run.
 */
bool trace_start(const struct step *step, uint64_t seed,
		 struct outcome *outcome);

/**
 * trace_end() - end it, and write the `trace` records of the step
 * @step:	the step
 * @seed:	the run's seed
 * @outcome:	of the step; a failure of the trace spoils one that passed
 */
void trace_end(const struct step *step, uint64_t seed, struct outcome *outcome);

#endif
