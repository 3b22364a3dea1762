// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * charts_ecdf.c - the share of values that are at most x
 */
#include <math.h>
#include <stdlib.h>

#include "charts_draw.h"
#include "charts_script.h"

#define BOOTS_DRAWN 16 /* more lines of single boots would only be a fog */

/* What a logarithmic axis can show of a value. */
static double positive(double value)
{
	return value < 1 ? 1 : value;
}

/* Draw up to the capped values, whose place nobody knows. */
static void ecdf_data(struct chart_script *s, const char *name,
		      const double *value, size_t count, size_t capped,
		      double high)
{
	size_t known = count - capped;

	fprintf(s->out, "$%s << EOD\n", name);
	for (size_t i = 0; i < known; i++) {
		if (i == 0)
			fprintf(s->out, "%.17g 0\n", positive(value[0]));
		fprintf(s->out, "%.17g %.17g\n", positive(value[i]),
			100 * (double)(i + 1) / (double)count);
	}
	fprintf(s->out, "%.17g %.17g\nEOD\n", high,
		100 * (double)known / (double)count);
}

static size_t capped_of(const struct metric *m, const struct metric_boot *boot)
{
	size_t count = 0;

	while (count < boot->stats.count &&
	       metric_bound(m, boot->value[boot->stats.count - 1 - count])[0])
		count++;
	return count;
}

static void ecdf_side(struct chart_script *s, const struct metric *m,
		      size_t side, double high)
{
	char *name = xprintf("all%zu", side);

	ecdf_data(s, name, m->value, m->stats.count, m->capped, high);
	free(name);
	for (size_t b = 0; b < m->boots && b < BOOTS_DRAWN; b++) {
		name = xprintf("boot%zu_%zu", side, b);
		ecdf_data(s, name, m->boot[b].value, m->boot[b].stats.count,
			  capped_of(m, &m->boot[b]), high);
		free(name);
	}
}

static bool has_values(const struct metric *m)
{
	return m && m->stats.count;
}

static void ecdf_axes(struct chart_script *s,
		      const struct metric *const *metric, size_t sides,
		      double *high)
{
	double lowest = HUGE_VAL, highest = 0;
	enum unit unit = UNIT_NS;

	for (size_t i = 0; i < sides; i++) {
		if (!has_values(metric[i]))
			continue;
		unit = metric[i]->unit;
		lowest = fmin(lowest, positive(metric[i]->stats.min));
		highest = fmax(highest, positive(metric[i]->stats.max));
	}
	*high = charts_round_up(highest * 1.02);
	charts_log_axis(s, charts_round_down(lowest), *high, unit);
	fputs("set yrange [0:102]\nset ytics 20\nset format y '%g %%'\n",
	      s->out);
}

char *charts_draw_ecdf(const struct metric *const *metric, size_t sides)
{
	struct chart_script s;
	const char *comma = "plot ";
	double high;

	charts_begin(&s, CHARTS_HEIGHT);
	ecdf_axes(&s, metric, sides, &high);
	for (size_t i = 0; i < sides; i++)
		if (has_values(metric[i]))
			ecdf_side(&s, metric[i], i, high);
	for (size_t i = 0; i < sides; i++) {
		size_t boots = has_values(metric[i]) ? metric[i]->boots : 0;

		for (size_t b = 0; boots > 1 && b < boots && b < BOOTS_DRAWN;
		     b++, comma = ", ")
			fprintf(s.out,
				"%s$boot%zu_%zu with steps lw 0.8 lc rgb "
				"'#b0%s'",
				comma, i, b, charts_colors[i] + 1);
	}
	for (size_t i = 0; i < sides; i++) {
		if (!has_values(metric[i]))
			continue;
		fprintf(s.out, "%s$all%zu with steps lw 2.6 dt %s lc rgb '%s'",
			comma, i, charts_dashes[i], charts_colors[i]);
		comma = ", ";
	}
	fputc('\n', s.out);
	return charts_end(&s);
}
