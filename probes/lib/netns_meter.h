/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * netns_meter.h - how many network namespaces the kernel has not destroyed
 */
#ifndef NETNS_METER_H
#define NETNS_METER_H

#include <stdint.h>

#define NETNS_LIMIT_FILE "/proc/sys/user/max_net_namespaces"

struct netns_meter {
	int home_fd;	   /* the namespace to return to */
	int marker_fd;	   /* keeps the one that counting others created */
	unsigned int base; /* namespaces that are not ours */
	int64_t limit;	   /* to be put back */
};

/**
 * netns_meter_open() - count the namespaces that exist now
 * @m:		the meter; valid for netns_meter_close() in any case
 * @settle_ns:	how long those of an earlier step get to be gone
 * Return: 0 or a negative errno.
 */
int netns_meter_open(struct netns_meter *m, uint64_t settle_ns);

/**
 * netns_meter_allow() - raise the limit, so that namespaces can be created
 * @m:		the meter
 * @count:	how many there will be, besides those counted before
 * Return: 0 or a negative errno.
 */
int netns_meter_allow(const struct netns_meter *m, unsigned int count);

/**
 * netns_meter_wait() - wait until those created since are destroyed
 * @m:		the meter
 * @deadline_ns: of clock_mono_ns()
 * Return: how many are left, 0 if none, or a negative errno.
 */
int netns_meter_wait(const struct netns_meter *m, uint64_t deadline_ns);

/**
 * netns_meter_go_home() - return to the namespace of netns_meter_open()
 * @m:		the meter
 * Return: 0 or a negative errno.
 */
int netns_meter_go_home(const struct netns_meter *m);

/**
 * netns_meter_close() - put the limit back
 * @m:		the meter
 *
 * Counting leaves one or two empty namespaces behind; their destruction gets
 * some time to end before this returns.
 */
void netns_meter_close(struct netns_meter *m);

#endif
