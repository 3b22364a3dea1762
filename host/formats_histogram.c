// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * formats_histogram.c - how values are spread, a line a metric, on a terminal
 */
#include <langinfo.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formats.h"
#include "metrics.h"

#define BINS	   32
#define VALUES_MIN 8  /* of fewer there is nothing to see */
#define LOG_FROM   10 /* max to min from which on the axis is logarithmic */
#define HEIGHTS	   8

static const char *const blocks[HEIGHTS + 1] = {
	" ",	  "\u2581", "\u2582", "\u2583", "\u2584",
	"\u2585", "\u2586", "\u2587", "\u2588",
};
static const char *const ascii[HEIGHTS + 1] = {
	" ", ".", ":", "-", "=", "+", "*", "#", "@",
};

static bool is_worth_it(const struct metric *m)
{
	return m->stats.count >= VALUES_MIN && m->stats.max > m->stats.min;
}

static bool is_log(const struct metric *m)
{
	return m->stats.min > 0 && m->stats.max / m->stats.min >= LOG_FROM;
}

static size_t bin_of(const struct metric *m, double value)
{
	double part = (value - m->stats.min) / (m->stats.max - m->stats.min);

	if (is_log(m))
		part = log(value / m->stats.min) /
		       log(m->stats.max / m->stats.min);
	return part >= 1 ? BINS - 1 : (size_t)(part * BINS);
}

static void draw(FILE *out, const struct metric *m, const char *const *bar)
{
	size_t bin[BINS] = { 0 }, most = 1;

	for (size_t i = 0; i < m->stats.count; i++) {
		size_t *b = &bin[bin_of(m, m->value[i])];

		*b += 1;
		if (*b > most)
			most = *b;
	}
	/* Rounded up: a single value must not be drawn as none. */
	for (size_t i = 0; i < BINS; i++)
		fputs(bar[(bin[i] * HEIGHTS + most - 1) / most], out);
}

static void put_line(FILE *out, const struct metric *m, int width,
		     const char *const *bar)
{
	char low[UNITS_SIZE], high[UNITS_SIZE];
	char *name = xprintf("%s.%s", m->step, m->name);

	units_format(low, m->stats.min, m->unit);
	units_format(high, m->stats.max, m->unit);
	fprintf(out, "%-*s %9s |", width, name, low);
	draw(out, m, bar);
	fprintf(out, "| %s%s%s\n", metric_bound(m, m->stats.max), high,
		is_log(m) ? ", log" : "");
	free(name);
}

void formats_histogram(FILE *out, const struct runs *runs)
{
	const char *const *bar = ascii;
	struct metrics m;
	size_t width = 0;

	if (setlocale(LC_CTYPE, "") && !strcmp(nl_langinfo(CODESET), "UTF-8"))
		bar = blocks;
	metrics_read(&m, runs, true);
	for (size_t i = 0; i < m.count; i++) {
		size_t len =
			strlen(m.metric[i].step) + strlen(m.metric[i].name) + 1;

		if (is_worth_it(&m.metric[i]) && len > width)
			width = len;
	}
	if (width)
		fputc('\n', out);
	for (size_t i = 0; i < m.count; i++)
		if (is_worth_it(&m.metric[i]))
			put_line(out, &m.metric[i], (int)width, bar);
	metrics_free(&m);
}
