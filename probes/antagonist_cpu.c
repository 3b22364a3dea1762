// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * antagonist_cpu.c - takes a CPU away from whatever is measured on it
 *
 * Hogs that never sleep of their own will are pinned to one CPU with the
 * policy asked for, which is read back.  This process stays on another CPU
 * and waits for SIGTERM.
 *
 * SCHED_DEADLINE refuses a pinned task, and a bandwidth that leaves others
 * less than 5 %, unless real-time throttling is off; so it is turned off
 * while the hogs run.  Nothing but the duty cycle then protects the CPU:
 * with SCHED_FIFO at 100 % work bound to it would never finish, and the
 * guest not even restart.
 *
 * Samples:	cpu_ns		CPU time that the hogs got together
 *		window_ns	in which they got it
 *		share_ppm	the one by the other
 * Needs:	CAP_SYS_NICE; policy=fifo and deadline a second CPU
 * See:		sched(7), kernel/sched/deadline.c, kernel/sched/rt.c
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "probe.h"
#include "process.h"
#include "procfile.h"
#include "sched.h"

#ifndef SCHED_DEADLINE
#define SCHED_DEADLINE 6
#endif

#define THREADS_MAX    64
#define READY_FD       4
#define RT_RUNTIME     "/proc/sys/kernel/sched_rt_runtime_us"
#define FAIR_SERVER    "/sys/kernel/debug/sched/fair_server/cpu%d/runtime"
#define RESTORE_NS     (5 * NS_PER_S)
#define RETRY_NS       (10 * NS_PER_MS)
#define LEAVE_PERMILLE 5 /* of the CPU for others, at least */
#define PAUSES_OWED    10

enum { POLICY_OTHER, POLICY_FIFO, POLICY_DEADLINE };
static const char *const policies[] = { "other", "fifo", "deadline", NULL };
enum { FAIR_SERVER_KEEP, FAIR_SERVER_OFF };
static const char *const fair_server_words[] = { "keep", "off", NULL };

static const struct param params[] = {
	PARAM_WORD("policy", POLICY_OTHER, policies,
		   "how the hogs are scheduled"),
	PARAM("nice", -20, -20, 19, "policy=other: niceness"),
	PARAM("run_us", 9000, 10, 4000000, "policy=fifo: hogging time"),
	PARAM("runtime_us", 9900, 10, 4000000,
	      "policy=deadline: guaranteed time"),
	PARAM("period_us", 10000, 100, 4000000,
	      "of which period; fifo, deadline"),
	PARAM("threads", 1, 1, THREADS_MAX, "hogs, all on the one CPU"),
	PARAM_WORD("fair_server", FAIR_SERVER_KEEP, fair_server_words,
		   "off: not even its share for others (Linux 6.12; "
		   "CONFIG_SCHED_DEBUG)"),
	PARAM_END,
};

struct hogs {
	struct sched_policy policy;
	uint64_t run_ns, pause_ns; /* of the duty cycle; 0: no pauses */
	int cpu;
	unsigned int threads, started;
	pid_t pids[THREADS_MAX];

	int64_t rt_runtime_us, fair_runtime_ns; /* to be put back */
	bool rt_changed, fair_changed;
	char fair_path[sizeof(FAIR_SERVER) + 16];
};

/* No `pause` instruction: it would let another virtual CPU in. */
static _Noreturn void spin(void)
{
	for (;;)
		__asm__ volatile("");
}

/*
 * Who is woken late has slept for longer than the pause, under TCG for several
 * times as long; later pauses are left out for that, or the hog would not keep
 * its share.  What a host that stood still took is not made up for.
 */
static _Noreturn void spin_in_cycles(uint64_t run_ns, uint64_t pause_ns)
{
	uint64_t start_ns = clock_mono_ns(), overslept_ns = 0;

	for (;;) {
		uint64_t now_ns;

		while ((now_ns = clock_mono_ns()) < start_ns + run_ns)
			;
		start_ns = now_ns;
		if (overslept_ns >= pause_ns) {
			overslept_ns -= pause_ns;
			continue;
		}
		process_sleep_until(now_ns + pause_ns);
		start_ns = clock_mono_ns();
		overslept_ns += start_ns - (now_ns + pause_ns);
		if (overslept_ns > PAUSES_OWED * pause_ns)
			overslept_ns = PAUSES_OWED * pause_ns;
	}
}

static _Noreturn void hog(const struct hogs *h, pid_t parent, int answer_fd)
{
	int err;

	process_die_with(parent);
	err = sched_pin(h->cpu);
	if (!err)
		err = sched_set(&h->policy);
	if (write(answer_fd, &err, sizeof(err)) != (ssize_t)sizeof(err) || err)
		_exit(1);
	if (h->run_ns)
		spin_in_cycles(h->run_ns, h->pause_ns);
	spin();
}

/* Start one, and read back what it got. */
static int start_hog(struct hogs *h)
{
	pid_t parent = getpid(), pid;
	int ends[2], answer = 0, err;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -errno;
	pid = fork();
	if (pid == 0)
		hog(h, parent, ends[1]);
	err = pid < 0 ? -errno : 0;
	close(ends[1]);
	if (!err) {
		h->pids[h->started++] = pid;
		err = process_read(ends[0], &answer, sizeof(answer));
	}
	close(ends[0]);
	if (err || answer)
		return err ? err : answer;
	return sched_pinned(pid, h->cpu) && sched_has(pid, &h->policy) ? 0
								       : -EXDEV;
}

static uint64_t cpu_time_ns(const struct hogs *h)
{
	uint64_t sum_ns = 0;

	for (unsigned int i = 0; i < h->started; i++) {
		struct timespec used;
		clockid_t clock;

		if (clock_getcpuclockid(h->pids[i], &clock) == 0 &&
		    clock_gettime(clock, &used) == 0)
			sum_ns += (uint64_t)used.tv_sec * NS_PER_S +
				  (uint64_t)used.tv_nsec;
	}
	return sum_ns;
}

/* Real-time throttling and the fair server protect others: not here. */
static int lift_limits(struct hogs *h, bool fair_server_off)
{
	int err;

	if (h->policy.policy != SCHED_OTHER) {
		err = procfile_swap(RT_RUNTIME, -1, &h->rt_runtime_us);
		if (err)
			return err;
		h->rt_changed = true;
	}
	snprintf(h->fair_path, sizeof(h->fair_path), FAIR_SERVER, h->cpu);
	/* Before 6.12 there is none, and nothing to turn off. */
	if (fair_server_off)
		h->fair_changed = procfile_swap(h->fair_path, 0,
						&h->fair_runtime_ns) == 0;
	return 0;
}

/* A deadline task that was just killed holds its bandwidth for a period. */
static int restore_limits(struct hogs *h)
{
	uint64_t deadline_ns = clock_mono_ns() + RESTORE_NS;
	int err = 0;

	if (h->fair_changed)
		err = procfile_write(h->fair_path, h->fair_runtime_ns);
	while (h->rt_changed) {
		int rt_err = procfile_write(RT_RUNTIME, h->rt_runtime_us);

		if (rt_err != -EBUSY || clock_mono_ns() > deadline_ns)
			return rt_err ? rt_err : err;
		process_sleep_until(clock_mono_ns() + RETRY_NS);
	}
	return err;
}

static enum probe_result explain(struct probe_ctx *ctx, const struct hogs *h,
				 int err)
{
	const char *word = policies[probe_param(ctx, "policy")];

	if (err == -EXDEV)
		return probe_fail(ctx, CAUSE_KERNEL,
				  "read the hog back: its policy or affinity "
				  "is not policy=%s cpu=%d",
				  word, h->cpu);
	if (err == -EPERM && h->policy.policy == SCHED_FIFO && geteuid() == 0)
		return probe_skip(ctx, CAUSE_OPTION,
				  "CONFIG_RT_GROUP_SCHED is on and gives this "
				  "group no real-time share");
	return probe_fail(ctx, CAUSE_OTHER, "start a hog with policy=%s: %s",
			  word, strerror(-err));
}

/* Wait until the hogs are to stop; false if one of them has ended. */
static bool wait_for_stop(const sigset_t *signals)
{
	int number;

	do {
		number = sigwaitinfo(signals, NULL);
	} while (number < 0 && errno == EINTR);
	return number != SIGCHLD;
}

/* From the moment the load is up to the moment it is to go. */
static enum probe_result hog_until_told(struct probe_ctx *ctx,
					const struct hogs *h,
					const sigset_t *signals)
{
	uint64_t start_ns = clock_mono_ns(), cpu_ns = cpu_time_ns(h), window_ns;

	/* Nobody waits for it on a developer's machine. */
	if (fcntl(READY_FD, F_GETFD) >= 0 && write(READY_FD, "", 1) != 1)
		return probe_fail(ctx, CAUSE_OTHER,
				  "say that the load is up: "
				  "%s",
				  strerror(errno));
	if (!wait_for_stop(signals))
		return probe_fail(ctx, CAUSE_OTHER, "a hog ended by itself");

	/* The window encloses the CPU time, or a share could exceed the whole. */
	cpu_ns = cpu_time_ns(h) - cpu_ns;
	window_ns = clock_mono_ns() - start_ns;
	probe_sample(ctx, false, start_ns);
	probe_value(ctx, "cpu_ns", cpu_ns);
	probe_value(ctx, "window_ns", window_ns);
	/* In us, or 5 hours of 64 threads would overflow. */
	probe_value(ctx, "share_ppm",
		    cpu_ns / NS_PER_US * 1000000 / (window_ns / NS_PER_US + 1));
	return PROBE_PASS;
}

static void set_up(const struct probe_ctx *ctx, struct hogs *h)
{
	uint64_t period_ns =
		(uint64_t)probe_param(ctx, "period_us") * NS_PER_US;

	h->cpu = probe_cpu(ctx);
	h->threads = (unsigned int)probe_param(ctx, "threads");
	switch (probe_param(ctx, "policy")) {
	case POLICY_OTHER:
		h->policy.policy = SCHED_OTHER;
		h->policy.nice = (int32_t)probe_param(ctx, "nice");
		break;
	case POLICY_FIFO:
		h->policy.policy = SCHED_FIFO;
		h->policy.priority = 1;
		h->run_ns = (uint64_t)probe_param(ctx, "run_us") * NS_PER_US;
		h->pause_ns = period_ns - h->run_ns;
		break;
	default:
		h->policy.policy = SCHED_DEADLINE;
		h->policy.runtime_ns =
			(uint64_t)probe_param(ctx, "runtime_us") * NS_PER_US;
		h->policy.period_ns = period_ns;
	}
}

/* Where the controller and /init live nothing may be starved. */
static enum probe_result find_room(struct probe_ctx *ctx, const struct hogs *h)
{
	bool starves = h->policy.policy != SCHED_OTHER;
	int other = sched_last_cpu(h->cpu);
	int err;

	if (!sched_cpu_usable(h->cpu))
		return probe_skip(ctx, CAUSE_OTHER,
				  "CPU %d is not there: give the guest more "
				  "with --smp",
				  h->cpu);
	if (starves && other < h->cpu)
		return probe_skip(ctx, CAUSE_OTHER,
				  "policy=%s on the last CPU would starve "
				  "/init: give the guest more with --smp",
				  policies[probe_param(ctx, "policy")]);
	if (other < 0)
		return PROBE_PASS;
	err = sched_pin(other);
	if (err)
		return probe_fail(ctx, CAUSE_KERNEL, "pin to CPU %d: %s", other,
				  strerror(-err));
	return PROBE_PASS;
}

static enum probe_result antagonist_cpu_run(struct probe_ctx *ctx)
{
	bool fair_off = probe_param(ctx, "fair_server") == FAIR_SERVER_OFF;
	struct hogs h = { 0 };
	enum probe_result result;
	sigset_t signals;
	int err;

	probe_reserve(ctx, 1);
	set_up(ctx, &h);
	result = find_room(ctx, &h);
	if (result != PROBE_PASS)
		return result;

	/* Before the first fork, so that none of them is missed. */
	sigemptyset(&signals);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGCHLD);
	sigprocmask(SIG_BLOCK, &signals, NULL);

	err = lift_limits(&h, fair_off);
	while (!err && h.started < h.threads)
		err = start_hog(&h);
	if (err)
		result = explain(ctx, &h, err);
	else
		result = hog_until_told(ctx, &h, &signals);

	process_end(h.pids, h.started);
	err = restore_limits(&h);
	if (err && result == PROBE_PASS)
		result = probe_fail(ctx, CAUSE_OTHER, "put %s back: %s",
				    RT_RUNTIME, strerror(-err));
	return result;
}

static const char *antagonist_cpu_check(const struct probe_ctx *ctx)
{
	int64_t policy = probe_param(ctx, "policy");
	int64_t busy_us = probe_param(
		ctx, policy == POLICY_FIFO ? "run_us" : "runtime_us");
	int64_t period_us = probe_param(ctx, "period_us");

	busy_us *= probe_param(ctx, "threads");
	if (policy != POLICY_OTHER &&
	    busy_us * 1000 > period_us * (1000 - LEAVE_PERMILLE))
		return "run_us (fifo) or runtime_us (deadline) times threads "
		       "leaves others less than 0.5 % of period_us";
	return NULL;
}

const struct probe probe_antagonist_cpu = {
	.name = "antagonist_cpu",
	.summary = "take a CPU away from whatever is measured on it, and say "
		   "what share of it it got",
	.params = params,
	.check = antagonist_cpu_check,
	.run = antagonist_cpu_run,
};
