// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * netns_meter.c - how many network namespaces the kernel has not destroyed
 *
 * Destruction is asynchronous, and nothing shows its progress: /proc and
 * /sys have no list of namespaces, and the slab cache net_namespace frees a
 * round late and merges with others.  But the kernel charges each namespace
 * to a per-user count that has a limit, from before its setup (copy_net_ns(),
 * inc_net_namespaces()) to the last step of its destruction (cleanup_net(),
 * dec_net_namespaces(), behind rcu_barrier()), in every version since 4.9.
 * A request at the limit fails with ENOSPC before it takes any lock that
 * creation or destruction needs, so the limit is a probe for the count.
 *
 * A request that does not fail creates one namespace, called a marker here.
 */
#include "netns_meter.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include "clock.h"
#include "process.h"
#include "procfile.h"

#define NETNS_SELF "/proc/self/ns/net"
#define POLL_NS	   (2 * NS_PER_MS)
#define MARKER_NS  (200 * NS_PER_MS) /* one takes 40 to 150 ms under TCG */

/*
 * Return 1 if at least @count exist; 0 if fewer, and then the caller is in a
 * marker; or a negative errno.
 */
static int at_least(unsigned int count)
{
	int err = procfile_write(NETNS_LIMIT_FILE, count);

	if (err)
		return err;
	if (unshare(CLONE_NEWNET) == 0)
		return 0;
	return errno == ENOSPC ? 1 : -errno;
}

int netns_meter_go_home(const struct netns_meter *m)
{
	return setns(m->home_fd, CLONE_NEWNET) < 0 ? -errno : 0;
}

/* Patience first: counting ends with the first marker. */
static int count_others(struct netns_meter *m, uint64_t settle_ns)
{
	uint64_t deadline_ns = clock_mono_ns() + settle_ns;
	unsigned int count = 1;
	int more;

	while ((more = at_least(count)) == 1) {
		if (clock_mono_ns() < deadline_ns)
			process_sleep_until(clock_mono_ns() + POLL_NS);
		else
			count++;
	}
	m->base = count - 1;
	return more;
}

int netns_meter_open(struct netns_meter *m, uint64_t settle_ns)
{
	int err;

	*m = (struct netns_meter){ .home_fd = -1, .marker_fd = -1 };
	err = procfile_read(NETNS_LIMIT_FILE, &m->limit);
	if (err)
		return err;
	m->home_fd = open(NETNS_SELF, O_RDONLY | O_CLOEXEC);
	if (m->home_fd < 0)
		return -errno;

	err = count_others(m, settle_ns);
	if (err)
		return err;
	/* Kept, so that no destruction goes on while something is measured. */
	m->marker_fd = open(NETNS_SELF, O_RDONLY | O_CLOEXEC);
	if (m->marker_fd < 0)
		err = -errno;
	if (netns_meter_go_home(m) < 0)
		err = -errno;
	return err;
}

int netns_meter_allow(const struct netns_meter *m, unsigned int count)
{
	return procfile_write(NETNS_LIMIT_FILE, m->base + 1 + count);
}

int netns_meter_wait(const struct netns_meter *m, uint64_t deadline_ns)
{
	unsigned int none = m->base + 2; /* others and the marker, and one */
	unsigned int count = none;
	int more;

	while ((more = at_least(count)) == 1) {
		if (clock_mono_ns() < deadline_ns)
			process_sleep_until(clock_mono_ns() + POLL_NS);
		else
			count++;
	}
	if (more == 0)
		more = netns_meter_go_home(m);
	return more < 0 ? more : (int)(count - none);
}

void netns_meter_close(struct netns_meter *m)
{
	if (m->home_fd < 0)
		return;
	procfile_write(NETNS_LIMIT_FILE, m->limit);
	if (m->marker_fd >= 0)
		close(m->marker_fd);
	close(m->home_fd);
	/* The one wait here that is not for an event: there is none to see. */
	process_sleep_until(clock_mono_ns() + MARKER_NS);
}
