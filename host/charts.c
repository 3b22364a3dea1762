// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * charts.c - which pictures the runs of a report give
 */
#include "charts.h"

#include <stdlib.h>
#include <string.h>

#include "charts_draw.h"
#include "charts_trace.h"
#include "metrics.h"
#include "series.h"

#define CHARTS_MAX 40 /* of a report; a scenario may have any steps */
#define VALUES_MIN 8  /* of fewer a distribution shows nothing */

/* Metrics of which each sample says at what place it was taken. */
static const struct placed {
	const char *probe, *metric;
	char *(*draw)(struct chart_points *points, size_t sides,
		      const char *x_label, enum unit unit);
	const char *x_label, *what, *caption;
} placed[] = {
	{ "netns_churn", "rate_per_s", charts_draw_curve,
	  "namespaces that exist already",
	  "made a second, against the number that exist",
	  "The line is the median of the boots, the band their range. Higher "
	  "is better." },
	{ "rt6_probe", "sender_sends_per_s", charts_draw_dots, "sender",
	  "sends a second of each sender",
	  "A point is one sender in one boot. Higher is better." },
};

#define PLACED_COUNT (sizeof(placed) / sizeof(placed[0]))

/* What is read of the sides once, for all charts. */
struct source {
	const struct sides *sides;
	size_t count; /* of sides, as many as are drawn */
	struct metrics of[CHARTS_SIDES_MAX];
};

/* Takes over the texts. */
static void add(struct charts *charts, char *heading, char *caption,
		char *script)
{
	charts->chart =
		xgrow(charts->chart, charts->count + 1, sizeof(*charts->chart));
	charts->chart[charts->count++] = (struct chart){ .heading = heading,
							 .caption = caption,
							 .script = script };
}

static char *capped_note(const struct source *s,
			 const struct metric *const *metric)
{
	size_t capped = 0;

	for (size_t k = 0; k < s->count; k++)
		if (metric[k])
			capped += metric[k]->capped;
	if (!capped)
		return xprintf("%s", "");
	return xprintf(" %zu values ran into their cap: a line ends below "
		       "100 %% by their share.",
		       capped);
}

static void add_ecdf(struct charts *charts, const struct source *s,
		     const struct metric *like)
{
	const struct metric *metric[CHARTS_SIDES_MAX];
	size_t values = 0;
	char *note;

	for (size_t k = 0; k < s->count; k++) {
		metric[k] = metrics_find(&s->of[k], like->step, like->name);
		if (metric[k] && metric[k]->stats.count > values)
			values = metric[k]->stats.count;
	}
	if (values < VALUES_MIN)
		return;
	note = capped_note(s, metric);
	add(charts,
	    xprintf("%s.%s: share of values up to x", like->step, like->name),
	    xprintf("Thick: all values of a side; thin: its boots. %s%s",
		    like->better == BETTER_LOWER ? "Further left is better."
						 : "Further right is better.",
		    note),
	    charts_draw_ecdf(metric, s->count));
	free(note);
}

/* The place and value of every sample that counts, of one boot. */
static void add_points(struct chart_points *points, const struct rundir *run,
		       const struct metric *m)
{
	const struct stream *stream = &run->stream;
	const struct stream_metric *metric =
		series_find(stream, m->step, m->name);
	const struct stream_step *of;

	if (!stream->complete || !metric)
		return;
	of = &stream->steps[metric->step];
	for (size_t i = 0; of->result == RESULT_PASS && i < of->sample_count;
	     i++) {
		const struct stream_sample *sample =
			&stream->samples[of->first_sample + i];
		int64_t place;
		double value;

		if (sample->warmup ||
		    !stream_value(stream, sample, metric_place(m), &place) ||
		    !series_value(stream, sample, metric, &value))
			continue;
		points->point = xgrow(points->point, points->count + 1,
				      sizeof(*points->point));
		points->point[points->count++] =
			(struct chart_point){ .x = (double)place, .y = value };
	}
}

static bool two_places(const struct chart_points *points, size_t sides)
{
	for (size_t k = 0; k < sides; k++)
		for (size_t i = 1; i < points[k].count; i++)
			if (points[k].point[i].x != points[k].point[0].x)
				return true;
	return false;
}

static void add_placed(struct charts *charts, const struct source *s,
		       const struct placed *kind, const struct metric *m)
{
	struct chart_points points[CHARTS_SIDES_MAX] = { 0 };

	for (size_t k = 0; k < s->count; k++) {
		const struct runs *runs = &s->sides->side[k].runs;

		for (size_t i = 0; i < runs->count; i++)
			add_points(&points[k], &runs->run[i], m);
	}
	if (two_places(points, s->count))
		add(charts, xprintf("%s: %s", m->step, kind->what),
		    xprintf("%s", kind->caption),
		    kind->draw(points, s->count, kind->x_label, m->unit));
	for (size_t k = 0; k < s->count; k++)
		free(points[k].point);
}

static void add_metric(struct charts *charts, const struct source *s,
		       const struct metric *m)
{
	for (size_t i = 0; i < PLACED_COUNT; i++)
		if (!strcmp(placed[i].probe, m->probe) &&
		    !strcmp(placed[i].metric, m->name))
			add_placed(charts, s, &placed[i], m);
	if (m->unit == UNIT_NS)
		add_ecdf(charts, s, m);
}

static void add_traces(struct charts *charts, const struct sides *sides)
{
	size_t steps;
	const char **step = charts_trace_steps(sides, &steps);

	for (size_t i = 0; i < steps && charts->count < CHARTS_MAX; i++) {
		char *script = charts_trace(sides, step[i]);

		if (script)
			add(charts,
			    xprintf("%s: how long queued work waited", step[i]),
			    xprintf("A row is a workqueue, and the CPU its "
				    "work was bound to: from the median to "
				    "the longest wait, of the function and "
				    "the boot in which it was longest. From "
				    "the kernel's trace; further left is "
				    "better."),
			    script);
	}
	free(step);
}

/* Whether a side before it has the metric, and so its chart. */
static bool seen_before(const struct source *s, size_t side,
			const struct metric *m)
{
	for (size_t k = 0; k < side; k++)
		if (metrics_find(&s->of[k], m->step, m->name))
			return true;
	return false;
}

void charts_make(struct charts *charts, const struct sides *sides)
{
	struct source s = { .sides = sides, .count = sides->count };

	*charts = (struct charts){ .chart = NULL };
	if (s.count > CHARTS_SIDES_MAX)
		s.count = CHARTS_SIDES_MAX;
	for (size_t k = 0; k < s.count; k++)
		metrics_read(&s.of[k], &sides->side[k].runs, true);
	for (size_t k = 0; k < s.count; k++)
		for (size_t i = 0; i < s.of[k].count; i++)
			if (charts->count < CHARTS_MAX &&
			    !seen_before(&s, k, &s.of[k].metric[i]))
				add_metric(charts, &s, &s.of[k].metric[i]);
	add_traces(charts, sides);
	for (size_t k = 0; k < s.count; k++)
		metrics_free(&s.of[k]);
}

void charts_free(struct charts *charts)
{
	for (size_t i = 0; i < charts->count; i++) {
		free(charts->chart[i].heading);
		free(charts->chart[i].caption);
		free(charts->chart[i].script);
	}
	free(charts->chart);
	*charts = (struct charts){ .chart = NULL };
}
