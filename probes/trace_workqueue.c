// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * trace_workqueue.c - how long work waited between being queued and started
 *
 * /init runs it twice around a step with trace=workqueue: action=start makes a
 * trace instance of its own and leaves it running, action=read stops it, reads
 * its text, writes a `trace` line for each workqueue, function and CPU, and
 * removes it.  No process of it exists during the step.
 *
 * A delayed work is queued when its time has come, not when it is asked for.
 * The kernel's text has microseconds.
 *
 * Needs:	CONFIG_FTRACE, and any tracer or CONFIG_ENABLE_DEFAULT_TRACERS
 * See:		Documentation/trace/ftrace.rst, include/trace/events/workqueue.h
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/random.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clock.h"
#include "probe.h"
#include "process.h"
#include "rng.h"
#include "sched.h"
#include "wqtrace.h"

#define TRACING	       "/sys/kernel/tracing"
#define INSTANCE       TRACING "/instances/kverdict"
#define EVENTS	       "events/workqueue/"
#define QUEUE_ENABLE   EVENTS "workqueue_queue_work/enable"
#define START_ENABLE   EVENTS "workqueue_execute_start/enable"
#define BUFFERS_KIB    8192	      /* of all CPUs together */
#define VISIBLE_NS     (5 * NS_PER_S) /* how long to wait for addresses */
#define RETRY_NS       (100 * NS_PER_MS)
#define BUFFER_MIN_KIB 128

enum { ACTION_START, ACTION_READ };
static const char *const actions[] = { "start", "read", NULL };

static const struct param params[] = {
	PARAM_WORD("action", ACTION_START, actions,
		   "begin a trace, or end it and say what was in it"),
	PARAM_END,
};

static const char *const needs[] = { "CONFIG_FTRACE",
				     "CONFIG_ENABLE_DEFAULT_TRACERS", NULL };

static struct wqtrace trace;

static int instance_open(const char *name, int flags)
{
	char path[128];
	int fd;

	snprintf(path, sizeof(path), INSTANCE "/%s", name);
	fd = open(path, flags | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

static int instance_write(const char *name, const char *text)
{
	int fd = instance_open(name, O_WRONLY), err = 0;

	if (fd < 0)
		return fd;
	if (write(fd, text, strlen(text)) < 0)
		err = -errno;
	close(fd);
	return err;
}

static int set_up(const struct probe_ctx *ctx, const char **what)
{
	/* Not to be had on every kernel, and not needed. */
	static const char *const options[] = { "nooverwrite", "norecord-cmd" };
	unsigned int kib = BUFFERS_KIB / (unsigned int)probe_cpus(ctx);
	const struct {
		const char *name, *text;
	} settings[] = {
		{ "tracing_on", "0" }, { "trace_clock", "mono" },
		{ QUEUE_ENABLE, "1" }, { START_ENABLE, "1" },
		{ "tracing_on", "1" },
	};
	char size[16];
	int err;

	snprintf(size, sizeof(size), "%u",
		 kib < BUFFER_MIN_KIB ? BUFFER_MIN_KIB : kib);
	*what = "buffer_size_kb";
	err = instance_write(*what, size);
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
		instance_write("trace_options", options[i]);
	for (size_t i = 0; !err && i < sizeof(settings) / sizeof(settings[0]);
	     i++) {
		*what = settings[i].name;
		err = instance_write(*what, settings[i].text);
	}
	return err;
}

static enum probe_result start(struct probe_ctx *ctx)
{
	const char *what;
	int err;

	if (access(TRACING "/" QUEUE_ENABLE, F_OK) < 0)
		return probe_skip(
			ctx, CAUSE_OPTION,
			"CONFIG_FTRACE or "
			"CONFIG_ENABLE_DEFAULT_TRACERS is off: " TRACING
			"/" EVENTS ": %s",
			strerror(errno));
	rmdir(INSTANCE); /* what a killed predecessor has left */
	if (mkdir(INSTANCE, 0700) < 0)
		return probe_fail(ctx, CAUSE_OTHER, "make %s: %s", INSTANCE,
				  strerror(errno));
	err = set_up(ctx, &what);
	if (!err)
		return PROBE_PASS;
	rmdir(INSTANCE);
	if (err == -ENOMEM)
		return probe_skip(ctx, CAUSE_MEMORY,
				  "no %u KiB for the buffers of a trace: give "
				  "the guest more with --mem",
				  BUFFERS_KIB);
	return probe_fail(ctx, CAUSE_OTHER, "write %s/%s: %s", INSTANCE, what,
			  strerror(-err));
}

/* Return: what one CPU's buffer had no room for. */
static uint64_t lost_on(int cpu)
{
	char name[48], text[1024];
	uint64_t lost = 0;
	ssize_t len;
	int fd;

	snprintf(name, sizeof(name), "per_cpu/cpu%d/stats", cpu);
	fd = instance_open(name, O_RDONLY);
	if (fd < 0)
		return 0;
	len = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[len > 0 ? len : 0] = '\0';
	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (!strncmp(line, "overrun: ", 9))
			lost += strtoull(line + 9, NULL, 10);
		else if (!strncmp(line, "dropped events: ", 16))
			lost += strtoull(line + 16, NULL, 10);
	}
	return lost;
}

/* A kernel prints no address until its random numbers are ready, which in a
 * guest may be never.  Linux 6.1 then looks every two seconds whether they are;
 * its option nohash-ptr shows addresses at once, and no names.
 */
static void make_addresses_visible(uint64_t seed)
{
	struct {
		struct rand_pool_info info;
		uint64_t words[8];
	} pool = { .info = { .entropy_count = sizeof(pool.words) * 8,
			     .buf_size = sizeof(pool.words) } };
	int fd = open("/dev/urandom", O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	for (size_t i = 0; i < sizeof(pool.words) / sizeof(pool.words[0]); i++)
		pool.words[i] = rng_hash(seed, i);
	ioctl(fd, RNDADDENTROPY, &pool);
	close(fd);
}

static int read_text(bool hidden_too)
{
	static char text[65536];
	int fd = instance_open("trace", O_RDONLY);
	ssize_t len = 1;

	if (fd < 0)
		return fd;
	while ((hidden_too || !trace.hidden) &&
	       (len = read(fd, text, sizeof(text))) > 0)
		wqtrace_text(&trace, text, (size_t)len);
	len = len < 0 ? -errno : 0;
	close(fd);
	return (int)len;
}

static int read_visible(const struct probe_ctx *ctx)
{
	unsigned int cpus = (unsigned int)probe_cpus(ctx);
	uint64_t deadline_ns = clock_mono_ns() + VISIBLE_NS;
	int err;

	for (;;) {
		bool last = clock_mono_ns() >= deadline_ns;

		memset(&trace, 0, sizeof(trace));
		trace.cpus = cpus;
		err = read_text(last);
		if (err || last || !trace.hidden)
			return err;
		make_addresses_visible(probe_seed(ctx));
		process_sleep_until(clock_mono_ns() + RETRY_NS);
	}
}

static void write_group(int fd, const struct wqtrace_group *group)
{
	dprintf(fd,
		"trace workqueue=%s function=%s cpu=%" PRId32 " queued=%" PRIu32
		" executed=%" PRIu32 " waiting=%" PRIu32
		" lost_events=%" PRIu64,
		group->workqueue, group->function, group->cpu, group->queued,
		group->executed, group->waiting, trace.lost);
	if (group->executed)
		dprintf(fd,
			" delay_sum_ns=%" PRIu64 " delay_p50_ns=%" PRIu64
			" delay_p90_ns=%" PRIu64 " delay_p99_ns=%" PRIu64
			" delay_max_ns=%" PRIu64 " req_cpu=%" PRId32
			" ran_cpu=%" PRId32,
			group->sum_ns, group->p50_ns, group->p90_ns,
			group->p99_ns, group->max_ns, group->req_cpu,
			group->ran_cpu);
	dprintf(fd, "\n");
}

static enum probe_result read_back(struct probe_ctx *ctx)
{
	int err = instance_write("tracing_on", "0");

	instance_write(QUEUE_ENABLE, "0");
	instance_write(START_ENABLE, "0");
	if (!err)
		err = read_visible(ctx);
	for (int cpu = 0; cpu < probe_cpus(ctx); cpu++)
		trace.lost += lost_on(cpu);
	rmdir(INSTANCE);
	if (err)
		return probe_fail(ctx, CAUSE_OTHER, "read %s/trace: %s",
				  INSTANCE, strerror(-err));
	wqtrace_end(&trace);
	for (uint32_t i = 0; i < trace.group_count; i++)
		write_group(probe_output_fd(), &trace.groups[i]);
	if (trace.lost)
		probe_note(ctx,
			   "the trace lost %" PRIu64 " events: its "
			   "buffers were full",
			   trace.lost);
	if (trace.hidden)
		probe_note(ctx,
			   "%" PRIu64 " events of the trace have no "
			   "address and do not count",
			   trace.hidden);
	return PROBE_PASS;
}

static enum probe_result trace_workqueue_run(struct probe_ctx *ctx)
{
	/* Away from a hog, which usually has the first CPU. */
	sched_pin(sched_last_cpu(-1));
	if (probe_param(ctx, "action") == ACTION_START)
		return start(ctx);
	return read_back(ctx);
}

const struct probe probe_trace_workqueue = {
	.name = "trace_workqueue",
	.summary = "trace how long work waits on each workqueue, during a step",
	.needs = needs,
	.params = params,
	.cpu = PROBE_ANY_CPU,
	.run = trace_workqueue_run,
};
