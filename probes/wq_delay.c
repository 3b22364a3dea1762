// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wq_delay.c - how long does queued work wait for a worker?
 *
 * Needs no tracing: two system calls of user space end only when work they
 * have queued was done.  Writing /proc/sys/vm/stat_refresh queues work bound
 * to each CPU and waits for all of it, so the slowest CPU counts.  A byte
 * written at one end of a pty can be read at the other when work on an unbound
 * workqueue has moved it.  A hog on one CPU stops the first and not the second.
 *
 * Run it on another CPU than the hog's, or it measures how long itself waits.
 * A hog can make bound work wait for ever, and the writer cannot be killed
 * then: a child does the waiting, and this process sees to the cap.
 *
 * Samples:	unbound_ns	from the write to one end of the pty to the
 *				return of the read at the other
 *		bound_ns	the write to stat_refresh
 *		capped		1: it had not ended after cap_ms, and no other
 *				of its kind was begun
 * Needs:	CONFIG_SMP, CONFIG_PROC_SYSCTL, CONFIG_UNIX98_PTYS
 * See:		vmstat_refresh() in mm/vmstat.c, pty_write() in
 *		drivers/tty/pty.c, kernel/workqueue.c
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "probe.h"
#include "process.h"
#include "rng.h"
#include "sched.h"

#define STAT_REFRESH	"/proc/sys/vm/stat_refresh"
#define REPETITIONS_MAX 10000
#define KILL_NS		NS_PER_S

static const struct param params[] = {
	PARAM("repetitions", 40, 1, REPETITIONS_MAX,
	      "of each kind; the first is a warm-up"),
	PARAM("pause_min_us", 0, 0, 1000000, "shortest pause before each"),
	PARAM("pause_max_us", 20000, 0, 1000000, "longest pause before each"),
	PARAM("cap_ms", 10000, 1, 3600000,
	      "how long one may take before no more are begun"),
	PARAM_END,
};

static const char *const needs[] = { "CONFIG_SMP", "CONFIG_PROC_SYSCTL",
				     "CONFIG_UNIX98_PTYS", NULL };

/* What the child is doing, in memory that it shares with its parent. */
struct progress {
	_Atomic uint64_t begin_ns; /* of the one that runs; 0: none does */
	_Atomic uint32_t done;
	int err;
	struct {
		uint64_t time_ns, took_ns;
	} took[REPETITIONS_MAX];
};

/* One kind of work: how to have some done, and what it is called. */
struct kind {
	const char *metric;
	int (*wait)(const int fds[2]);
};

static int pass_byte(const int fds[2])
{
	char byte = 'k';

	if (write(fds[0], &byte, 1) != 1 || read(fds[1], &byte, 1) != 1)
		return -errno;
	return 0;
}

static int refresh(const int fds[2])
{
	/* Older kernels answer EINVAL, when done, if a counter is negative. */
	return pwrite(fds[0], "1", 1, 0) < 0 && errno != EINVAL ? -errno : 0;
}

static const struct kind unbound = { "unbound_ns", pass_byte };
static const struct kind bound = { "bound_ns", refresh };

static _Noreturn void repeat(const struct probe_ctx *ctx,
			     const struct kind *kind, const int fds[2],
			     struct progress *p)
{
	uint32_t repetitions = (uint32_t)probe_param(ctx, "repetitions");
	uint64_t min_us = (uint64_t)probe_param(ctx, "pause_min_us");
	uint64_t max_us = (uint64_t)probe_param(ctx, "pause_max_us");
	uint64_t seed = rng_hash(probe_seed(ctx), kind == &bound);

	for (uint32_t i = 0; i < repetitions && !p->err; i++) {
		uint64_t pause_us = rng_between(seed, i, min_us, max_us);
		uint64_t start_ns, took_ns;

		/* Else all would start where the hog has just let go. */
		process_sleep_until(clock_mono_ns() + pause_us * NS_PER_US);
		p->begin_ns = clock_mono_ns();
		start_ns = clock_mono_ns();
		p->err = kind->wait(fds);
		took_ns = clock_mono_ns() - start_ns;
		p->took[i].time_ns = start_ns;
		p->took[i].took_ns = took_ns;
		p->begin_ns = 0;
		p->done = i + 1;
	}
	_exit(0);
}

/* Return: whether the child ended before @deadline_ns; it is reaped then. */
static bool wait_child(pid_t pid, uint64_t deadline_ns)
{
	sigset_t child;

	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	for (;;) {
		uint64_t now_ns = clock_mono_ns();
		struct timespec wait;

		if (waitpid(pid, NULL, WNOHANG) == pid)
			return true;
		if (now_ns >= deadline_ns)
			return false;
		wait.tv_sec = (time_t)((deadline_ns - now_ns) / NS_PER_S);
		wait.tv_nsec = (long)((deadline_ns - now_ns) % NS_PER_S);
		sigtimedwait(&child, NULL, &wait);
	}
}

/* Return: 0, or the time that the last one has spent without an end. */
static uint64_t supervise(pid_t pid, const struct progress *p, uint64_t cap_ns)
{
	for (;;) {
		uint64_t begin_ns = p->begin_ns, now_ns = clock_mono_ns();

		if (begin_ns && now_ns - begin_ns >= cap_ns) {
			kill(pid, SIGKILL);
			/* Asleep in the kernel it lives on until the hog is
			 * gone; /init sees to that.
			 */
			wait_child(pid, clock_mono_ns() + KILL_NS);
			return now_ns - begin_ns;
		}
		if (wait_child(pid, (begin_ns ? begin_ns : now_ns) + cap_ns))
			return 0;
	}
}

static void report(struct probe_ctx *ctx, const struct kind *kind,
		   const struct progress *p, uint64_t capped_ns)
{
	uint32_t done = p->done;

	for (uint32_t i = 0; i < done; i++) {
		probe_sample(ctx, i == 0, p->took[i].time_ns);
		probe_value(ctx, kind->metric, p->took[i].took_ns);
		probe_value(ctx, "capped", 0);
	}
	if (!capped_ns)
		return;
	probe_sample(ctx, false, clock_mono_ns() - capped_ns);
	probe_value(ctx, kind->metric, capped_ns);
	probe_value(ctx, "capped", 1);
	probe_note(ctx,
		   "%s: number %" PRIu32 " had not ended after %" PRId64
		   " ms; no more were begun",
		   kind->metric, done, probe_param(ctx, "cap_ms"));
}

static enum probe_result measure(struct probe_ctx *ctx, const struct kind *kind,
				 const int fds[2])
{
	struct progress *p = mmap(NULL, sizeof(*p), PROT_READ | PROT_WRITE,
				  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	enum probe_result result = PROBE_PASS;
	uint64_t capped_ns;
	pid_t parent = getpid(), pid;

	if (p == MAP_FAILED)
		return probe_skip(ctx, CAUSE_MEMORY, "no memory for the times");
	memset(p, 0, sizeof(*p));
	pid = fork();
	if (pid == 0) {
		process_die_with(parent);
		repeat(ctx, kind, fds, p);
	}
	if (pid < 0)
		return probe_fail(ctx, CAUSE_OTHER, "start a process: %s",
				  strerror(errno));
	capped_ns = supervise(pid, p,
			      (uint64_t)probe_param(ctx, "cap_ms") * NS_PER_MS);
	if (p->err)
		result = probe_fail(ctx, CAUSE_OTHER, "%s: %s", kind->metric,
				    strerror(-p->err));
	else
		report(ctx, kind, p, capped_ns);
	munmap(p, sizeof(*p));
	return result;
}

/* Return: 0 or a negative errno; what is written to [0] is read from [1]. */
static int open_pty(int fds[2])
{
	struct termios raw;
	int unlock = 0;

	fds[1] = -1;
	fds[0] = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (fds[0] < 0 || ioctl(fds[0], TIOCSPTLCK, &unlock) < 0)
		return -errno;
	fds[1] = ioctl(fds[0], TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (fds[1] < 0 || tcgetattr(fds[1], &raw) < 0)
		return -errno;
	cfmakeraw(&raw);
	return tcsetattr(fds[1], TCSANOW, &raw) < 0 ? -errno : 0;
}

static enum probe_result measure_both(struct probe_ctx *ctx)
{
	int pty[2], stat[2] = { open(STAT_REFRESH, O_WRONLY | O_CLOEXEC), -1 };
	enum probe_result result;
	int err;

	if (stat[0] < 0)
		return probe_skip(ctx, CAUSE_OPTION,
				  "CONFIG_SMP or CONFIG_PROC_SYSCTL is off: "
				  "%s: %s",
				  STAT_REFRESH, strerror(errno));
	err = open_pty(pty);
	if (err)
		return probe_skip(ctx, CAUSE_OPTION,
				  "CONFIG_UNIX98_PTYS is off: /dev/ptmx: %s",
				  strerror(-err));
	result = measure(ctx, &unbound, pty);
	if (result == PROBE_PASS)
		result = measure(ctx, &bound, stat);
	return result;
}

static enum probe_result wq_delay_run(struct probe_ctx *ctx)
{
	sigset_t child;

	probe_reserve(ctx, 2 * (size_t)probe_param(ctx, "repetitions"));
	probe_metric(ctx, "unbound_ns", "lower", NULL, NULL);
	probe_metric(ctx, "bound_ns", "lower", NULL, NULL);
	if (probe_cpu(ctx) == PROBE_ANY_CPU)
		sched_pin(sched_last_cpu(-1));
	/* Before the first fork, so that no end is missed. */
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, NULL);
	return measure_both(ctx);
}

static const char *wq_delay_check(const struct probe_ctx *ctx)
{
	if (probe_param(ctx, "pause_min_us") > probe_param(ctx, "pause_max_us"))
		return "pause_min_us is larger than pause_max_us";
	return NULL;
}

const struct probe probe_wq_delay = {
	.name = "wq_delay",
	.summary = "measure how long work waits for a worker, bound to every "
		   "CPU and on an unbound workqueue",
	.needs = needs,
	.params = params,
	.cpu = PROBE_ANY_CPU,
	.check = wq_delay_check,
	.run = wq_delay_run,
};
