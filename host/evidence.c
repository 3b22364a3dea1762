// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evidence.c - the model of a boot's count, and sums over its grid of cells
 *
 * Sources: the beta-binomial by mean and correlation as in Kish's design
 * effect (variance = binomial * (1 + (n - 1) r)); equal weights on an arc
 * sine grid are Jeffreys' prior.
 */
#include "evidence.h"

#include <gsl/gsl_sf_gamma.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "die.h"

/* Small correlations are likelier, and 0.7 is nearly one value a boot. */
static const struct {
	double correlation, prior;
} correlations[EVIDENCE_CORRELATIONS] = {
	{ 0.00, 0.22 }, { 0.02, 0.20 }, { 0.05, 0.18 }, { 0.10, 0.15 },
	{ 0.20, 0.12 }, { 0.40, 0.08 }, { 0.70, 0.05 },
};

/* The rows of one number of values; row[beyond] is NULL until asked for. */
struct rows {
	size_t values;
	double **row;
};

/* One cell; @a and @b are of its beta distribution, unused without one. */
struct cell {
	double share, correlation;
	double a, b, log_beta;
};

struct evidence_table {
	struct cell cell[EVIDENCE_CELLS];
	double disturbed;
	struct rows *rows;
	size_t rows_count;
};

/* log(exp(x) + exp(y)) without overflow. */
static double log_add(double x, double y)
{
	double high = x > y ? x : y, low = x > y ? y : x;

	return low == -INFINITY ? high : high + log1p(exp(low - high));
}

static struct cell make_cell(double share, double correlation)
{
	struct cell cell = { share, correlation, 0.0, 0.0, 0.0 };
	double scale;

	if (correlation > 0.0) {
		scale = (1.0 - correlation) / correlation;
		cell.a = share * scale;
		cell.b = (1.0 - share) * scale;
		cell.log_beta = gsl_sf_lnbeta(cell.a, cell.b);
	}
	return cell;
}

/* Of a boot that is not disturbed, without the binomial coefficient. */
static double log_usual(const struct cell *cell, struct evidence_count count)
{
	double k = (double)count.beyond, n = (double)count.values;

	if (cell->correlation > 0.0)
		return gsl_sf_lnbeta(k + cell->a, n - k + cell->b) -
		       cell->log_beta;
	return k * log(cell->share) + (n - k) * log1p(-cell->share);
}

/* What is the same in all cells: the coefficient and the disturbed boots. */
struct common {
	double log_choose, log_disturbed, log_not;
};

static struct common common_part(struct evidence_count count, double disturbed)
{
	static const double half = 0.5;
	double k = (double)count.beyond, n = (double)count.values;
	struct common common = {
		.log_choose = gsl_sf_lnchoose((unsigned int)count.values,
					      (unsigned int)count.beyond),
		.log_disturbed = -INFINITY,
		.log_not = log1p(-disturbed),
	};

	if (disturbed > 0.0)
		common.log_disturbed = log(disturbed) +
				       gsl_sf_lnbeta(k + half, n - k + half) -
				       gsl_sf_lnbeta(half, half);
	return common;
}

static double cell_log_pmf(const struct cell *cell, struct evidence_count count,
			   const struct common *common)
{
	return common->log_choose +
	       log_add(common->log_not + log_usual(cell, count),
		       common->log_disturbed);
}

double evidence_log_pmf(struct evidence_count count, double share,
			double correlation, double disturbed)
{
	struct cell cell = make_cell(share, correlation);
	struct common common = common_part(count, disturbed);

	return cell_log_pmf(&cell, count, &common);
}

double evidence_share(size_t i)
{
	double root = sin(M_PI_2 * ((double)i + 0.5) / EVIDENCE_SHARES);

	return root * root;
}

double evidence_correlation(size_t j)
{
	return correlations[j].correlation;
}

void evidence_prior(double weight[static EVIDENCE_CELLS])
{
	for (size_t cell = 0; cell < EVIDENCE_CELLS; cell++)
		weight[cell] =
			correlations[cell % EVIDENCE_CORRELATIONS].prior /
			EVIDENCE_SHARES;
}

struct evidence_table *evidence_table_new(double disturbed, double step,
					  double target)
{
	struct evidence_table *table = xalloc(1, sizeof(*table));

	table->disturbed = disturbed;
	for (size_t cell = 0; cell < EVIDENCE_CELLS; cell++) {
		double share = evidence_share(cell / EVIDENCE_CORRELATIONS);

		table->cell[cell] = make_cell(
			share + step * (target - share),
			correlations[cell % EVIDENCE_CORRELATIONS].correlation);
	}
	return table;
}

void evidence_table_free(struct evidence_table *table)
{
	if (!table)
		return;
	for (size_t i = 0; i < table->rows_count; i++) {
		for (size_t k = 0; k <= table->rows[i].values; k++)
			free(table->rows[i].row[k]);
		free(table->rows[i].row);
	}
	free(table->rows);
	free(table);
}

static struct rows *find_rows(struct evidence_table *table, size_t values)
{
	struct rows *rows;

	for (size_t i = 0; i < table->rows_count; i++)
		if (table->rows[i].values == values)
			return &table->rows[i];

	table->rows = xgrow(table->rows, table->rows_count + 1, sizeof(*rows));
	rows = &table->rows[table->rows_count++];
	rows->values = values;
	rows->row = xalloc(values + 1, sizeof(*rows->row));
	return rows;
}

const double *evidence_row(struct evidence_table *table,
			   struct evidence_count count)
{
	struct rows *rows = find_rows(table, count.values);
	double *row = rows->row[count.beyond];
	struct common common;

	if (row)
		return row;
	row = xalloc(EVIDENCE_CELLS, sizeof(*row));
	common = common_part(count, table->disturbed);
	for (size_t cell = 0; cell < EVIDENCE_CELLS; cell++)
		row[cell] = cell_log_pmf(&table->cell[cell], count, &common);
	rows->row[count.beyond] = row;
	return row;
}

/* The rows serve it, so that the next cell finds them filled. */
void evidence_pmf(struct evidence_table *table, size_t cell, size_t values,
		  double *pmf)
{
	for (size_t k = 0; k <= values; k++)
		pmf[k] = exp(evidence_row(
			table, (struct evidence_count){ k, values })[cell]);
}

void evidence_add(struct evidence_table *table, struct evidence_count count,
		  double log_like[static EVIDENCE_CELLS])
{
	const double *row = evidence_row(table, count);

	for (size_t cell = 0; cell < EVIDENCE_CELLS; cell++)
		log_like[cell] += row[cell];
}

double evidence_log_mix(const double weight[static EVIDENCE_CELLS],
			const double log_like[static EVIDENCE_CELLS])
{
	double high = -INFINITY, sum = 0.0;

	for (size_t cell = 0; cell < EVIDENCE_CELLS; cell++)
		if (weight[cell] > 0.0 && log_like[cell] > high)
			high = log_like[cell];
	if (high == -INFINITY)
		return high;

	/* exp(-700) is the smallest that is worth its cost. */
	for (size_t cell = 0; cell < EVIDENCE_CELLS; cell++)
		if (weight[cell] > 0.0 && log_like[cell] > high - 700.0)
			sum += weight[cell] * exp(log_like[cell] - high);
	return high + log(sum);
}

double evidence_posterior(struct evidence_table *table,
			  const struct evidence_count *count, size_t boots,
			  double weight[static EVIDENCE_CELLS])
{
	double log_like[EVIDENCE_CELLS] = { 0.0 };
	double total;

	for (size_t i = 0; i < boots; i++)
		evidence_add(table, count[i], log_like);
	evidence_prior(weight);
	total = evidence_log_mix(weight, log_like);
	for (size_t cell = 0; cell < EVIDENCE_CELLS; cell++)
		weight[cell] *= exp(log_like[cell] - total);
	return total;
}

void evidence_correlation_weights(const double weight[static EVIDENCE_CELLS],
				  double out[static EVIDENCE_CORRELATIONS])
{
	memset(out, 0, EVIDENCE_CORRELATIONS * sizeof(*out));
	for (size_t cell = 0; cell < EVIDENCE_CELLS; cell++)
		out[cell % EVIDENCE_CORRELATIONS] += weight[cell];
}

void evidence_share_weights(const double weight[static EVIDENCE_CELLS],
			    double out[static EVIDENCE_SHARES])
{
	memset(out, 0, EVIDENCE_SHARES * sizeof(*out));
	for (size_t cell = 0; cell < EVIDENCE_CELLS; cell++)
		out[cell / EVIDENCE_CORRELATIONS] += weight[cell];
}

void evidence_share_posterior(
	const double correlation[static EVIDENCE_CORRELATIONS],
	const double log_like[static EVIDENCE_CELLS],
	double out[static EVIDENCE_SHARES])
{
	double weight[EVIDENCE_CELLS];
	double total;

	for (size_t cell = 0; cell < EVIDENCE_CELLS; cell++)
		weight[cell] = correlation[cell % EVIDENCE_CORRELATIONS] /
			       EVIDENCE_SHARES;
	total = evidence_log_mix(weight, log_like);
	for (size_t cell = 0; cell < EVIDENCE_CELLS; cell++)
		weight[cell] *= exp(log_like[cell] - total);
	evidence_share_weights(weight, out);
}

double evidence_share_mean(const double share[static EVIDENCE_SHARES])
{
	double mean = 0.0;

	for (size_t i = 0; i < EVIDENCE_SHARES; i++)
		mean += share[i] * evidence_share(i);
	return mean;
}

double evidence_share_below(const double share[static EVIDENCE_SHARES],
			    double limit)
{
	double below = 0.0, place;
	size_t i;

	if (limit <= 0.0)
		return 0.0;
	if (limit >= 1.0)
		return 1.0;
	place = asin(sqrt(limit)) / M_PI_2 * EVIDENCE_SHARES;
	for (i = 0; i < EVIDENCE_SHARES && (double)i + 1.0 <= place; i++)
		below += share[i];
	if (i < EVIDENCE_SHARES)
		below += share[i] * (place - (double)i);
	return below;
}

double evidence_share_quantile(const double share[static EVIDENCE_SHARES],
			       double prob)
{
	double below = 0.0, place = EVIDENCE_SHARES, root;

	for (size_t i = 0; i < EVIDENCE_SHARES; i++) {
		if (share[i] > 0.0 && below + share[i] >= prob) {
			place = (double)i + (prob - below) / share[i];
			break;
		}
		below += share[i];
	}
	root = sin(M_PI_2 * place / EVIDENCE_SHARES);
	return root * root;
}
