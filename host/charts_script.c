// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * charts_script.c - what all kinds of chart have in common
 */
#include "charts_script.h"

#include <math.h>
#include <string.h>

#include "die.h"

/* So that sides can be told apart where there is no colour. */
const char *const charts_dashes[CHARTS_SIDES_MAX] = {
	"1",	 "(14,3)",	   "(6,3)",  "(14,3,3,3)",
	"(3,3)", "(14,3,3,3,3,3)", "(10,6)", "(6,3,3,3)",
};

/* Blue, vermilion, green and so on: told apart by the colour-blind too. */
const char *const charts_colors[CHARTS_SIDES_MAX] = {
	"#0072b2", "#d55e00", "#009e73", "#cc79a7",
	"#8a6d00", "#56b4e9", "#444444", "#7b3294",
};

void charts_begin(struct chart_script *s, int height)
{
	s->out = open_memstream(&s->text, &s->len);
	if (!s->out)
		die_errno(STATUS_HOST, "draw a plot");
	fprintf(s->out,
		"set terminal svg size %d,%d dynamic font 'sans-serif,14' "
		"noenhanced linewidth 1\n",
		CHARTS_WIDTH, height);
	fputs("set border 3 lc rgb '#777777'\n"
	      "set tics nomirror textcolor rgb '#222222'\n"
	      "set grid lc rgb '#dddddd' lt 1 lw 0.7\n"
	      "unset key\n"
	      "set rmargin 3\n",
	      s->out);
}

char *charts_end(struct chart_script *s)
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

static void put_tic(struct chart_script *s, double at, enum unit unit,
		    bool first)
{
	char text[UNITS_SIZE];

	units_format(text, at, unit);
	drop_zeros(text);
	fprintf(s->out, "%s'%s' %.17g", first ? "" : ", ", text, at);
}

double charts_round_down(double value)
{
	double power = pow(10, floor(log10(value)));

	return value >= 5 * power   ? 5 * power
	       : value >= 2 * power ? 2 * power
				    : power;
}

double charts_round_up(double value)
{
	double down = charts_round_down(value);
	double power = pow(10, floor(log10(down) + 1e-9));

	if (value <= down)
		return down;
	return down < 1.5 * power ? 2 * power
	       : down < 3 * power ? 5 * power
				  : 10 * power;
}

void charts_log_axis(struct chart_script *s, double low, double high,
		     enum unit unit)
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

void charts_y_axis(struct chart_script *s, double highest, enum unit unit)
{
	double high = highest > 0 ? highest * 1.05 : 1;
	double step = charts_round_up(high / 5);

	fprintf(s->out, "set yrange [0:%.17g]\nset ytics (", high);
	for (size_t i = 0; (double)i * step <= high; i++)
		put_tic(s, (double)i * step, unit, i == 0);
	fputs(")\n", s->out);
}
