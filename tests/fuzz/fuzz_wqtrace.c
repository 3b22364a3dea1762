// SPDX-License-Identifier: GPL-2.0-or-later
// sources: probes/lib/wqtrace.c
/*
 * fuzz_wqtrace.c - no text of a kernel may make the reader of traces misbehave
 *
 * What it says may be wrong for a wrong text, but it stays consistent: the
 * host refuses a stream with a record that is not.
 * Seeds: tests/data/traces/.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "wqtrace.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds)
{
	if (!holds)
		abort();
}

static void check_group(const struct wqtrace_group *group)
{
	check(group->workqueue[0] && group->function[0]);
	check(!strpbrk(group->workqueue, " \t\n"));
	check(!strpbrk(group->function, " \t\n"));
	check(group->executed + group->waiting <= group->queued);
	check(group->cpu >= -1 && group->cpu < 2);
	check(group->req_cpu >= -1 && group->req_cpu < 2);
	check(group->ran_cpu >= 0 && group->ran_cpu <= 8192);
	check(group->p50_ns <= group->p90_ns);
	check(group->p90_ns <= group->p99_ns);
	check(group->p99_ns <= group->max_ns);
	check(group->max_ns <= group->sum_ns && group->sum_ns <= INT64_MAX);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct wqtrace trace;
	size_t half = size / 2;
	uint64_t executed = 0;

	memset(&trace, 0, sizeof(trace));
	trace.cpus = 2;
	wqtrace_text(&trace, (const char *)data, half);
	wqtrace_text(&trace, (const char *)data + half, size - half);
	wqtrace_end(&trace);
	check(trace.group_count <= WQTRACE_GROUPS_MAX);
	for (uint32_t i = 0; i < trace.group_count; i++) {
		check_group(&trace.groups[i]);
		executed += trace.groups[i].executed;
	}
	check(executed == trace.delay_count);
	return 0;
}
