/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * judge_cut.h - where to cut the values, and what each boot then counts
 */
#ifndef JUDGE_CUT_H
#define JUDGE_CUT_H

#include "judge.h"

struct judge_field; /* the values of both references, sorted */

/**
 * judge_field_new() - sort the values of both references
 * @good:	oriented values
 * @bad:	oriented values
 * Return: the field; judge_field_free() frees it.
 */
struct judge_field *judge_field_new(const struct judge_runs *good,
				    const struct judge_runs *bad);
void judge_field_free(struct judge_field *field);

/**
 * judge_cut_best() - the cut that separates the references best
 * @field:	the values
 * @kind:	MODE: only in a gap of a fifth of the spread
 * @cut:	where to store it
 * Return: whether there is a cut of that kind with more bad than good beyond.
 */
bool judge_cut_best(const struct judge_field *field, enum judge_cut_kind kind,
		    struct judge_cut *cut);

/**
 * judge_honest_counts() - count each boot with a cut chosen without it
 * @field:	the values, of at least 2 boots each
 * @kind:	as for judge_cut_best()
 * @count:	where to store one a boot, the good ones first
 *
 * The cut for a boot is chosen without it and without one boot of the other
 * reference, so that both references shrink alike.
 *
 * Return: whether each choice found a cut.
 */
bool judge_honest_counts(const struct judge_field *field,
			 enum judge_cut_kind kind,
			 struct evidence_count *count);

/**
 * judge_field_sorted() - all values in rising order
 * @field:	the values
 * @count:	where to store how many
 * Return: the values; the caller frees them.
 */
double *judge_field_sorted(const struct judge_field *field, size_t *count);

#endif
