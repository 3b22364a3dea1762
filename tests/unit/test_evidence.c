// SPDX-License-Identifier: GPL-2.0-or-later
// sources: host/evidence.c host/evidence_sum.c host/die.c
/*
 * test_evidence.c - the tables against distributions that are known
 */
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "evidence.h"

static void assert_near(double seen, double expected, double slack)
{
	if (fabs(seen - expected) > slack)
		fail_msg("%.17g instead of %.17g", seen, expected);
}

static void log_pmf__is_the_binomial_without_correlation(void **state)
{
	(void)state;
	for (unsigned int k = 0; k <= 40; k++) {
		struct evidence_count count = { k, 40 };

		assert_near(exp(evidence_log_pmf(count, 0.3, 0.0, 0.0)),
			    gsl_ran_binomial_pdf(k, 0.3, 40), 1e-12);
	}
}

/* Beta-binomial, n 2, a = b = 1 (share 1/2, correlation 1/3): all alike. */
static void log_pmf__is_uniform_for_a_uniform_share(void **state)
{
	(void)state;
	for (size_t k = 0; k <= 2; k++) {
		struct evidence_count count = { k, 2 };

		assert_near(exp(evidence_log_pmf(count, 0.5, 1.0 / 3.0, 0.0)),
			    1.0 / 3.0, 1e-12);
	}
}

/* Kish: the variance of a count is n p (1 - p) (1 + (n - 1) r). */
static void log_pmf__has_the_variance_of_a_design_effect(void **state)
{
	double mean = 0.0, square = 0.0;

	(void)state;
	for (size_t k = 0; k <= 40; k++) {
		struct evidence_count count = { k, 40 };
		double p = exp(evidence_log_pmf(count, 0.25, 0.1, 0.0));

		mean += p * (double)k;
		square += p * (double)(k * k);
	}
	assert_near(mean, 10.0, 1e-9);
	assert_near(square - mean * mean, 7.5 * (1.0 + 39.0 * 0.1), 1e-8);
}

static void table__rows_sum_to_1_in_every_cell(void **state)
{
	struct evidence_table *table = evidence_table_new(0.05, 0.25, 0.9);
	double sum[EVIDENCE_CELLS] = { 0.0 };

	(void)state;
	for (size_t k = 0; k <= 40; k++) {
		const double *row =
			evidence_row(table, (struct evidence_count){ k, 40 });

		for (size_t cell = 0; cell < EVIDENCE_CELLS; cell++)
			sum[cell] += exp(row[cell]);
	}
	for (size_t cell = 0; cell < EVIDENCE_CELLS; cell++)
		assert_near(sum[cell], 1.0, 1e-10);
	evidence_table_free(table);
}

static void prior__sums_to_1(void **state)
{
	double weight[EVIDENCE_CELLS], sum = 0.0;

	(void)state;
	evidence_prior(weight);
	for (size_t cell = 0; cell < EVIDENCE_CELLS; cell++)
		sum += weight[cell];
	assert_near(sum, 1.0, 1e-12);
}

/* Jeffreys: the mean share after 3 of 10 is 3.5 / 11, by conjugacy. */
static void posterior__is_that_of_jeffreys_without_correlation(void **state)
{
	struct evidence_table *table = evidence_table_new(0.0, 0.0, 0.0);
	struct evidence_count count = { 3, 10 };
	double only_binomial[EVIDENCE_CORRELATIONS] = { 1.0 };
	double share[EVIDENCE_SHARES], log_like[EVIDENCE_CELLS] = { 0.0 };

	(void)state;
	evidence_add(table, count, log_like);
	evidence_share_posterior(only_binomial, log_like, share);
	assert_near(evidence_share_mean(share), 3.5 / 11.0, 1e-6);
	for (double p = 0.1; p < 0.7; p += 0.1)
		assert_near(evidence_share_below(share, p),
			    gsl_cdf_beta_P(p, 3.5, 7.5), 2e-3);
	assert_near(evidence_share_quantile(share, 0.975),
		    gsl_cdf_beta_Pinv(0.975, 3.5, 7.5), 5e-3);
	evidence_table_free(table);
}

static void share_below__is_undone_by_quantile(void **state)
{
	double share[EVIDENCE_SHARES];

	(void)state;
	for (size_t i = 0; i < EVIDENCE_SHARES; i++)
		share[i] = 1.0 / EVIDENCE_SHARES;
	for (double prob = 0.05; prob < 1.0; prob += 0.05)
		assert_near(evidence_share_below(share, evidence_share_quantile(
								share, prob)),
			    prob, 1e-9);
	assert_near(evidence_share_below(share, -0.1), 0.0, 0.0);
	assert_near(evidence_share_below(share, 1.1), 1.0, 0.0);
}

/* The weight on one cell without correlation: a sum is one big binomial. */
static void sum_pmf__adds_binomials(void **state)
{
	struct evidence_table *table = evidence_table_new(0.0, 1.0, 0.2);
	double weight[EVIDENCE_CELLS] = { 1.0 };
	size_t values[] = { 5, 40, 40, 3 }, total;
	double *pmf = evidence_sum_pmf(table, weight, values, 4, &total);
	double tail = 0.0;

	(void)state;
	assert_int_equal(total, 88);
	for (unsigned int k = 0; k <= 88; k++)
		assert_near(pmf[k], gsl_ran_binomial_pdf(k, 0.2, 88), 1e-13);
	for (unsigned int k = 88; k > 30; k--)
		tail += pmf[k];
	assert_near(tail, gsl_cdf_binomial_Q(30, 0.2, 88), 1e-13);
	free(pmf);
	evidence_table_free(table);
}

/* Against the convolution written out, with correlation and disturbance. */
static void sum_pmf__equals_the_direct_convolution(void **state)
{
	struct evidence_table *table = evidence_table_new(0.05, 0.0, 0.0);
	size_t values[] = { 6, 9 }, total,
	       cell = 20 * EVIDENCE_CORRELATIONS + 4;
	double weight[EVIDENCE_CELLS] = { 0.0 }, one[7], other[10];
	double direct[16] = { 0.0 };
	double *pmf;

	(void)state;
	weight[cell] = 1.0;
	pmf = evidence_sum_pmf(table, weight, values, 2, &total);
	evidence_pmf(table, cell, 6, one);
	evidence_pmf(table, cell, 9, other);
	for (size_t i = 0; i <= 6; i++)
		for (size_t j = 0; j <= 9; j++)
			direct[i + j] += one[i] * other[j];
	assert_int_equal(total, 15);
	for (size_t k = 0; k <= total; k++)
		assert_near(pmf[k], direct[k], 1e-14);
	free(pmf);
	evidence_table_free(table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(log_pmf__is_the_binomial_without_correlation),
		cmocka_unit_test(log_pmf__is_uniform_for_a_uniform_share),
		cmocka_unit_test(log_pmf__has_the_variance_of_a_design_effect),
		cmocka_unit_test(table__rows_sum_to_1_in_every_cell),
		cmocka_unit_test(prior__sums_to_1),
		cmocka_unit_test(
			posterior__is_that_of_jeffreys_without_correlation),
		cmocka_unit_test(share_below__is_undone_by_quantile),
		cmocka_unit_test(sum_pmf__adds_binomials),
		cmocka_unit_test(sum_pmf__equals_the_direct_convolution),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
