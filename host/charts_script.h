/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * charts_script.h - what all kinds of chart have in common
 */
#ifndef CHARTS_SCRIPT_H
#define CHARTS_SCRIPT_H

#include <stdio.h>

#include "charts.h"
#include "units.h"

#define CHARTS_WIDTH  560 /* in pixels, until a page scales it */
#define CHARTS_HEIGHT 330

/* So that sides can be told apart where there is no colour. */
extern const char *const charts_dashes[CHARTS_SIDES_MAX];

/* Commands for gnuplot, as far as they are written. */
struct chart_script {
	FILE *out;
	char *text;
	size_t len;
};

/**
 * charts_begin() - begin a chart: its size and look
 * @s:		needs no initialisation; end with charts_end()
 * @height:	in pixels
 */
void charts_begin(struct chart_script *s, int height);

/**
 * charts_end() - end a chart
 * @s:		from charts_begin()
 * Return: the commands; the caller frees them.
 */
char *charts_end(struct chart_script *s);

/**
 * charts_log_axis() - make x logarithmic
 * @s:		from charts_begin()
 * @low:	where it begins, above 0
 * @high:	where it ends
 * @unit:	of x
 *
 * Ticks at the powers of ten; in a short range at their 2 and 5 folds too.
 */
void charts_log_axis(struct chart_script *s, double low, double high,
		     enum unit unit);

/**
 * charts_y_axis() - make y linear from 0 on, with about five round ticks
 * @s:		from charts_begin()
 * @highest:	value that it shall show
 * @unit:	of y
 */
void charts_y_axis(struct chart_script *s, double highest, enum unit unit);

/**
 * charts_round_down() - a round number that is not above a value
 * @value:	above 0
 * Return: the largest of 1, 2 and 5 times a power of ten.
 */
double charts_round_down(double value);

/**
 * charts_round_up() - a round number that is not below a value
 * @value:	above 0
 * Return: the smallest of 1, 2 and 5 times a power of ten.
 */
double charts_round_up(double value);

#endif
