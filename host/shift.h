/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * shift.h - has a quantile moved between two sets of boots?
 *
 * Each boot gives one number, its own quantile; docs/compare.md has the rule
 * and how often it is wrong.
 */
#ifndef SHIFT_H
#define SHIFT_H

#include <stdbool.h>
#include <stddef.h>

#define SHIFT_BOOTS_MIN 3    /* of a side; from fewer no scatter is known */
#define SHIFT_ERROR	0.05 /* of an interval, and of all marks together */

/* One side: what each boot says, and how sure its own values make it. */
struct shift_side {
	const double *value;
	const double *variance; /* of @value by chance within the boot */
	size_t boots;
};

struct shift {
	double change;	  /* the mean of the second side less the first's */
	double low, high; /* its interval at 1 - SHIFT_ERROR */
	double p; /* that chance alone gives so much, in either direction */
	bool constant; /* no value of a side differs from another of it */
};

/**
 * shift_of() - the change from one side to the other
 * @a:		the first side
 * @b:		the second
 * @shift:	where to store it; untouched if a side has too few boots
 * Return: whether both have SHIFT_BOOTS_MIN boots.
 */
bool shift_of(const struct shift_side *a, const struct shift_side *b,
	      struct shift *shift);

/**
 * shift_holm() - correct the p of many tests for their number
 * @p:		one for each test
 * @corrected:	where to store each one's, by Holm (1979): of those at most
 *		x, even one is wrong with a probability of at most x
 * @count:	how many tests
 */
void shift_holm(const double *p, double *corrected, size_t count);

#endif
