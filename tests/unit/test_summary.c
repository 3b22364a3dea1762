// SPDX-License-Identifier: GPL-2.0-or-later
// sources: host/summary.c host/summary_pool.c host/summary_steps.c host/summary_why.c host/summary_kernel.c host/run_console.c host/follow.c host/metrics.c host/rundir.c host/rundir_repeat.c host/table.c host/series.c host/stats.c host/stream.c host/take.c host/flat.c host/slurp.c host/units.c host/die.c tests/unit/boots.c tests/unit/summarize.c
/*
 * test_summary.c - what is shown of runs
 */
#include "boots.h"

#include <stdlib.h>
#include <string.h>

#include "die.h"
#include "summarize.h"
#include "summary.h"
#include "table.h"

/* The table is pinned to the blank: people read columns. */
static void summary_write__shows_one_run(void **state)
{
	(void)state;
	boots_copy("run", "good.jsonl");
	assert_int_equal(summarize("run", NULL, false), STATUS_GOOD);
	assert_shows(
		"step          metric      better   n      min      p50     p90"
		"      p99      max\n"
		"readiness     ready_ns    lower   11  70.9 us  90.0 us  815 us"
		"  >158 ms  >175 ms\n"
		"readiness     tries       lower   11        1        1      12"
		"   >2.56k    >2847\n"
		"netns_churn*  rate_per_s  higher   3    208/s    238/s   243/s"
		"    244/s    244/s\n");
	assert_shows("kernel     6.12.117\n");
	assert_shows("guest      2 CPUs, 965 MiB, clocksource tsc\n");
	assert_shows("capped     readiness: 1 of 11;");
	assert_shows("warm-up    readiness: 1, not counted\n");
	assert_shows("skipped    rt6_probe (option): CONFIG_IPV6_ROUTER_PREF "
		     "is off\n");
	assert_shows("timed out  netns_churn (other): its deadline");
	assert_shows("antagonist hog: 98.8 % of a CPU (antagonist_cpu "
		     "policy=other nice=-20 cpu=0)\n");
	assert_shows("note       netns_churn: 37 namespaces were not drained");
}

/* What waited longest in all comes first, three at most. */
static void summary_write__says_why(void **state)
{
	(void)state;
	boots_copy("run", "traces.jsonl");
	assert_int_equal(summarize("run", NULL, false), STATUS_GOOD);
	assert_shows(
		"why        traced: ready_ns p90 158 ms; ipv6_addrconf waited "
		"p90 174 ms for CPU 0 (addrconf_dad_work, n 12, p50 173 "
		"ms, max 175 ms)\n"
		"             mm_percpu_wq waited p90 300 ms for CPU 0 "
		"(vmstat_update, n 1, p50 300 ms, max 300 ms)\n"
		"             events_unbound waited p90 7.00 us for any CPU "
		"(flush_to_ldisc, n 5, p50 6.00 us, max 7.00 us)\n");
	assert_null(strstr(boots_shown, "never_shown"));
}

static void summary_write__says_first_that_a_run_is_incomplete(void **state)
{
	struct boot b = boot_common;

	(void)state;
	b.name = "a";
	b.torn = true;
	boots_make(b);
	assert_int_equal(summarize("a", NULL, false), STATUS_CANNOT_TELL);
	assert_int_equal(
		strncmp(boots_shown, "INCOMPLETE it stops after line 8", 32),
		0);
	assert_shows("ready_ns");
}

static void summary_write__makes_a_guests_texts_harmless(void **state)
{
	struct boot b = boot_common;

	(void)state;
	b.name = "a";
	b.result = "fail";
	boots_make(b);
	assert_int_equal(summarize("a", NULL, false), STATUS_GOOD);
	assert_shows("failed     ready (other): it ?[31mbroke\n");
	assert_null(strchr(boots_shown, '\x1b'));
}

static void summary_write__knows_no_such_run(void **state)
{
	(void)state;
	assert_int_equal(summarize("a", NULL, false), STATUS_USAGE);
	assert_int_equal(summarize(".", NULL, false), STATUS_USAGE);
}

static void summary_write__pools_two_boots(void **state)
{
	(void)state;
	boots_make(boots_make_a());
	assert_int_equal(summarize("a", "b", false), STATUS_GOOD);
	assert_shows("boots      2 pooled, seeds 1-2; 0 left out\n");
	/* {1 2 2 3 4 4 6 8}: p50 3.5, p90 6.6, p99 7.86 us */
	assert_shows(" 2  8  1.00 us  3.50 us  6.60 us  7.86 us  8.00 us\n");
	/* p10..p90 is 2.4 and 4.8 us: in the middle 3.6; medians 2.5 and 5 */
	assert_shows("ready  ready_ns  3.60 us  2.50 us     2.50 us     1"
		     "      5.00 us     2\n");
}

static void summary_write__leaves_an_incomplete_boot_out(void **state)
{
	struct boot b = boots_make_a();

	(void)state;
	b.torn = true;
	boots_make(b);
	assert_int_equal(summarize("a", "b", false), STATUS_CANNOT_TELL);
	assert_int_equal(strncmp(boots_shown, "INCOMPLETE", 10), 0);
	assert_shows("boots      1 pooled, seeds 1; 1 left out\n");
	assert_shows(" 1  4  1.00 us");
}

static void summary_write__leaves_out_what_did_not_pass(void **state)
{
	struct boot b = boots_make_a();

	(void)state;
	b.result = "timeout";
	boots_make(b);
	assert_int_equal(summarize("a", "b", false), STATUS_GOOD);
	assert_shows("ready*  ready_ns  lower       1  4  1.00 us");
	assert_shows("not passed seed 2: ready: timeout (other)");
}

static void table_print__cuts_names_to_fit(void **state)
{
	struct table t = { .align = "lr" };
	FILE *out;

	(void)state;
	table_add(&t, "step");
	table_add(&t, "n");
	table_add(&t, "%s", "a_name_that_is_much_too_long");
	table_add(&t, "%d", 12);
	out = boots_show();
	table_print(&t, out, 16);
	fclose(out);
	table_free(&t);
	assert_string_equal(boots_shown, "step           n\n"
					 "a_name_tha..  12\n");
}

static void summary_write__shows_the_kernels_call_trace(void **state)
{
	FILE *file;

	(void)state;
	boots_make_a();
	file = boots_open("a", "console.log");
	fputs("[    1.0] WARNING: CPU: 0 PID: 1 at a.c:1 a+0x1/0x2\r\n"
	      "[    1.1] a line that belongs to nothing\r\n"
	      "[    2.0][    T9] Oops: general protection fault [#1] SMP\r\n"
	      "[    2.1][    T9] Call Trace:\r\n"
	      "[    2.2][    T9]  broken_function+0x12/0x34 \x1b[31m\xff\r\n"
	      "[    2.3][    T9] ---[ end trace 0000000000000000 ]---\r\n"
	      "[    2.4] Kernel panic - not syncing: Fatal exception\r\n"
	      "[    2.5] Kernel Offset: disabled\r\n",
	      file);
	fclose(file);
	assert_int_equal(summarize("a", NULL, false), STATUS_GOOD);
	assert_shows("kernel     Oops: general protection fault [#1] SMP\n"
		     "           Call Trace:\n"
		     "           broken_function+0x12/0x34 ?[31m?\n"
		     "           ---[ end trace 0000000000000000 ]---\n"
		     "kernel     Kernel panic - not syncing: Fatal exception\n"
		     "kernel     WARNING: CPU: 0 PID: 1 at a.c:1 a+0x1/0x2\n");
	assert_null(strstr(boots_shown, "belongs to nothing"));
	assert_null(strstr(boots_shown, "Kernel Offset"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BOOT_CASE(summary_write__shows_one_run),
		BOOT_CASE(summary_write__says_why),
		BOOT_CASE(summary_write__says_first_that_a_run_is_incomplete),
		BOOT_CASE(summary_write__makes_a_guests_texts_harmless),
		BOOT_CASE(summary_write__shows_the_kernels_call_trace),
		BOOT_CASE(summary_write__knows_no_such_run),
		BOOT_CASE(summary_write__pools_two_boots),
		BOOT_CASE(summary_write__leaves_an_incomplete_boot_out),
		BOOT_CASE(summary_write__leaves_out_what_did_not_pass),
		BOOT_CASE(table_print__cuts_names_to_fit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
