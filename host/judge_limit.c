// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * judge_limit.c - judge against a limit, where there are no references
 *
 * The share beyond the limit is compared with the one that is allowed.  Each
 * side is rejected by the e-process of all shares on the other side against
 * the allowed share itself, the hardest case of that side; what is not known
 * of the correlation is averaged by its prior.
 */
#include "judge_limit.h"

#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "die.h"

struct limit {
	const struct judge_rule *rule;
	double share;
	struct evidence_table *plain, *at; /* @at: every cell is at @share */
	double prior[EVIDENCE_CELLS];
	double above[EVIDENCE_CELLS], below[EVIDENCE_CELLS];
	double plain_sum[EVIDENCE_CELLS], at_sum[EVIDENCE_CELLS];
};

static void prepare(struct limit *limit)
{
	double total[2] = { 0.0, 0.0 };

	evidence_prior(limit->prior);
	for (size_t cell = 0; cell < EVIDENCE_CELLS; cell++) {
		double share = evidence_share(cell / EVIDENCE_CORRELATIONS);
		bool above = share > limit->share;

		limit->above[cell] = above ? limit->prior[cell] : 0.0;
		limit->below[cell] = above ? 0.0 : limit->prior[cell];
		total[above] += limit->prior[cell];
	}
	for (size_t cell = 0; cell < EVIDENCE_CELLS; cell++) {
		if (total[1] > 0.0)
			limit->above[cell] /= total[1];
		if (total[0] > 0.0)
			limit->below[cell] /= total[0];
	}
	limit->plain = evidence_table_new(limit->rule->disturbed, 0.0, 0.0);
	limit->at =
		evidence_table_new(limit->rule->disturbed, 1.0, limit->share);
}

static void first_look(const struct limit *limit,
		       const struct judge_runs *candidate,
		       const struct judge_verdict *verdict,
		       struct judge_look *look)
{
	size_t *values = xalloc(verdict->boots, sizeof(*values));
	size_t total;
	double *pmf;

	for (size_t i = 0; i < verdict->boots; i++)
		values[i] = candidate->boot[i].values;
	pmf = evidence_sum_pmf(limit->at, limit->prior, values, verdict->boots,
			       &total);
	look->tail_good = look->tail_bad = 0.0;
	for (size_t k = 0; k <= total; k++) {
		if (k >= verdict->beyond)
			look->tail_good += pmf[k];
		if (k <= verdict->beyond)
			look->tail_bad += pmf[k];
	}
	free(pmf);
	free(values);
}

static void take_look(const struct limit *limit,
		      const struct judge_runs *candidate, bool first,
		      struct judge_verdict *verdict)
{
	struct judge_look *look = &verdict->look;
	double half = limit->rule->bound / 2.0;
	double at = evidence_log_mix(limit->prior, limit->at_sum);
	double correlation[EVIDENCE_CORRELATIONS], share[EVIDENCE_SHARES];

	look->log_e_good =
		evidence_log_mix(limit->above, limit->plain_sum) - at;
	look->log_e_bad = evidence_log_mix(limit->below, limit->plain_sum) - at;
	look->tail_good = look->tail_bad = 1.0;
	if (first)
		first_look(limit, candidate, verdict, look);
	look->not_good =
		look->log_e_good >= -log(half) || look->tail_good <= half;
	look->not_bad = look->log_e_bad >= -log(half) || look->tail_bad <= half;

	evidence_correlation_weights(limit->prior, correlation);
	evidence_share_posterior(correlation, limit->plain_sum, share);
	look->near_good = evidence_share_below(share, limit->share);
	look->near_bad = 1.0 - look->near_good;
	look->share = evidence_share_mean(share);
	look->share_low = evidence_share_quantile(share, 0.025);
	look->share_high = evidence_share_quantile(share, 0.975);

	if (look->not_good && !look->not_bad)
		verdict->word = JUDGE_BAD;
	else if (look->not_bad && !look->not_good)
		verdict->word = JUDGE_GOOD;
}

static void add_boot(struct limit *limit, const struct judge_boot *boot,
		     double beyond, struct judge_verdict *verdict)
{
	struct evidence_count count = { 0, boot->values };

	for (size_t v = 0; v < boot->values; v++)
		count.beyond += boot->value[v] > beyond;
	evidence_add(limit->plain, count, limit->plain_sum);
	evidence_add(limit->at, count, limit->at_sum);
	verdict->boots++;
	verdict->beyond += count.beyond;
	verdict->values += count.values;
}

void judge_limit(const struct judge_rule *rule, double beyond, double share,
		 const struct judge_runs *candidate,
		 struct judge_verdict *verdict)
{
	struct limit limit = { .rule = rule, .share = share };
	size_t boots = candidate->boots;
	size_t first = rule->first ? rule->first : boots;
	size_t budget = rule->budget ? rule->budget : boots;

	gsl_set_error_handler_off();
	prepare(&limit);
	memset(verdict, 0, sizeof(*verdict));
	verdict->look.tail_good = verdict->look.tail_bad = 1.0;
	verdict->word = JUDGE_UNDECIDED;
	for (size_t i = 0; i < boots && i < budget; i++) {
		add_boot(&limit, &candidate->boot[i], beyond, verdict);
		if (verdict->boots < first)
			continue;
		take_look(&limit, candidate, verdict->boots == first, verdict);
		if (verdict->word != JUDGE_UNDECIDED)
			break;
	}
	if (verdict->word == JUDGE_UNDECIDED && rule->sequential &&
	    boots < budget)
		verdict->word = JUDGE_MORE;
	evidence_table_free(limit.plain);
	evidence_table_free(limit.at);
}
