/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * charts.h - which pictures the runs of a report give, as commands for gnuplot
 */
#ifndef CHARTS_H
#define CHARTS_H

#include "sides.h"

#define CHARTS_SIDES_MAX 8 /* as many colours can be told apart */

extern const char *const charts_colors[CHARTS_SIDES_MAX];

struct chart {
	char *heading; /* what it shows: step, metric */
	char *caption; /* how to read it */
	char *script;  /* for plot_svg() */
};

struct charts {
	struct chart *chart;
	size_t count;
};

/**
 * charts_make() - every chart that the runs have values for
 * @charts:	needs no initialisation; free with charts_free()
 * @sides:	at most CHARTS_SIDES_MAX of them count
 *
 * Nothing that came from a guest is in a script but numbers: the headings and
 * the sides' labels are for the page.
 */
void charts_make(struct charts *charts, const struct sides *sides);

/**
 * charts_free() - free what charts_make() made
 * @charts:	from charts_make()
 */
void charts_free(struct charts *charts);

#endif
