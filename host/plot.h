/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plot.h - gnuplot draws, and its picture goes into a page
 */
#ifndef PLOT_H
#define PLOT_H

#include <stddef.h>

/**
 * plot_svg() - have gnuplot draw a picture
 * @script:	its commands: numbers and our own words only, for gnuplot has
 *		a shell
 * @id:		what sets this picture's ids apart from others of the page
 * @title:	what the picture shows, in plain words; escaped here
 *
 * Return: an <svg> element, which the caller frees, or NULL if gnuplot is not
 *	   there or fails, which stderr tells.
 */
char *plot_svg(const char *script, const char *id, const char *title);

#endif
