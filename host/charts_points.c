// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * charts_points.c - values against the place where each was taken
 */
#include <math.h>
#include <stdlib.h>

#include "charts_draw.h"
#include "charts_script.h"
#include "stats.h"

static int by_place(const void *a, const void *b)
{
	const struct chart_point *x = a, *y = b;

	if (x->x != y->x)
		return x->x < y->x ? -1 : 1;
	return (x->y > y->y) - (x->y < y->y);
}

/* Lines of x, the lowest, the middle and the highest y. */
static void curve_data(struct chart_script *s, const struct chart_points *p,
		       size_t side)
{
	fprintf(s->out, "$side%zu << EOD\n", side);
	for (size_t i = 0, next; i < p->count; i = next) {
		double *y = xalloc(p->count - i, sizeof(*y));

		for (next = i;
		     next < p->count && p->point[next].x == p->point[i].x;
		     next++)
			y[next - i] = p->point[next].y;
		fprintf(s->out, "%.17g %.17g %.17g %.17g\n", p->point[i].x,
			y[0], stats_quantile(y, next - i, 0.5),
			y[next - i - 1]);
		free(y);
	}
	fputs("EOD\n", s->out);
}

static double highest_of(const struct chart_points *points, size_t sides)
{
	double highest = 0;

	for (size_t k = 0; k < sides; k++)
		for (size_t i = 0; i < points[k].count; i++)
			highest = fmax(highest, points[k].point[i].y);
	return highest;
}

char *charts_draw_curve(struct chart_points *points, size_t sides,
			const char *x_label, enum unit unit)
{
	const char *comma = "plot ";
	struct chart_script s;

	charts_begin(&s, CHARTS_HEIGHT);
	charts_y_axis(&s, highest_of(points, sides), unit);
	fprintf(s.out,
		"set xrange [0:*]\nset xtics textcolor rgb '#222222'\n"
		"set xlabel '%s' textcolor rgb '#222222'\n",
		x_label);
	for (size_t k = 0; k < sides; k++) {
		if (!points[k].count)
			continue;
		qsort(points[k].point, points[k].count,
		      sizeof(*points[k].point), by_place);
		curve_data(&s, &points[k], k);
	}
	for (size_t k = 0; k < sides; k++) {
		if (!points[k].count)
			continue;
		fprintf(s.out,
			"%s$side%zu using 1:2:4 with filledcurves fc rgb "
			"'#c8%s'",
			comma, k, charts_colors[k] + 1);
		comma = ", ";
	}
	for (size_t k = 0; k < sides; k++)
		if (points[k].count)
			fprintf(s.out,
				", $side%zu using 1:3 with linespoints lw 2.2 "
				"dt %s pt 7 ps 0.35 lc rgb '%s'",
				k, charts_dashes[k], charts_colors[k]);
	fputc('\n', s.out);
	return charts_end(&s);
}

char *charts_draw_dots(struct chart_points *points, size_t sides,
		       const char *x_label, enum unit unit)
{
	const char *comma = "plot ";
	double last = 0;
	struct chart_script s;

	charts_begin(&s, CHARTS_HEIGHT);
	charts_y_axis(&s, highest_of(points, sides), unit);
	for (size_t k = 0; k < sides; k++) {
		/* Beside one another, or one side would hide the other. */
		double beside = 0.5 * ((double)k + 0.5) / (double)sides - 0.25;

		fprintf(s.out, "$side%zu << EOD\n", k);
		for (size_t i = 0; i < points[k].count; i++) {
			fprintf(s.out, "%.17g %.17g\n",
				points[k].point[i].x + beside,
				points[k].point[i].y);
			last = fmax(last, points[k].point[i].x);
		}
		fputs("EOD\n", s.out);
	}
	fprintf(s.out,
		"set xrange [-0.7:%.17g]\nset xtics %d\n"
		"set xlabel '%s' textcolor rgb '#222222'\n",
		last + 0.7,
		last < 12   ? 1
		: last < 60 ? 5
			    : 20,
		x_label);
	for (size_t k = 0; k < sides; k++) {
		if (!points[k].count)
			continue;
		fprintf(s.out,
			"%s$side%zu with points pt %d ps 0.5 lc rgb '%s'",
			comma, k, k % 2 ? 9 : 7, charts_colors[k]);
		comma = ", ";
	}
	fputc('\n', s.out);
	return charts_end(&s);
}
