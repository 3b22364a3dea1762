/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * judge_refuse.h - references that nothing can be judged by, in words
 */
#ifndef JUDGE_REFUSE_H
#define JUDGE_REFUSE_H

#include "judge.h"
#include "judge_load.h"

/**
 * judge_refuse() - learn from the references, or say why not
 * @refs:	zeroed; filled, and to be freed in any case
 * @input:	all runs
 * @rule:	in use
 * Return: NULL, or why they are refused and what to do; the caller frees it.
 */
char *judge_refuse(struct judge_refs *refs, const struct judge_input *input,
		   const struct judge_rule *rule);

/**
 * judge_adapt_rule() - what the defaults owe to the mode of the runs
 * @options:	its rule is changed where the user did not set it
 * @input:	all runs
 */
void judge_adapt_rule(struct judge_options *options,
		      const struct judge_input *input);

#endif
