/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rng.h - numbers that follow from the seed and from nothing else
 *
 * SplitMix64 (Steele, Lea, Flood 2014): one word of state, any seed is good,
 * and hashing a counter is as good as iterating.
 */
#ifndef RNG_H
#define RNG_H

#include <stdint.h>

/**
 * rng_hash() - an independent number for each pair
 * @seed:	the seed of the run
 * @index:	which number of it
 * Return: 64 uniform bits.
 */
uint64_t rng_hash(uint64_t seed, uint64_t index);

/**
 * rng_between() - as rng_hash(), within a range
 * @seed:	the seed of the run
 * @index:	which number of it
 * @min:	smallest value
 * @max:	largest value, at least @min
 * Return: a value within [@min, @max]; its bias is below 2^-32 for ranges
 *	   below 2^32.
 */
uint64_t rng_between(uint64_t seed, uint64_t index, uint64_t min, uint64_t max);

/**
 * rng_mac() - a locally administered unicast MAC address
 * @mac:	where to store it
 * @seed:	the seed of the run
 * @index:	which address of it
 */
void rng_mac(unsigned char mac[6], uint64_t seed, uint64_t index);

#endif
