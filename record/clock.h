/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * clock.h - the time base of every record
 */
#ifndef CLOCK_H
#define CLOCK_H

#include <stdint.h>
#include <time.h>

#define NS_PER_S  1000000000ull
#define NS_PER_MS 1000000ull
#define NS_PER_US 1000ull

/**
 * clock_mono_ns() - CLOCK_MONOTONIC in ns
 *
 * The vDSO serves it without a system call where the clocksource allows, so
 * it may stand at both ends of a timed section.
 *
 * Return: ns since an arbitrary start (the boot, on Linux).
 */
static inline uint64_t clock_mono_ns(void)
{
	struct timespec now;

	/* Cannot fail: the clock exists since Linux 2.6 and @now is valid. */
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

#endif
