// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sched.c - affinity and policy by raw system calls, read back
 */
#include "sched.h"

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SCHED_DEADLINE
#define SCHED_DEADLINE 6
#endif

/*
 * The first version of the kernel's struct sched_attr (sched_setattr(2)).
 * linux/sched/types.h has it, but before 6.2 it clashes with <sched.h>.
 */
struct attr {
	uint32_t size;
	uint32_t policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t runtime_ns;
	uint64_t deadline_ns;
	uint64_t period_ns;
};

int sched_use_all_cpus(void)
{
	cpu_set_t set;

	/* The kernel takes what exists of it; a refusal leaves what was. */
	memset(&set, 0xff, sizeof(set));
	sched_setaffinity(0, sizeof(set), &set);
	if (sched_getaffinity(0, sizeof(set), &set) < 0)
		return 1;
	return CPU_COUNT(&set);
}

bool sched_cpu_usable(int cpu)
{
	cpu_set_t set;

	return cpu >= 0 && cpu < CPU_SETSIZE &&
	       sched_getaffinity(0, sizeof(set), &set) == 0 &&
	       CPU_ISSET(cpu, &set);
}

int sched_last_cpu(int except)
{
	for (int cpu = CPU_SETSIZE - 1; cpu >= 0; cpu--)
		if (cpu != except && sched_cpu_usable(cpu))
			return cpu;
	return -1;
}

int sched_pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set) < 0)
		return -errno;
	return sched_pinned(0, cpu) ? 0 : -EXDEV;
}

bool sched_pinned(pid_t pid, int cpu)
{
	cpu_set_t set;

	return sched_getaffinity(pid, sizeof(set), &set) == 0 &&
	       CPU_COUNT(&set) == 1 && CPU_ISSET(cpu, &set);
}

int sched_set(const struct sched_policy *want)
{
	struct attr attr = {
		.size = sizeof(attr),
		.policy = want->policy,
		.nice = want->nice,
		.priority = want->priority,
		.runtime_ns = want->runtime_ns,
		.deadline_ns = want->period_ns,
		.period_ns = want->period_ns,
	};

	return syscall(SYS_sched_setattr, 0, &attr, 0) < 0 ? -errno : 0;
}

bool sched_has(pid_t pid, const struct sched_policy *want)
{
	struct attr attr = { 0 };

	if (syscall(SYS_sched_getattr, pid, &attr, sizeof(attr), 0) < 0)
		return false;
	if (attr.policy != want->policy)
		return false;
	switch (want->policy) {
	case SCHED_OTHER:
		return attr.nice == want->nice;
	case SCHED_FIFO:
		return attr.priority == want->priority;
	default:
		return attr.runtime_ns == want->runtime_ns &&
		       attr.period_ns == want->period_ns;
	}
}
