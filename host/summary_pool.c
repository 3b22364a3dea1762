// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * summary_pool.c - several boots of one kernel as one, and apart
 *
 * The unit of evidence is the boot: values of one boot resemble each other
 * more than those of two.  So the spread within and between is never mixed.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "metrics.h"
#include "summary.h"

/* The runs that may be pooled, and a line for each that may not. */
static size_t complete_runs(FILE *out, const struct runs *runs)
{
	size_t count = 0;

	for (size_t i = 0; i < runs->count; i++) {
		const struct rundir *run = &runs->run[i];

		if (run->stream.complete)
			count++;
		else
			summary_line(out, "INCOMPLETE", "%s: %s", run->path,
				     run->stream.problem);
	}
	return count;
}

static const struct rundir *first_complete(const struct runs *runs)
{
	for (size_t i = 0; i < runs->count; i++)
		if (runs->run[i].stream.complete)
			return &runs->run[i];
	return &runs->run[0];
}

static void boots_line(FILE *out, const struct runs *runs, size_t complete)
{
	char *seeds = runs_seeds(runs);

	summary_line(out, "boots", "%zu pooled, seeds %s; %zu left out",
		     complete, seeds, runs->count - complete);
	free(seeds);
}

/* What steps came to, counted over the boots. */
static void result_lines(FILE *out, const struct runs *runs)
{
	for (size_t i = 0; i < runs->count; i++) {
		const struct stream *s = &runs->run[i].stream;

		for (size_t k = 0; k < s->step_count; k++) {
			const struct stream_step *step = &s->steps[k];

			if (!s->complete || step->result == RESULT_PASS)
				continue;
			summary_line(out, "not passed",
				     "seed %" PRId64 ": %s: %s (%s): %s",
				     s->run.seed, step->name,
				     record_results[step->result],
				     record_causes[step->cause], step->reason);
		}
	}
}

void summary_pool(FILE *out, const struct runs *runs)
{
	size_t complete = complete_runs(out, runs);
	struct metrics m;

	summary_head(out, first_complete(runs));
	boots_line(out, runs, complete);
	fputc('\n', out);
	metrics_read(&m, runs, true);
	metrics_table(&m, out, true);
	if (complete > 1 && m.count) {
		fprintf(out, "\nSpread: within a boot (p10 to p90, the middle "
			     "boot's) and between the boots' medians\n\n");
		metrics_spread(&m, out);
	}
	fputc('\n', out);
	if (!m.count)
		summary_line(out, "measured", "nothing");
	metrics_lines(&m, out, true);
	metrics_free(&m);
	result_lines(out, runs);
}
