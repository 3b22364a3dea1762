/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * charts_draw.h - the kinds of chart, each as commands for gnuplot
 *
 * Each has a file of its own; what they share is in charts_script.c.
 */
#ifndef CHARTS_DRAW_H
#define CHARTS_DRAW_H

#include "charts.h"
#include "metrics.h"

/* One side's point of a chart of y over x. */
struct chart_point {
	double x, y;
};

struct chart_points {
	struct chart_point *point;
	size_t count;
};

/* From a middle to a highest time, of one row and side. */
struct chart_range {
	bool known;
	double middle, high;
};

/**
 * charts_draw_ecdf() - the share of values that are at most x, x logarithmic
 * @metric:	one a side; NULL where a side has none
 * @sides:	how many
 * Return: the commands; the caller frees them.
 */
char *charts_draw_ecdf(const struct metric *const *metric, size_t sides);

/**
 * charts_draw_curve() - y against x: the boots' median and their range
 * @points:	one set a side, sorted here
 * @sides:	how many
 * @x_label:	our own words
 * @unit:	of y
 * Return: the commands; the caller frees them.
 */
char *charts_draw_curve(struct chart_points *points, size_t sides,
			const char *x_label, enum unit unit);

/**
 * charts_draw_dots() - every point by itself, the sides beside one another
 * @points:	one set a side
 * @sides:	how many
 * @x_label:	our own words
 * @unit:	of y
 * Return: the commands; the caller frees them.
 */
char *charts_draw_dots(struct chart_points *points, size_t sides,
		       const char *x_label, enum unit unit);

/**
 * charts_draw_ranges() - a row for each name, a line for each side in it
 * @name:	plain words: nothing but letters, digits and _-:/, and blanks
 * @range:	of row r and side s at r * @sides + s, in ns
 * @rows:	how many names
 * @sides:	how many sides
 * Return: the commands; the caller frees them.
 */
char *charts_draw_ranges(const char *const *name,
			 const struct chart_range *range, size_t rows,
			 size_t sides);

#endif
