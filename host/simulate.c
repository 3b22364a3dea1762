// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * simulate.c - judge many candidates that are made of known boots
 */
#include "simulate.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <stdlib.h>

#include "die.h"

/* Continuations of a candidate for one estimate. */
#define CONTINUATIONS 200

/* A value is beyond or not, new or not: four kinds. */
enum { BEYOND = 1, NEITHER = 2, KINDS = 4 };

struct kinds {
	double weight[KINDS]; /* how many values of each kind */
	size_t values;
};

/* The inverse of the beta distribution.  gsl_cdf_beta_Pinv() of GSL 2.7.1
 * gives NaN here and there, such as for (0.025, 3886, 42), and a NaN is never
 * above a bound; halving the interval always ends.
 */
static double beta_inverse(double prob, double a, double b)
{
	double low = 0.0, high = 1.0;

	for (int i = 0; i < 60; i++) {
		double middle = (low + high) / 2.0;

		if (gsl_cdf_beta_P(middle, a, b) < prob)
			low = middle;
		else
			high = middle;
	}
	return (low + high) / 2.0;
}

struct simulate_interval simulate_interval(size_t hits, size_t trials)
{
	double k = (double)hits, n = (double)trials;
	struct simulate_interval interval = { k / n, 0.0, 1.0 };

	if (hits > 0)
		interval.low = beta_inverse(0.025, k, n - k + 1.0);
	if (hits < trials)
		interval.high = beta_inverse(0.975, k + 1.0, n - k);
	return interval;
}

bool simulate_above(const struct simulate_result *result, double bound)
{
	const struct simulate_tally *good = &result->of_good;
	const struct simulate_tally *bad = &result->of_bad;

	return simulate_interval(good->bad, good->candidates).low > bound ||
	       simulate_interval(bad->good, bad->candidates).low > bound;
}

void simulate_tally_add(struct simulate_tally *tally,
			const struct judge_verdict *verdict)
{
	tally->candidates++;
	tally->boots += verdict->boots;
	tally->good += verdict->word == JUDGE_GOOD;
	tally->bad += verdict->word == JUDGE_BAD;
	tally->third += verdict->word == JUDGE_THIRD;
	tally->undecided +=
		verdict->word == JUDGE_UNDECIDED || verdict->word == JUDGE_MORE;
}

/* The kinds of the values of each boot; the caller frees them. */
static struct kinds *sort_out(const struct judge_refs *refs,
			      const struct judge_runs *runs)
{
	struct kinds *kinds = xalloc(runs->boots, sizeof(*kinds));

	for (size_t i = 0; i < runs->boots; i++) {
		kinds[i].values = runs->boot[i].values;
		for (size_t v = 0; v < kinds[i].values; v++) {
			struct judge_boot one = { &runs->boot[i].value[v], 1 };
			struct judge_count count = judge_count_boot(refs, &one);

			kinds[i].weight[count.beyond * BEYOND +
					count.neither * NEITHER]++;
		}
	}
	return kinds;
}

static struct judge_count redraw(const struct kinds *kinds, gsl_rng *rng)
{
	unsigned int drawn[KINDS];

	gsl_ran_multinomial(rng, KINDS, (unsigned int)kinds->values,
			    kinds->weight, drawn);
	return (struct judge_count){
		.beyond = drawn[BEYOND] + drawn[BEYOND | NEITHER],
		.neither = drawn[NEITHER] + drawn[BEYOND | NEITHER],
		.values = kinds->values,
	};
}

static void resample_class(struct judge_refs *refs,
			   const struct judge_runs *runs, size_t candidates,
			   size_t boots, gsl_rng *rng,
			   struct simulate_tally *tally)
{
	struct kinds *kinds = sort_out(refs, runs);
	struct judge_count *count = xalloc(boots, sizeof(*count));
	struct judge_verdict verdict;

	for (size_t c = 0; c < candidates; c++) {
		for (size_t i = 0; i < boots; i++) {
			size_t boot = gsl_rng_uniform_int(rng, runs->boots);

			count[i] = redraw(&kinds[boot], rng);
		}
		judge_counts(refs, count, boots, &verdict);
		simulate_tally_add(tally, &verdict);
	}
	free(count);
	free(kinds);
}

void simulate_resample(struct judge_refs *refs, const struct judge_runs *good,
		       const struct judge_runs *bad, size_t candidates,
		       size_t boots, gsl_rng *rng,
		       struct simulate_result *result)
{
	*result = (struct simulate_result){ .of_good.candidates = 0 };
	resample_class(refs, good, candidates, boots, rng, &result->of_good);
	resample_class(refs, bad, candidates, boots, rng, &result->of_bad);
}

size_t simulate_more(struct judge_refs *refs, const struct judge_count *count,
		     size_t boots, gsl_rng *rng)
{
	size_t budget = refs->rule.budget;
	struct judge_count *all = xalloc(budget, sizeof(*all));
	double used[CONTINUATIONS], median;

	for (size_t i = 0; i < boots && i < budget; i++)
		all[i] = count[i];
	for (size_t c = 0; c < CONTINUATIONS; c++) {
		struct judge_verdict verdict;

		for (size_t i = boots; i < budget; i++)
			all[i] = count[gsl_rng_uniform_int(rng, boots)];
		judge_counts(refs, all, budget, &verdict);
		used[c] = (double)verdict.boots;
		if (verdict.word == JUDGE_UNDECIDED)
			used[c]++;
	}
	free(all);
	gsl_sort(used, 1, CONTINUATIONS);
	median = gsl_stats_median_from_sorted_data(used, 1, CONTINUATIONS);
	return median > (double)boots ? (size_t)(median + 0.5) - boots : 1;
}
