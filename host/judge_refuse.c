// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * judge_refuse.c - references that nothing can be judged by, in words
 */
#include "judge_refuse.h"

#include <math.h>
#include <stdlib.h>

#include "die.h"

void judge_adapt_rule(struct judge_options *options,
		      const struct judge_input *input)
{
	/* Virtual time has no host that could disturb the first boots. */
	if (options->rule.sequential && !options->first_given &&
	    input->deterministic)
		options->rule.first = 2;
	if (options->rule.sequential &&
	    options->rule.budget < options->rule.first)
		options->rule.first = options->rule.budget;
}

static char *no_values(const char *name, const struct judge_values *values)
{
	return xprintf("the %s reference has no values (%s)", name,
		       values->why_dropped ? values->why_dropped
					   : "no boot is left");
}

static char *not_apart(const struct judge_refs *refs,
		       const struct judge_runs *good,
		       const struct judge_runs *bad)
{
	if (refs->state == JUDGE_REFS_REVERSED ||
	    judge_refs_reversed(good, bad, &refs->rule))
		return xprintf("on this metric the bad end is better: swap the "
			       "ends, or pass --direction");
	if (refs->log_s == 0.0)
		return xprintf("the references cannot be told apart (no cut "
			       "separates them): take more boots of each, up "
			       "to 16, or another metric");
	return xprintf("the references cannot be told apart (S = %.3g, below "
		       "%g): take more boots of each, up to 16, or another "
		       "metric",
		       exp(refs->log_s), JUDGE_DISTINGUISHABLE);
}

char *judge_refuse(struct judge_refs *refs, const struct judge_input *input,
		   const struct judge_rule *rule)
{
	const struct judge_values *good = &input->group[GROUP_GOOD];
	const struct judge_values *bad = &input->group[GROUP_BAD];

	if (!good->runs.boots)
		return no_values("good", good);
	if (!bad->runs.boots)
		return no_values("bad", bad);
	judge_refs_learn(refs, &good->runs, &bad->runs, rule);
	switch (refs->state) {
	case JUDGE_REFS_DIFFER:
	case JUDGE_REFS_EXACT:
		return NULL;
	case JUDGE_REFS_FEW:
		return xprintf("too few boots: %zu good and %zu bad, at least "
			       "%zu of each are needed and 8 are usual",
			       good->runs.boots, bad->runs.boots,
			       rule->boots_min);
	case JUDGE_REFS_SAME:
	case JUDGE_REFS_REVERSED:
		break;
	}
	return not_apart(refs, &good->runs, &bad->runs);
}
