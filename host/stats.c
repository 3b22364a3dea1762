// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stats.c - what a set of values looks like
 */
#include "stats.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

double stats_quantile(const double *sorted, size_t count, double q)
{
	return gsl_stats_quantile_from_sorted_data(sorted, 1, count, q);
}

double stats_quantile_variance(const double *sorted, size_t count, double q)
{
	double n = (double)count, a = q * (n + 1), b = (1 - q) * (n + 1);
	double below = 0, mean = 0, square = 0;

	for (size_t i = 0; i < count; i++) {
		double upto = gsl_cdf_beta_P((double)(i + 1) / n, a, b);
		/* Around the first value, or the squares would cancel. */
		double value = sorted[i] - sorted[0];

		mean += (upto - below) * value;
		square += (upto - below) * value * value;
		below = upto;
	}
	return fmax(square - mean * mean, 0);
}

bool stats_of(double *values, size_t count, struct stats *stats)
{
	*stats = (struct stats){ .count = count };
	if (!count)
		return false;

	gsl_sort(values, 1, count);
	stats->min = values[0];
	stats->p10 = stats_quantile(values, count, 0.10);
	stats->p50 = stats_quantile(values, count, 0.50);
	stats->p90 = stats_quantile(values, count, 0.90);
	stats->p99 = stats_quantile(values, count, 0.99);
	stats->max = values[count - 1];
	stats->mean = gsl_stats_mean(values, 1, count);
	if (count > 1)
		stats->sd = gsl_stats_sd_m(values, 1, count, stats->mean);
	return true;
}

bool stats_worse(double a, double b, bool lower)
{
	return lower ? a > b : a < b;
}

double stats_rank_capped(double *values, const bool *capped, size_t count,
			 bool lower)
{
	double worst = lower ? -HUGE_VAL : HUGE_VAL;

	for (size_t i = 0; i < count; i++)
		if (!capped[i] && stats_worse(values[i], worst, lower))
			worst = values[i];
	for (size_t i = 0; i < count; i++)
		if (capped[i] && isfinite(worst) &&
		    !stats_worse(values[i], worst, lower))
			values[i] =
				nextafter(worst, -HUGE_VAL * (lower ? -1 : 1));
	return worst;
}
