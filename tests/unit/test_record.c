// SPDX-License-Identifier: GPL-2.0-or-later
// sources:
/*
 * test_record.c - which names may stand in a record
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "record.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(record_name_valid__takes_names),
		cmocka_unit_test(record_name_valid__refuses_what_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
