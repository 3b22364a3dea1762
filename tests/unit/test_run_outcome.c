// SPDX-License-Identifier: GPL-2.0-or-later
// sources: host/run_outcome.c host/run_console.c host/die.c
/*
 * test_run_outcome.c - every row of docs/exit-status.md that a boot can end in
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "run_outcome.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static struct console console;
static struct outcome out;

static void say(const char *line)
{
	console_line(&console, line, strlen(line));
}

/* A run that went well; each test changes what it is about. */
static struct outcome_input good_run(void)
{
	static const struct outcome_step steps[] = {
		{ .name = (char *)"readiness", .result = RESULT_PASS },
	};

	memset(&console, 0, sizeof(console));
	say("[    1.234567] Run /init as init process");
	return (struct outcome_input){
		.phase = PHASE_END,
		.stop = STOP_GUEST,
		.complete = true,
		.asked_steps = 1,
		.samples = 40,
		.measured = 40,
		.command_status = -1,
		.steps = steps,
		.step_count = 1,
		.console = &console,
		.detail = "detail",
	};
}

static void expect(const struct outcome_input *in, enum status status,
		   const char *text)
{
	outcome_decide(&out, in);
	if (out.status != status || !strstr(out.message, text))
		fail_msg("status %d, expected %d; \"%s\", expected \"%s\"",
			 (int)out.status, (int)status, out.message, text);
	assert_int_equal(out.exit_status, (int)status);
}

/* The run with its one step ended in this way. */
static void expect_step(struct outcome_input in, struct outcome_step step,
			enum status status, const char *text)
{
	in.steps = &step;
	in.step_count = 1;
	expect(&in, status, text);
}

static void a_complete_run_is_good(void **state)
{
	struct outcome_input in = good_run();

	(void)state;
	expect(&in, STATUS_GOOD, "complete: 1 step, 40 samples");
	in.stop = STOP_QEMU; /* what comes after the records takes none away */
	expect(&in, STATUS_GOOD, "complete");
	in.stop = STOP_TIMEOUT;
	expect(&in, STATUS_GOOD, "complete");
}

static void a_skipped_step_of_a_good_run_is_counted(void **state)
{
	static const struct outcome_step steps[] = {
		{ .name = (char *)"readiness", .result = RESULT_PASS },
		{ .name = (char *)"rt6_probe",
		  .result = RESULT_SKIP,
		  .cause = CAUSE_OPTION },
	};
	struct outcome_input in = good_run();

	(void)state;
	in.may_skip = true;
	in.steps = steps;
	in.asked_steps = in.step_count = COUNT(steps);
	expect(&in, STATUS_GOOD, "2 steps, 1 of them skipped, 40 samples");
}

/* A broken image of ours must not make the kernel bad. */
static void an_init_that_gave_up_is_our_fault(void **state)
{
	struct outcome_input in = good_run();

	(void)state;
	in.phase = PHASE_STEPS;
	in.complete = false;
	in.step_count = 0;
	expect(&in, STATUS_BAD, "restarted");
	in.fatal = "read /scenarios/x.scenario: No such file or directory";
	expect(&in, STATUS_HOST, "/init could not go on: read /scenarios/x");
}

static void a_run_without_probes_needs_no_sample(void **state)
{
	struct outcome_input in = good_run();

	(void)state;
	in.step_count = 0;
	in.asked_steps = 0;
	in.measured = 0;
	expect(&in, STATUS_GOOD, "0 steps");
}

static void a_probe_without_samples_measured_nothing(void **state)
{
	struct outcome_input in = good_run();

	(void)state;
	in.measured = 0;
	expect(&in, STATUS_CANNOT_TELL, "nothing was measured");
}

static void a_missing_step_cannot_be_told(void **state)
{
	struct outcome_input in = good_run();

	(void)state;
	in.asked_steps = 2;
	expect(&in, STATUS_CANNOT_TELL, "only 1 of 2 steps");
}

static void our_faults_go_before_the_kernels(void **state)
{
	struct outcome_input in = good_run();

	(void)state;
	say("[    9.0] Kernel panic - not syncing: Fatal exception");
	in.complete = false;
	in.phase = PHASE_STEPS;
	in.stop = STOP_QEMU;
	expect(&in, STATUS_HOST, "detail");
	in.stop = STOP_HOST;
	expect(&in, STATUS_HOST, "detail");
	in.stop = STOP_GUEST;
	in.disk_full = true;
	expect(&in, STATUS_HOST, "--out");
	in.stop = STOP_SIGNAL;
	expect(&in, STATUS_INTERRUPTED, "interrupted");
}

static struct outcome_input no_init_run(enum run_stop stop)
{
	struct outcome_input in = good_run();

	in.phase = PHASE_BOOT;
	in.complete = false;
	in.stop = stop;
	in.step_count = 0;
	in.limit_s = 60;
	return in;
}

static void before_init_nothing_is_bad(void **state)
{
	static const struct {
		enum run_stop stop;
		const char *line, *text;
	} cases[] = {
		{ STOP_BOOT_TIMEOUT, "Booting", "within 60 s" },
		{ STOP_SILENCE, "Booting", "within 60 s" },
		{ STOP_GUEST, "Booting", "restarted before /init" },
		{ STOP_FLOOD, "Booting", "flooded" },
		{ STOP_PANIC, "Kernel panic - not syncing: VFS", "VFS" },
		{ STOP_GUEST, "Kernel panic - not syncing: VFS", "VFS" },
		{ STOP_GUEST,
		  "Kernel panic - not syncing: System is deadlocked on memory",
		  "--mem" },
		{ STOP_GUEST, "Initramfs unpacking failed: write error",
		  "--mem" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct outcome_input in = no_init_run(cases[i].stop);

		say(cases[i].line);
		expect(&in, STATUS_CANNOT_TELL, cases[i].text);
	}
}

static void a_silent_kernel_gets_advice(void **state)
{
	struct outcome_input in = no_init_run(STOP_BOOT_TIMEOUT);

	(void)state;
	memset(&console, 0, sizeof(console));
	expect(&in, STATUS_CANNOT_TELL, "CONFIG_SERIAL_8250_CONSOLE");
}

static void a_kernel_that_breaks_later_is_bad(void **state)
{
	static const char *const lines[] = {
		"[   10.1] Kernel panic - not syncing: Fatal exception",
		"[   10.1][   T12] BUG: unable to handle page fault",
		"kernel BUG at mm/slub.c:1!",
		"[   10.1] general protection fault, probably: 0000 [#1] SMP",
		"[   10.1] Oops: 0000 [#1] PREEMPT SMP",
	};

	(void)state;
	for (size_t i = 0; i < COUNT(lines); i++) {
		struct outcome_input in = good_run();

		say(lines[i]);
		expect(&in, STATUS_BAD,
		       i == 0 ? "the kernel broke after the last step: Kernel"
			      : "the kernel broke during the run: ");
	}
}

static void an_oops_is_told_with_the_step_that_it_ended(void **state)
{
	static struct outcome_step steps[] = {
		{ .name = (char *)"one", .result = RESULT_PASS },
		{ .name = (char *)"two", .result = RESULT_CRASH },
		{ .name = (char *)"three", .result = RESULT_PASS },
	};
	struct outcome_input in = good_run();

	(void)state;
	in.steps = steps;
	in.step_count = COUNT(steps);
	say("[   10.1] BUG: kernel NULL pointer dereference, address: 0");
	expect(&in, STATUS_BAD, "the kernel broke in step two: BUG: kernel");
	/* That of a kernel thread may be of any step. */
	steps[1].result = RESULT_PASS;
	expect(&in, STATUS_BAD, "the kernel broke during the run: ");
	steps[2].result = RESULT_NONE;
	in.complete = false;
	in.phase = PHASE_STEPS;
	expect(&in, STATUS_BAD, "the kernel broke in or before step three: ");
	say("[   10.1] Kernel panic - not syncing: Fatal exception");
	expect(&in, STATUS_BAD, "the kernel broke in step three: BUG: kernel");
}

static void a_quoted_panic_is_none(void **state)
{
	struct outcome_input in = good_run();

	(void)state;
	say("note: it said \"Kernel panic - not syncing\"");
	expect(&in, STATUS_GOOD, "complete");
}

static void the_step_that_ran_is_named(void **state)
{
	static const struct outcome_step steps[] = {
		{ .name = (char *)"one", .result = RESULT_PASS },
		{ .name = (char *)"two", .result = RESULT_NONE },
	};
	struct outcome_input in = good_run();

	(void)state;
	in.steps = steps;
	in.step_count = 2;
	in.complete = false;
	in.phase = PHASE_STEPS;
	expect(&in, STATUS_BAD, "restarted in step two");
	in.stop = STOP_FLOOD;
	expect(&in, STATUS_BAD, "flooded in step two");
	in.stop = STOP_SILENCE;
	in.limit_s = 420;
	expect(&in, STATUS_BAD, "hung in step two: nothing for 420 s");
	in.step_count = 1;
	expect(&in, STATUS_BAD, "hung after step one");
	say("[  40.1] watchdog: BUG: soft lockup - CPU#0 stuck for 6s!");
	expect(&in, STATUS_BAD,
	       "hung after step one: no record for 420 s; it said: watchdog");
}

static void slow_is_not_bad_without_kvm(void **state)
{
	struct outcome_input in = good_run();

	(void)state;
	in.complete = false;
	in.phase = PHASE_STEPS;
	in.stop = STOP_TIMEOUT;
	in.limit_s = 600;
	in.progress = true;
	expect(&in, STATUS_CANNOT_TELL, "too slow here");
	in.deterministic = true;
	expect(&in, STATUS_CANNOT_TELL, "too slow here");
	in.deterministic = false;
	in.progress = false;
	expect(&in, STATUS_BAD, "did not end within 600 s");
	in.progress = true;
	in.kvm = true;
	expect(&in, STATUS_BAD, "did not end within 600 s");
}

static void damaged_records_are_never_judged(void **state)
{
	struct outcome_input in = good_run();

	(void)state;
	in.complete = false;
	in.damage = "line 7: the CRC is wrong";
	expect(&in, STATUS_CANNOT_TELL, "line 7");
}

static void a_step_that_breaks_is_bad(void **state)
{
	static const enum step_result results[] = { RESULT_FAIL, RESULT_CRASH };

	(void)state;
	for (size_t i = 0; i < COUNT(results); i++)
		expect_step(good_run(),
			    (struct outcome_step){ .name = (char *)"step",
						   .result = results[i],
						   .reason = (char *)"why" },
			    STATUS_BAD, "why");
}

static void a_deadline_counts_where_time_does(void **state)
{
	struct outcome_step step = { .name = (char *)"step",
				     .result = RESULT_TIMEOUT,
				     .cause = CAUSE_OTHER };
	struct outcome_input in = good_run();

	(void)state;
	expect_step(in, step, STATUS_CANNOT_TELL, "--deterministic");
	in.kvm = true;
	expect_step(in, step, STATUS_BAD, "did not end in time");
	in.kvm = false;
	in.deterministic = true;
	expect_step(in, step, STATUS_BAD, "did not end in time");
	in.deterministic = false;
	step.cause = CAUSE_STUCK;
	expect_step(in, step, STATUS_BAD, "did not end in time");
}

static void beside_a_hog_dying_takes_long(void **state)
{
	static const struct outcome_step steps[] = {
		{ .name = (char *)"hog",
		  .verb = VERB_START,
		  .result = RESULT_PASS },
		{ .name = (char *)"readiness",
		  .verb = VERB_PROBE,
		  .result = RESULT_TIMEOUT,
		  .cause = CAUSE_STUCK,
		  .reason = (char *)"could not be killed after 60 s" },
	};
	struct outcome_input in = good_run();

	(void)state;
	in.steps = steps;
	in.step_count = in.asked_steps = 2;
	expect(&in, STATUS_CANNOT_TELL, "step readiness did not end in time");
	in.kvm = true;
	expect(&in, STATUS_BAD, "could not be killed");
}

static void a_skipped_step_cannot_be_told(void **state)
{
	struct outcome_step step = { .name = (char *)"step",
				     .result = RESULT_SKIP,
				     .cause = CAUSE_OPTION };
	struct outcome_input in = good_run();

	(void)state;
	expect_step(in, step, STATUS_CANNOT_TELL, "--modules");
	in.may_skip = true;
	expect_step(in, step, STATUS_GOOD, "complete");
	step.cause = CAUSE_ANTAGONIST;
	expect_step(in, step, STATUS_GOOD, "complete");
	step.cause = CAUSE_MEMORY;
	expect_step(in, step, STATUS_CANNOT_TELL, "--mem");
	step.cause = CAUSE_OOM;
	expect_step(in, step, STATUS_CANNOT_TELL, "--mem");
	step.cause = CAUSE_OTHER;
	expect_step(in, step, STATUS_CANNOT_TELL, "skipped");
}

static void a_stall_counts_where_nothing_else_explains_it(void **state)
{
	static const struct outcome_step hog[] = {
		{ .name = (char *)"hog",
		  .verb = VERB_START,
		  .result = RESULT_PASS },
	};
	struct outcome_input in = good_run();

	(void)state;
	say("[  60.0] rcu: INFO: rcu_preempt self-detected stall on CPU");
	expect(&in, STATUS_GOOD, "complete");
	in.deterministic = true;
	expect(&in, STATUS_BAD, "rcu_preempt");
	in.steps = hog;
	expect(&in, STATUS_GOOD, "complete");
}

static void a_warning_is_a_note(void **state)
{
	struct outcome_input in = good_run();

	(void)state;
	in.kvm = true;
	say("[  6.0] WARNING: CPU: 0 PID: 1 at kernel/x.c:1 f+0x1/0x2");
	expect(&in, STATUS_GOOD, "complete");
	assert_int_equal(console.count[MARK_WARN], 1);
	say("[    2.5] BUG: KASAN: slab-out-of-bounds in f+0x1/0x2");
	say("[    2.5] tsc: Marking TSC unstable due to clocksource watchdog");
	expect(&in, STATUS_GOOD, "complete");
	assert_int_equal(console.count[MARK_WARN], 2);
	assert_int_equal(console.count[MARK_CLOCK], 1);
}

static void a_command_keeps_what_git_may_see(void **state)
{
	static const int cases[][2] = { { 0, 0 },     { 1, 1 },
					{ 124, 124 }, { 125, 124 },
					{ 130, 124 }, { 255, 124 } };
	struct outcome_input in = good_run();

	(void)state;
	in.command = true;
	for (size_t i = 0; i < COUNT(cases); i++) {
		in.command_status = cases[i][0];
		outcome_decide(&out, &in);
		assert_int_equal(out.exit_status, cases[i][1]);
	}
	in.command_status = -1;
	expect(&in, STATUS_CANNOT_TELL, "without running the command");
}

static void a_command_that_lost_output_is_no_success(void **state)
{
	struct outcome_step step = { .name = (char *)"command",
				     .verb = VERB_COMMAND,
				     .result = RESULT_FAIL,
				     .cause = CAUSE_PROTOCOL,
				     .reason = (char *)"too much" };
	struct outcome_input in = good_run();

	(void)state;
	in.command = true;
	in.command_status = 0;
	in.steps = &step;
	expect(&in, STATUS_HOST, "output is incomplete: too much");
	step.cause = CAUSE_OTHER;
	in.complete = false;
	expect(&in, STATUS_CANNOT_TELL, "damaged");
}

static void a_command_that_lacked_memory_cannot_be_told(void **state)
{
	struct outcome_step step = { .name = (char *)"command",
				     .verb = VERB_COMMAND,
				     .result = RESULT_SKIP,
				     .cause = CAUSE_OOM,
				     .reason = (char *)"too few MiB" };
	struct outcome_input in = good_run();

	(void)state;
	in.command = true;
	in.command_status = 137;
	in.steps = &step;
	expect(&in, STATUS_CANNOT_TELL, "too few MiB");
	/* It coped with it. */
	in.command_status = 0;
	expect(&in, STATUS_GOOD, "ended with 0");
}

static void a_kernel_that_breaks_after_the_records_is_bad(void **state)
{
	struct outcome_input in = good_run();

	(void)state;
	say("[    9.0] Kernel panic - not syncing: Attempted to kill init!");
	in.stop = STOP_PANIC;
	expect(&in, STATUS_BAD, "after the last step");
	/* What ends QEMU then is nobody's concern. */
	in = good_run();
	in.stop = STOP_QEMU;
	expect(&in, STATUS_GOOD, "complete");
}

static void a_shell_may_be_left_at_any_time(void **state)
{
	struct outcome_input in = good_run();

	(void)state;
	in.interactive = true;
	in.complete = false;
	in.phase = PHASE_STEPS;
	expect(&in, STATUS_GOOD, "ended");
}

static void outcome_worse__takes_the_first_of_the_order(void **state)
{
	static const int order[] = { 130, 128, 1, 125, 0 };

	(void)state;
	for (size_t i = 0; i < COUNT(order); i++)
		for (size_t j = i; j < COUNT(order); j++) {
			assert_int_equal(outcome_worse(order[i], order[j]),
					 order[i]);
			assert_int_equal(outcome_worse(order[j], order[i]),
					 order[i]);
		}
	assert_int_equal(outcome_worse(0, 129), 128);
	assert_int_equal(outcome_worse(7, 1), 128);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_complete_run_is_good),
		cmocka_unit_test(a_skipped_step_of_a_good_run_is_counted),
		cmocka_unit_test(an_init_that_gave_up_is_our_fault),
		cmocka_unit_test(a_run_without_probes_needs_no_sample),
		cmocka_unit_test(a_probe_without_samples_measured_nothing),
		cmocka_unit_test(a_missing_step_cannot_be_told),
		cmocka_unit_test(our_faults_go_before_the_kernels),
		cmocka_unit_test(before_init_nothing_is_bad),
		cmocka_unit_test(a_silent_kernel_gets_advice),
		cmocka_unit_test(a_kernel_that_breaks_later_is_bad),
		cmocka_unit_test(an_oops_is_told_with_the_step_that_it_ended),
		cmocka_unit_test(a_quoted_panic_is_none),
		cmocka_unit_test(the_step_that_ran_is_named),
		cmocka_unit_test(slow_is_not_bad_without_kvm),
		cmocka_unit_test(damaged_records_are_never_judged),
		cmocka_unit_test(a_step_that_breaks_is_bad),
		cmocka_unit_test(a_deadline_counts_where_time_does),
		cmocka_unit_test(beside_a_hog_dying_takes_long),
		cmocka_unit_test(a_skipped_step_cannot_be_told),
		cmocka_unit_test(a_stall_counts_where_nothing_else_explains_it),
		cmocka_unit_test(a_warning_is_a_note),
		cmocka_unit_test(a_command_keeps_what_git_may_see),
		cmocka_unit_test(a_command_that_lost_output_is_no_success),
		cmocka_unit_test(a_command_that_lacked_memory_cannot_be_told),
		cmocka_unit_test(a_kernel_that_breaks_after_the_records_is_bad),
		cmocka_unit_test(a_shell_may_be_left_at_any_time),
		cmocka_unit_test(outcome_worse__takes_the_first_of_the_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
