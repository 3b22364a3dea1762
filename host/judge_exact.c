// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * judge_exact.c - judge by single values, where the references are constant
 *
 * With every value of a reference equal and too few boots to count, there is
 * no distribution and no error probability: what is left is a tolerance of a
 * third of the difference.
 */
#include "judge.h"

/* Do all values lie within @low..@high? */
static bool all_within(const struct judge_runs *runs, double low, double high)
{
	for (size_t i = 0; i < runs->boots; i++)
		for (size_t v = 0; v < runs->boot[i].values; v++)
			if (runs->boot[i].value[v] < low ||
			    runs->boot[i].value[v] > high)
				return false;
	return true;
}

void judge_exact(const struct judge_refs *refs,
		 const struct judge_runs *candidate,
		 struct judge_verdict *verdict)
{
	double good = refs->good.low, bad = refs->bad.low;
	double apart = bad - good;

	*verdict = (struct judge_verdict){ .exact = true,
					   .boots = candidate->boots };
	for (size_t i = 0; i < candidate->boots; i++)
		verdict->values += candidate->boot[i].values;

	if (all_within(candidate, good - apart, good + apart / 3.0)) {
		verdict->word = JUDGE_GOOD;
	} else if (all_within(candidate, bad - apart / 3.0, bad + apart)) {
		verdict->word = JUDGE_BAD;
	} else {
		verdict->word = JUDGE_THIRD;
		verdict->why = JUDGE_WHY_VALUES;
	}
}
