// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * charts_draw.c - the kinds of chart, each as commands for gnuplot
 */
#include "charts_draw.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stats.h"

#define WIDTH	    560 /* in pixels, until a page scales it */
#define HEIGHT	    330
#define ROWS_HEIGHT 80 /* what a chart of rows has besides them */
#define ROW_HEIGHT  36
#define CHAR_WIDTH  7.2 /* of a row's name, at most in the average */
#define NS_SHOWN    1e3 /* traces are in whole microseconds */
#define BOOTS_DRAWN 16	/* more lines of single boots would only be a fog */

/* So that sides can be told apart where there is no colour. */
static const char *const dashes[CHARTS_SIDES_MAX] = {
	"1",	 "(14,3)",	   "(6,3)",  "(14,3,3,3)",
	"(3,3)", "(14,3,3,3,3,3)", "(10,6)", "(6,3,3,3)",
};

/* Blue, vermilion, green and so on: told apart by the colour-blind too. */
const char *const charts_colors[CHARTS_SIDES_MAX] = {
	"#0072b2", "#d55e00", "#009e73", "#cc79a7",
	"#8a6d00", "#56b4e9", "#444444", "#7b3294",
};

struct script {
	FILE *out;
	char *text;
	size_t len;
};

static void begin(struct script *s, int height)
{
	s->out = open_memstream(&s->text, &s->len);
	if (!s->out)
		die_errno(STATUS_HOST, "draw a plot");
	fprintf(s->out,
		"set terminal svg size %d,%d dynamic font 'sans-serif,14' "
		"noenhanced linewidth 1\n",
		WIDTH, height);
	fputs("set border 3 lc rgb '#777777'\n"
	      "set tics nomirror textcolor rgb '#222222'\n"
	      "set grid lc rgb '#dddddd' lt 1 lw 0.7\n"
	      "unset key\n"
	      "set rmargin 3\n",
	      s->out);
}

static char *end(struct script *s)
{
	if (fclose(s->out) != 0)
		die_errno(STATUS_HOST, "draw a plot");
	return s->text;
}

/* 1 ms and not 1.00 ms: a tick is exact. */
static void drop_zeros(char *text)
{
	char *point = strchr(text, '.'), *end, *last;

	if (!point)
		return;
	end = point + 1 + strspn(point + 1, "0123456789");
	for (last = end; last[-1] == '0'; last--)
		continue;
	if (last == point + 1)
		last = point;
	memmove(last, end, strlen(end) + 1);
}

static void put_tic(struct script *s, double at, enum unit unit, bool first)
{
	char text[UNITS_SIZE];

	units_format(text, at, unit);
	drop_zeros(text);
	fprintf(s->out, "%s'%s' %.17g", first ? "" : ", ", text, at);
}

/* The largest of 1, 2 and 5 times a power of ten that is not above a value. */
static double round_down(double value)
{
	double power = pow(10, floor(log10(value)));

	return value >= 5 * power   ? 5 * power
	       : value >= 2 * power ? 2 * power
				    : power;
}

static double round_up(double value)
{
	double down = round_down(value);
	double power = pow(10, floor(log10(down) + 1e-9));

	if (value <= down)
		return down;
	return down < 1.5 * power ? 2 * power
	       : down < 3 * power ? 5 * power
				  : 10 * power;
}

/* Ticks at the powers of ten; in a short range at their 2 and 5 folds too. */
static void log_axis(struct script *s, double low, double high, enum unit unit)
{
	static const double parts[] = { 1, 2, 5 };
	size_t used = high / low < 150 ? 3 : 1;
	bool first = true;

	fprintf(s->out, "set logscale x\nset xrange [%.17g:%.17g]\nset xtics (",
		low, high);
	for (int e = (int)floor(log10(low) + 1e-9); e <= 18; e++)
		for (size_t i = 0; i < used; i++) {
			double at = parts[i] * pow(10, e);

			if (at < low * (1 - 1e-9) || at > high * (1 + 1e-9))
				continue;
			put_tic(s, at, unit, first);
			first = false;
		}
	fputs(")\n", s->out);
}

/* About five ticks at round numbers, from 0 on. */
static void y_axis(struct script *s, double highest, enum unit unit)
{
	double high = highest > 0 ? highest * 1.05 : 1;
	double step = round_up(high / 5);

	fprintf(s->out, "set yrange [0:%.17g]\nset ytics (", high);
	for (size_t i = 0; (double)i * step <= high; i++)
		put_tic(s, (double)i * step, unit, i == 0);
	fputs(")\n", s->out);
}

/* What a logarithmic axis can show of a value. */
static double positive(double value)
{
	return value < 1 ? 1 : value;
}

/* Draw up to the capped values, whose place nobody knows. */
static void ecdf_data(struct script *s, const char *name, const double *value,
		      size_t count, size_t capped, double high)
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

static void ecdf_side(struct script *s, const struct metric *m, size_t side,
		      double high)
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

static void ecdf_axes(struct script *s, const struct metric *const *metric,
		      size_t sides, double *high)
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
	*high = round_up(highest * 1.02);
	log_axis(s, round_down(lowest), *high, unit);
	fputs("set yrange [0:102]\nset ytics 20\nset format y '%g %%'\n",
	      s->out);
}

char *charts_draw_ecdf(const struct metric *const *metric, size_t sides)
{
	struct script s;
	const char *comma = "plot ";
	double high;

	begin(&s, HEIGHT);
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
			comma, i, dashes[i], charts_colors[i]);
		comma = ", ";
	}
	fputc('\n', s.out);
	return end(&s);
}

static int by_place(const void *a, const void *b)
{
	const struct chart_point *x = a, *y = b;

	if (x->x != y->x)
		return x->x < y->x ? -1 : 1;
	return (x->y > y->y) - (x->y < y->y);
}

/* Lines of x, the lowest, the middle and the highest y. */
static void curve_data(struct script *s, const struct chart_points *p,
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
	struct script s;

	begin(&s, HEIGHT);
	y_axis(&s, highest_of(points, sides), unit);
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
				k, dashes[k], charts_colors[k]);
	fputc('\n', s.out);
	return end(&s);
}

char *charts_draw_dots(struct chart_points *points, size_t sides,
		       const char *x_label, enum unit unit)
{
	const char *comma = "plot ";
	double last = 0;
	struct script s;

	begin(&s, HEIGHT);
	y_axis(&s, highest_of(points, sides), unit);
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
	return end(&s);
}

static void ranges_data(struct script *s, const struct chart_range *range,
			size_t rows, size_t sides, size_t side)
{
	/* Side by side within the row, the first on top. */
	double beside =
		sides > 1 ? 0.5 * (double)side / (double)(sides - 1) - 0.25 : 0;

	fprintf(s->out, "$side%zu << EOD\n", side);
	for (size_t r = 0; r < rows; r++) {
		const struct chart_range *of = &range[r * sides + side];

		if (of->known)
			fprintf(s->out, "%.17g %.17g %.17g\n",
				fmax(of->middle, NS_SHOWN), (double)r + beside,
				fmax(of->high, NS_SHOWN));
	}
	fputs("EOD\n", s->out);
}

static bool any_known(const struct chart_range *range, size_t rows,
		      size_t sides, size_t side)
{
	for (size_t r = 0; r < rows; r++)
		if (range[r * sides + side].known)
			return true;
	return false;
}

static void ranges_axes(struct script *s, const char *const *name,
			const struct chart_range *range, size_t rows,
			size_t sides)
{
	double lowest = HUGE_VAL, highest = NS_SHOWN, longest = 0;

	for (size_t i = 0; i < rows * sides; i++) {
		if (!range[i].known)
			continue;
		lowest = fmin(lowest, fmax(range[i].middle, NS_SHOWN));
		highest = fmax(highest, range[i].high);
	}
	log_axis(s, round_down(lowest * 0.9), round_up(highest * 1.1), UNIT_NS);
	fprintf(s->out, "set yrange [%.17g:-0.5]\nset ytics (",
		(double)rows - 0.5);
	for (size_t r = 0; r < rows; r++) {
		fprintf(s->out, "%s'%s' %zu", r ? ", " : "", name[r], r);
		longest = fmax(longest, (double)strlen(name[r]));
	}
	fputs(") font ',12'\n", s->out);
	/* gnuplot cannot know the font, and leaves too much room. */
	fprintf(s->out, "set lmargin at screen %.3f\n",
		(longest * CHAR_WIDTH + 16) / WIDTH);
}

char *charts_draw_ranges(const char *const *name,
			 const struct chart_range *range, size_t rows,
			 size_t sides)
{
	const char *comma = "plot ";
	struct script s;

	begin(&s, ROWS_HEIGHT + ROW_HEIGHT * (int)rows);
	ranges_axes(&s, name, range, rows, sides);
	for (size_t k = 0; k < sides; k++)
		ranges_data(&s, range, rows, sides, k);
	for (size_t k = 0; k < sides; k++) {
		if (!any_known(range, rows, sides, k))
			continue;
		fprintf(s.out,
			"%s$side%zu using 1:2:($3-$1):(0) with vectors nohead "
			"lw 2.2 dt %s lc rgb '%s', $side%zu using 1:2 with "
			"points pt 7 ps 0.6 lc rgb '%s', $side%zu using 3:2 "
			"with points pt %d ps 0.6 lc rgb '%s'",
			comma, k, dashes[k], charts_colors[k], k,
			charts_colors[k], k, k % 2 ? 9 : 5, charts_colors[k]);
		comma = ", ";
	}
	fputc('\n', s.out);
	return end(&s);
}
