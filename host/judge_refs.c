// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * judge_refs.c - learn from the references, or refuse them
 *
 * Nothing that is uncertain about the references is plugged in as if it were
 * known: their honest counts give weights on the grid of cells, and every
 * later step is a sum over those weights.
 */
#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "die.h"
#include "judge.h"
#include "judge_cut.h"
#include "stats.h"

void judge_rule_default(struct judge_rule *rule, bool sequential)
{
	*rule = (struct judge_rule){
		.bound = 0.001,
		.tolerance = sequential ? 0.25 : 0.0,
		.kappa = sequential ? 5.0 : 2.0,
		.disturbed = EVIDENCE_DISTURBED,
		.sequential = sequential,
		.first = sequential ? 3 : 0,
		.budget = sequential ? 16 : 0,
		.boots_min = sequential ? 3 : 2,
	};
}

static double mean_of_boots(const struct judge_ref *ref)
{
	double sum = 0.0;

	for (size_t i = 0; i < ref->boots; i++)
		sum += (double)ref->count[i].beyond /
		       (double)ref->count[i].values;
	return sum / (double)ref->boots;
}

/* Rising copies of all values of a kernel; the caller frees them. */
static double *sorted_values(const struct judge_runs *runs, size_t *count)
{
	static const struct judge_runs none;
	struct judge_field *field = judge_field_new(runs, &none);
	double *sorted = judge_field_sorted(field, count);

	judge_field_free(field);
	return sorted;
}

static void describe(struct judge_ref *ref, const struct judge_runs *runs)
{
	double *sorted = sorted_values(runs, &ref->values);

	ref->boots = runs->boots;
	ref->count = xalloc(runs->boots, sizeof(*ref->count));
	ref->median = stats_quantile(sorted, ref->values, 0.5);
	ref->low = sorted[0];
	ref->high = sorted[ref->values - 1];
	free(sorted);
}

static void count_beyond(struct judge_ref *ref, const struct judge_runs *runs,
			 double cut)
{
	ref->beyond = 0;
	for (size_t i = 0; i < runs->boots; i++)
		for (size_t v = 0; v < runs->boot[i].values; v++)
			ref->beyond += runs->boot[i].value[v] > cut;
}

/* What the weights say of a reference. */
static void summarise(struct judge_ref *ref)
{
	double share[EVIDENCE_SHARES], correlation[EVIDENCE_CORRELATIONS];
	double below = 0.0;
	bool low = false, high = false;

	evidence_share_weights(ref->weight, share);
	ref->share = evidence_share_mean(share);
	ref->share_low = evidence_share_quantile(share, 0.025);
	ref->share_high = evidence_share_quantile(share, 0.975);

	evidence_correlation_weights(ref->weight, correlation);
	ref->correlation = 0.0;
	for (size_t j = 0; j < EVIDENCE_CORRELATIONS; j++) {
		double value = evidence_correlation(j);

		ref->correlation += correlation[j] * value;
		below += correlation[j];
		if (!low && below >= 0.025)
			ref->correlation_low = value;
		if (!high && below >= 0.975)
			ref->correlation_high = value;
		low = below >= 0.025;
		high = below >= 0.975;
	}
}

/* The Bayes factor for two kernels against one, and the weights of each. */
static void weigh(struct judge_refs *refs, const struct evidence_count *all)
{
	struct judge_ref *good = &refs->good, *bad = &refs->bad;
	double together[EVIDENCE_CELLS];

	memcpy(good->count, all, good->boots * sizeof(*all));
	memcpy(bad->count, all + good->boots, bad->boots * sizeof(*all));
	refs->log_s = evidence_posterior(refs->plain, good->count, good->boots,
					 good->weight) +
		      evidence_posterior(refs->plain, bad->count, bad->boots,
					 bad->weight) -
		      evidence_posterior(refs->plain, all,
					 good->boots + bad->boots, together);
	summarise(good);
	summarise(bad);
}

/* Try one kind of cut: are the references told apart, in this order? */
static bool try_cut(struct judge_refs *refs, const struct judge_field *field,
		    enum judge_cut_kind kind)
{
	struct evidence_count *all =
		xalloc(refs->good.boots + refs->bad.boots, sizeof(*all));
	bool differ = judge_cut_best(field, kind, &refs->cut) &&
		      judge_honest_counts(field, kind, all);

	refs->kind = kind;
	refs->log_s = 0.0;
	if (differ) {
		weigh(refs, all);
		differ = refs->log_s >= log(JUDGE_DISTINGUISHABLE) &&
			 mean_of_boots(&refs->bad) >
				 mean_of_boots(&refs->good) &&
			 refs->bad.share > refs->good.share;
	}
	free(all);
	return differ;
}

static bool enough_boots(const struct judge_refs *refs)
{
	return refs->good.boots >= refs->rule.boots_min &&
	       refs->bad.boots >= refs->rule.boots_min;
}

static bool told_apart(struct judge_refs *refs, const struct judge_field *field)
{
	if (!enough_boots(refs))
		return false;
	return try_cut(refs, field, JUDGE_CUT_MODE) ||
	       try_cut(refs, field, JUDGE_CUT_SHIFT);
}

static void negate(struct judge_runs *to, const struct judge_runs *from)
{
	to->boots = from->boots;
	to->boot = xalloc(from->boots, sizeof(*to->boot));
	for (size_t i = 0; i < from->boots; i++) {
		size_t values = from->boot[i].values;

		to->boot[i].values = values;
		to->boot[i].value = xalloc(values, sizeof(double));
		for (size_t v = 0; v < values; v++)
			to->boot[i].value[v] = -from->boot[i].value[v];
	}
}

static void free_runs(struct judge_runs *runs)
{
	for (size_t i = 0; i < runs->boots; i++)
		free(runs->boot[i].value);
	free(runs->boot);
}

static bool constant(const struct judge_ref *ref)
{
	return ref->low == ref->high;
}

static enum judge_refs_state refusal(const struct judge_refs *refs)
{
	const struct judge_ref *good = &refs->good, *bad = &refs->bad;

	if (constant(good) && constant(bad) && good->low != bad->low)
		return good->low < bad->low ? JUDGE_REFS_EXACT
					    : JUDGE_REFS_REVERSED;
	if (!constant(good) || !constant(bad))
		if (!enough_boots(refs))
			return JUDGE_REFS_FEW;
	return JUDGE_REFS_SAME;
}

/* Robbins' mixtures: every share clearly beyond a reference's, alike. */
static void spread_weights(const struct judge_refs *refs, double limit,
			   bool above, double weight[static EVIDENCE_CELLS])
{
	size_t columns = 0;

	for (size_t i = 0; i < EVIDENCE_SHARES; i++)
		columns += (evidence_share(i) > limit) == above;
	for (size_t cell = 0; cell < EVIDENCE_CELLS; cell++) {
		double share = evidence_share(cell / EVIDENCE_CORRELATIONS);

		weight[cell] = 0.0;
		if ((share > limit) == above)
			weight[cell] =
				refs->correlation[cell %
						  EVIDENCE_CORRELATIONS] /
				(double)columns;
	}
}

static void prepare_evidence(struct judge_refs *refs)
{
	double step = refs->rule.tolerance, eps = refs->rule.disturbed;
	double good = refs->good.share, bad = refs->bad.share;
	double one[EVIDENCE_CORRELATIONS], other[EVIDENCE_CORRELATIONS];

	evidence_correlation_weights(refs->good.weight, one);
	evidence_correlation_weights(refs->bad.weight, other);
	for (size_t j = 0; j < EVIDENCE_CORRELATIONS; j++)
		refs->correlation[j] = (one[j] + other[j]) / 2.0;
	spread_weights(refs, good + step * (bad - good), true, refs->above);
	spread_weights(refs, bad + step * (good - bad), false, refs->below);
	refs->like_good = evidence_table_new(eps, step, bad);
	refs->like_bad = evidence_table_new(eps, step, good);
}

/* Of the values on the good side of the cut, or of the bad ones beyond. */
static double edge(const struct judge_runs *runs, double cut, bool beyond)
{
	size_t count, side = 0;
	double *sorted = sorted_values(runs, &count);
	double at;

	while (side < count && sorted[side] <= cut)
		side++;
	at = beyond ? stats_quantile(sorted + side, count - side, 0.05)
		    : stats_quantile(sorted, side, 0.95);
	free(sorted);
	return at;
}

static void find_neither(struct judge_refs *refs, struct judge_field *field,
			 const struct judge_runs *good,
			 const struct judge_runs *bad)
{
	struct judge_neither *neither = &refs->neither;
	double low = edge(good, refs->cut.at, false);
	double high = edge(bad, refs->cut.at, true);
	size_t count, inside = 0;
	double *sorted = judge_field_sorted(field, &count);
	double first = stats_quantile(sorted, count, 0.025);
	double last = stats_quantile(sorted, count, 0.975);
	double margin = fmax(fabs(refs->bad.median - refs->good.median),
			     (last - first) / 4.0);

	neither->outside_low = first - margin;
	neither->outside_high = last + margin;
	neither->middle_low = low + (high - low) / 3.0;
	neither->middle_high = low + (high - low) * 2.0 / 3.0;
	for (size_t i = 0; i < count; i++)
		inside += sorted[i] > neither->middle_low &&
			  sorted[i] < neither->middle_high;
	neither->middle_used = (double)inside <= 0.02 * (double)count;
	free(sorted);
}

static void forget(struct judge_refs *refs)
{
	struct evidence_table *plain = refs->plain;

	evidence_table_free(refs->like_good);
	evidence_table_free(refs->like_bad);
	judge_first_free(refs);
	free(refs->good.count);
	free(refs->bad.count);
	memset(refs, 0, sizeof(*refs));
	refs->plain = plain;
}

void judge_refs_learn(struct judge_refs *refs, const struct judge_runs *good,
		      const struct judge_runs *bad,
		      const struct judge_rule *rule)
{
	struct judge_field *field = judge_field_new(good, bad);

	/* Its default would end the program with a status that means bad;
	 * an underflow to 0 is the right answer here.
	 */
	gsl_set_error_handler_off();
	forget(refs);
	refs->rule = *rule;
	if (!refs->plain)
		refs->plain = evidence_table_new(rule->disturbed, 0.0, 0.0);
	describe(&refs->good, good);
	describe(&refs->bad, bad);
	if (told_apart(refs, field)) {
		refs->state = JUDGE_REFS_DIFFER;
		count_beyond(&refs->good, good, refs->cut.at);
		count_beyond(&refs->bad, bad, refs->cut.at);
		prepare_evidence(refs);
		find_neither(refs, field, good, bad);
	} else {
		refs->state = refusal(refs);
	}
	judge_field_free(field);
}

void judge_refs_free(struct judge_refs *refs)
{
	forget(refs);
	evidence_table_free(refs->plain);
	refs->plain = NULL;
}

bool judge_refs_reversed(const struct judge_runs *good,
			 const struct judge_runs *bad,
			 const struct judge_rule *rule)
{
	struct judge_refs refs = { .plain = NULL };
	struct judge_runs negated[2];
	bool reversed;

	negate(&negated[0], good);
	negate(&negated[1], bad);
	judge_refs_learn(&refs, &negated[0], &negated[1], rule);
	reversed = refs.state == JUDGE_REFS_DIFFER;
	judge_refs_free(&refs);
	free_runs(&negated[0]);
	free_runs(&negated[1]);
	return reversed;
}
