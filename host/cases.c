// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cases.c - a run as the test cases that other programs know
 */
#include "cases.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "metrics.h"
#include "units.h"

static struct test_case *add(struct cases *cases, enum step_result result,
			     char *name, const char *reason)
{
	struct test_case *c;

	cases->list =
		xgrow(cases->list, cases->count + 1, sizeof(*cases->list));
	c = &cases->list[cases->count++];
	*c = (struct test_case){ .name = name,
				 .result = result,
				 .cause = "",
				 .reason = xprintf("%s", reason) };
	text_clean(c->name);
	text_clean(c->reason);
	return c;
}

static bool step_explains(const struct stream *s)
{
	for (size_t i = 0; i < s->step_count; i++)
		if (s->steps[i].result != RESULT_PASS)
			return true;
	return false;
}

static void add_run(struct cases *cases, const struct rundir *run)
{
	const struct stream *s = &run->stream;
	double status = rundir_number(run, "outcome.status", 0);
	const char *message = rundir_text(run, "outcome.message");
	enum step_result result = RESULT_PASS;
	struct test_case *c;

	if (!s->complete)
		result = status == STATUS_CANNOT_TELL ? RESULT_SKIP
						      : RESULT_CRASH;
	else if (status != STATUS_GOOD && !step_explains(s))
		result = status == STATUS_CANNOT_TELL ? RESULT_SKIP
						      : RESULT_FAIL;
	if (result == RESULT_PASS)
		message = "";
	else if (!message)
		message = s->problem ? s->problem : "it was not ended";
	c = add(cases, result, xprintf("run"), message);
	c->duration_s = rundir_number(run, "times.total_ms", 0) / 1e3;
}

static char *name_of(const struct stream_step *step)
{
	const char *verb = step->verb == VERB_START  ? "start "
			   : step->verb == VERB_STOP ? "stop "
						     : "";

	return xprintf("%s%s", verb, step->name);
}

static void add_step(struct cases *cases, struct stream_step *step)
{
	struct test_case *c = add(cases, step->result, name_of(step),
				  step->result == RESULT_NONE ? "it did not end"
				  : step->result == RESULT_PASS ? ""
								: step->reason);

	c->step = step;
	if (step->cause != CAUSE_NONE)
		c->cause = record_causes[step->cause];
	if (step->duration_ns > 0)
		c->duration_s = (double)step->duration_ns / (double)NS_PER_S;
}

void cases_read(struct cases *cases, const struct rundir *run)
{
	const struct stream *s = &run->stream;

	*cases = (struct cases){ .list = NULL };
	add_run(cases, run);
	for (size_t i = 0; i < s->step_count; i++)
		add_step(cases, &s->steps[i]);
	/* The number is the guest's: a torn run may claim any. */
	if (!s->complete && s->has_run && (int64_t)s->step_count < s->run.steps)
		add(cases, RESULT_NONE, xprintf("steps that never began"),
		    "the run ended before them");
}

void cases_free(struct cases *cases)
{
	for (size_t i = 0; i < cases->count; i++) {
		free(cases->list[i].name);
		free(cases->list[i].reason);
	}
	free(cases->list);
	*cases = (struct cases){ .list = NULL };
}

char *cases_run_name(const struct rundir *run)
{
	const struct stream *s = &run->stream;
	const char *release = rundir_text(run, "kernel_release");
	char *name;

	if (s->has_run)
		name = xprintf("%s %s seed %" PRId64, s->run.kernel,
			       s->run.scenario, s->run.seed);
	else
		name = xprintf("%s", release ? release : "unknown kernel");
	text_clean(name);
	return name;
}

static char *values_line(const struct metric *m)
{
	const double value[] = { m->stats.p50, m->stats.p90, m->stats.max };
	char text[3][UNITS_SIZE];

	for (size_t i = 0; i < 3; i++)
		units_format(text[i], value[i], m->unit);
	return xprintf("%s.%s: n %zu, p50 %s%s, p90 %s%s, max %s%s", m->step,
		       m->name, m->stats.count, metric_bound(m, value[0]),
		       text[0], metric_bound(m, value[1]), text[1],
		       metric_bound(m, value[2]), text[2]);
}

char **cases_values(const struct rundir *run, const struct stream_step *step,
		    size_t *count)
{
	struct rundir one = *run;
	const struct runs runs = { .run = &one, .count = 1 };
	struct metrics m;
	char **lines = NULL;

	*count = 0;
	if (!step || step->verb != VERB_PROBE)
		return NULL;
	metrics_read(&m, &runs, false);
	for (size_t i = 0; i < m.count; i++) {
		if (strcmp(m.metric[i].step, step->name) != 0 ||
		    !m.metric[i].stats.count)
			continue;
		lines = xgrow(lines, *count + 1, sizeof(*lines));
		lines[(*count)++] = values_line(&m.metric[i]);
	}
	metrics_free(&m);
	return lines;
}
