// SPDX-License-Identifier: GPL-2.0-or-later
// sources:
/*
 * test_jsonw.c - whatever goes into a line, it comes out as JSON
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "jsonw.h"

static void jsonw_end__closes_a_line(void **state)
{
	struct jsonw w;

	(void)state;
	jsonw_begin(&w, "sample");
	jsonw_str(&w, "step", "a");
	jsonw_u64(&w, "ready_ns", 9992000);
	assert_true(jsonw_end(&w));
	assert_string_equal(w.line, "{\"type\":\"sample\",\"step\":\"a\","
				    "\"ready_ns\":9992000}\n");
	assert_int_equal(w.len, strlen(w.line));
}

static void jsonw_u64__writes_the_ends_of_the_range(void **state)
{
	struct jsonw w;

	(void)state;
	jsonw_begin(&w, "x");
	jsonw_u64(&w, "a", UINT64_MAX);
	jsonw_i64(&w, "b", INT64_MIN);
	jsonw_i64(&w, "c", INT64_MAX);
	assert_true(jsonw_end(&w));
	assert_string_equal(w.line, "{\"type\":\"x\","
				    "\"a\":18446744073709551615,"
				    "\"b\":-9223372036854775808,"
				    "\"c\":9223372036854775807}\n");
}

static void jsonw_str__escapes(void **state)
{
	struct jsonw w;

	(void)state;
	jsonw_begin(&w, "x");
	jsonw_str(&w, "a", "q\"b\\c\n\t\x01\x7f/");
	assert_true(jsonw_end(&w));
	assert_string_equal(w.line, "{\"type\":\"x\",\"a\":\"q\\\"b\\\\c\\u000a"
				    "\\u0009\\u0001\\u007f/\"}\n");
}

/* The rows of the table of RFC 3629, section 4, and just outside each. */
static void jsonw_str__replaces_what_is_not_utf8(void **state)
{
	static const struct {
		const char *in, *out;
	} rows[] = {
		{ "\xc3\xa9", "\xc3\xa9" },
		{ "\xe2\x82\xac", "\xe2\x82\xac" },
		{ "\xf0\x9f\x90\xa7", "\xf0\x9f\x90\xa7" },
		{ "\xf4\x8f\xbf\xbf", "\xf4\x8f\xbf\xbf" },
		{ "\xc0\x80", "??" },		/* overlong NUL */
		{ "\xe0\x9f\xbf", "???" },	/* overlong */
		{ "\xed\xa0\x80", "???" },	/* surrogate */
		{ "\xf0\x8f\xbf\xbf", "????" }, /* overlong */
		{ "\xf4\x90\x80\x80", "????" }, /* above U+10FFFF */
		{ "\x80", "?" },		/* stray */
		{ "\xc3", "?" },		/* cut at the end */
		{ "\xe2\x82", "??" },
		{ "\xf0\x9f\x90", "???" },
		{ "\xff"
		  "a",
		  "?a" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct jsonw w;
		json_t *line;

		jsonw_begin(&w, "x");
		jsonw_str(&w, "a", rows[i].in);
		assert_true(jsonw_end(&w));
		line = json_loadb(w.line, w.len, JSON_REJECT_DUPLICATES, NULL);
		assert_non_null(line);
		assert_string_equal(
			json_string_value(json_object_get(line, "a")),
			rows[i].out);
		json_decref(line);
	}
}

/* Every single byte and every pair of them, against jansson's reader. */
static void jsonw_str__is_always_valid_json(void **state)
{
	(void)state;
	for (unsigned int i = 1; i < 65536; i++) {
		char text[] = { (char)(i & 255), (char)(i >> 8), '\0' };
		struct jsonw w;
		json_t *line;

		jsonw_begin(&w, "x");
		jsonw_str(&w, "a", text);
		assert_true(jsonw_end(&w));
		line = json_loadb(w.line, w.len, JSON_REJECT_DUPLICATES, NULL);
		if (!line)
			fail_msg("bytes %02x %02x", i & 255, i >> 8);
		json_decref(line);
	}
}

static void jsonw_end__knows_a_line_that_does_not_fit(void **state)
{
	static const size_t around =
		sizeof("{\"type\":\"x\",\"a\":\"\"}\n") - 1;
	char text[RECORD_LINE_MAX + 1];
	struct jsonw w;

	(void)state;
	memset(text, 'y', sizeof(text));
	text[RECORD_LINE_MAX - around] = '\0';
	jsonw_begin(&w, "x");
	jsonw_str(&w, "a", text);
	assert_true(jsonw_end(&w));
	assert_int_equal(w.len, RECORD_LINE_MAX);

	text[RECORD_LINE_MAX - around] = 'y';
	text[RECORD_LINE_MAX - around + 1] = '\0';
	jsonw_begin(&w, "x");
	jsonw_str(&w, "a", text);
	assert_false(jsonw_end(&w));

	jsonw_begin(&w, "x");
	assert_true(jsonw_end(&w));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(jsonw_end__closes_a_line),
		cmocka_unit_test(jsonw_u64__writes_the_ends_of_the_range),
		cmocka_unit_test(jsonw_str__escapes),
		cmocka_unit_test(jsonw_str__replaces_what_is_not_utf8),
		cmocka_unit_test(jsonw_str__is_always_valid_json),
		cmocka_unit_test(jsonw_end__knows_a_line_that_does_not_fit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
