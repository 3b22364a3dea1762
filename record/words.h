/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * words.h - the words that a value in a record may be
 *
 * The guest writes them and the host reads them; what each means is in
 * docs/record-format.md.
 */
#ifndef WORDS_H
#define WORDS_H

enum run_mode {
	MODE_REALTIME,
	MODE_DETERMINISTIC,
};

enum step_verb {
	VERB_PROBE,   /* run a probe to its end */
	VERB_START,   /* start an antagonist */
	VERB_STOP,    /* stop it */
	VERB_EXEC,    /* run a user's program to its end */
	VERB_COMMAND, /* run a user's command; no scenario has it */
};

enum step_result {
	RESULT_PASS,
	RESULT_FAIL,
	RESULT_SKIP,
	RESULT_TIMEOUT,
	RESULT_CRASH,
	RESULT_NONE, /* began and never ended; no word in a record */
};

enum step_cause {
	CAUSE_OPTION, /* a kernel option or feature is missing */
	CAUSE_MEMORY, /* the guest is too small */
	CAUSE_OOM,
	CAUSE_ANTAGONIST,
	CAUSE_STUCK,
	CAUSE_KERNEL, /* the kernel did what it must not */
	CAUSE_PROTOCOL,
	CAUSE_OTHER,
	CAUSE_NONE, /* a step that passed; no word in a record */
};

enum better {
	BETTER_LOWER,
	BETTER_HIGHER,
};

/* By the enums above; each list ends with NULL, where NONE is. */
extern const char *const record_modes[];
extern const char *const record_verbs[];
extern const char *const record_results[];
extern const char *const record_causes[];
extern const char *const record_betters[];

/* The units that a metric may declare, by enum unit of units.h. */
extern const char *const record_units[];

/**
 * record_word() - which of a list of words a text is
 * @words:	ends with NULL, as the lists above
 * @text:	any string
 * Return: the index in @words, or -1 if it is none of them.
 */
int record_word(const char *const *words, const char *text);

#endif
