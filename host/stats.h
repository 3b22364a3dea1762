/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stats.h - what a set of values looks like
 *
 * Pure functions on arrays of doubles; they know no metric and no run.
 */
#ifndef STATS_H
#define STATS_H

#include <stdbool.h>
#include <stddef.h>

struct stats {
	size_t count;
	double min, p10, p50, p90, p99, max;
	double mean, sd; /* the sample's, with n - 1; 0 for a single value */
};

/**
 * stats_quantile() - a quantile by linear interpolation
 * @sorted:	rising, without NaN
 * @count:	how many, at least 1
 * @q:		0 to 1
 *
 * Type 7 of Hyndman and Fan (1996), the default of R and NumPy.
 *
 * Return: the quantile.
 */
double stats_quantile(const double *sorted, size_t count, double q);

/**
 * stats_quantile_variance() - how far a quantile is moved by chance alone
 * @sorted:	rising, without NaN, independent of one another
 * @count:	how many, at least 1
 * @q:		0 to 1
 *
 * The variance that resampling the values without end would give, with the
 * weights of Harrell and Davis (1982); no random numbers are drawn.
 *
 * Return: the variance; 0 for a single value.
 */
double stats_quantile_variance(const double *sorted, size_t count, double q);

/**
 * stats_of() - describe values
 * @values:	without NaN; sorted in place
 * @count:	how many
 * @stats:	where to store it; all 0 if there are none
 * Return: whether there are any.
 */
bool stats_of(double *values, size_t count, struct stats *stats);

/**
 * stats_worse() - is one value worse than another?
 * @a:		a value
 * @b:		another
 * @lower:	lower is better
 * Return: whether @a is worse.
 */
bool stats_worse(double a, double b, bool lower);

/**
 * stats_rank_capped() - give capped values the rank they stand for
 * @values:	changed in place
 * @capped:	which of them were cut off at a cap
 * @count:	how many
 * @lower:	lower is better, so a capped one is above all others; else
 *		below
 *
 * A capped value that is not worse than all that were measured becomes just so
 * much worse that it ranks behind them.  It is a bound: the real one is at
 * least as bad.
 *
 * Return: the worst value that was measured; a quantile that is worse is a
 *	   bound.  An infinity, better than all, if every value is capped.
 */
double stats_rank_capped(double *values, const bool *capped, size_t count,
			 bool lower);

#endif
