// SPDX-License-Identifier: GPL-2.0-or-later
// sources: probes/lib/wqtrace.c
/*
 * test_wqtrace.c - how long work waited, out of the text of a kernel trace
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "wqtrace.h"

static struct wqtrace trace;

static void parse_in_pieces(const char *text, size_t piece)
{
	size_t len = strlen(text);

	memset(&trace, 0, sizeof(trace));
	trace.cpus = 2;
	for (size_t at = 0; at < len; at += piece)
		wqtrace_text(&trace, text + at,
			     len - at < piece ? len - at : piece);
	wqtrace_end(&trace);
}

static void parse(const char *text)
{
	parse_in_pieces(text, strlen(text) + 1);
}

/* A queueing on CPU 0's workers and a start, as Linux 6.1 prints them. */
#define QUEUE(us, address)                               \
	"           <...>-98      [001] d..1.     8." us \
	": workqueue_queue_work: work struct=" address   \
	" function=refresh_vm_stats workqueue=events req_cpu=0 cpu=0\n"
#define START(us, address)                                \
	"           <...>-7       [000] .....     8." us  \
	": workqueue_execute_start: work struct " address \
	": function refresh_vm_stats\n"

static void wqtrace_text__measures_from_queueing_to_start(void **state)
{
	const struct wqtrace_group *group = &trace.groups[0];

	(void)state;
	parse("# tracer: nop\n#\n" QUEUE("322923", "00000000c0ffee01")
		      START("324201", "00000000c0ffee01"));
	assert_int_equal(trace.group_count, 1);
	assert_string_equal(group->workqueue, "events");
	assert_string_equal(group->function, "refresh_vm_stats");
	assert_int_equal(group->cpu, 0);
	assert_int_equal(group->queued, 1);
	assert_int_equal(group->executed, 1);
	assert_int_equal(group->waiting, 0);
	/* 8.324201 - 8.322923 */
	assert_int_equal(group->p50_ns, 1278000);
	assert_int_equal(group->max_ns, 1278000);
	assert_int_equal(group->sum_ns, 1278000);
	assert_int_equal(group->req_cpu, 0);
	assert_int_equal(group->ran_cpu, 0);
	assert_int_equal(trace.lost, 0);
	assert_int_equal(trace.hidden, 0);
}

/* Linux 4.19 to 5.9: four flags, unsigned CPUs, no name of the workqueue. */
static void wqtrace_text__reads_the_older_form(void **state)
{
	const struct wqtrace_group *group = &trace.groups[0];

	(void)state;
	parse("     kworker/0:1-12    [000] d.h.    12.000001: "
	      "workqueue_queue_work: work struct=00000000c0ffee01 "
	      "function=flush_to_ldisc workqueue=00000000deadbeef "
	      "req_cpu=512 cpu=4294967295\n"
	      "   kworker/u4:0-33    [001] ....    12.000043: "
	      "workqueue_execute_start: work struct 00000000c0ffee01: "
	      "function flush_to_ldisc\n");
	assert_int_equal(trace.group_count, 1);
	assert_string_equal(group->workqueue, "unknown");
	assert_int_equal(group->cpu, -1);
	assert_int_equal(group->req_cpu, -1);
	assert_int_equal(group->ran_cpu, 1);
	assert_int_equal(group->max_ns, 42000);
}

/* Linux 6.12: signed CPUs; a function of a module; a name with blanks. */
static void wqtrace_text__makes_one_word_of_a_name(void **state)
{
	(void)state;
	parse("  [a] b: c-9 [001] d..2.  3.000000: workqueue_queue_work: "
	      "work struct=0xffff888003c0ffee "
	      "function=addrconf_dad_work [ipv6] workqueue=my\tqueue \xc3\xa4 "
	      "req_cpu=64 cpu=-1\n"
	      " <...>-7 [001] .....  3.000009: workqueue_execute_start: work "
	      "struct 0xffff888003c0ffee: function addrconf_dad_work [ipv6]\n");
	assert_int_equal(trace.group_count, 1);
	assert_string_equal(trace.groups[0].function, "addrconf_dad_work");
	assert_string_equal(trace.groups[0].workqueue, "my_queue___");
	assert_int_equal(trace.groups[0].cpu, -1);
	assert_int_equal(trace.groups[0].req_cpu, -1);
	assert_int_equal(trace.groups[0].max_ns, 9000);
}

static void wqtrace_text__tells_the_cpus_apart(void **state)
{
	(void)state;
	parse(QUEUE("000000", "a1") //
	      "<...>-98 [001] d..1. 8.000000: workqueue_queue_work: work "
	      "struct=a2 function=refresh_vm_stats workqueue=events req_cpu=1 "
	      "cpu=1\n" START("000001", "a2") START("000300", "a1"));
	assert_int_equal(trace.group_count, 2);
	assert_int_equal(trace.groups[0].cpu, 0);
	assert_int_equal(trace.groups[0].max_ns, 300000);
	assert_int_equal(trace.groups[1].cpu, 1);
	assert_int_equal(trace.groups[1].max_ns, 1000);
}

/* Queued, cancelled and queued again: only the second has waited. */
static void wqtrace_text__lets_the_later_queueing_count(void **state)
{
	const struct wqtrace_group *group = &trace.groups[0];

	(void)state;
	parse(QUEUE("000000", "a1") QUEUE("500000", "a1")
		      START("500002", "a1"));
	assert_int_equal(group->queued, 2);
	assert_int_equal(group->executed, 1);
	assert_int_equal(group->waiting, 0);
	assert_int_equal(group->max_ns, 2000);
}

static void wqtrace_text__counts_what_never_started(void **state)
{
	const struct wqtrace_group *group = &trace.groups[0];

	(void)state;
	parse(QUEUE("000000", "a1") QUEUE("000000", "a2")
		      START("000001", "a1"));
	assert_int_equal(group->queued, 2);
	assert_int_equal(group->executed, 1);
	assert_int_equal(group->waiting, 1);
}

/* Queued before the trace began; and an address that another work has now. */
static void wqtrace_text__takes_no_start_without_its_queueing(void **state)
{
	(void)state;
	parse(START("000001", "a1")
		      QUEUE("000002", "a1") "<...>-7 [000] ..... 8.000003: "
					    "workqueue_execute_start: work "
					    "struct a1: function another\n");
	assert_int_equal(trace.group_count, 1);
	assert_int_equal(trace.groups[0].executed, 0);
	assert_int_equal(trace.groups[0].waiting, 1);
}

/* The clocks of two CPUs may differ by a little. */
static void wqtrace_text__has_no_negative_delay(void **state)
{
	(void)state;
	parse(QUEUE("000005", "a1") START("000004", "a1"));
	assert_int_equal(trace.groups[0].executed, 1);
	assert_int_equal(trace.groups[0].max_ns, 0);
}

static void wqtrace_text__counts_hidden_addresses(void **state)
{
	(void)state;
	parse(QUEUE("000000", "(____ptrval____)")
		      START("000001", "(____ptrval____)"));
	assert_int_equal(trace.group_count, 0);
	assert_int_equal(trace.hidden, 2);
}

static void wqtrace_text__passes_over_other_lines(void **state)
{
	char line[WQTRACE_LINE_MAX + 128];

	(void)state;
	parse("CPU:1 [LOST 5 EVENTS]\n"
	      "workqueue_queue_work: work struct=a1\n"
	      " x [0] y 1.0: workqueue_queue_work: work struct=a1 function=f\n"
	      " x 0 y 1.000000: workqueue_queue_work: work struct=a1 "
	      "function=f workqueue=w req_cpu=0 cpu=0\n"
	      " x [0] y 1: workqueue_queue_work: work struct=a1 function=f "
	      "workqueue=w req_cpu=0 cpu=0\n"
	      " x [9999] y 1.000000: workqueue_queue_work: work struct=a1 "
	      "function=f workqueue=w req_cpu=0 cpu=0\n"
	      ": workqueue_queue_work: work struct=a1 function=f workqueue=w "
	      "req_cpu=0 cpu=0\n"
	      " x [0] y 1.000000: workqueue_queue_work: work struct=0 "
	      "function=f workqueue=w req_cpu=0 cpu=0\n"
	      ": workqueue_execute_start: work struct a1: function f\n");
	assert_int_equal(trace.group_count, 0);

	/* One too long for the buffer, and a good one behind it. */
	memset(line, 'x', sizeof(line));
	strcpy(line + sizeof(line) - 100, "\n");
	parse(QUEUE("000000", "a1"));
	wqtrace_text(&trace, line, strlen(line));
	wqtrace_text(&trace, START("000001", "a1"),
		     strlen(START("000001", "a1")));
	assert_int_equal(trace.groups[0].executed, 1);
}

static void wqtrace_text__takes_any_pieces(void **state)
{
	(void)state;
	for (size_t piece = 1; piece < 300; piece += 7) {
		parse_in_pieces(QUEUE("000000", "a1") START("000070", "a1"),
				piece);
		assert_int_equal(trace.group_count, 1);
		assert_int_equal(trace.groups[0].max_ns, 70000);
	}
}

/* As R and NumPy compute them for 10, 20, 30, 40 and 1000 us. */
static void wqtrace_end__interpolates_quantiles(void **state)
{
	const struct wqtrace_group *group = &trace.groups[0];

	(void)state;
	parse(QUEUE("000000", "a1") QUEUE("000000", "a2") QUEUE("000000", "a3")
		      QUEUE("000000", "a4") QUEUE("000000", "a5")
			      START("000010", "a3") START("000020", "a2")
				      START("000030", "a5")
					      START("000040", "a1")
						      START("001000", "a4"));
	assert_int_equal(group->executed, 5);
	assert_int_equal(group->p50_ns, 30000);
	assert_int_equal(group->p90_ns, 616000);
	assert_int_equal(group->p99_ns, 961600);
	assert_int_equal(group->max_ns, 1000000);
	assert_int_equal(group->sum_ns, 1100000);
}

static void wqtrace_text__counts_what_it_has_no_room_for(void **state)
{
	char line[256];

	(void)state;
	parse("");
	trace.cpus = 2;
	for (int i = 0; i < WQTRACE_GROUPS_MAX + 3; i++) {
		snprintf(line, sizeof(line),
			 "x [000] y 1.000000: workqueue_queue_work: work "
			 "struct=%x function=f%d workqueue=w req_cpu=0 cpu=0\n",
			 i + 1, i);
		wqtrace_text(&trace, line, strlen(line));
	}
	assert_int_equal(trace.group_count, WQTRACE_GROUPS_MAX);
	assert_int_equal(trace.lost, 3);

	parse("");
	for (int i = 0; i < WQTRACE_WORKS_MAX + 2; i++) {
		snprintf(line, sizeof(line),
			 "x [000] y 1.000000: workqueue_queue_work: work "
			 "struct=%x function=f workqueue=w req_cpu=0 cpu=0\n",
			 i + 1);
		wqtrace_text(&trace, line, strlen(line));
	}
	assert_int_equal(trace.groups[0].queued, WQTRACE_WORKS_MAX);
	assert_int_equal(trace.lost, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(wqtrace_text__measures_from_queueing_to_start),
		cmocka_unit_test(wqtrace_text__reads_the_older_form),
		cmocka_unit_test(wqtrace_text__makes_one_word_of_a_name),
		cmocka_unit_test(wqtrace_text__tells_the_cpus_apart),
		cmocka_unit_test(wqtrace_text__lets_the_later_queueing_count),
		cmocka_unit_test(wqtrace_text__counts_what_never_started),
		cmocka_unit_test(
			wqtrace_text__takes_no_start_without_its_queueing),
		cmocka_unit_test(wqtrace_text__has_no_negative_delay),
		cmocka_unit_test(wqtrace_text__counts_hidden_addresses),
		cmocka_unit_test(wqtrace_text__passes_over_other_lines),
		cmocka_unit_test(wqtrace_text__takes_any_pieces),
		cmocka_unit_test(wqtrace_end__interpolates_quantiles),
		cmocka_unit_test(wqtrace_text__counts_what_it_has_no_room_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
