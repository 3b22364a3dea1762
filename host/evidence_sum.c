// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evidence_sum.c - the distribution of the sum of several boots' counts
 *
 * A sum of independent counts is a convolution, and a convolution is a
 * product of Fourier transforms.  The mixture over the cells is taken before
 * the way back, which is linear, so it costs one inverse transform in all.
 */
#include <gsl/gsl_fft_halfcomplex.h>
#include <gsl/gsl_fft_real.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "die.h"
#include "evidence.h"

/* All cells below this weight together cannot move a tail of 1e-4. */
#define WEIGHT_MIN 1e-9

static size_t sum_of(const size_t *values, size_t boots)
{
	size_t total = 0;

	for (size_t i = 0; i < boots; i++)
		total += values[i];
	return total;
}

static size_t power_of_two_above(size_t total)
{
	size_t size = 2;

	while (size <= total)
		size *= 2;
	return size;
}

/* a *= b, both in the order of gsl_fft_real_radix2_transform(). */
static void multiply(double *a, const double *b, size_t size)
{
	a[0] *= b[0];
	a[size / 2] *= b[size / 2];
	for (size_t i = 1; i < size / 2; i++) {
		double re = a[i] * b[i] - a[size - i] * b[size - i];
		double im = a[i] * b[size - i] + a[size - i] * b[i];

		a[i] = re;
		a[size - i] = im;
	}
}

/* The transform of one cell's sum into @product; @one is scratch. */
static void cell_transform(struct evidence_table *table, size_t cell,
			   const size_t *values, size_t boots, size_t size,
			   double *product, double *one)
{
	size_t shown = SIZE_MAX; /* the number of values that @one is for */

	/* The transform of a sum that is surely 0 is 1 everywhere. */
	memset(product, 0, size * sizeof(*product));
	for (size_t i = 0; i <= size / 2; i++)
		product[i] = 1.0;

	for (size_t i = 0; i < boots; i++) {
		if (values[i] != shown) {
			shown = values[i];
			memset(one, 0, size * sizeof(*one));
			evidence_pmf(table, cell, shown, one);
			gsl_fft_real_radix2_transform(one, 1, size);
		}
		multiply(product, one, size);
	}
}

double *evidence_sum_pmf(struct evidence_table *table,
			 const double weight[static EVIDENCE_CELLS],
			 const size_t *values, size_t boots, size_t *total)
{
	size_t largest = sum_of(values, boots);
	size_t size = power_of_two_above(largest);
	double *mix = xalloc(size, sizeof(*mix));
	double *product = xalloc(size, sizeof(*product));
	double *one = xalloc(size, sizeof(*one));

	for (size_t cell = 0; cell < EVIDENCE_CELLS; cell++) {
		if (weight[cell] < WEIGHT_MIN)
			continue;
		cell_transform(table, cell, values, boots, size, product, one);
		for (size_t i = 0; i < size; i++)
			mix[i] += weight[cell] * product[i];
	}
	gsl_fft_halfcomplex_radix2_inverse(mix, 1, size);
	free(product);
	free(one);

	for (size_t i = 0; i <= largest; i++)
		if (mix[i] < 0.0)
			mix[i] = 0.0;
	*total = largest;
	return mix;
}
