/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * step.h - the steps of a scenario, one after the other
 */
#ifndef STEP_H
#define STEP_H

#include <stdint.h>

struct outcome;
struct scenario;
struct step;

/**
 * steps_run() - run every step of a scenario and write its records
 * @scenario:	the scenario
 * @seed:	the run's seed
 */
void steps_run(const struct scenario *scenario, uint64_t seed);

/**
 * step_begin() - write the record that a step is about to start
 * @step:	the step
 *
 * Nothing of it is under way on a serial port any more on return.
 */
void step_begin(const struct step *step);

/**
 * step_end() - write how a step ended, as a record and for people
 * @number:	of the step, from 1
 * @step:	the step
 * @outcome:	how it ended
 * @duration_ns: how long it took
 * @exit_status: of a command; negative: the step has none
 */
void step_end(unsigned int number, const struct step *step,
	      const struct outcome *outcome, uint64_t duration_ns,
	      int exit_status);

#endif
