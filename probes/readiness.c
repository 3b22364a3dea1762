// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * readiness.c - how long until a new IPv6 interface can send?
 *
 * Bringing an interface up queues the work that makes its link-local address
 * usable.  Until that work has run, sendto() fails with EADDRNOTAVAIL; a
 * sender that tries again at once competes with the worker for the CPU.
 *
 * With taps=1 the process creates a TAP, turns duplicate detection off,
 * brings the TAP up and sends one packet of 8 bytes to all nodes on it, again
 * and again until the kernel takes it.  With more TAPs it sends once on each.
 * Each repetition is a fresh process (fork and exec), because the history of
 * a task decides what the scheduler does with it.
 *
 * Samples:	ready_ns	from the return of the ioctl that brought the
 *				TAP up to the return of the first sendto()
 *				that succeeded, ns
 *		tries		sendto() calls, the last one included
 *		up_ns		the ioctl itself, ns; a fact
 *		errno		of the last sendto() that failed, or 0; a fact
 *		failed_sends	with more than one TAP: sends that failed
 * Needs:	CONFIG_TUN, CONFIG_IPV6, CAP_NET_ADMIN
 * See:		net/ipv6/addrconf.c, addrconf_dad_start(), addrconf_dad_work()
 */
#include <errno.h>
#include <inttypes.h>
#include <net/if.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "clock.h"
#include "mark.h"
#include "netdev.h"
#include "netlink.h"
#include "parse.h"
#include "probe.h"
#include "process.h"
#include "procfile.h"
#include "rng.h"

#define TAPS_MAX	  8
#define DISCARD_PORT	  9
#define ALL_ACCEPT_DAD	  "/proc/sys/net/ipv6/conf/all/accept_dad"
#define DEVICE_ACCEPT_DAD "/proc/sys/net/ipv6/conf/" NAME_FORMAT "/accept_dad"
#define NAME_FORMAT	  "kvtap%u"
#define STATUS_USAGE	  129

static const char *const needs[] = { "CONFIG_TUN", "CONFIG_IPV6", NULL };

static const struct param params[] = {
	PARAM("taps", 1, 1, TAPS_MAX,
	      "TAPs; more than one: send once on each, count failures"),
	PARAM("repetitions", 40, 1, 100000,
	      "fresh processes, the first a warm-up"),
	PARAM("pause_min_us", 0, 0, 10000000, "shortest pause between them"),
	PARAM("pause_max_us", 20000, 0, 10000000, "longest; the seed chooses"),
	PARAM("cap_tries", 10000000, 1, 1000000000,
	      "give up after so many tries"),
	PARAM("cap_ms", 10000, 1, 600000, "give up after so long"),
	PARAM_END,
};

/* What one fresh process has to say. */
struct attempt {
	uint64_t time_ns, up_ns, ready_ns, tries, failed_sends;
	uint64_t capped;
	int last_errno;
	int err;	 /* negative: it could not be done */
	char action[32]; /* what could not, with @err */
};

struct tap {
	char name[IFNAMSIZ];
	int fd, sock;
	struct sockaddr_in6 to;
};

static volatile sig_atomic_t out_of_time;

static void on_alarm(int number)
{
	(void)number;
	out_of_time = 1;
}

/* A timer instead of a clock read in each round of the loop. */
static void arm(uint64_t cap_ms)
{
	struct sigaction act = { .sa_handler = on_alarm };
	struct itimerval after = {
		.it_value.tv_sec = (time_t)(cap_ms / 1000),
		.it_value.tv_usec = (suseconds_t)(cap_ms % 1000 * 1000),
	};

	/* Cannot fail: the signal and the time are valid. */
	sigaction(SIGALRM, &act, NULL);
	setitimer(ITIMER_REAL, &after, NULL);
}

static bool failed(struct attempt *a, const char *action, int err)
{
	if (err >= 0)
		return false;
	a->err = err;
	snprintf(a->action, sizeof(a->action), "%s", action);
	return true;
}

/* Everything up to, but not including, bringing it up. */
static bool tap_prepare(struct attempt *a, struct tap *tap, unsigned int number,
			uint64_t seed)
{
	unsigned char mac[6];
	char path[64];

	snprintf(tap->name, sizeof(tap->name), NAME_FORMAT, number);
	tap->fd = netdev_tap_open(tap->name);
	if (failed(a, "create a TAP", tap->fd))
		return false;
	tap->sock = socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (failed(a, "make an IPv6 socket", tap->sock < 0 ? -errno : 0))
		return false;

	rng_mac(mac, seed, number);
	snprintf(path, sizeof(path), DEVICE_ACCEPT_DAD, number);
	if (failed(a, "set the MAC address",
		   netdev_set_mac(tap->sock, tap->name, mac)) ||
	    failed(a, "turn accept_dad off", procfile_write(path, 0)))
		return false;

	tap->to = (struct sockaddr_in6){
		.sin6_family = AF_INET6,
		.sin6_port = htons(DISCARD_PORT),
		.sin6_addr.s6_addr = { 0xff, 2, [15] = 1 }, /* all nodes */
		.sin6_scope_id = if_nametoindex(tap->name),
	};
	return true;
}

static bool tap_bring_up(struct attempt *a, const struct tap *tap)
{
	uint64_t start_ns = clock_mono_ns();
	int err = netdev_up(tap->sock, tap->name);

	a->up_ns += clock_mono_ns() - start_ns;
	return !failed(a, "bring the TAP up", err);
}

static const char payload[8] = "kverdict";

static ssize_t send_one(const struct tap *tap)
{
	return sendto(tap->sock, payload, sizeof(payload), 0,
		      (const struct sockaddr *)&tap->to, sizeof(tap->to));
}

static void send_until_ready(struct attempt *a, const struct tap *tap,
			     uint64_t cap_tries)
{
	uint64_t start_ns, tries = 0;
	bool ready;

	errno = 0;
	start_ns = clock_mono_ns();
	do {
		ready = send_one(tap) >= 0;
		tries++;
	} while (!ready && tries < cap_tries && !out_of_time);
	a->ready_ns = clock_mono_ns() - start_ns;

	a->last_errno = errno;
	a->tries = tries;
	a->capped = !ready;
}

/* The first test of the report: no second try. */
static void send_once_each(struct attempt *a, const struct tap *taps,
			   unsigned int count)
{
	errno = 0;
	for (unsigned int i = 0; i < count; i++)
		a->failed_sends += send_one(&taps[i]) < 0;
	a->last_errno = errno;
}

static void attempt(struct attempt *a, unsigned int count, uint64_t seed,
		    uint64_t cap_tries, uint64_t cap_ms, uint64_t repetition)
{
	struct tap taps[TAPS_MAX];

	for (unsigned int i = 0; i < count; i++)
		if (!tap_prepare(a, &taps[i], i, seed))
			return;
	arm(cap_ms);
	mark_begin(repetition);
	a->time_ns = clock_mono_ns();
	for (unsigned int i = 0; i < count; i++)
		if (!tap_bring_up(a, &taps[i]))
			return;
	if (count == 1) {
		send_until_ready(a, &taps[0], cap_tries);
		mark_end(repetition);
		return;
	}
	for (unsigned int i = 0; i < count; i++)
		if (failed(a, "bind to the TAP",
			   setsockopt(taps[i].sock, SOL_SOCKET, SO_BINDTODEVICE,
				      taps[i].name, sizeof(taps[i].name)) < 0
				   ? -errno
				   : 0))
			return;
	send_once_each(a, taps, count);
	mark_end(repetition);
}

/* The words of `probe readiness child ...`, all of them numbers. */
enum {
	ARG_TAPS,
	ARG_SEED,
	ARG_CAP_TRIES,
	ARG_CAP_MS,
	ARG_REPETITION,
	ARG_RESULT_FD,
	ARGS
};

static int readiness_child(int argc, char **argv)
{
	uint64_t args[ARGS];
	struct attempt a;

	if (argc != ARGS)
		return STATUS_USAGE;
	for (int i = 0; i < argc; i++)
		if (!parse_u64(&args[i], argv[i], 0, UINT64_MAX))
			return STATUS_USAGE;
	if (args[ARG_TAPS] > TAPS_MAX)
		return STATUS_USAGE;

	memset(&a, 0, sizeof(a));
	attempt(&a, (unsigned int)args[ARG_TAPS], args[ARG_SEED],
		args[ARG_CAP_TRIES], args[ARG_CAP_MS], args[ARG_REPETITION]);
	if (write((int)args[ARG_RESULT_FD], &a, sizeof(a)) < 0)
		return PROBE_FAIL;
	return PROBE_PASS;
}

static _Noreturn void exec_child(const uint64_t args[ARGS])
{
	char words[ARGS][24];
	const char *argv[3 + ARGS + 1] = { "probe", "readiness", "child" };

	for (int i = 0; i < ARGS; i++) {
		snprintf(words[i], sizeof(words[i]), "%" PRIu64, args[i]);
		argv[3 + i] = words[i];
	}
	process_exec_self(argv);
}

/* One repetition in a fresh process; it has ended when this returns. */
static int attempt_afresh(const struct probe_ctx *ctx, uint64_t repetition,
			  struct attempt *a)
{
	int ends[2], err;
	pid_t pid;

	if (pipe(ends) < 0)
		return -errno;
	pid = fork();
	if (pid == 0) {
		close(ends[0]);
		exec_child((uint64_t[ARGS]){
			[ARG_TAPS] = (uint64_t)probe_param(ctx, "taps"),
			[ARG_SEED] = rng_hash(probe_seed(ctx), repetition),
			[ARG_CAP_TRIES] =
				(uint64_t)probe_param(ctx, "cap_tries"),
			[ARG_CAP_MS] = (uint64_t)probe_param(ctx, "cap_ms"),
			[ARG_REPETITION] = repetition,
			[ARG_RESULT_FD] = (uint64_t)ends[1],
		});
	}
	err = pid < 0 ? -errno : 0;
	close(ends[1]);
	if (!err)
		err = process_read(ends[0], a, sizeof(*a));
	close(ends[0]);
	if (pid > 0)
		process_wait(pid);
	return err;
}

static void report(struct probe_ctx *ctx, uint64_t repetition,
		   const struct attempt *a)
{
	probe_sample(ctx, repetition == 0, a->time_ns);
	if (probe_param(ctx, "taps") == 1) {
		probe_value(ctx, "ready_ns", a->ready_ns);
		probe_value(ctx, "tries", a->tries);
		probe_value(ctx, "capped", a->capped);
	} else {
		probe_value(ctx, "failed_sends", a->failed_sends);
	}
	probe_value(ctx, "up_ns", a->up_ns);
	probe_value(ctx, "errno", (uint64_t)a->last_errno);
}

static enum probe_result repeat(struct probe_ctx *ctx)
{
	uint64_t repetitions = (uint64_t)probe_param(ctx, "repetitions");
	uint64_t min_us = (uint64_t)probe_param(ctx, "pause_min_us");
	uint64_t max_us = (uint64_t)probe_param(ctx, "pause_max_us");

	for (uint64_t i = 0; i < repetitions; i++) {
		struct attempt a;
		uint64_t pause_us =
			rng_between(~probe_seed(ctx), i, min_us, max_us);
		int err;

		/* Else all would start at the same phase of the tick. */
		process_sleep_until(clock_mono_ns() + pause_us * NS_PER_US);
		err = attempt_afresh(ctx, i, &a);
		if (err)
			return probe_fail(ctx, CAUSE_OTHER,
					  "repetition %" PRIu64 ": %s", i,
					  strerror(-err));
		if (a.err)
			return probe_fail(ctx, CAUSE_OTHER, "%s: %s", a.action,
					  strerror(-a.err));
		report(ctx, i, &a);
	}
	return PROBE_PASS;
}

/* What a crashed predecessor may have left; usually nothing. */
static void delete_stale(unsigned int taps)
{
	char name[IFNAMSIZ];
	int nl = netlink_open();

	for (unsigned int i = 0; i < taps && nl >= 0; i++) {
		snprintf(name, sizeof(name), NAME_FORMAT, i);
		netlink_link_delete(nl, name); /* -ENODEV is what we want */
	}
	if (nl >= 0)
		close(nl);
}

static enum probe_result readiness_run(struct probe_ctx *ctx)
{
	unsigned int taps = (unsigned int)probe_param(ctx, "taps");
	enum probe_result result;
	int64_t accept_dad;
	int err;

	probe_reserve(ctx, (size_t)probe_param(ctx, "repetitions"));
	if (taps == 1) {
		probe_metric(ctx, "ready_ns", "lower", NULL, NULL);
		probe_metric(ctx, "tries", "lower", NULL, NULL);
	} else {
		probe_metric(ctx, "failed_sends", "lower", NULL, NULL);
	}

	err = netdev_tap_available();
	if (err)
		return probe_skip(ctx, CAUSE_OPTION,
				  "CONFIG_TUN is off or its module is missing: "
				  "/dev/net/tun: %s",
				  strerror(-err));
	/* It counts only if both this and the device's are below 1. */
	err = procfile_swap(ALL_ACCEPT_DAD, 0, &accept_dad);
	if (err)
		return probe_skip(
			ctx, CAUSE_OPTION,
			"CONFIG_IPV6 is off or its module is missing: "
			"%s: %s",
			ALL_ACCEPT_DAD, strerror(-err));

	delete_stale(taps);
	result = repeat(ctx);
	procfile_write(ALL_ACCEPT_DAD, accept_dad);
	return result;
}

static const char *readiness_check(const struct probe_ctx *ctx)
{
	if (probe_param(ctx, "pause_min_us") > probe_param(ctx, "pause_max_us"))
		return "pause_min_us is larger than pause_max_us";
	return NULL;
}

const struct probe probe_readiness = {
	.name = "readiness",
	.summary = "measure how long a new IPv6 interface cannot send, from "
		   "the return of the up ioctl to the first sendto() that "
		   "succeeds",
	.needs = needs,
	.params = params,
	.check = readiness_check,
	.run = readiness_run,
	.child = readiness_child,
};
