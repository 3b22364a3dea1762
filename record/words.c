// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * words.c - the words that a value in a record may be
 */
#include "words.h"

#include <string.h>

const char *const record_modes[] = {
	[MODE_REALTIME] = "realtime",
	[MODE_DETERMINISTIC] = "deterministic",
	NULL,
};

const char *const record_verbs[] = {
	[VERB_PROBE] = "probe",	    [VERB_START] = "start",
	[VERB_STOP] = "stop",	    [VERB_EXEC] = "exec",
	[VERB_COMMAND] = "command", NULL,
};

const char *const record_results[] = {
	[RESULT_PASS] = "pass",	  [RESULT_FAIL] = "fail",
	[RESULT_SKIP] = "skip",	  [RESULT_TIMEOUT] = "timeout",
	[RESULT_CRASH] = "crash", [RESULT_NONE] = NULL,
};

const char *const record_causes[] = {
	[CAUSE_OPTION] = "option",     [CAUSE_MEMORY] = "memory",
	[CAUSE_OOM] = "oom",	       [CAUSE_ANTAGONIST] = "antagonist",
	[CAUSE_STUCK] = "stuck",       [CAUSE_KERNEL] = "kernel",
	[CAUSE_PROTOCOL] = "protocol", [CAUSE_OTHER] = "other",
	[CAUSE_NONE] = NULL,
};

const char *const record_betters[] = {
	[BETTER_LOWER] = "lower",
	[BETTER_HIGHER] = "higher",
	NULL,
};

const char *const record_units[] = {
	"count", "ns", "us", "ms", "s", "bytes", "kib", "ppm", "per_s", NULL,
};

int record_word(const char *const *words, const char *text)
{
	for (int i = 0; words[i]; i++)
		if (!strcmp(words[i], text))
			return i;
	return -1;
}
