// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cpus.c - PID 1 on the last CPU, its children on all
 */
#include "cpus.h"

#include <errno.h>
#include <sched.h>
#include <stdbool.h>

static cpu_set_t online;
static bool known; /* false: the kernel did not tell, so nothing is pinned */

void cpus_pin_last(void)
{
	cpu_set_t last;
	int cpu = CPU_SETSIZE - 1;

	if (sched_getaffinity(0, sizeof(online), &online) < 0)
		return;
	known = true;
	while (cpu > 0 && !CPU_ISSET((size_t)cpu, &online))
		cpu--;
	CPU_ZERO(&last);
	CPU_SET((size_t)cpu, &last);
	/* Not being pinned is no reason to stop. */
	sched_setaffinity(0, sizeof(last), &last);
}

void cpus_restore(void)
{
	/* The mask came from the kernel; a CPU that went away is left out. */
	if (known)
		sched_setaffinity(0, sizeof(online), &online);
}

int cpus_pin(unsigned int cpu)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET((size_t)cpu, &one);
	return sched_setaffinity(0, sizeof(one), &one) < 0 ? errno : 0;
}

unsigned int cpus_online(void)
{
	return known ? (unsigned int)CPU_COUNT(&online) : 1;
}
