/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sched.h - affinity and policy by raw system calls, read back
 *
 * musl's sched_setscheduler() and its kin always fail, and none of them knows
 * SCHED_DEADLINE.
 */
#ifndef PROBE_SCHED_H
#define PROBE_SCHED_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* What a task is to get; the fields a policy has no use for are 0. */
struct sched_policy {
	uint32_t policy;   /* SCHED_OTHER, SCHED_FIFO or SCHED_DEADLINE */
	int32_t nice;	   /* SCHED_OTHER: -20..19 */
	uint32_t priority; /* SCHED_FIFO: 1..99 */
	uint64_t runtime_ns, period_ns; /* SCHED_DEADLINE */
};

/**
 * sched_use_all_cpus() - undo whatever affinity was inherited
 * Return: how many CPUs this process may run on.
 */
int sched_use_all_cpus(void);

/**
 * sched_cpu_usable() - may this process run on a CPU?
 * @cpu:	its number
 * Return: whether the present affinity has it.
 */
bool sched_cpu_usable(int cpu);

/**
 * sched_last_cpu() - the highest CPU this process may run on, but for one
 * @except:	the CPU not to take; -1 takes any
 * Return: its number, or -1 where there is no other.
 */
int sched_last_cpu(int except);

/**
 * sched_pin() - run on one CPU only, and read it back
 * @cpu:	its number
 * Return: 0, -EXDEV if the kernel gave another affinity, or a negative errno.
 */
int sched_pin(int cpu);

/**
 * sched_pinned() - is a task pinned to exactly one CPU?
 * @pid:	the task, 0 for the caller
 * @cpu:	the CPU
 * Return: whether its affinity is that CPU alone.
 */
bool sched_pinned(pid_t pid, int cpu);

/**
 * sched_set() - give the calling task a policy
 * @want:	the policy
 * Return: 0 or a negative errno.
 */
int sched_set(const struct sched_policy *want);

/**
 * sched_has() - read a task's policy back
 * @pid:	the task, 0 for the caller
 * @want:	what it should be
 * Return: whether the kernel says exactly that.
 */
bool sched_has(pid_t pid, const struct sched_policy *want);

#endif
