/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cpus.h - PID 1 on the last CPU, its children on all
 */
#ifndef CPUS_H
#define CPUS_H

/**
 * cpus_pin_last() - move this process to the last CPU
 *
 * Antagonists take the first ones, and must not take PID 1 with them.
 */
void cpus_pin_last(void);

/**
 * cpus_restore() - let this process run on every CPU that was online at boot
 */
void cpus_restore(void);

/**
 * cpus_pin() - let this process run on one CPU alone
 * @cpu:	the CPU
 * Return: 0 or an errno.
 */
int cpus_pin(unsigned int cpu);

/**
 * cpus_online() - how many CPUs were online at boot
 * Return: the number, at least 1.
 */
unsigned int cpus_online(void);

#endif
