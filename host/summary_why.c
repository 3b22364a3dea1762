// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * summary_why.c - what a step's trace says about why it took as long
 */
#include "summary_why.h"

#include <inttypes.h>
#include <string.h>

#include "summary.h"
#include "units.h"

#define SHOWN 3 /* of a step: those that waited longest in all */

/* Return: the one that waited longest after @last, or NULL. */
static const struct stream_trace *next_longest(const struct stream *s,
					       size_t step,
					       const struct stream_trace *last)
{
	const struct stream_trace *longest = NULL;

	for (size_t i = 0; i < s->trace_count; i++) {
		const struct stream_trace *t = &s->traces[i];

		if (t->step != step || !t->executed)
			continue;
		/* Of equals the first in the records. */
		if (last && (t->sum_ns > last->sum_ns ||
			     (t->sum_ns == last->sum_ns && t <= last)))
			continue;
		if (!longest || t->sum_ns > longest->sum_ns)
			longest = t;
	}
	return longest;
}

static void one_line(FILE *out, const char *label, const char *before,
		     const struct stream_trace *t)
{
	char p50[UNITS_SIZE], p90[UNITS_SIZE], max[UNITS_SIZE], cpu[32];

	units_format(p50, (double)t->p50_ns, UNIT_NS);
	units_format(p90, (double)t->p90_ns, UNIT_NS);
	units_format(max, (double)t->max_ns, UNIT_NS);
	if (t->cpu < 0)
		snprintf(cpu, sizeof(cpu), "any CPU");
	else
		snprintf(cpu, sizeof(cpu), "CPU %" PRId64, t->cpu);
	summary_line(out, label,
		     "%s%s waited p90 %s for %s (%s, n %" PRId64
		     ", p50 %s, max %s)",
		     before, t->workqueue, p90, cpu, t->function, t->executed,
		     p50, max);
}

/* Return: the metric that is the longest time, else the step's first. */
static const struct metric *slowest(const struct metrics *m, const char *step)
{
	const struct metric *found = NULL;

	for (size_t i = 0; i < m->count; i++) {
		const struct metric *metric = &m->metric[i];

		if (strcmp(metric->step, step) != 0 || !metric->stats.count)
			continue;
		if (!found || (metric->unit == UNIT_NS &&
			       (found->unit != UNIT_NS ||
				metric->stats.p90 > found->stats.p90)))
			found = metric;
	}
	return found;
}

/* "STEP: METRIC p90 175 ms; ", or the median where higher is better. */
static void describe(char *text, size_t size, const struct metrics *m,
		     const char *step)
{
	const struct metric *metric = slowest(m, step);
	bool lower = metric && metric->better == BETTER_LOWER;
	char value[UNITS_SIZE];

	if (!metric) {
		snprintf(text, size, "%s: ", step);
		return;
	}
	units_format(value, lower ? metric->stats.p90 : metric->stats.p50,
		     metric->unit);
	snprintf(text, size, "%s: %s %s %s; ", step, metric->name,
		 lower ? "p90" : "p50", value);
}

void summary_why(FILE *out, const struct metrics *m, const struct stream *s)
{
	for (size_t step = 0; step < s->step_count; step++) {
		const struct stream_trace *t = NULL;
		char before[256];

		describe(before, sizeof(before), m, s->steps[step].name);
		for (int i = 0; i < SHOWN; i++) {
			t = next_longest(s, step, t);
			if (!t)
				break;
			one_line(out, i ? "" : "why", i ? "  " : before, t);
		}
	}
}
