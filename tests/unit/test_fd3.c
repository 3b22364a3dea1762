// SPDX-License-Identifier: GPL-2.0-or-later
// sources: init/fd3.c init/outcome.c
/*
 * test_fd3.c - what a probe writes to descriptor 3, as records
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "fd3.h"
#include "record.h"

static char records[RECORD_LINE_MAX * 4];
static size_t records_max; /* how many the sink takes */
static size_t records_count;
static struct statement said;

static bool sink(void *arg, const char *line, size_t len)
{
	assert_ptr_equal(arg, &records_count);
	assert_true(len <= RECORD_LINE_MAX && line[len - 1] == '\n');
	if (records_count == records_max)
		return false;
	records_count++;
	if (strlen(records) + len < sizeof(records))
		strncat(records, line, len);
	return true;
}

static const char *better, *unit; /* on the step's line */

static bool parse_bytes(const char *text, size_t len)
{
	const struct fd3_step step = {
		.step = "s",
		.probe = "p",
		.begin_ns = 77,
		.better = better,
		.unit = unit,
		.sink = sink,
		.arg = &records_count,
	};

	records[0] = '\0';
	records_count = 0;
	records_max = SIZE_MAX;
	return fd3_parse(&step, text, len, &said);
}

static bool parse(const char *text)
{
	return parse_bytes(text, strlen(text));
}

/* The examples of docs/record-format.md. */
static void fd3_parse__makes_the_records_of_a_probe(void **state)
{
	(void)state;
	assert_true(parse("metric ready_ns better=lower\n"
			  "metric sends_per_s better=higher count=total_sends "
			  "window=window_ns\n"
			  "sample repetition=0 warmup=1 time_ns=1205000000 "
			  "ready_ns=9992000 tries=812 capped=0 errno=99\n"
			  "note 37 namespaces were not drained within 60 s\n"));
	assert_string_equal(said.protocol, "");
	assert_int_equal(said.result, RESULT_PASS);
	assert_string_equal(
		records,
		"{\"type\":\"metric\",\"step\":\"s\",\"probe\":\"p\","
		"\"metric\":\"ready_ns\",\"better\":\"lower\"}\n"
		"{\"type\":\"metric\",\"step\":\"s\",\"probe\":\"p\","
		"\"metric\":\"sends_per_s\",\"better\":\"higher\","
		"\"count\":\"total_sends\",\"window\":\"window_ns\"}\n"
		"{\"type\":\"sample\",\"step\":\"s\",\"probe\":\"p\","
		"\"repetition\":0,\"warmup\":1,\"time_ns\":1205000000,"
		"\"ready_ns\":9992000,\"tries\":812,\"capped\":0,"
		"\"errno\":99}\n"
		"{\"type\":\"note\",\"step\":\"s\","
		"\"text\":\"37 namespaces were not drained within 60 s\"}\n");
}

static bool parse_tracer(const char *text)
{
	const struct fd3_step step = {
		.step = "s",
		.probe = "p",
		.tracer = true,
		.sink = sink,
		.arg = &records_count,
	};

	records[0] = '\0';
	records_count = 0;
	records_max = SIZE_MAX;
	return fd3_parse(&step, text, strlen(text), &said);
}

static void fd3_parse__makes_the_records_of_a_trace(void **state)
{
	(void)state;
	assert_true(parse_tracer("trace workqueue=ipv6_addrconf "
				 "function=addrconf_dad_work cpu=-1 queued=3 "
				 "delay_max_ns=174000000\n"));
	assert_string_equal(said.protocol, "");
	assert_string_equal(records,
			    "{\"type\":\"trace\",\"step\":\"s\","
			    "\"workqueue\":\"ipv6_addrconf\","
			    "\"function\":\"addrconf_dad_work\",\"cpu\":-1,"
			    "\"queued\":3,\"delay_max_ns\":174000000}\n");
}

static void fd3_parse__refuses_wrong_lines_of_a_trace(void **state)
{
	static const char *const bad[] = {
		"trace\n",
		"trace workqueue= function=f cpu=0\n",
		"trace function=f workqueue=w cpu=0\n",
		"trace workqueue=w cpu=0\n",
		"trace workqueue=w function=f cpu\n",
		"trace workqueue=w function=f cpu=x\n",
		"trace workqueue=w function=f workqueue=3\n",
		"trace workqueue=w function=f step=3\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		parse_tracer(bad[i]);
		assert_int_equal(records_count, 0);
		assert_string_not_equal(said.protocol, "");
	}
}

/* Else a program could write a record that the host refuses. */
static void fd3_parse__takes_a_trace_from_a_tracer_only(void **state)
{
	(void)state;
	parse("trace workqueue=w function=f cpu=0\n");
	assert_int_equal(records_count, 0);
	assert_string_not_equal(said.protocol, "");
	assert_true(parse("trace 5\n"));
	assert_non_null(strstr(records, "\"type\":\"sample\""));
	assert_non_null(strstr(records, "\"trace\":5}"));
}

static void fd3_parse__numbers_the_short_form_by_name(void **state)
{
	(void)state;
	assert_true(parse("a_ms 5\na_ms -6\nb 7\n"));
	assert_string_equal(
		records, "{\"type\":\"sample\",\"step\":\"s\",\"probe\":\"p\","
			 "\"repetition\":0,\"time_ns\":77,\"a_ms\":5}\n"
			 "{\"type\":\"sample\",\"step\":\"s\",\"probe\":\"p\","
			 "\"repetition\":1,\"time_ns\":77,\"a_ms\":-6}\n"
			 "{\"type\":\"sample\",\"step\":\"s\",\"probe\":\"p\","
			 "\"repetition\":0,\"time_ns\":77,\"b\":7}\n");
}

static void fd3_parse__takes_the_blanks_of_printf(void **state)
{
	(void)state;
	assert_true(parse("a    5\na\t6 \n"));
	assert_string_equal(said.protocol, "");
	assert_int_equal(records_count, 2);
	assert_non_null(strstr(records, "\"repetition\":1,\"time_ns\":77,"
					"\"a\":6}"));
}

/* Parses with better= and unit= on the step's line. */
static bool parse_measured(const char *text)
{
	bool whole;

	better = "higher";
	unit = "us";
	whole = parse(text);
	better = unit = NULL;
	return whole;
}

static void fd3_parse__declares_the_short_form(void **state)
{
	(void)state;
	assert_true(parse_measured("a 5\nb 6\na 7\n"));
	assert_string_equal(said.protocol, "");
	assert_true(said.samples);
	assert_string_equal(
		records,
		"{\"type\":\"metric\",\"step\":\"s\",\"probe\":\"p\","
		"\"metric\":\"a\",\"better\":\"higher\",\"unit\":\"us\"}\n"
		"{\"type\":\"metric\",\"step\":\"s\",\"probe\":\"p\","
		"\"metric\":\"b\",\"better\":\"higher\",\"unit\":\"us\"}\n"
		"{\"type\":\"sample\",\"step\":\"s\",\"probe\":\"p\","
		"\"repetition\":0,\"time_ns\":77,\"a\":5}\n"
		"{\"type\":\"sample\",\"step\":\"s\",\"probe\":\"p\","
		"\"repetition\":0,\"time_ns\":77,\"b\":6}\n"
		"{\"type\":\"sample\",\"step\":\"s\",\"probe\":\"p\","
		"\"repetition\":1,\"time_ns\":77,\"a\":7}\n");
}

static void fd3_parse__declares_nothing_twice(void **state)
{
	(void)state;
	assert_true(parse_measured("metric a better=lower unit=ns\n"
				   "note a\na 5\nb 1\n"));
	assert_string_equal(said.protocol, "");
	assert_int_equal(records_count, 5);
	assert_non_null(strstr(records, "\"metric\":\"a\",\"better\":"
					"\"lower\",\"unit\":\"ns\"}"));
	assert_null(strstr(records, "\"metric\":\"a\",\"better\":"
				    "\"higher\""));
}

static void fd3_parse__declares_nothing_behind_a_wrong_line(void **state)
{
	(void)state;
	assert_true(parse_measured("a 1\nrubbish\nb 2\n"));
	assert_int_equal(records_count, 2);
	assert_non_null(strstr(said.protocol, "line 2 on descriptor 3"));
	assert_true(parse_measured("skip option CONFIG_X is off\n"));
	assert_int_equal(records_count, 0);
	assert_false(said.samples);
}

/* A flood of names is bounded, and named. */
static void fd3_parse__knows_the_most_names(void **state)
{
	char text[2048], *end = text;

	(void)state;
	for (int i = 0; i < 65; i++)
		end += sprintf(end, "name_%d %d\n", i, i);
	assert_true(parse_measured(text));
	assert_int_equal(records_count, 2 * 64);
	assert_string_equal(said.protocol,
			    "line 65 on descriptor 3: more than 64 names");
}

static void fd3_parse__knows_the_most_samples(void **state)
{
	static char text[2 * (FD3_SHORT_MAX + 1) * 2];
	const size_t len = sizeof("a 1\n") - 1;

	(void)state;
	for (size_t i = 0; i <= FD3_SHORT_MAX; i++)
		memcpy(text + i * len, "a 1\n", len);
	assert_true(parse_bytes(text, FD3_SHORT_MAX * len));
	assert_int_equal(records_count, FD3_SHORT_MAX);
	assert_string_equal(said.protocol, "");
	assert_true(parse_bytes(text, (FD3_SHORT_MAX + 1) * len));
	assert_int_equal(records_count, FD3_SHORT_MAX);
	assert_non_null(strstr(said.protocol, "more than 65536 samples"));
}

static void fd3_parse__takes_the_last_statement(void **state)
{
	(void)state;
	assert_true(parse("skip option CONFIG_X is off\n"
			  "fail kernel it broke a promise\n"));
	assert_int_equal(records_count, 0);
	assert_int_equal(said.result, RESULT_FAIL);
	assert_int_equal(said.cause, CAUSE_KERNEL);
	assert_string_equal(said.reason, "it broke a promise");
}

static void fd3_parse__takes_nothing_from_nothing(void **state)
{
	(void)state;
	assert_true(parse(""));
	assert_int_equal(records_count, 0);
	assert_string_equal(said.protocol, "");
}

static void fd3_parse__takes_both_ends_of_the_integers(void **state)
{
	(void)state;
	assert_true(parse("sample repetition=9223372036854775807 time_ns=0 "
			  "a=-9223372036854775808\n"));
	assert_non_null(strstr(records, "\"a\":-9223372036854775808}"));
	assert_string_equal(said.protocol, "");
}

static void fd3_parse__refuses_what_is_not_in_the_grammar(void **state)
{
	static const char *const bad[] = {
		"\n",
		" note a\n",
		"rubbish\n",
		"Name 5\n",
		"name 5 6\n",
		"name 1.5\n",
		"name 0x5\n",
		"name\n",
		"name \n",
		"name +5\n",
		"name 5s\n",
		"name 9223372036854775808\n",
		"repetition 5\n",
		"time_ns 5\n",
		"type 5\n",
		"note\n",
		"note \n",
		"skip\n",
		"skip option\n",
		"skip option \n",
		"skip nothing a text\n",
		"fail  a text\n",
		"metric\n",
		"metric a\n",
		"metric a better=more\n",
		"metric a lower\n",
		"metric A better=lower\n",
		"metric a better=lower unit=\n",
		"metric a better=lower unit=parsec\n",
		"metric a better=lower unit=ns count=x window=y\n",
		"metric a better=lower count=x\n",
		"metric a better=lower window=x\n",
		"metric a better=lower count=x window=\n",
		"metric a better=lower count=x window=y z\n",
		"metric a better=lower\nmetric a better=lower\n",
		"a 1\nmetric a better=lower\n",
		"sample\n",
		"sample repetition=0\n",
		"sample time_ns=0\n",
		"sample repetition=0 time_ns=0 a\n",
		"sample repetition=0 time_ns=0 a=\n",
		"sample repetition=0 time_ns=0 a=1.5\n",
		"sample repetition=0 time_ns=0 a=1 a=1\n",
		"sample repetition=0 time_ns=0 step=1\n",
		"sample repetition=0 time_ns=0  a=1\n",
		"sample repetition=-1 time_ns=0\n",
		"sample repetition=0 time_ns=-1\n",
		"sample repetition=0 time_ns=0 warmup=2\n",
		"sample repetition=0 time_ns=0 capped=-1\n",
		"{\"type\":\"end\"}\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_true(parse(bad[i]));
		if (!said.protocol[0])
			fail_msg("taken: %s", bad[i]);
	}
}

static void fd3_parse__stops_at_the_first_wrong_line(void **state)
{
	(void)state;
	assert_true(parse("a 1\nrubbish\na 2\n"));
	assert_int_equal(records_count, 1);
	assert_string_equal(said.protocol,
			    "line 2 on descriptor 3: rubbish has '', which is "
			    "no integer of 64 bits (for fractions take a "
			    "smaller unit)");
}

static void fd3_parse__refuses_a_torn_line(void **state)
{
	(void)state;
	assert_true(parse("a 1\na 2"));
	assert_int_equal(records_count, 1);
	assert_non_null(strstr(said.protocol, "ends without LF"));
}

static void fd3_parse__refuses_a_nul_byte(void **state)
{
	(void)state;
	assert_true(parse_bytes("note a\0b\n", 9));
	assert_int_equal(records_count, 0);
	assert_non_null(strstr(said.protocol, "NUL"));
}

static void fd3_parse__knows_the_longest_line(void **state)
{
	static char text[FD3_LINE_MAX + 2];

	(void)state;
	memset(text, 'x', FD3_LINE_MAX);
	memcpy(text, "note ", 5);
	text[FD3_LINE_MAX - 1] = '\n';
	assert_true(parse_bytes(text, FD3_LINE_MAX));
	assert_int_equal(records_count, 1);
	assert_string_equal(said.protocol, "");

	text[FD3_LINE_MAX - 1] = 'x';
	text[FD3_LINE_MAX] = '\n';
	assert_true(parse_bytes(text, FD3_LINE_MAX + 1));
	assert_int_equal(records_count, 0);
	assert_non_null(strstr(said.protocol, "longer than 2048 bytes"));
}

static void fd3_parse__refuses_a_record_that_does_not_fit(void **state)
{
	static char text[FD3_LINE_MAX + 1];

	(void)state;
	memset(text, '\a', FD3_LINE_MAX - 1); /* six bytes each in JSON */
	memcpy(text, "note ", 5);
	text[FD3_LINE_MAX - 1] = '\n';
	assert_true(parse(text));
	assert_int_equal(records_count, 0);
	assert_non_null(strstr(said.protocol, "longer than a record"));
}

/* Writes a sample of @keys keys in all. */
static void write_sample(char *text, unsigned int keys)
{
	text += sprintf(text, "sample repetition=0 time_ns=0");
	for (unsigned int i = 2; i < keys; i++)
		text += sprintf(text, " key_%u=1", i);
	strcpy(text, "\n");
}

static void fd3_parse__knows_the_most_keys(void **state)
{
	char text[FD3_LINE_MAX];

	(void)state;
	write_sample(text, 64);
	assert_true(parse(text));
	assert_int_equal(records_count, 1);
	write_sample(text, 65);
	assert_true(parse(text));
	assert_int_equal(records_count, 0);
	assert_non_null(strstr(said.protocol, "more than 64 keys"));
}

static void fd3_parse__says_when_there_is_no_room(void **state)
{
	const struct fd3_step step = {
		.step = "s",
		.probe = "p",
		.sink = sink,
		.arg = &records_count,
	};
	static const char text[] = "a 1\na 2\na 3\nskip memory too small\n";

	(void)state;
	records_count = 0;
	records_max = 1;
	assert_false(fd3_parse(&step, text, strlen(text), &said));
	assert_int_equal(records_count, 1);
	assert_int_equal(said.result, RESULT_SKIP);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fd3_parse__makes_the_records_of_a_probe),
		cmocka_unit_test(fd3_parse__makes_the_records_of_a_trace),
		cmocka_unit_test(fd3_parse__refuses_wrong_lines_of_a_trace),
		cmocka_unit_test(fd3_parse__takes_a_trace_from_a_tracer_only),
		cmocka_unit_test(fd3_parse__numbers_the_short_form_by_name),
		cmocka_unit_test(fd3_parse__takes_the_blanks_of_printf),
		cmocka_unit_test(fd3_parse__declares_the_short_form),
		cmocka_unit_test(fd3_parse__declares_nothing_twice),
		cmocka_unit_test(
			fd3_parse__declares_nothing_behind_a_wrong_line),
		cmocka_unit_test(fd3_parse__knows_the_most_names),
		cmocka_unit_test(fd3_parse__knows_the_most_samples),
		cmocka_unit_test(fd3_parse__takes_the_last_statement),
		cmocka_unit_test(fd3_parse__takes_nothing_from_nothing),
		cmocka_unit_test(fd3_parse__takes_both_ends_of_the_integers),
		cmocka_unit_test(fd3_parse__refuses_what_is_not_in_the_grammar),
		cmocka_unit_test(fd3_parse__stops_at_the_first_wrong_line),
		cmocka_unit_test(fd3_parse__refuses_a_torn_line),
		cmocka_unit_test(fd3_parse__refuses_a_nul_byte),
		cmocka_unit_test(fd3_parse__knows_the_longest_line),
		cmocka_unit_test(fd3_parse__refuses_a_record_that_does_not_fit),
		cmocka_unit_test(fd3_parse__knows_the_most_keys),
		cmocka_unit_test(fd3_parse__says_when_there_is_no_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
