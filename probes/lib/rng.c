// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * rng.c - numbers that follow from the seed and from nothing else
 */
#include "rng.h"

#include <string.h>

/* The increment and the mixer that SplitMix64 is defined by. */
static uint64_t mix(uint64_t x)
{
	x += 0x9e3779b97f4a7c15;
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
	x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
	return x ^ (x >> 31);
}

uint64_t rng_hash(uint64_t seed, uint64_t index)
{
	/* Mixed before they are joined, or (1, 2) and (2, 1) were the same. */
	return mix(mix(seed) ^ index);
}

uint64_t rng_between(uint64_t seed, uint64_t index, uint64_t min, uint64_t max)
{
	uint64_t number = rng_hash(seed, index);

	if (max - min == UINT64_MAX)
		return number;
	return min + number % (max - min + 1);
}

void rng_mac(unsigned char mac[6], uint64_t seed, uint64_t index)
{
	uint64_t number = rng_hash(seed, index);

	memcpy(mac, &number, 6);
	mac[0] = 0x02; /* locally administered, not a group */
}
