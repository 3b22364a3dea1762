/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * outcome.h - how a step ended, and why
 *
 * Pure: the words of a `step` record, and the rules that turn a wait status
 * and what the probe said of itself into one of them.
 */
#ifndef OUTCOME_H
#define OUTCOME_H

#include <stdbool.h>
#include <stddef.h>

#define REASON_MAX 2048u /* bytes of a reason with its NUL */

enum result {
	RESULT_PASS,
	RESULT_FAIL,
	RESULT_SKIP,
	RESULT_TIMEOUT,
	RESULT_CRASH,
};

enum cause {
	CAUSE_NONE, /* of RESULT_PASS alone */
	CAUSE_OPTION,
	CAUSE_MEMORY,
	CAUSE_OOM,
	CAUSE_ANTAGONIST,
	CAUSE_STUCK,
	CAUSE_KERNEL,
	CAUSE_PROTOCOL,
	CAUSE_OTHER,
};

struct outcome {
	enum result result;
	enum cause cause;
	char reason[REASON_MAX]; /* empty for RESULT_PASS */
};

/* What a probe said of itself on descriptor 3. */
struct statement {
	enum result result;	   /* PASS (no word), SKIP or FAIL */
	enum cause cause;	   /* of SKIP and FAIL */
	char reason[REASON_MAX];   /* of SKIP and FAIL */
	char protocol[REASON_MAX]; /* what it wrote wrongly; empty: nothing */
	bool samples;		   /* at least one was there */
};

/**
 * result_name() - the word of a result in a record
 * @result:	a result
 * Return: the word.
 */
const char *result_name(enum result result);

/**
 * cause_name() - the word of a cause in a record
 * @cause:	a cause other than CAUSE_NONE
 * Return: the word.
 */
const char *cause_name(enum cause cause);

/**
 * cause_parse() - a cause from its word
 * @cause:	where to store it; untouched on failure
 * @word:	not NUL-terminated
 * @len:	bytes of @word
 * Return: whether it is the word of a cause.
 */
bool cause_parse(enum cause *cause, const char *word, size_t len);

/**
 * outcome_set() - store a result other than pass
 * @outcome:	where to store it
 * @result:	the result
 * @cause:	its cause
 * @fmt:	the reason, as for printf(); too long a one is cut
 */
__attribute__((format(printf, 4, 5))) void outcome_set(struct outcome *outcome,
						       enum result result,
						       enum cause cause,
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
