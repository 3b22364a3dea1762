/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * judge_limit.h - judge against a limit, where there are no references
 */
#ifndef JUDGE_LIMIT_H
#define JUDGE_LIMIT_H

#include "judge.h"

/**
 * judge_limit() - do more values lie beyond a limit than may?
 * @rule:	bound, disturbed, first and budget count; there is no
 *		tolerance and no third kind
 * @limit:	oriented like the values; a value above it is beyond
 * @share:	of the values that may lie beyond, within (0, 1)
 * @candidate:	oriented values, boots in order
 * @verdict:	where to store it; look.near_good and near_bad are the
 *		probabilities that the share is below and above @share
 */
void judge_limit(const struct judge_rule *rule, double limit, double share,
		 const struct judge_runs *candidate,
		 struct judge_verdict *verdict);

#endif
