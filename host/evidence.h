/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * evidence.h - what the counts of a few boots say about a kernel
 *
 * A boot is reduced to one count: how many of its values lie beyond a cut.
 * The model of that count is a beta-binomial, so that the values of one boot
 * may resemble each other, plus a small chance that a boot is disturbed as a
 * whole.  Its two unknowns, the share beyond the cut and the correlation
 * within a boot, live on a fixed grid of cells, and everything here is a sum
 * over those cells.  No input or output; docs/judge.md has the formulas.
 */
#ifndef EVIDENCE_H
#define EVIDENCE_H

#include <stddef.h>

#define EVIDENCE_SHARES	      48
#define EVIDENCE_CORRELATIONS 7
/* Cell number = share number * EVIDENCE_CORRELATIONS + correlation number. */
#define EVIDENCE_CELLS (EVIDENCE_SHARES * EVIDENCE_CORRELATIONS)

/* The chance that something disturbs a whole boot. */
#define EVIDENCE_DISTURBED 0.05

/* One boot: @beyond of its @values lie beyond the cut. */
struct evidence_count {
	size_t beyond, values;
};

/**
 * evidence_log_pmf() - the model of one boot's count
 * @count:	the count; beyond <= values
 * @share:	expected share beyond the cut, within (0, 1)
 * @correlation: of two values of one boot, within [0, 1); 0 is the binomial
 * @disturbed:	chance of a disturbed boot, within [0, 1)
 * Return: the natural logarithm of the probability of @count.
 */
double evidence_log_pmf(struct evidence_count count, double share,
			double correlation, double disturbed);

/**
 * evidence_share() - the share in the middle of a column of cells
 * @i:	0..EVIDENCE_SHARES - 1
 *
 * Equidistant in the arc sine of the root, which makes equal weights
 * Jeffreys' prior of a binomial share.
 *
 * Return: the share, rising with @i.
 */
double evidence_share(size_t i);

/**
 * evidence_correlation() - a correlation of the grid
 * @j:	0..EVIDENCE_CORRELATIONS - 1
 * Return: the correlation, rising with @j from 0.
 */
double evidence_correlation(size_t j);

/**
 * evidence_prior() - the weights of the cells before any boot
 * @weight:	where to store them; they sum to 1
 */
void evidence_prior(double weight[static EVIDENCE_CELLS]);

/* The logarithms of the model in every cell, kept for each count asked. */
struct evidence_table;

/**
 * evidence_table_new() - tables for cells whose shares are moved
 * @disturbed:	chance of a disturbed boot
 * @step:	how far each share moves towards @target, 0..1; 0: not at all
 * @target:	a share
 * Return: the tables; evidence_table_free() frees them.
 */
struct evidence_table *evidence_table_new(double disturbed, double step,
					  double target);
void evidence_table_free(struct evidence_table *table);

/**
 * evidence_row() - the log probabilities of one count in every cell
 * @table:	from evidence_table_new()
 * @count:	the count
 * Return: EVIDENCE_CELLS numbers that live as long as @table.
 */
const double *evidence_row(struct evidence_table *table,
			   struct evidence_count count);

/**
 * evidence_add() - take one more boot into the log likelihoods
 * @table:	from evidence_table_new()
 * @count:	the boot's count
 * @log_like:	one sum a cell; zeros before the first boot
 */
void evidence_add(struct evidence_table *table, struct evidence_count count,
		  double log_like[static EVIDENCE_CELLS]);

/**
 * evidence_log_mix() - log of the weighted sum of likelihoods
 * @weight:	one a cell, not negative
 * @log_like:	their log likelihoods
 * Return: log(sum of weight * exp(log_like)); -INFINITY if all weights are 0.
 */
double evidence_log_mix(const double weight[static EVIDENCE_CELLS],
			const double log_like[static EVIDENCE_CELLS]);

/**
 * evidence_posterior() - the weights of the cells after some boots
 * @table:	from evidence_table_new()
 * @count:	the boots' counts
 * @boots:	how many
 * @weight:	where to store the weights; they sum to 1
 * Return: the log of the prior predictive probability of all counts.
 */
double evidence_posterior(struct evidence_table *table,
			  const struct evidence_count *count, size_t boots,
			  double weight[static EVIDENCE_CELLS]);

/**
 * evidence_correlation_weights() - what weights say of the correlation alone
 * @weight:	one a cell
 * @out:	where to store one sum a correlation
 */
void evidence_correlation_weights(const double weight[static EVIDENCE_CELLS],
				  double out[static EVIDENCE_CORRELATIONS]);

/**
 * evidence_share_weights() - what weights say of the share alone
 * @weight:	one a cell
 * @out:	where to store one sum a share
 */
void evidence_share_weights(const double weight[static EVIDENCE_CELLS],
			    double out[static EVIDENCE_SHARES]);

/**
 * evidence_share_posterior() - the share of a kernel from its counts alone
 * @correlation: weights of the correlations
 * @log_like:	log likelihoods of its counts, of cells that are not moved
 * @out:	where to store the weights of the shares; they sum to 1
 */
void evidence_share_posterior(
	const double correlation[static EVIDENCE_CORRELATIONS],
	const double log_like[static EVIDENCE_CELLS],
	double out[static EVIDENCE_SHARES]);

/**
 * evidence_share_mean() - the mean share
 * @share:	weights of the shares, summing to 1
 * Return: the mean, within (0, 1).
 */
double evidence_share_mean(const double share[static EVIDENCE_SHARES]);

/**
 * evidence_share_below() - the probability that the share is below a limit
 * @share:	weights of the shares, summing to 1
 * @limit:	any number
 *
 * A weight is spread over its column, so the answer moves smoothly with
 * @limit although the grid is coarse.
 *
 * Return: the probability.
 */
double evidence_share_below(const double share[static EVIDENCE_SHARES],
			    double limit);

/**
 * evidence_share_quantile() - the inverse of evidence_share_below()
 * @share:	weights of the shares, summing to 1
 * @prob:	0..1
 * Return: the share below which @prob of the weight lies.
 */
double evidence_share_quantile(const double share[static EVIDENCE_SHARES],
			       double prob);

/**
 * evidence_sum_pmf() - the distribution of the sum of several boots' counts
 * @table:	the cells
 * @weight:	their weights, summing to 1
 * @values:	how many values each boot has
 * @boots:	how many boots
 * @total:	where to store the largest possible sum
 *
 * Right to about 1e-14 in each probability: it is for tails of 1e-4, not for
 * tails of 1e-20.
 *
 * Return: *@total + 1 probabilities; the caller frees them.
 */
double *evidence_sum_pmf(struct evidence_table *table,
			 const double weight[static EVIDENCE_CELLS],
			 const size_t *values, size_t boots, size_t *total);

/**
 * evidence_pmf() - the model of one cell, for every count of a boot
 * @table:	the cells
 * @cell:	0..EVIDENCE_CELLS - 1
 * @values:	how many values the boot has
 * @pmf:	where to store values + 1 probabilities
 */
void evidence_pmf(struct evidence_table *table, size_t cell, size_t values,
		  double *pmf);

#endif
