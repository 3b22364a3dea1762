/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * exec.h - a step that runs a program of the user's
 */
#ifndef EXEC_H
#define EXEC_H

#include <stdint.h>

struct child;
struct outcome;
struct statement;
struct step;

/**
 * exec_start() - run `/add/NAME`, or the step's command with sh
 * @child:	where to store it
 * @step:	what to run
 * @seed:	the run's seed
 * @records:	becomes descriptor 3
 *
 * The step's parameters and seed= are its environment.
 *
 * Return: 0, or a negative errno if there is no child.
 */
int exec_start(struct child *child, const struct step *step, uint64_t seed,
	       int records);

/**
 * exec_decide() - how such a program has ended
 * @outcome:	where to store it
 * @status:	as from waitpid()
 * @step:	the step
 * @said:	what it wrote to descriptor 3
 */
void exec_decide(struct outcome *outcome, int status, const struct step *step,
		 const struct statement *said);

#endif
