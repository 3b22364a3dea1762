// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * step.c - the steps of a scenario, one after the other
 */
#include "step.h"

#include "antagonist.h"
#include "clock.h"
#include "console.h"
#include "oom.h"
#include "outcome.h"
#include "probe.h"
#include "records.h"
#include "results.h"
#include "scenario.h"
#include "trace.h"

void step_begin(const struct step *step)
{
	records_step_begin(step, clock_mono_ns());
	console_drain();
	results_flush();
}

void step_end(unsigned int number, const struct step *step,
	      const struct outcome *outcome, uint64_t duration_ns,
	      int exit_status)
{
	const char *verb = step->verb == VERB_START  ? "start "
			   : step->verb == VERB_STOP ? "stop "
						     : "";

	records_step_end(step, outcome, duration_ns, exit_status);
	if (outcome->result == RESULT_PASS)
		console_say("ok %u %s%s", number, verb, step->name);
	else if (outcome->result == RESULT_SKIP)
		console_say("ok %u %s%s # SKIP %s", number, verb, step->name,
			    outcome->reason);
	else
		console_say("not ok %u %s%s # %s: %s", number, verb, step->name,
			    record_results[outcome->result], outcome->reason);
	results_flush();
}

static void run_probe(const struct step *step, uint64_t seed,
		      struct outcome *outcome)
{
	struct probe probe;

	if (probe_start(&probe, step, seed, -1, outcome))
		probe_end(&probe, probe.begin_ns + step->timeout_s * NS_PER_S,
			  outcome);
}

/* Runs a step that loads or measures, if the antagonists are there for it. */
static void run_loaded(size_t index, const struct step *step, uint64_t seed,
		       struct outcome *outcome)
{
	const char *missing = antagonist_missing();

	if (missing) {
		outcome_set(outcome, RESULT_SKIP, CAUSE_ANTAGONIST,
			    "%s is not running", missing);
		return;
	}
	if (step->verb == VERB_START) {
		antagonist_start(index, step, seed, outcome);
		return;
	}
	run_probe(step, seed, outcome);
	missing = antagonist_missing();
	/* What was measured was measured without the load. */
	if (missing && outcome->result == RESULT_PASS)
		outcome_set(outcome, RESULT_FAIL, CAUSE_ANTAGONIST,
			    "%s ended during the step", missing);
}

/* Return: how long the step took; not counted is what its trace takes. */
static uint64_t run_traced(size_t index, const struct step *step, uint64_t seed,
			   struct outcome *outcome)
{
	uint64_t begin_ns, duration_ns;

	if (!trace_start(step, seed, outcome))
		return 0;
	begin_ns = clock_mono_ns();
	run_loaded(index, step, seed, outcome);
	duration_ns = clock_mono_ns() - begin_ns;
	trace_end(step, seed, outcome);
	return duration_ns;
}

static void run_step(size_t index, const struct step *step, uint64_t seed)
{
	/* A reason is as long as a line: keep it off the stack. */
	static struct outcome outcome;
	uint64_t kills = oom_kills(), duration_ns;

	step_begin(step);
	if (step->verb == VERB_STOP) {
		uint64_t begin_ns = clock_mono_ns();

		antagonist_stop(step, &outcome);
		duration_ns = clock_mono_ns() - begin_ns;
	} else {
		duration_ns = run_traced(index, step, seed, &outcome);
	}
	if (oom_kills() > kills)
		oom_outcome(&outcome);
	step_end((unsigned int)index + 1, step, &outcome, duration_ns, -1);
}

void steps_run(const struct scenario *scenario, uint64_t seed)
{
	for (size_t i = 0; i < scenario->count; i++)
		run_step(i, &scenario->steps[i], seed);
}
