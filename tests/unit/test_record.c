// SPDX-License-Identifier: GPL-2.0-or-later
// sources:
/*
 * test_record.c - which names and words may stand in a record
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "record.h"
#include "words.h"

static void record_name_valid__takes_names(void **state)
{
	char longest[RECORD_NAME_MAX + 1];

	(void)state;
	assert_true(record_name_valid("a"));
	assert_true(record_name_valid("rt6_probe"));
	assert_true(record_name_valid("a_"));
	memset(longest, 'x', RECORD_NAME_MAX);
	longest[RECORD_NAME_MAX] = '\0';
	assert_true(record_name_valid(longest));
}

static void record_name_valid__refuses_what_is_none(void **state)
{
	static const char *const bad[] = {
		"",    "_a", "6a",  "A",   "aB",       "a-b",	    "a.b",
		"a b", " a", "a\n", "a=1", "\xc3\xa9", "a\xc3\xa9",
	};
	char longer[RECORD_NAME_MAX + 2];

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(record_name_valid(bad[i]));
	memset(longer, 'x', RECORD_NAME_MAX + 1);
	longer[RECORD_NAME_MAX + 1] = '\0';
	assert_false(record_name_valid(longer));
}

/* docs/record-format.md says the same words. */
static void record_word__finds_each_word_where_its_enum_says(void **state)
{
	static const struct {
		const char *const *words;
		const char *text;
		int index;
	} rows[] = {
		{ record_modes, "realtime", MODE_REALTIME },
		{ record_modes, "deterministic", MODE_DETERMINISTIC },
		{ record_verbs, "probe", VERB_PROBE },
		{ record_verbs, "start", VERB_START },
		{ record_verbs, "stop", VERB_STOP },
		{ record_verbs, "exec", VERB_EXEC },
		{ record_verbs, "command", VERB_COMMAND },
		{ record_results, "pass", RESULT_PASS },
		{ record_results, "fail", RESULT_FAIL },
		{ record_results, "skip", RESULT_SKIP },
		{ record_results, "timeout", RESULT_TIMEOUT },
		{ record_results, "crash", RESULT_CRASH },
		{ record_causes, "option", CAUSE_OPTION },
		{ record_causes, "memory", CAUSE_MEMORY },
		{ record_causes, "oom", CAUSE_OOM },
		{ record_causes, "antagonist", CAUSE_ANTAGONIST },
		{ record_causes, "stuck", CAUSE_STUCK },
		{ record_causes, "kernel", CAUSE_KERNEL },
		{ record_causes, "protocol", CAUSE_PROTOCOL },
		{ record_causes, "other", CAUSE_OTHER },
		{ record_betters, "lower", BETTER_LOWER },
		{ record_betters, "higher", BETTER_HIGHER },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_int_equal(record_word(rows[i].words, rows[i].text),
				 rows[i].index);
}

static void record_word__refuses_all_else(void **state)
{
	static const char *const bad[] = { "", "Pass", "option ", "options",
					   "opt" };

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(record_word(record_results, bad[i]), -1);
		assert_int_equal(record_word(record_causes, bad[i]), -1);
	}
	assert_null(record_results[RESULT_NONE]);
	assert_null(record_causes[CAUSE_NONE]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(record_name_valid__takes_names),
		cmocka_unit_test(record_name_valid__refuses_what_is_none),
		cmocka_unit_test(
			record_word__finds_each_word_where_its_enum_says),
		cmocka_unit_test(record_word__refuses_all_else),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
