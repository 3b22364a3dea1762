// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * outcome.c - how a step ended, and why
 */
#include "outcome.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

/* Exit statuses of a probe, as of kselftest. */
enum { EXIT_PASS = 0, EXIT_FAIL = 1, EXIT_SKIP = 4 };

static const char *const result_names[] = {
	[RESULT_PASS] = "pass",	  [RESULT_FAIL] = "fail",
	[RESULT_SKIP] = "skip",	  [RESULT_TIMEOUT] = "timeout",
	[RESULT_CRASH] = "crash",
};

static const char *const cause_names[] = {
	[CAUSE_NONE] = "",
	[CAUSE_OPTION] = "option",
	[CAUSE_MEMORY] = "memory",
	[CAUSE_OOM] = "oom",
	[CAUSE_ANTAGONIST] = "antagonist",
	[CAUSE_STUCK] = "stuck",
	[CAUSE_KERNEL] = "kernel",
	[CAUSE_PROTOCOL] = "protocol",
	[CAUSE_OTHER] = "other",
};

const char *result_name(enum result result)
{
	return result_names[result];
}

const char *cause_name(enum cause cause)
{
	return cause_names[cause];
}

bool cause_parse(enum cause *cause, const char *word, size_t len)
{
	for (size_t i = CAUSE_NONE + 1; i < ARRAY_SIZE(cause_names); i++) {
		if (strlen(cause_names[i]) != len ||
		    memcmp(cause_names[i], word, len) != 0)
			continue;
		*cause = (enum cause)i;
		return true;
	}
	return false;
}

void outcome_set(struct outcome *outcome, enum result result, enum cause cause,
		 const char *fmt, ...)
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

void outcome_decide(struct outcome *outcome, int status,
		    const struct statement *said)
{
	static const enum result results[] = {
		[EXIT_PASS] = RESULT_PASS,
		[EXIT_FAIL] = RESULT_FAIL,
		[EXIT_SKIP] = RESULT_SKIP,
	};
	int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	enum result result;

	if (code < 0) {
		outcome_set(outcome, RESULT_CRASH, CAUSE_OTHER,
			    "ended by signal %d (%s)", WTERMSIG(status),
			    strsignal(WTERMSIG(status)));
		return;
	}
	if (code != EXIT_PASS && code != EXIT_FAIL && code != EXIT_SKIP) {
		outcome_set(outcome, RESULT_CRASH, CAUSE_OTHER,
			    "ended with status %d, which no probe uses", code);
		return;
	}

	result = results[code];
	if (said->protocol[0])
		outcome_set(outcome, RESULT_FAIL, CAUSE_PROTOCOL, "%s",
			    said->protocol);
	else if (said->result != RESULT_PASS && said->result != result)
		outcome_set(outcome, RESULT_FAIL, CAUSE_PROTOCOL,
			    "ended with status %d after writing '%s'", code,
			    result_name(said->result));
	else if (result == RESULT_PASS)
		outcome_pass(outcome);
	else if (said->result == RESULT_PASS)
		outcome_set(outcome, result, CAUSE_OTHER,
			    "ended with status %d and gave no reason", code);
	else
		outcome_set(outcome, result, said->cause, "%s", said->reason);
}
