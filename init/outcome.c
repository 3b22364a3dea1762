// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * outcome.c - how a step ended, and why
 */
#include "outcome.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

/* Exit statuses of a probe, as of kselftest. */
enum { EXIT_PASS = 0, EXIT_FAIL = 1, EXIT_SKIP = 4 };

/* Those of a shell that cannot run what it was told to. */
enum { EXIT_NO_EXEC = 126, EXIT_NOT_FOUND = 127 };

void outcome_set(struct outcome *outcome, enum step_result result,
		 enum step_cause cause, const char *fmt, ...)
{
	va_list args;

	outcome->result = result;
	outcome->cause = cause;
	va_start(args, fmt);
	vsnprintf(outcome->reason, sizeof(outcome->reason), fmt, args);
	va_end(args);
}

void outcome_pass(struct outcome *outcome)
{
	outcome->result = RESULT_PASS;
	outcome->cause = CAUSE_NONE;
	outcome->reason[0] = '\0';
}

static void decide_signal(struct outcome *outcome, int signal)
{
	outcome_set(outcome, RESULT_CRASH, CAUSE_OTHER,
		    "ended by signal %d (%s)", signal, strsignal(signal));
}

/* @why: the reason where it gave none. */
static void decide(struct outcome *outcome, int code, enum step_result result,
		   const struct statement *said, const char *why)
{
	if (said->protocol[0])
		outcome_set(outcome, RESULT_FAIL, CAUSE_PROTOCOL, "%s",
			    said->protocol);
	else if (said->result != RESULT_PASS && said->result != result)
		outcome_set(outcome, RESULT_FAIL, CAUSE_PROTOCOL,
			    "ended with status %d after writing '%s'", code,
			    record_results[said->result]);
	else if (result == RESULT_PASS)
		outcome_pass(outcome);
	else if (said->result == RESULT_PASS)
		outcome_set(outcome, result, CAUSE_OTHER,
			    "ended with status %d%s", code, why);
	else
		outcome_set(outcome, result, said->cause, "%s", said->reason);
}

void outcome_decide(struct outcome *outcome, int status,
		    const struct statement *said)
{
	static const enum step_result results[] = {
		[EXIT_PASS] = RESULT_PASS,
		[EXIT_FAIL] = RESULT_FAIL,
		[EXIT_SKIP] = RESULT_SKIP,
	};
	int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;

	if (code < 0)
		decide_signal(outcome, WTERMSIG(status));
	else if (code != EXIT_PASS && code != EXIT_FAIL && code != EXIT_SKIP)
		outcome_set(outcome, RESULT_CRASH, CAUSE_OTHER,
			    "ended with status %d, which no probe uses", code);
	else
		decide(outcome, code, results[code], said,
		       " and gave no reason");
}

void outcome_decide_program(struct outcome *outcome, int status,
			    const struct statement *said, bool measures)
{
	int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	bool not_run = code == EXIT_NO_EXEC || code == EXIT_NOT_FOUND;

	if (code < 0)
		decide_signal(outcome, WTERMSIG(status));
	else if (not_run)
		outcome_set(outcome, RESULT_SKIP, CAUSE_OTHER,
			    "ended with status %d: the shell found no such"
			    " program, or could not run it",
			    code);
	else
		decide(outcome, code,
		       code == EXIT_PASS   ? RESULT_PASS
		       : code == EXIT_SKIP ? RESULT_SKIP
					   : RESULT_FAIL,
		       said,
		       code == EXIT_SKIP ? ", which is kselftest's skip" : "");
	/* A selftest skips for want of a feature. */
	if (code == EXIT_SKIP && outcome->cause == CAUSE_OTHER &&
	    said->result == RESULT_PASS)
		outcome->cause = CAUSE_OPTION;
	if (outcome->result == RESULT_PASS && measures && !said->samples)
		outcome_set(outcome, RESULT_SKIP, CAUSE_OTHER,
			    "it wrote no sample to descriptor 3, and better="
			    " says that it would");
}
