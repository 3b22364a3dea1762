// SPDX-License-Identifier: GPL-2.0-or-later
// sources: host/shift.c host/stats.c host/die.c
/*
 * test_shift.c - does an interval hold what it promises?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <math.h>

#include "shift.h"
#include "stats.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define SEED	     20250701
#define VALUES	     20
#define BOOTS_MAX    8

static const double none[BOOTS_MAX];
static const double side_a[] = { 10, 12, 11, 15 };
static const double side_b[] = { 14, 18, 17, 16, 20 };

static struct shift_side side(const double *value, const double *variance,
			      size_t boots)
{
	return (struct shift_side){ value, variance, boots };
}

/* Welch's test of the two lists as SciPy 1.10 gives it. */
static void shift_of__is_welchs_interval(void **state)
{
	struct shift_side a = side(side_a, none, 4), b = side(side_b, none, 5);
	struct shift shift;

	(void)state;
	assert_true(shift_of(&a, &b, &shift));
	assert_float_equal(shift.change, 5, 1e-12);
	assert_float_equal(shift.low, 1.4842709911883163, 1e-9);
	assert_float_equal(shift.high, 8.515729008811684, 1e-9);
	assert_float_equal(shift.p, 0.012365564925480292, 1e-9);
	assert_false(shift.constant);
}

/* The same with 9 for the variance of A, which between its boots is 4.67. */
static void shift_of__believes_no_lucky_agreement(void **state)
{
	static const double nine[] = { 8, 9, 10, 9 };
	struct shift_side a = side(side_a, nine, 4), b = side(side_b, none, 5);
	struct shift shift;

	(void)state;
	assert_true(shift_of(&a, &b, &shift));
	assert_float_equal(shift.low, 0.47893879016150454, 1e-9);
	assert_float_equal(shift.high, 9.521061209838496, 1e-9);
	assert_float_equal(shift.p, 0.03571509269308265, 1e-9);
}

static void shift_of__wants_three_boots_a_side(void **state)
{
	struct shift_side two = side(side_a, none, 2);
	struct shift_side b = side(side_b, none, 5);
	struct shift shift;

	(void)state;
	assert_false(shift_of(&two, &b, &shift));
	assert_false(shift_of(&b, &two, &shift));
}

/* 3 of 6 can be chosen in 20 ways; two of them are the order seen. */
static void shift_of__counts_orders_where_nothing_scatters(void **state)
{
	static const double ones[] = { 1, 1, 1 }, twos[] = { 2, 2, 2 };
	struct shift_side a = side(ones, none, 3), b = side(twos, none, 3);
	struct shift shift;

	(void)state;
	assert_true(shift_of(&a, &b, &shift));
	assert_true(shift.constant);
	assert_float_equal(shift.p, 0.1, 1e-12);
	assert_float_equal(shift.change, 1, 0);
	assert_true(shift_of(&a, &a, &shift));
	assert_float_equal(shift.p, 1, 0);
}

/* 0.005 x 4, 0.01 x 3, 0.03 x 2, and 0.04, which must not be below 0.06. */
static void shift_holm__multiplies_and_never_falls(void **state)
{
	static const double p[] = { 0.01, 0.04, 0.03, 0.005 };
	static const double expected[] = { 0.03, 0.06, 0.06, 0.02 };
	double corrected[COUNT(p)], one = 0.7;

	(void)state;
	shift_holm(p, corrected, COUNT(p));
	for (size_t i = 0; i < COUNT(p); i++)
		assert_float_equal(corrected[i], expected[i], 1e-12);
	shift_holm(&one, corrected, 1);
	assert_float_equal(corrected[0], 0.7, 0);
	shift_holm(p, corrected, 0);
}

/*
 * Of the 27 ways to draw three of {0, 1, 3} with replacement, 7 have the
 * median 0, 13 have 1, and 7 have 3: the variance is 76/27 - (34/27)^2.
 */
static void stats_quantile_variance__is_that_of_all_resamples(void **state)
{
	static const double three[] = { 0, 1, 3 },
			    far[] = { 1e9, 1e9 + 1, 1e9 + 3 };

	(void)state;
	assert_float_equal(stats_quantile_variance(three, 3, 0.5), 896.0 / 729,
			   1e-12);
	assert_float_equal(stats_quantile_variance(far, 3, 0.5), 896.0 / 729,
			   1e-6);
	assert_float_equal(stats_quantile_variance(three, 1, 0.5), 0, 0);
}

enum family { NORMAL, BETWEEN, HEAVY, SKEWED, MODES };

static double draw(gsl_rng *rng, enum family family, double of_boot)
{
	switch (family) {
	case NORMAL:
		return gsl_ran_gaussian(rng, 1);
	case BETWEEN:
		return 3 * of_boot + gsl_ran_gaussian(rng, 3);
	case HEAVY:
		return gsl_ran_tdist(rng, 2);
	case SKEWED:
		return exp(gsl_ran_gaussian(rng, 1));
	default: /* a slow mode in half of the values */
		return (gsl_rng_uniform(rng) < 0.5 ? 1 : 10) +
		       gsl_ran_gaussian(rng, 0.05);
	}
}

/* Boots of one kernel; the same kernel makes both sides. */
static void draw_side(gsl_rng *rng, enum family family, double q, double *value,
		      double *variance, size_t boots)
{
	double values[VALUES];

	for (size_t i = 0; i < boots; i++) {
		double of_boot = gsl_ran_gaussian(rng, 1);

		for (size_t v = 0; v < VALUES; v++)
			values[v] = draw(rng, family, of_boot);
		gsl_sort(values, 1, VALUES);
		value[i] = stats_quantile(values, VALUES, q);
		variance[i] = stats_quantile_variance(values, VALUES, q);
	}
}

static size_t misses(gsl_rng *rng, enum family family, double q, size_t boots,
		     size_t trials)
{
	double value[2][BOOTS_MAX], variance[2][BOOTS_MAX];
	size_t missed = 0;

	for (size_t t = 0; t < trials; t++) {
		struct shift_side s[2];
		struct shift shift;

		for (size_t k = 0; k < 2; k++) {
			draw_side(rng, family, q, value[k], variance[k], boots);
			s[k] = side(value[k], variance[k], boots);
		}
		assert_true(shift_of(&s[0], &s[1], &shift));
		missed += shift.low > 0 || shift.high < 0;
		assert_int_equal(shift.low > 0 || shift.high < 0,
				 shift.p < SHIFT_ERROR);
	}
	return missed;
}

/*
 * At most 5 % of the intervals may miss a change of 0.  77 of 1,000 is four
 * standard deviations above that; docs/compare.md has a longer simulation.
 */
static void shift_of__covers_in_simulation(void **state)
{
	static const size_t boots[] = { 3, 4, 8 };
	static const double q[] = { 0.5, 0.9 };
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

	(void)state;
	gsl_rng_set(rng, SEED);
	for (enum family f = NORMAL; f <= MODES; f++)
		for (size_t b = 0; b < COUNT(boots); b++)
			for (size_t k = 0; k < COUNT(q); k++) {
				size_t missed =
					misses(rng, f, q[k], boots[b], 1000);

				print_message("# family %d, q %.1f, %zu boots: "
					      "%zu of 1000 miss\n",
					      (int)f, q[k], boots[b], missed);
				assert_true(missed <= 77);
			}
	gsl_rng_free(rng);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shift_of__is_welchs_interval),
		cmocka_unit_test(shift_of__believes_no_lucky_agreement),
		cmocka_unit_test(shift_of__wants_three_boots_a_side),
		cmocka_unit_test(
			shift_of__counts_orders_where_nothing_scatters),
		cmocka_unit_test(shift_holm__multiplies_and_never_falls),
		cmocka_unit_test(
			stats_quantile_variance__is_that_of_all_resamples),
		cmocka_unit_test(shift_of__covers_in_simulation),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
