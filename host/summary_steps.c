// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * summary_steps.c - what became of the steps, beside their values
 */
#include <inttypes.h>
#include <string.h>

#include "summary.h"
#include "units.h"

static const char *const labels[] = {
	[RESULT_FAIL] = "failed",	[RESULT_SKIP] = "skipped",
	[RESULT_TIMEOUT] = "timed out", [RESULT_CRASH] = "crashed",
	[RESULT_NONE] = "not ended",
};

/* `start hog` where the name alone would not tell which step it was. */
static const char *verb_before(const struct stream_step *step)
{
	return step->verb == VERB_START	 ? "start "
	       : step->verb == VERB_STOP ? "stop "
					 : "";
}

static void result_lines(FILE *out, const struct stream *s)
{
	for (size_t i = 0; i < s->step_count; i++) {
		const struct stream_step *step = &s->steps[i];

		if (step->result == RESULT_PASS)
			continue;
		if (step->result == RESULT_NONE)
			summary_line(out, labels[step->result], "%s%s",
				     verb_before(step), step->name);
		else
			summary_line(out, labels[step->result], "%s%s (%s): %s",
				     verb_before(step), step->name,
				     record_causes[step->cause], step->reason);
	}
	if (!s->complete && s->has_run && (int64_t)s->step_count < s->run.steps)
		summary_line(
			out, "not begun", "%" PRId64 " of %" PRId64 " steps",
			s->run.steps - (int64_t)s->step_count, s->run.steps);
}

static void command_lines(FILE *out, const struct stream *s)
{
	for (size_t i = 0; i < s->step_count; i++)
		if (s->steps[i].exit_status >= 0)
			summary_line(out, "command",
				     "ended with status %" PRId64,
				     s->steps[i].exit_status);
}

static const char *params_of_start(const struct stream *s, const char *name)
{
	for (size_t i = 0; i < s->step_count; i++)
		if (s->steps[i].verb == VERB_START &&
		    !strcmp(s->steps[i].name, name))
			return s->steps[i].params;
	return "";
}

/* How much of the CPUs each antagonist really got. */
static void antagonist_lines(FILE *out, const struct stream *s)
{
	for (size_t i = 0; i < s->sample_count; i++) {
		const struct stream_sample *sample = &s->samples[i];
		const struct stream_step *step = &s->steps[sample->step];
		char share[UNITS_SIZE];
		int64_t ppm;

		if (step->verb != VERB_STOP ||
		    !stream_value(s, sample, "share_ppm", &ppm))
			continue;
		units_format(share, (double)ppm, UNIT_PPM);
		summary_line(out, "antagonist", "%s: %s of a CPU (%s %s)",
			     step->name, share, step->probe,
			     params_of_start(s, step->name));
	}
}

void summary_steps(FILE *out, const struct stream *s)
{
	result_lines(out, s);
	command_lines(out, s);
	antagonist_lines(out, s);
	for (size_t i = 0; i < s->note_count; i++) {
		const struct stream_note *note = &s->notes[i];

		summary_line(out, "note", "%s%s%s",
			     note->step ? note->step : "",
			     note->step ? ": " : "", note->text);
	}
}
