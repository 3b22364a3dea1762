/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * simulate.h - how often is the judge wrong, really?
 *
 * The stated bound holds for the model; these simulations ask what the rule
 * does with values that the model did not make: resampled from given
 * references, or drawn from families of kernels that were made to be hard.
 */
#ifndef SIMULATE_H
#define SIMULATE_H

#include <gsl/gsl_rng.h>
#include <stdbool.h>
#include <stddef.h>

#include "judge.h"

/* The seed of every simulation that is not told another one. */
#define SIMULATE_SEED 20250701

/* Boots of each reference and candidate of a family, where not sequential. */
#define SIMULATE_FIXED 8

/* How many candidates of one class ended with which verdict. */
struct simulate_tally {
	size_t candidates, good, bad, third, undecided;
	size_t boots; /* looked at, of all candidates together */
};

struct simulate_result {
	struct simulate_tally of_good, of_bad, half_way;
};

struct simulate_interval {
	double share, low, high;
};

/**
 * simulate_interval() - a share with its 95 % interval
 * @hits:	how often it happened
 * @trials:	how often it was tried, at least 1
 * Return: the interval of Clopper and Pearson.
 */
struct simulate_interval simulate_interval(size_t hits, size_t trials);

/**
 * simulate_above() - does a wrong verdict come surely too often?
 * @result:	tallies of good and bad candidates
 * @bound:	on the error each way
 * Return: whether the interval of either error lies above @bound.
 */
bool simulate_above(const struct simulate_result *result, double bound);

/**
 * simulate_tally_add() - count one more candidate
 * @tally:	zeroed at first
 * @verdict:	of the candidate
 */
void simulate_tally_add(struct simulate_tally *tally,
			const struct judge_verdict *verdict);

/**
 * simulate_resample() - judge candidates made of the references' own values
 * @refs:	references in state DIFFER
 * @good:	their values
 * @bad:	their values
 * @candidates:	how many of each class
 * @boots:	boots that a candidate has
 * @rng:	the random numbers
 * @result:	where to store the tallies; half_way stays empty
 *
 * A candidate's boot is a boot of its class drawn with replacement, and then
 * its values are.
 */
void simulate_resample(struct judge_refs *refs, const struct judge_runs *good,
		       const struct judge_runs *bad, size_t candidates,
		       size_t boots, gsl_rng *rng,
		       struct simulate_result *result);

/**
 * simulate_more() - how many further boots until a verdict?
 * @refs:	references in state DIFFER, with a sequential rule
 * @count:	the candidate's boots so far
 * @boots:	how many, at least 1
 * @rng:	the random numbers
 *
 * Goes on with the candidate's own boots, drawn with replacement, 200 times.
 *
 * Return: the median, at least 1; more than the rest of the budget if that
 * does not suffice.
 */
size_t simulate_more(struct judge_refs *refs, const struct judge_count *count,
		     size_t boots, gsl_rng *rng);

/* A way in which the values of kernels come about. */
struct simulate_family;

/**
 * simulate_family_find() - a family by its name
 * @name:	any string
 * Return: the family, or NULL.
 */
const struct simulate_family *simulate_family_find(const char *name);

/**
 * simulate_family_at() - the families in order
 * @i:		0 and up
 * @summary:	where to store what the family is
 * @modelled:	where to store whether kernels of a class differ as boots do
 * Return: the name, or NULL after the last.
 */
const char *simulate_family_at(size_t i, const char **summary, bool *modelled);

struct simulate_family_result {
	size_t trials, accepted; /* reference sets */
	size_t boots;		 /* of one reference, of all accepted sets */
	struct simulate_result result;
};

/**
 * simulate_family() - take references and judge
 * @family:	from simulate_family_find()
 * @rule:	of the bisect, if sequential, else of `judge`
 * @same:	take the same kernel at both ends: then no set may be accepted
 * @trials:	how many reference sets; each judges one candidate a class
 * @rng:	the random numbers
 * @result:	where to store the tallies
 *
 * A bisect's references start with 5 boots each and grow by one until they
 * are told apart, up to 16; then by 3 more, after which they must still be.
 */
void simulate_family(const struct simulate_family *family,
		     const struct judge_rule *rule, bool same, size_t trials,
		     gsl_rng *rng, struct simulate_family_result *result);

#endif
