// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * judge.c - the looks at a candidate, and its verdict
 *
 * Two e-processes, one against "like good" and one against "like bad": each
 * is a ratio of predictive probabilities whose denominator is the hypothesis,
 * so by Ville's inequality it exceeds 1/x with probability x at most, however
 * often one looks.  A verdict also needs the share to lie clearly on a side,
 * so that a kernel of a third kind is not pressed into one of two.
 */
#include "judge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "die.h"

/* The half-way zone of positions, and the share of new values that counts. */
#define HALF_LOW      0.4
#define HALF_HIGH     0.6
#define NEITHER_SHARE 0.25

/* Log likelihoods of the boots so far. */
struct so_far {
	double plain[EVIDENCE_CELLS];
	double like_good[EVIDENCE_CELLS], like_bad[EVIDENCE_CELLS];
	double neither[EVIDENCE_CELLS];
};

double judge_position(const struct judge_refs *refs, double share)
{
	return (share - refs->good.share) /
	       (refs->bad.share - refs->good.share);
}

static double share_at(const struct judge_refs *refs, double position)
{
	return refs->good.share +
	       position * (refs->bad.share - refs->good.share);
}

struct judge_count judge_count_boot(const struct judge_refs *refs,
				    const struct judge_boot *boot)
{
	const struct judge_neither *neither = &refs->neither;
	struct judge_count count = { .values = boot->values };

	for (size_t v = 0; v < boot->values; v++) {
		double value = boot->value[v];

		count.beyond += value > refs->cut.at;
		count.neither +=
			value < neither->outside_low ||
			value > neither->outside_high ||
			(neither->middle_used && value > neither->middle_low &&
			 value < neither->middle_high);
	}
	return count;
}

static void add_boot(struct judge_refs *refs, struct so_far *so_far,
		     struct judge_count boot)
{
	struct evidence_count beyond = { boot.beyond, boot.values };
	struct evidence_count neither = { boot.neither, boot.values };

	evidence_add(refs->plain, beyond, so_far->plain);
	evidence_add(refs->like_good, beyond, so_far->like_good);
	evidence_add(refs->like_bad, beyond, so_far->like_bad);
	evidence_add(refs->plain, neither, so_far->neither);
}

/* log of (exp(x) / 2 + exp(y) / 2), less @denominator. */
static double log_e(double x, double y, double denominator)
{
	double high = fmax(x, y);

	if (high == -INFINITY)
		return high;
	return high + log((exp(x - high) + exp(y - high)) / 2.0) - denominator;
}

static void look_evidence(const struct judge_refs *refs,
			  const struct so_far *so_far, struct judge_look *look)
{
	const double *plain = so_far->plain;

	look->log_e_good =
		log_e(evidence_log_mix(refs->bad.weight, plain),
		      evidence_log_mix(refs->above, plain),
		      evidence_log_mix(refs->good.weight, so_far->like_good));
	look->log_e_bad =
		log_e(evidence_log_mix(refs->good.weight, plain),
		      evidence_log_mix(refs->below, plain),
		      evidence_log_mix(refs->bad.weight, so_far->like_bad));
}

static void look_position(const struct judge_refs *refs,
			  const struct so_far *so_far, struct judge_look *look)
{
	double share[EVIDENCE_SHARES];
	double to_half, to_bad;

	evidence_share_posterior(refs->correlation, so_far->plain, share);
	to_half = evidence_share_below(share, share_at(refs, HALF_LOW));
	to_bad = evidence_share_below(share, share_at(refs, HALF_HIGH));
	look->near_good = to_half;
	look->half = to_bad - to_half;
	look->near_bad = 1.0 - to_bad;
	look->share = evidence_share_mean(share);
	look->share_low = evidence_share_quantile(share, 0.025);
	look->share_high = evidence_share_quantile(share, 0.975);

	evidence_share_posterior(refs->correlation, so_far->neither, share);
	look->neither = 1.0 - evidence_share_below(share, NEITHER_SHARE);
}

static void decide(const struct judge_rule *rule, struct judge_verdict *verdict)
{
	const struct judge_look *look = &verdict->look;
	bool familiar = look->neither < 0.5;

	verdict->why = JUDGE_WHY_NONE;
	verdict->word = JUDGE_UNDECIDED;
	if (look->neither > 0.99) {
		verdict->word = JUDGE_THIRD;
		verdict->why = JUDGE_WHY_VALUES;
	} else if (look->not_good && familiar &&
		   look->near_bad >= rule->kappa * look->half &&
		   look->near_bad > look->near_good) {
		verdict->word = JUDGE_BAD;
	} else if (look->not_bad && familiar &&
		   look->near_good >= rule->kappa * look->half &&
		   look->near_good > look->near_bad) {
		verdict->word = JUDGE_GOOD;
	} else if (look->not_good && look->not_bad &&
		   look->half >= 10.0 * (look->near_good + look->near_bad)) {
		verdict->word = JUDGE_THIRD;
		verdict->why = JUDGE_WHY_BETWEEN;
	}
}

/* One look; @first: spend the other half of the error, which is for once. */
static void take_look(struct judge_refs *refs, const struct so_far *so_far,
		      const struct judge_count *count, bool first,
		      struct judge_verdict *verdict)
{
	struct judge_look *look = &verdict->look;
	double half = refs->rule.bound / 2.0;

	look_evidence(refs, so_far, look);
	look_position(refs, so_far, look);
	look->tail_good = look->tail_bad = 1.0;
	if (first)
		judge_first_tails(refs, count, verdict->boots, &look->tail_good,
				  &look->tail_bad);
	look->not_good =
		look->log_e_good >= -log(half) || look->tail_good <= half;
	look->not_bad = look->log_e_bad >= -log(half) || look->tail_bad <= half;
	decide(&refs->rule, verdict);
}

void judge_counts(struct judge_refs *refs, const struct judge_count *count,
		  size_t boots, struct judge_verdict *verdict)
{
	const struct judge_rule *rule = &refs->rule;
	size_t first = rule->first ? rule->first : boots;
	size_t budget = rule->budget ? rule->budget : boots;
	struct so_far so_far;

	memset(&so_far, 0, sizeof(so_far));
	memset(verdict, 0, sizeof(*verdict));
	verdict->look.tail_good = verdict->look.tail_bad = 1.0;
	verdict->word = JUDGE_UNDECIDED;
	for (size_t i = 0; i < boots && i < budget; i++) {
		verdict->boots++;
		verdict->beyond += count[i].beyond;
		verdict->neither += count[i].neither;
		verdict->values += count[i].values;
		add_boot(refs, &so_far, count[i]);
		if (verdict->boots < first)
			continue;
		take_look(refs, &so_far, count, verdict->boots == first,
			  verdict);
		if (verdict->word != JUDGE_UNDECIDED)
			return;
	}
	if (rule->sequential && boots < budget)
		verdict->word = JUDGE_MORE;
}

void judge_runs(struct judge_refs *refs, const struct judge_runs *candidate,
		struct judge_verdict *verdict)
{
	struct judge_count *count;

	if (refs->state == JUDGE_REFS_EXACT) {
		judge_exact(refs, candidate, verdict);
		return;
	}
	count = xalloc(candidate->boots, sizeof(*count));
	for (size_t i = 0; i < candidate->boots; i++)
		count[i] = judge_count_boot(refs, &candidate->boot[i]);
	judge_counts(refs, count, candidate->boots, verdict);
	free(count);
}
