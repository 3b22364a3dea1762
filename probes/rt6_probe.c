// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * rt6_probe.c - how many packets a second go through an IPv6 gateway route?
 *
 * With router preferences compiled in, each lookup of a route through a
 * gateway ends in rt6_probe(), which looks at the gateway's neighbour entry.
 * Kernels before 4.2 took the entry's write lock for that, although there is
 * nothing to probe when the neighbour is valid, so all senders queued there.
 *
 * Processes send UDP packets of 8 bytes into a /64 that is reached through a
 * gateway with a permanent neighbour entry, on a device that discards them.
 * rt6_probe() is called only while conf/all/forwarding is 0, and only if the
 * lookup is not saved by a connected socket; so the sockets are unconnected.
 *
 * Samples:	sends_per_s		finished sendto() of all senders
 *					(total_sends in window_ns)
 *		sender_sends_per_s	the same of each (sends in window_ns)
 *		errors			sendto() that failed; a fact
 * Needs:	CONFIG_IPV6_ROUTER_PREF, CONFIG_DUMMY (device=dummy) or
 *		CONFIG_TUN (device=tap), CAP_NET_ADMIN
 * See:		net/ipv6/route.c, find_match(), rt6_probe()
 */
#include <errno.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "clock.h"
#include "netdev.h"
#include "netlink.h"
#include "probe.h"
#include "process.h"
#include "procfile.h"
#include "rng.h"
#include "sched.h"

#define SENDERS_MAX  256
#define WINDOWS_MAX  1000
#define DISCARD_PORT 9
#define DEVICE	     "kvrt6"
#define CONF_ALL     "/proc/sys/net/ipv6/conf/all/"
#define FORWARDING   CONF_ALL "forwarding"
#define ROUTER_PREF  CONF_ALL "accept_ra_rtr_pref"

static const char *const needs[] = { "CONFIG_IPV6_ROUTER_PREF",
				     "CONFIG_DUMMY or CONFIG_TUN", NULL };

enum { DEVICE_DUMMY, DEVICE_TAP };
static const char *const devices[] = { "dummy", "tap", NULL };

static const struct param params[] = {
	PARAM("senders", 40, 1, SENDERS_MAX, "sending processes"),
	PARAM("seconds", 30, 1, 3600, "length of a window"),
	PARAM("windows", 1, 1, WINDOWS_MAX, "windows, one after the other"),
	PARAM("warmup_ms", 500, 0, 60000, "sending before the first"),
	PARAM_WORD("device", DEVICE_DUMMY, devices,
		   "what discards the packets"),
	PARAM_END,
};

/* 2001:db8::/32 is for documentation: no real network has these. */
static const struct inet_addr own_addr = { AF_INET6,
					   64,
					   { 0x20, 1, 0x0d, 0xb8, [15] = 1 } };
static const struct inet_addr gateway_addr = {
	AF_INET6, 128, { 0x20, 1, 0x0d, 0xb8, [15] = 2 }
};
static const struct inet_addr far_net = { AF_INET6,
					  64,
					  { 0x20, 1, 0x0d, 0xb8, 0, 1, 0, 1 } };

/*
 * A sender's counters: two cache lines, since the hardware fetches them in
 * pairs.  They are volatile because another process reads them.
 */
struct counter {
	_Alignas(128) volatile uint64_t sends;
	volatile uint64_t errors;
};

struct flood {
	unsigned int senders;
	pid_t pids[SENDERS_MAX];
	unsigned int started; /* of @pids */
	struct counter *counters;
	int start_fd; /* closing it lets all senders go */
	int ready_fd; /* each sender writes one byte when it waits */
};

/* The state of all counters at one moment. */
struct snapshot {
	uint64_t time_ns;
	uint64_t sends[SENDERS_MAX], errors;
};

/* Nothing but the system call and the counter: it ends by SIGKILL. */
static _Noreturn void send_for_ever(int sock, const struct sockaddr_in6 *to,
				    struct counter *counter)
{
	static const char payload[8] = "kverdict";

	for (;;) {
		if (sendto(sock, payload, sizeof(payload), 0,
			   (const struct sockaddr *)to, sizeof(*to)) >= 0)
			counter->sends++;
		else
			counter->errors++;
	}
}

static _Noreturn void sender(unsigned int number, struct counter *counter,
			     int start_fd, int ready_fd)
{
	struct sockaddr_in6 to = {
		.sin6_family = AF_INET6,
		.sin6_port = htons(DISCARD_PORT),
	};
	int sock = socket(AF_INET6, SOCK_DGRAM, 0);
	char byte = 0;

	memcpy(&to.sin6_addr, far_net.bytes, sizeof(to.sin6_addr));
	to.sin6_addr.s6_addr[14] = (uint8_t)(number >> 8);
	to.sin6_addr.s6_addr[15] = (uint8_t)number;

	counter->sends = 0; /* takes the page fault */
	if (sock < 0 || write(ready_fd, &byte, 1) != 1)
		_exit(1);
	/* End of file: the barrier is open.  A byte never comes. */
	if (read(start_fd, &byte, 1) != 0)
		_exit(1);
	send_for_ever(sock, &to, counter);
}

/* Fork all senders, and return when each of them waits at the barrier. */
static int flood_prepare(struct flood *f)
{
	int start[2], ready[2], err = 0;
	pid_t parent = getpid();
	char bytes[SENDERS_MAX];

	if (pipe(start) < 0)
		return -errno;
	if (pipe(ready) < 0) {
		err = -errno;
		close(start[0]);
		close(start[1]);
		return err;
	}
	for (unsigned int i = 0; i < f->senders && !err; i++) {
		pid_t pid = fork();

		if (pid == 0) {
			process_die_with(parent);
			close(start[1]);
			close(ready[0]);
			sender(i, &f->counters[i], start[0], ready[1]);
		}
		if (pid < 0)
			err = -errno;
		else
			f->pids[f->started++] = pid;
	}
	close(start[0]);
	close(ready[1]);
	f->start_fd = start[1];
	if (!err)
		err = process_read(ready[0], bytes, f->senders);
	close(ready[0]);
	return err;
}

static void flood_take(const struct flood *f, struct snapshot *s)
{
	s->time_ns = clock_mono_ns();
	s->errors = 0;
	for (unsigned int i = 0; i < f->senders; i++) {
		s->sends[i] = f->counters[i].sends;
		s->errors += f->counters[i].errors;
	}
}

static void report(struct probe_ctx *ctx, const struct flood *f,
		   const struct snapshot *from, const struct snapshot *to)
{
	uint64_t window_ns = to->time_ns - from->time_ns;
	uint64_t total = 0;

	for (unsigned int i = 0; i < f->senders; i++)
		total += to->sends[i] - from->sends[i];
	probe_sample(ctx, false, from->time_ns);
	probe_value(ctx, "total_sends", total);
	probe_value(ctx, "window_ns", window_ns);
	probe_value(ctx, "errors", to->errors - from->errors);

	for (unsigned int i = 0; i < f->senders; i++) {
		probe_sample(ctx, false, from->time_ns);
		probe_value(ctx, "sends", to->sends[i] - from->sends[i]);
		probe_value(ctx, "window_ns", window_ns);
		probe_value(ctx, "sender", i);
	}
}

static void measure(struct probe_ctx *ctx, struct flood *f,
		    struct snapshot snapshots[2])
{
	uint64_t window_ns = (uint64_t)probe_param(ctx, "seconds") * NS_PER_S;
	uint64_t warmup_ns =
		(uint64_t)probe_param(ctx, "warmup_ms") * NS_PER_MS;
	int64_t windows = probe_param(ctx, "windows");
	/*
	 * So that a snapshot is taken when it is due, and in one go.  It
	 * sleeps in between; without the right to it the windows, which are
	 * measured, are longer.
	 */
	struct sched_policy first = { .policy = SCHED_FIFO, .priority = 1 };

	sched_set(&first);
	close(f->start_fd);
	process_sleep_until(clock_mono_ns() + warmup_ns);
	flood_take(f, &snapshots[0]);
	for (int64_t i = 0; i < windows; i++) {
		struct snapshot *from = &snapshots[i % 2];
		struct snapshot *to = &snapshots[(i + 1) % 2];

		process_sleep_until(from->time_ns + window_ns);
		flood_take(f, to);
		report(ctx, f, from, to);
	}
}

static enum probe_result flood(struct probe_ctx *ctx)
{
	static struct flood f; /* too large for a stack */
	static struct snapshot snapshots[2];
	enum probe_result result = PROBE_PASS;
	size_t size;
	int err;

	f.senders = (unsigned int)probe_param(ctx, "senders");
	size = f.senders * sizeof(*f.counters);
	f.counters = mmap(NULL, size, PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (f.counters == MAP_FAILED)
		return probe_skip(ctx, CAUSE_MEMORY, "no memory for counters");

	err = flood_prepare(&f);
	if (!err)
		measure(ctx, &f, snapshots);
	process_end(f.pids, f.started);
	munmap(f.counters, size);
	if (err)
		result = probe_fail(ctx, CAUSE_OTHER, "start %u senders: %s",
				    f.senders, strerror(-err));
	return result;
}

/* Address, route and neighbour; gone when the device is. */
static int path_make(int nl, uint64_t seed)
{
	unsigned int index = if_nametoindex(DEVICE);
	int sock = socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	unsigned char own_mac[6], gateway_mac[6];
	int err;

	if (sock < 0)
		return -errno;
	rng_mac(own_mac, seed, 0);
	rng_mac(gateway_mac, seed, 1);
	err = netdev_set_mac(sock, DEVICE, own_mac);
	close(sock);

	/* A dummy has NOARP, and its neighbours then have no state. */
	if (!err)
		err = netlink_link_flags(nl, index, IFF_UP, IFF_UP | IFF_NOARP);
	if (!err)
		err = netlink_addr_add(nl, index, &own_addr);
	if (!err)
		err = netlink_neigh_add(nl, index, &gateway_addr, gateway_mac);
	if (!err)
		err = netlink_route_add(nl, index, &far_net, &gateway_addr);
	return err;
}

static enum probe_result with_device(struct probe_ctx *ctx, int nl)
{
	bool dummy = probe_param(ctx, "device") == DEVICE_DUMMY;
	enum probe_result result;
	int tap_fd = -1, err;

	netlink_link_delete(nl, DEVICE); /* of a crashed predecessor */
	if (dummy)
		err = netlink_link_add(nl, DEVICE, "dummy");
	else
		err = tap_fd = netdev_tap_open(DEVICE);
	if (err < 0)
		return probe_skip(ctx, CAUSE_OPTION,
				  "%s is off or its module is missing: %s",
				  dummy ? "CONFIG_DUMMY" : "CONFIG_TUN",
				  strerror(-err));

	err = path_make(nl, probe_seed(ctx));
	if (err)
		result = probe_fail(ctx, CAUSE_OTHER,
				    "make the route through a gateway: %s",
				    strerror(-err));
	else
		result = flood(ctx);

	if (dummy)
		netlink_link_delete(nl, DEVICE);
	else
		close(tap_fd);
	return result;
}

static enum probe_result rt6_probe_run(struct probe_ctx *ctx)
{
	size_t windows = (size_t)probe_param(ctx, "windows");
	size_t senders = (size_t)probe_param(ctx, "senders");
	enum probe_result result;
	int64_t forwarding;
	int nl, err;

	probe_reserve(ctx, windows * (senders + 1));
	probe_metric(ctx, "sends_per_s", "higher", "total_sends", "window_ns");
	probe_metric(ctx, "sender_sends_per_s", "higher", "sends", "window_ns");

	if (access(CONF_ALL, F_OK) < 0)
		return probe_skip(ctx, CAUSE_OPTION,
				  "CONFIG_IPV6 is off or its module is "
				  "missing: there is no " CONF_ALL);
	if (access(ROUTER_PREF, F_OK) < 0)
		return probe_skip(ctx, CAUSE_OPTION,
				  "CONFIG_IPV6_ROUTER_PREF is off: there is "
				  "no " ROUTER_PREF);

	err = nl = netlink_open();
	if (nl >= 0)
		err = procfile_swap(FORWARDING, 0, &forwarding);
	if (err < 0) {
		if (nl >= 0)
			close(nl);
		return probe_fail(ctx, CAUSE_OTHER, "turn forwarding off: %s",
				  strerror(-err));
	}
	result = with_device(ctx, nl);
	procfile_write(FORWARDING, forwarding);
	close(nl);
	return result;
}

const struct probe probe_rt6_probe = {
	.name = "rt6_probe",
	.summary = "count the UDP packets that many senders get through an "
		   "IPv6 gateway route",
	.needs = needs,
	.params = params,
	.cpu = PROBE_ANY_CPU,
	.run = rt6_probe_run,
};
