// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * charts_ranges.c - a row for each name, a line for each side in it
 */
#include <math.h>
#include <string.h>

#include "charts_draw.h"
#include "charts_script.h"

#define ROWS_HEIGHT 80 /* what a chart of rows has besides them */
#define ROW_HEIGHT  36
#define CHAR_WIDTH  7.2 /* of a row's name, at most in the average */
#define NS_SHOWN    1e3 /* traces are in whole microseconds */

static void ranges_data(struct chart_script *s, const struct chart_range *range,
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

static void ranges_axes(struct chart_script *s, const char *const *name,
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
	charts_log_axis(s, charts_round_down(lowest * 0.9),
			charts_round_up(highest * 1.1), UNIT_NS);
	fprintf(s->out, "set yrange [%.17g:-0.5]\nset ytics (",
		(double)rows - 0.5);
	for (size_t r = 0; r < rows; r++) {
		fprintf(s->out, "%s'%s' %zu", r ? ", " : "", name[r], r);
		longest = fmax(longest, (double)strlen(name[r]));
	}
	fputs(") font ',12'\n", s->out);
	/* gnuplot cannot know the font, and leaves too much room. */
	fprintf(s->out, "set lmargin at screen %.3f\n",
		(longest * CHAR_WIDTH + 16) / CHARTS_WIDTH);
}

char *charts_draw_ranges(const char *const *name,
			 const struct chart_range *range, size_t rows,
			 size_t sides)
{
	const char *comma = "plot ";
	struct chart_script s;

	charts_begin(&s, ROWS_HEIGHT + ROW_HEIGHT * (int)rows);
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
			comma, k, charts_dashes[k], charts_colors[k], k,
			charts_colors[k], k, k % 2 ? 9 : 5, charts_colors[k]);
		comma = ", ";
	}
	fputc('\n', s.out);
	return charts_end(&s);
}
