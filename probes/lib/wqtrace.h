/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wqtrace.h - how long work waited, out of the text of a kernel trace
 *
 * Pure: bytes in, numbers out, in memory of a fixed size.  The events are
 * workqueue_queue_work and workqueue_execute_start, in the form of any kernel
 * from 4.19 on; every other line is passed over.
 */
#ifndef WQTRACE_H
#define WQTRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WQTRACE_LINE_MAX      512 /* bytes; longer ones are passed over */
#define WQTRACE_WORKQUEUE_MAX 32  /* bytes of a name with its NUL */
#define WQTRACE_FUNCTION_MAX  64
#define WQTRACE_GROUPS_MAX    256
#define WQTRACE_WORKS_MAX     16384 /* a power of two */
#define WQTRACE_DELAYS_MAX    131072

/* What was queued on one workqueue for one function and one CPU. */
struct wqtrace_group {
	char workqueue[WQTRACE_WORKQUEUE_MAX];
	char function[WQTRACE_FUNCTION_MAX];
	int32_t cpu; /* whose workers it is for; -1: any */
	uint32_t queued, executed;
	uint32_t waiting; /* at the end, or cancelled */
	uint64_t sum_ns, p50_ns, p90_ns, p99_ns,
		max_ns;		  /* if any was executed */
	int32_t req_cpu, ran_cpu; /* of the slowest; -1: none was asked for */
};

/* A place of memory that was queued as work. */
struct wqtrace_work {
	uint64_t address; /* 0: the slot is free */
	uint64_t queued_us;
	uint32_t group;
	int32_t req_cpu;
	bool queued;
};

struct wqtrace {
	unsigned int cpus; /* of the guest; to be set */

	struct wqtrace_group groups[WQTRACE_GROUPS_MAX];
	uint32_t group_count;
	uint64_t lost;	 /* events there was no room for */
	uint64_t hidden; /* events whose work had no address */

	struct wqtrace_work works[WQTRACE_WORKS_MAX];
	uint64_t delays[WQTRACE_DELAYS_MAX]; /* group, then microseconds */
	uint32_t delay_count;
	char line[WQTRACE_LINE_MAX];
	size_t line_len;
};

/**
 * wqtrace_text() - take the next piece of a trace
 * @t:		zeroed before the first piece, but for @t->cpus
 * @text:	any bytes; lines may go on in the next piece
 * @len:	how many
 *
 * A work is matched by its address.  What is queued twice without being
 * executed was cancelled in between: the later time counts.
 */
void wqtrace_text(struct wqtrace *t, const char *text, size_t len);

/**
 * wqtrace_end() - compute the quantiles, after the last piece
 * @t:		the trace
 */
void wqtrace_end(struct wqtrace *t);

#endif
