// SPDX-License-Identifier: GPL-2.0-or-later
// sources: init/scenario.c init/scenario_check.c
/*
 * test_scenario.c - a scenario's text as a list of steps
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "scenario.h"

static struct scenario scenario;
static struct scenario_error error;

static bool parse(const char *text)
{
	memset(&error, 0, sizeof(error));
	return scenario_parse(&scenario, text, strlen(text), &error);
}

/* The example of docs/scenario-format.md. */
static void scenario_parse__reads_the_example(void **state)
{
	(void)state;
	assert_true(parse(
		"# r1-readiness - how long until a new interface can send?\n"
		"guest  smp=2 mem_mib=1024\n"
		"start  antagonist_cpu  policy=other nice=-20 cpu=0\n"
		"probe  readiness       taps=1 repetitions=40 cpu=0 "
		"timeout_s=120\n"
		"stop   antagonist_cpu\n"));
	assert_int_equal(scenario.smp, 2);
	assert_int_equal(scenario.mem_mib, 1024);
	assert_false(scenario.may_skip);
	assert_int_equal(scenario.count, 3);

	assert_int_equal(scenario.steps[0].verb, VERB_START);
	assert_string_equal(scenario.steps[0].name, "antagonist_cpu");
	assert_string_equal(scenario.steps[0].params,
			    "policy=other nice=-20 cpu=0");
	assert_int_equal(scenario.steps[0].timeout_s, 60);
	assert_int_equal(scenario.steps[0].line, 3);

	assert_int_equal(scenario.steps[1].verb, VERB_PROBE);
	assert_string_equal(scenario.steps[1].probe, "readiness");
	assert_string_equal(scenario.steps[1].params,
			    "taps=1 repetitions=40 cpu=0");
	assert_int_equal(scenario.steps[1].timeout_s, 120);

	assert_int_equal(scenario.steps[2].verb, VERB_STOP);
	assert_int_equal(scenario.steps[2].start, 0);
}

static void scenario_parse__reads_an_exec(void **state)
{
	const struct step *step = scenario.steps;
	char value[8];

	(void)state;
	assert_true(parse("exec wakeup name=w timeout_s=9 better=lower unit=us "
			  "cpu=1 loops=5 --   run -q \t x=2 -- \"$loops\"\n"
			  "exec alone a=1\n"));
	assert_int_equal(step->verb, VERB_EXEC);
	assert_string_equal(step->name, "w");
	assert_string_equal(step->probe, "wakeup");
	assert_int_equal(step->timeout_s, 9);
	assert_string_equal(step->params, "better=lower unit=us cpu=1 loops=5 "
					  "-- run -q \t x=2 -- \"$loops\"");
	assert_string_equal(step_command(step), "run -q \t x=2 -- \"$loops\"");
	assert_string_equal(step_param(step, "unit", value, sizeof(value)),
			    "us");
	assert_string_equal(step_param(step, "loops", value, sizeof(value)),
			    "5");
	assert_null(step_param(step, "x", value, sizeof(value)));
	assert_null(step_param(step, "loop", value, sizeof(value)));
	assert_null(step_command(step + 1));
	assert_string_equal(step[1].params, "a=1");
}

static void scenario_parse__refuses_a_wrong_exec(void **state)
{
	static const char *const bad[] = {
		"exec",
		"exec -- true",
		"exec a --",
		"exec a -- \t",
		"exec a b",
		"exec a better=more",
		"exec a unit=us",
		"exec a better=lower unit=parsec",
		"exec a cpu=x",
		"exec a cpu=1024",
		"exec a seed=1",
		"exec a x=1 x=2",
		"exec A -- true",
		"probe a -- true",
		"exec a\nexec a\n",
		"exec a-b -- true",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (parse(bad[i]))
			fail_msg("taken: %s", bad[i]);
}

static void scenario_parse__takes_an_empty_one(void **state)
{
	(void)state;
	assert_true(parse(""));
	assert_true(parse("\n\n \t\n# only a comment"));
	assert_int_equal(scenario.count, 0);
	assert_int_equal(scenario.smp, 0);
	assert_int_equal(scenario.mem_mib, 0);
}

static void scenario_parse__needs_no_line_feed_at_the_end(void **state)
{
	(void)state;
	assert_true(parse("may-skip\n\tprobe\treadiness\t \ttaps=3 "));
	assert_true(scenario.may_skip);
	assert_string_equal(scenario.steps[0].params, "taps=3");
}

static void scenario_parse__adds_the_stops_that_are_left_out(void **state)
{
	(void)state;
	assert_true(parse("start antagonist_cpu\n"
			  "start antagonist_cpu name=b\n"
			  "start antagonist_cpu name=c\n"
			  "stop antagonist_cpu name=b timeout_s=5\n"
			  "probe readiness\n"));
	assert_int_equal(scenario.count, 7);
	assert_int_equal(scenario.steps[3].timeout_s, 5);
	assert_int_equal(scenario.steps[5].verb, VERB_STOP);
	assert_string_equal(scenario.steps[5].name, "c");
	assert_int_equal(scenario.steps[5].start, 2);
	assert_int_equal(scenario.steps[5].line, 3);
	assert_string_equal(scenario.steps[6].name, "antagonist_cpu");
	assert_string_equal(scenario.steps[6].probe, "antagonist_cpu");
	assert_int_equal(scenario.steps[6].start, 0);
	assert_int_equal(scenario.steps[6].timeout_s, 60);
}

static void scenario_parse__refuses_and_names_the_line(void **state)
{
	static const struct {
		unsigned int line;
		const char *text;
		const char *why;
	} bad[] = {
		{ 1, "prob readiness", "unknown verb 'prob'" },
		{ 1, " # indented", "unknown verb '#'" },
		{ 1, "probe", "its name is missing" },
		{ 1, "probe Readiness", "no name of a probe" },
		{ 1, "probe readiness taps", "not KEY=VALUE" },
		{ 1, "probe readiness =1", "no parameter" },
		{ 1, "probe readiness taps=", "no value" },
		{ 1, "probe readiness Taps=1", "no parameter" },
		{ 1, "probe readiness taps=1 taps=2", "taps= is given twice" },
		{ 1, "probe readiness name=a name=a", "name= is given twice" },
		{ 1, "probe readiness name=A", "name=A" },
		{ 1, "probe readiness seed=3", "belongs to the run" },
		{ 1, "probe readiness trace=irq", "only workqueue can be" },
		{ 1, "probe readiness trace=workqueue trace=workqueue",
		  "trace= is given twice" },
		{ 1, "start antagonist_cpu trace=workqueue", "not for start" },
		{ 2,
		  "start antagonist_cpu\nstop antagonist_cpu trace=workqueue",
		  "not for stop" },
		{ 1, "probe readiness timeout_s=0", "from 1 to 86400" },
		{ 1, "probe readiness timeout_s=86401", "from 1 to 86400" },
		{ 1, "probe readiness timeout_s=1 timeout_s=1", "twice" },
		{ 1, "probe readiness timeout_s=1s", "not a number" },
		{ 2, "probe readiness\nprobe readiness", "taken by line 1" },
		{ 3, "\nprobe a\nprobe b name=a", "taken by line 2" },
		{ 1, "probe antagonist_cpu", "use start and stop" },
		{ 1, "start readiness", "use probe" },
		{ 1, "stop antagonist_cpu", "no start before it" },
		{ 2, "start antagonist_cpu name=x\nstop antagonist_cpu",
		  "no start before it" },
		{ 2, "start antagonist_cpu name=x\nstop antagonist_net name=x",
		  "no start before it" },
		{ 3,
		  "start antagonist_cpu\nstop antagonist_cpu\n"
		  "stop antagonist_cpu",
		  "stopped already" },
		{ 3,
		  "start antagonist_cpu\nstop antagonist_cpu\n"
		  "start antagonist_cpu",
		  "taken by line 1" },
		{ 2, "start antagonist_cpu\nstop antagonist_cpu cpu=0",
		  "not cpu=" },
		{ 1, "guest", "says nothing" },
		{ 1, "guest smp=0", "from 1 to 64" },
		{ 1, "guest smp=65", "from 1 to 64" },
		{ 1, "guest mem_mib=127", "from 128 to 65536" },
		{ 1, "guest mem_mib=65537", "from 128 to 65536" },
		{ 1, "guest smp=1 smp=1", "twice" },
		{ 1, "guest cpus=1", "no cpus=" },
		{ 2, "guest smp=1\nguest mem_mib=128", "second guest" },
		{ 2, "probe a\nguest smp=1", "before the first step" },
		{ 2, "probe a\nmay-skip", "before the first step" },
		{ 2, "may-skip\nmay-skip", "twice" },
		{ 1, "may-skip 1", "nothing after" },
		{ 2, "\nprobe a\r\n", "carriage return" },
		{ 1, "# bell \a", "control character (0x07)" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_false(parse(bad[i].text));
		assert_int_equal(error.line, bad[i].line);
		if (!strstr(error.text, bad[i].why))
			fail_msg("%s: %s", bad[i].text, error.text);
	}
}

static void scenario_parse__keeps_the_trace_from_the_probe(void **state)
{
	(void)state;
	assert_true(parse("probe readiness taps=1 trace=workqueue cpu=0\n"
			  "probe readiness name=plain\n"
			  "exec mine trace=workqueue\n"));
	assert_true(scenario.steps[2].trace);
	assert_true(scenario.steps[0].trace);
	assert_string_equal(scenario.steps[0].params, "taps=1 cpu=0");
	assert_false(scenario.steps[1].trace);
}

static void scenario_parse__refuses_a_nul_byte(void **state)
{
	(void)state;
	assert_false(scenario_parse(&scenario, "probe\0a\n", 8, &error));
	assert_int_equal(error.line, 1);
}

static void scenario_parse__knows_the_longest_line(void **state)
{
	char text[SCENARIO_LINE_MAX + 2] = "probe a k=";

	(void)state;
	memset(text + 10, 'v', SCENARIO_LINE_MAX - 10);
	assert_true(parse(text));
	assert_int_equal(strlen(scenario.steps[0].params),
			 SCENARIO_LINE_MAX - 8);
	text[SCENARIO_LINE_MAX] = 'v';
	assert_false(parse(text));
	assert_non_null(strstr(error.text, "longer than 1024 bytes"));
}

static void scenario_parse__knows_the_largest_scenario(void **state)
{
	static char text[SCENARIO_SIZE_MAX + 1];

	(void)state;
	memset(text, '\n', sizeof(text));
	assert_true(scenario_parse(&scenario, text, SCENARIO_SIZE_MAX, &error));
	assert_false(
		scenario_parse(&scenario, text, SCENARIO_SIZE_MAX + 1, &error));
	assert_int_equal(error.line, 0);
}

/* Writes @count steps into @text. */
static void write_steps(char *text, const char *words, unsigned int count)
{
	for (unsigned int i = 0; i < count; i++)
		text += sprintf(text, "%s name=n%u\n", words, i);
}

static void scenario_parse__knows_the_most_steps(void **state)
{
	static char text[SCENARIO_SIZE_MAX];

	(void)state;
	write_steps(text, "probe a", 128);
	assert_true(parse(text));
	assert_int_equal(scenario.count, 128);
	write_steps(text, "probe a", 129);
	assert_false(parse(text));
	assert_int_equal(error.line, 129);
}

static void scenario_parse__counts_the_stops_it_adds(void **state)
{
	static char text[SCENARIO_SIZE_MAX];

	(void)state;
	write_steps(text, "start antagonist_cpu", 64);
	assert_true(parse(text));
	assert_int_equal(scenario.count, 128);
	write_steps(text, "start antagonist_cpu", 65);
	assert_false(parse(text));
	/* The last start is stopped first: 63 have room. */
	assert_int_equal(error.line, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(scenario_parse__reads_the_example),
		cmocka_unit_test(scenario_parse__reads_an_exec),
		cmocka_unit_test(scenario_parse__refuses_a_wrong_exec),
		cmocka_unit_test(scenario_parse__takes_an_empty_one),
		cmocka_unit_test(scenario_parse__needs_no_line_feed_at_the_end),
		cmocka_unit_test(
			scenario_parse__adds_the_stops_that_are_left_out),
		cmocka_unit_test(scenario_parse__refuses_and_names_the_line),
		cmocka_unit_test(
			scenario_parse__keeps_the_trace_from_the_probe),
		cmocka_unit_test(scenario_parse__refuses_a_nul_byte),
		cmocka_unit_test(scenario_parse__knows_the_longest_line),
		cmocka_unit_test(scenario_parse__knows_the_largest_scenario),
		cmocka_unit_test(scenario_parse__knows_the_most_steps),
		cmocka_unit_test(scenario_parse__counts_the_stops_it_adds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
