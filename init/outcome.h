/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * outcome.h - how a step ended, and why
 *
 * Pure: the rules that turn a wait status and what the probe said of itself
 * into the words of a `step` record.
 */
#ifndef OUTCOME_H
#define OUTCOME_H

#include <stdbool.h>

#include "words.h"

#define REASON_MAX 2048u /* bytes of a reason with its NUL */

struct outcome {
	enum step_result result;
	enum step_cause cause;
	char reason[REASON_MAX]; /* empty for RESULT_PASS */
};

/* What a probe said of itself on descriptor 3. */
struct statement {
	enum step_result result;   /* PASS (no word), SKIP or FAIL */
	enum step_cause cause;	   /* of SKIP and FAIL */
	char reason[REASON_MAX];   /* of SKIP and FAIL */
	char protocol[REASON_MAX]; /* what it wrote wrongly; empty: nothing */
	bool samples;		   /* at least one was there */
};

/**
 * outcome_set() - store a result other than pass
 * @outcome:	where to store it
 * @result:	the result
 * @cause:	its cause
 * @fmt:	the reason, as for printf(); too long a one is cut
 */
__attribute__((format(printf, 4, 5))) void outcome_set(struct outcome *outcome,
						       enum step_result result,
						       enum step_cause cause,
						       const char *fmt, ...);

/**
 * outcome_pass() - store a pass
 * @outcome:	where to store it
 */
void outcome_pass(struct outcome *outcome);

/**
 * outcome_decide() - how a probe that ended by itself has ended
 * @outcome:	where to store it
 * @status:	as from waitpid()
 * @said:	what it wrote to descriptor 3
 *
 * The exit status is kselftest's: 0 pass, 1 fail, 4 skip; all else, and a
 * signal, is a crash.  A crash goes before what was written, since a torn
 * line is its consequence; what was written wrongly goes before the rest.
 */
void outcome_decide(struct outcome *outcome, int status,
		    const struct statement *said);

/**
 * outcome_decide_program() - the same for a program that is no probe
 * @outcome:	where to store it
 * @status:	as from waitpid()
 * @said:	what it wrote to descriptor 3
 * @measures:	whether it has to write samples
 *
 * 0 is a pass and 4 a skip, as for kselftest.  A shell's 126 and 127 are a
 * skip too: what did not run says nothing about the kernel.  All else is a
 * fail, and a signal a crash.
 */
void outcome_decide_program(struct outcome *outcome, int status,
			    const struct statement *said, bool measures);

#endif
