// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * metrics.c - one metric of one or several runs, described and shown
 */
#include "metrics.h"

#include <stdlib.h>
#include <string.h>

#include "series.h"
#include "summary.h"

struct metric *metrics_find(const struct metrics *m, const char *step,
			    const char *name)
{
	for (size_t i = 0; i < m->count; i++)
		if (!strcmp(m->metric[i].step, step) &&
		    !strcmp(m->metric[i].name, name))
			return &m->metric[i];
	return NULL;
}

static void list_metrics(struct metrics *m, const struct stream *s)
{
	for (size_t i = 0; i < s->metric_count; i++) {
		const struct stream_metric *from = &s->metrics[i];
		const char *step = s->steps[from->step].name;

		if (metrics_find(m, step, from->name))
			continue;
		m->metric = xgrow(m->metric, m->count + 1, sizeof(*m->metric));
		m->metric[m->count++] = (struct metric){
			.step = step,
			.probe = s->steps[from->step].probe,
			.name = from->name,
			.better = from->better,
			.unit = from->count ? UNIT_PER_S
					    : units_declared(from->unit,
							     from->name),
			.passed = true,
		};
	}
}

/* The values of all boots, one behind the other. */
struct pool {
	double *value;
	bool *capped;
	size_t count;
};

static void append(struct pool *all, const struct series *series)
{
	size_t count = all->count + series->count;

	all->value = xgrow(all->value, count, sizeof(*all->value));
	all->capped = xgrow(all->capped, count, sizeof(*all->capped));
	for (size_t i = 0; i < series->count; i++) {
		all->value[all->count + i] = series->value[i];
		all->capped[all->count + i] = series->capped[i];
	}
	all->count = count;
}

/* @pooled: as for a judge, a boot whose step did not pass gives no value. */
static void add_boot(struct metric *m, struct pool *all,
		     const struct rundir *run, bool pooled)
{
	const struct stream *s = &run->stream;
	const struct stream_metric *from = series_find(s, m->step, m->name);
	struct series series;
	struct stats stats;

	if (!from)
		return;
	if (s->steps[from->step].result != RESULT_PASS)
		m->passed = false;
	if (pooled && s->steps[from->step].result != RESULT_PASS)
		return;
	series_read(s, from, false, &series);
	append(all, &series);
	m->capped += series.capped_count;
	m->warmups += series.warmup_count;
	stats_rank_capped(series.value, series.capped, series.count,
			  m->better == BETTER_LOWER);
	if (stats_of(series.value, series.count, &stats)) {
		m->boot = xgrow(m->boot, m->boots + 1, sizeof(*m->boot));
		m->boot[m->boots++] = (struct metric_boot){
			.run = run, .value = series.value, .stats = stats
		};
		series.value = NULL;
	}
	series_free(&series);
}

void metrics_read(struct metrics *m, const struct runs *runs, bool pooled)
{
	*m = (struct metrics){ .metric = NULL };
	for (size_t i = 0; i < runs->count; i++)
		if (runs->run[i].stream.complete || !pooled)
			list_metrics(m, &runs->run[i].stream);

	for (size_t k = 0; k < m->count; k++) {
		struct metric *metric = &m->metric[k];
		struct pool all = { .value = NULL };

		for (size_t i = 0; i < runs->count; i++)
			if (runs->run[i].stream.complete || !pooled)
				add_boot(metric, &all, &runs->run[i], pooled);
		metric->worst =
			stats_rank_capped(all.value, all.capped, all.count,
					  metric->better == BETTER_LOWER);
		stats_of(all.value, all.count, &metric->stats);
		metric->value = all.value;
		free(all.capped);
	}
}

void metrics_free(struct metrics *m)
{
	for (size_t i = 0; i < m->count; i++) {
		for (size_t b = 0; b < m->metric[i].boots; b++)
			free(m->metric[i].boot[b].value);
		free(m->metric[i].boot);
		free(m->metric[i].value);
	}
	free(m->metric);
	*m = (struct metrics){ .metric = NULL };
}

const char *metric_place(const struct metric *m)
{
	static const struct {
		const char *probe, *key;
	} places[] = {
		{ "netns_churn", "existing" },
		{ "rt6_probe", "sender" },
	};

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		if (!strcmp(places[i].probe, m->probe))
			return places[i].key;
	return NULL;
}

const char *metric_bound(const struct metric *m, double value)
{
	bool lower = m->better == BETTER_LOWER;

	if (!m->capped || !stats_worse(value, m->worst, lower))
		return "";
	return lower ? ">" : "<";
}

static void add_value(struct table *t, const struct metric *m, double value)
{
	char text[UNITS_SIZE];

	units_format(text, value, m->unit);
	table_add(t, "%s%s", metric_bound(m, value), text);
}

static void add_names(struct table *t, const struct metric *m)
{
	table_add(t, "%s%s", m->step, m->passed ? "" : "*");
	table_add(t, "%s", m->name);
}

void metric_quantiles(struct table *t, const struct metric *m, bool min)
{
	if (!m || !m->stats.count) {
		for (int i = min ? 0 : 1; i < 5; i++)
			table_add(t, "-");
		return;
	}
	if (min)
		add_value(t, m, m->stats.min);
	add_value(t, m, m->stats.p50);
	add_value(t, m, m->stats.p90);
	add_value(t, m, m->stats.p99);
	add_value(t, m, m->stats.max);
}

void metrics_table(const struct metrics *m, FILE *out, bool boots)
{
	static const char *const head[] = { "step", "metric", "better", "boots",
					    "n",    "min",    "p50",	"p90",
					    "p99",  "max" };
	struct table t = { .align = boots ? "lllrrrrrrr" : "lllrrrrrr" };

	for (size_t i = 0; i < sizeof(head) / sizeof(head[0]); i++)
		if (boots || strcmp(head[i], "boots"))
			table_add(&t, "%s", head[i]);
	for (size_t i = 0; i < m->count; i++) {
		const struct metric *metric = &m->metric[i];

		add_names(&t, metric);
		table_add(&t, "%s", record_betters[metric->better]);
		if (boots)
			table_add(&t, "%zu", metric->boots);
		table_add(&t, "%zu", metric->stats.count);
		metric_quantiles(&t, metric, true);
	}
	table_print(&t, out, SUMMARY_WIDTH);
	table_free(&t);
}

static int by_median(const void *a, const void *b)
{
	const struct metric_boot *x = a, *y = b;

	return (x->stats.p50 > y->stats.p50) - (x->stats.p50 < y->stats.p50);
}

/* The width p10..p90 of the boot in the middle; single values have none. */
static bool within_boots(const struct metric *m, double *within)
{
	double *width = xalloc(m->boots, sizeof(double));
	struct stats stats;
	size_t count = 0;

	for (size_t i = 0; i < m->boots; i++)
		if (m->boot[i].stats.count > 1)
			width[count++] =
				m->boot[i].stats.p90 - m->boot[i].stats.p10;
	stats_of(width, count, &stats);
	*within = stats.p50;
	free(width);
	return count > 0;
}

/* One end of the medians; where all are equal no seed stands out. */
static void add_end(struct table *t, const struct metric *m,
		    const struct metric_boot *end)
{
	bool equal = m->boot[0].stats.p50 == m->boot[m->boots - 1].stats.p50;

	add_value(t, m, end->stats.p50);
	if (equal)
		table_add(t, "-");
	else
		table_add(t, "%lld", (long long)end->run->stream.run.seed);
}

static void add_spread(struct table *t, const struct metric *m)
{
	const struct metric_boot *low = &m->boot[0];
	const struct metric_boot *high = &m->boot[m->boots - 1];
	char text[UNITS_SIZE];
	double within;

	add_names(t, m);
	if (within_boots(m, &within)) {
		units_format(text, within, m->unit);
		table_add(t, "%s", text);
	} else {
		table_add(t, "-");
	}
	units_format(text, high->stats.p50 - low->stats.p50, m->unit);
	table_add(t, "%s", text);
	add_end(t, m, low);
	add_end(t, m, high);
}

void metrics_spread(const struct metrics *m, FILE *out)
{
	static const char *const head[] = {
		"step",	      "metric", "within",      "between",
		"lowest p50", "seed",	"highest p50", "seed",
	};
	struct table t = { .align = "llrrrrrr" };

	for (size_t i = 0; i < sizeof(head) / sizeof(head[0]); i++)
		table_add(&t, "%s", head[i]);
	for (size_t i = 0; i < m->count; i++) {
		struct metric *metric = &m->metric[i];

		if (metric->boots < 2)
			continue;
		qsort(metric->boot, metric->boots, sizeof(*metric->boot),
		      by_median);
		add_spread(&t, metric);
	}
	table_print(&t, out, SUMMARY_WIDTH);
	table_free(&t);
}

/* Most metrics of a step say the same; then one line is enough. */
static bool said_before(const struct metrics *m, size_t i)
{
	const struct metric *a = &m->metric[i], *b = a - 1;

	return i && !strcmp(a->step, b->step) && a->capped == b->capped &&
	       a->warmups == b->warmups && a->stats.count == b->stats.count;
}

void metrics_lines(const struct metrics *m, FILE *out, bool pooled)
{
	bool passed = true;

	for (size_t i = 0; i < m->count; i++) {
		const struct metric *metric = &m->metric[i];

		passed &= metric->passed;
		if (said_before(m, i))
			continue;
		if (metric->capped)
			summary_line(out, "capped",
				     "%s: %zu of %zu; they count as worse than "
				     "all others",
				     metric->step, metric->capped,
				     metric->stats.count);
		if (metric->warmups)
			summary_line(out, "warm-up", "%s: %zu, not counted",
				     metric->step, metric->warmups);
	}
	if (!passed)
		summary_line(out, "*", "%s",
			     pooled ? "did not pass in every boot; those "
				      "boots' values are left out"
				    : "did not pass: its values are shown, and "
				      "judged by nobody");
}
