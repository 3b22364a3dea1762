// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tsc_khz.c - how fast this host's time stamp counter runs
 *
 * An emulated guest in real time reads the host's counter, and has to find out
 * its frequency by timing it against an emulated timer.  On a busy host that
 * goes wrong by a factor (246 MHz for 2,445 was seen), and with it every time
 * the guest measures.  So the host measures it, and says so on the kernel's
 * command line.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "clock.h"
#include "commands.h"
#include "die.h"

#define ROUNDS	 5u
#define ROUND_NS (10u * NS_PER_MS)

#ifdef __x86_64__
static uint64_t raw_ns(void)
{
	struct timespec now;

	/* Cannot fail: Linux has had this clock since 2.6.28. */
	clock_gettime(CLOCK_MONOTONIC_RAW, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

/*
 * A pair of both clocks, read close together: of some tries the one whose
 * readings of the clock lie closest, so that no interruption is between them.
 */
static void read_pair(uint64_t *ticks, uint64_t *ns)
{
	uint64_t best = UINT64_MAX;

	for (unsigned int i = 0; i < 20; i++) {
		uint64_t before = raw_ns();
		uint64_t now = __builtin_ia32_rdtsc();
		uint64_t after = raw_ns();

		if (after - before >= best)
			continue;
		best = after - before;
		*ticks = now;
		*ns = before + best / 2;
	}
}

/* Return: kHz, rounded to MHz, so that runs on one host have the same. */
static uint64_t measure_khz(void)
{
	uint64_t begin_ticks = 0, begin_ns = 0, ticks = 0, ns = 0;
	double mhz;

	read_pair(&begin_ticks, &begin_ns);
	for (unsigned int i = 0; i < ROUNDS; i++) {
		struct timespec pause = { .tv_nsec = ROUND_NS };

		nanosleep(&pause, NULL);
	}
	read_pair(&ticks, &ns);
	mhz = (double)(ticks - begin_ticks) * 1e3 / (double)(ns - begin_ns);
	return (uint64_t)(mhz + 0.5) * 1000;
}
#else
static uint64_t measure_khz(void)
{
	return 0;
}
#endif

int tsc_khz_main(int argc, char **argv)
{
	uint64_t khz;

	if (argc == 2 && !strcmp(argv[1], "--help")) {
		fputs("Usage: kverdict tsc-khz\n\n"
		      "Print the frequency of this host's time stamp counter\n"
		      "in kHz, rounded to MHz.\n",
		      stdout);
		return STATUS_GOOD;
	}
	if (argc > 1)
		die(STATUS_USAGE,
		    "tsc-khz takes no words: see kverdict tsc-khz --help");
	khz = measure_khz();
	if (khz == 0)
		die(STATUS_HOST, "this host has no time stamp counter");
	printf("%" PRIu64 "\n", khz);
	return STATUS_GOOD;
}
