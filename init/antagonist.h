/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * antagonist.h - load beside the probes, from its start to its stop
 */
#ifndef ANTAGONIST_H
#define ANTAGONIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct outcome;
struct step;

/**
 * antagonist_start() - start one, and wait until its load is up
 * @index:	of the step, which its stop refers to
 * @step:	the step
 * @seed:	the run's seed
 * @outcome:	how it went
 */
void antagonist_start(size_t index, const struct step *step, uint64_t seed,
		      struct outcome *outcome);

/**
 * antagonist_stop() - stop one, and take what it measured
 * @step:	the step
 * @outcome:	how it went; not a pass if it had ended before
 */
void antagonist_stop(const struct step *step, struct outcome *outcome);

/**
 * antagonist_missing() - is one not running that was asked for?
 *
 * Looks also for those that ended by themselves since the last call, and kills
 * what they left.
 *
 * Return: the name of the step that should have started it, or NULL.
 */
const char *antagonist_missing(void);

#endif
