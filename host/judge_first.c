// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * judge_first.c - the half of the error that is spent at the first look
 *
 * A plain tail probability is the sharper test where it may be used, which is
 * once, at a number of boots fixed beforehand.
 */
#include <stdlib.h>
#include <string.h>

#include "die.h"
#include "judge.h"

/* The tails for one set of boot sizes; the order of boots is forgotten. */
struct judge_first {
	size_t *values; /* rising */
	size_t boots, total;
	double *at_least; /* of a good kernel, total + 1 */
	double *at_most;  /* of a bad kernel, total + 1 */
};

static int compare_sizes(const void *a, const void *b)
{
	const size_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static struct judge_first *find_first(const struct judge_refs *refs,
				      const size_t *values, size_t boots)
{
	for (size_t i = 0; i < refs->first_count; i++)
		if (refs->first[i].boots == boots &&
		    !memcmp(refs->first[i].values, values,
			    boots * sizeof(*values)))
			return &refs->first[i];
	return NULL;
}

/* Takes @values, which the cache keeps. */
static struct judge_first *add_first(struct judge_refs *refs, size_t *values,
				     size_t boots)
{
	struct judge_first *first;

	refs->first = xgrow(refs->first, refs->first_count + 1, sizeof(*first));
	first = &refs->first[refs->first_count++];
	first->values = values;
	first->boots = boots;
	first->at_least = evidence_sum_pmf(refs->like_good, refs->good.weight,
					   values, boots, &first->total);
	first->at_most = evidence_sum_pmf(refs->like_bad, refs->bad.weight,
					  values, boots, &first->total);
	for (size_t k = first->total; k-- > 0;)
		first->at_least[k] += first->at_least[k + 1];
	for (size_t k = 1; k <= first->total; k++)
		first->at_most[k] += first->at_most[k - 1];
	return first;
}

void judge_first_tails(struct judge_refs *refs, const struct judge_count *count,
		       size_t boots, double *tail_good, double *tail_bad)
{
	size_t *values = xalloc(boots, sizeof(*values));
	struct judge_first *first;
	size_t beyond = 0;

	for (size_t i = 0; i < boots; i++) {
		values[i] = count[i].values;
		beyond += count[i].beyond;
	}
	qsort(values, boots, sizeof(*values), compare_sizes);
	first = find_first(refs, values, boots);
	if (first)
		free(values);
	else
		first = add_first(refs, values, boots);
	*tail_good = first->at_least[beyond];
	*tail_bad = first->at_most[beyond];
}

void judge_first_free(struct judge_refs *refs)
{
	for (size_t i = 0; i < refs->first_count; i++) {
		free(refs->first[i].values);
		free(refs->first[i].at_least);
		free(refs->first[i].at_most);
	}
	free(refs->first);
}
