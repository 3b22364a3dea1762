// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * shift.c - has a quantile moved between two sets of boots?
 */
#include "shift.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sf_gamma.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

#include "die.h"

/*
 * The variance of a side's mean.  The scatter between boots holds the chance
 * within them already; but three boots may agree by luck, and the values
 * within them then still say how little that means.
 */
static double variance_of_mean(const struct shift_side *side)
{
	double between = gsl_stats_variance(side->value, 1, side->boots);
	double within = gsl_stats_mean(side->variance, 1, side->boots);

	return fmax(between, within) / (double)side->boots;
}

/* The degrees of freedom of Welch and Satterthwaite. */
static double freedom(double of_a, double of_b, const struct shift_side *a,
		      const struct shift_side *b)
{
	double sum = of_a + of_b;

	return sum * sum /
	       (of_a * of_a / (double)(a->boots - 1) +
		of_b * of_b / (double)(b->boots - 1));
}

/*
 * Without any scatter there is nothing to measure the change by.  What is left
 * is the order: of all ways to deal the boots out to two sides, two have this
 * or its mirror.
 */
static double chance_of_order(const struct shift_side *a,
			      const struct shift_side *b)
{
	return 2 / exp(gsl_sf_lnchoose((unsigned int)(a->boots + b->boots),
				       (unsigned int)a->boots));
}

bool shift_of(const struct shift_side *a, const struct shift_side *b,
	      struct shift *shift)
{
	double of_a, of_b, error, df, width;

	if (a->boots < SHIFT_BOOTS_MIN || b->boots < SHIFT_BOOTS_MIN)
		return false;
	of_a = variance_of_mean(a);
	of_b = variance_of_mean(b);
	*shift = (struct shift){
		.change = gsl_stats_mean(b->value, 1, b->boots) -
			  gsl_stats_mean(a->value, 1, a->boots),
		.constant = of_a + of_b <= 0,
	};
	shift->low = shift->high = shift->change;
	if (shift->constant) {
		shift->p = shift->change != 0 ? chance_of_order(a, b) : 1;
		return true;
	}
	error = sqrt(of_a + of_b);
	df = freedom(of_a, of_b, a, b);
	width = error * gsl_cdf_tdist_Qinv(SHIFT_ERROR / 2, df);
	shift->low -= width;
	shift->high += width;
	shift->p = 2 * gsl_cdf_tdist_Q(fabs(shift->change) / error, df);
	return true;
}

void shift_holm(const double *p, double *corrected, size_t count)
{
	size_t *order = xalloc(count, sizeof(*order));
	double least = 0;

	gsl_sort_index(order, p, 1, count);
	for (size_t i = 0; i < count; i++) {
		double value = p[order[i]] * (double)(count - i);

		least = fmin(fmax(least, value), 1);
		corrected[order[i]] = least;
	}
	free(order);
}
