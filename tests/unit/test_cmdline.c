// SPDX-License-Identifier: GPL-2.0-or-later
// sources: init/cmdline.c
/*
 * test_cmdline.c - what the guest takes from the kernel command line
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "cmdline.h"

static char error[256];

static bool parse(struct options *options, const char *text)
{
	error[0] = '\0';
	cmdline_defaults(options);
	return cmdline_parse(options, text, error, sizeof(error));
}

static void cmdline_parse__keeps_the_defaults(void **state)
{
	struct options options;

	(void)state;
	assert_true(parse(&options, "console=ttyS0 panic=-1 quiet"));
	assert_string_equal(options.scenario, "default");
	assert_int_equal(options.seed, 1);
	assert_int_equal(options.mode, MODE_REALTIME);
	assert_int_equal(options.task, TASK_SCENARIO);
	assert_true(options.disk);
}

static void cmdline_parse__takes_every_parameter(void **state)
{
	struct options options;

	(void)state;
	assert_true(parse(&options, "kv.scenario=r1-readiness kv.seed=7 quiet "
				    "kv.mode=deterministic kv.task=command "
				    "kv.disk=0\n"));
	assert_string_equal(options.scenario, "r1-readiness");
	assert_int_equal(options.seed, 7);
	assert_int_equal(options.mode, MODE_DETERMINISTIC);
	assert_int_equal(options.task, TASK_COMMAND);
	assert_false(options.disk);
}

static void cmdline_parse__takes_the_largest_seed(void **state)
{
	struct options options;

	(void)state;
	assert_true(parse(&options, "kv.seed=9223372036854775807"));
	assert_true(options.seed == INT64_MAX);
	assert_false(parse(&options, "kv.seed=9223372036854775808"));
}

static void cmdline_parse__lets_the_last_one_count(void **state)
{
	struct options options;

	(void)state;
	assert_true(parse(&options, "kv.seed=2 kv.seed=3"));
	assert_int_equal(options.seed, 3);
	assert_true(cmdline_parse(&options, "kv.disk=0", error, sizeof(error)));
	assert_int_equal(options.seed, 3);
	assert_false(options.disk);
}

static void cmdline_parse__sees_no_parameter_inside_quotes(void **state)
{
	struct options options;

	(void)state;
	assert_true(parse(&options, "dyndbg=\"file x.c +p; kv.seed=9\" "
				    "\"kv.seed=8\" kv.seed=2"));
	assert_int_equal(options.seed, 2);
}

static void cmdline_parse__refuses_and_names_what_is_wrong(void **state)
{
	static const char *const bad[] = {
		"kv.seed=",
		"kv.seed",
		"kv.seed=-1",
		"kv.seed=0x10",
		"kv.mode=fast",
		"kv.task=",
		"kv.disk=2",
		"kv.scenario=../init",
		"kv.scenario=",
		"kv.scenario=_x",
		"kv.scenario=Default",
		"kv.scenari=x",
		"kv.=1",
		"kv.seed=\"1",
	};
	struct options options;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_false(parse(&options, bad[i]));
		assert_memory_equal(error, "kv.", 3);
	}
	assert_false(parse(&options, "kv.seed=1x"));
	assert_string_equal(error, "kv.seed=1x: not 0..9223372036854775807");
}

static void cmdline_parse__refuses_a_word_that_does_not_fit(void **state)
{
	struct options options;
	char text[600] = "kv.scenario=";

	(void)state;
	memset(text + 12, 'a', 500);
	assert_false(parse(&options, text));
}

static void scenario_name_valid__knows_the_grammar(void **state)
{
	char longest[SCENARIO_NAME_MAX + 2] = "";

	(void)state;
	memset(longest, 'a', SCENARIO_NAME_MAX);
	assert_true(scenario_name_valid(longest));
	longest[SCENARIO_NAME_MAX] = 'a';
	assert_false(scenario_name_valid(longest));
	assert_true(scenario_name_valid("r4-netns_churn"));
	assert_true(scenario_name_valid("0"));
	assert_false(scenario_name_valid(""));
	assert_false(scenario_name_valid("-a"));
	assert_false(scenario_name_valid("a.b"));
	assert_false(scenario_name_valid("a/b"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cmdline_parse__keeps_the_defaults),
		cmocka_unit_test(cmdline_parse__takes_every_parameter),
		cmocka_unit_test(cmdline_parse__takes_the_largest_seed),
		cmocka_unit_test(cmdline_parse__lets_the_last_one_count),
		cmocka_unit_test(
			cmdline_parse__sees_no_parameter_inside_quotes),
		cmocka_unit_test(
			cmdline_parse__refuses_and_names_what_is_wrong),
		cmocka_unit_test(
			cmdline_parse__refuses_a_word_that_does_not_fit),
		cmocka_unit_test(scenario_name_valid__knows_the_grammar),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
