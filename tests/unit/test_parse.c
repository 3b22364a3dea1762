// SPDX-License-Identifier: GPL-2.0-or-later
// sources:
/*
 * test_parse.c - numbers, and nothing that only looks like one
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "parse.h"

static void parse_u64__takes_both_ends_of_the_range(void **state)
{
	uint64_t value = 0;

	(void)state;
	assert_true(parse_u64(&value, "1", 1, 9) && value == 1);
	assert_true(parse_u64(&value, "9", 1, 9) && value == 9);
	assert_true(parse_u64(&value, "0", 0, UINT64_MAX) && value == 0);
	assert_true(parse_u64(&value, "18446744073709551615", 0, UINT64_MAX));
	assert_true(value == UINT64_MAX);
	assert_true(parse_u64(&value, "007", 0, 9) && value == 7);
}

static void parse_u64__leaves_value_alone_on_failure(void **state)
{
	static const char *const bad[] = {
		"",
		" 7",
		"7 ",
		"+7",
		"-7",
		"7s",
		"0x7",
		"0",
		"10",
		"1e0",
		"7\n",
		"1.0",
		"\xd9\xa3",
		"18446744073709551616",
		"99999999999999999999999",
	};
	uint64_t value = 42;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(parse_u64(&value, bad[i], 1, 9));
	assert_true(value == 42);
}

static void parse_u64__refuses_a_wrapped_number_in_the_full_range(void **state)
{
	uint64_t value = 42;

	(void)state;
	assert_false(parse_u64(&value, "18446744073709551616", 0, UINT64_MAX));
	assert_false(parse_u64(&value, "-1", 0, UINT64_MAX));
	assert_true(value == 42);
}

static void parse_i64__takes_both_ends_of_the_range(void **state)
{
	int64_t value = 0;

	(void)state;
	assert_true(parse_i64(&value, "-9223372036854775808", INT64_MIN,
			      INT64_MAX));
	assert_true(value == INT64_MIN);
	assert_true(
		parse_i64(&value, "9223372036854775807", INT64_MIN, INT64_MAX));
	assert_true(value == INT64_MAX);
	assert_true(parse_i64(&value, "-20", -20, 19) && value == -20);
	assert_true(parse_i64(&value, "-0", -20, 19) && value == 0);
}

static void parse_i64__leaves_value_alone_on_failure(void **state)
{
	static const char *const bad[] = {
		"",
		"-",
		"--1",
		"- 1",
		"+1",
		" 1",
		"1 ",
		"-21",
		"20",
		"1-",
		"-9223372036854775809",
		"9223372036854775808",
	};
	int64_t value = 42;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(parse_i64(&value, bad[i], -20, 19));
	assert_false(
		parse_i64(&value, "9223372036854775808", INT64_MIN, INT64_MAX));
	assert_true(value == 42);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parse_u64__takes_both_ends_of_the_range),
		cmocka_unit_test(parse_u64__leaves_value_alone_on_failure),
		cmocka_unit_test(
			parse_u64__refuses_a_wrapped_number_in_the_full_range),
		cmocka_unit_test(parse_i64__takes_both_ends_of_the_range),
		cmocka_unit_test(parse_i64__leaves_value_alone_on_failure),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
