// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * trace.c - a kernel trace around a step that asks for one
 *
 * Reading tracefs may hang and its text is whatever the kernel says, so
 * `/bin/probe trace_workqueue` does it, with a deadline.
 */
#include "trace.h"

#include <string.h>

#include "clock.h"
#include "outcome.h"
#include "probe.h"
#include "scenario.h"

static void run_tracer(const struct step *traced, const char *params,
		       uint64_t seed, struct outcome *outcome)
{
	static struct step step;
	struct probe probe;

	step.timeout_s = TRACE_TIMEOUT_S;
	strcpy(step.probe, TRACER);
	strcpy(step.name, traced->name);
	strcpy(step.params, params);
	if (probe_start(&probe, &step, seed, -1, outcome))
		probe_end(&probe, probe.begin_ns + TRACE_TIMEOUT_S * NS_PER_S,
			  outcome);
}

bool trace_start(const struct step *step, uint64_t seed,
		 struct outcome *outcome)
{
	if (!step->trace)
		return true;
	run_tracer(step, "action=start", seed, outcome);
	return outcome->result == RESULT_PASS;
}

void trace_end(const struct step *step, uint64_t seed, struct outcome *outcome)
{
	static struct outcome traced;

	if (!step->trace)
		return;
	run_tracer(step, "action=read", seed, &traced);
	if (outcome->result == RESULT_PASS)
		*outcome = traced;
}
