/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe.h - the process of a probe or an antagonist
 */
#ifndef PROBE_H
#define PROBE_H

#include <stdbool.h>
#include <stdint.h>

#include "child.h"

struct outcome;
struct step;

struct probe {
	struct child child;
	const struct step *step;
	int records; /* what it writes to descriptor 3 */
	uint64_t begin_ns;
};

/**
 * probe_start() - run `/bin/probe NAME KEY=VALUE... seed=N`
 * @probe:	where to store it
 * @step:	what to run
 * @seed:	the run's seed
 * @ready:	becomes descriptor 4; negative: none
 * @outcome:	on failure: why not
 * Return: whether it runs; probe_end() must be called then.
 */
bool probe_start(struct probe *probe, const struct step *step, uint64_t seed,
		 int ready, struct outcome *outcome);

/**
 * probe_end() - wait for the end of a probe and take its records
 * @probe:	the probe
 * @deadline_ns: when it is killed, by clock_mono_ns()
 * @outcome:	how it ended
 *
 * Nothing of its process group is left afterwards, but for what cannot be
 * killed.
 */
void probe_end(struct probe *probe, uint64_t deadline_ns,
	       struct outcome *outcome);

#endif
