/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scenario.h - a scenario's text as a list of steps
 *
 * Pure and strict: docs/scenario-format.md is the grammar.  What it does not
 * know is which probes there are and what they take; `probe check` does.
 */
#ifndef SCENARIO_H
#define SCENARIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record.h"
#include "words.h"

#define SCENARIO_SIZE_MAX 65536u /* bytes of a scenario */
#define SCENARIO_LINE_MAX 1024u	 /* bytes of one line, without its LF */

struct step {
	enum step_verb verb;
	unsigned int line; /* in the scenario, from 1 */
	char probe[RECORD_NAME_MAX + 1];
	char name[RECORD_NAME_MAX + 1];
	char params[SCENARIO_LINE_MAX + 1]; /* "KEY=VALUE KEY=VALUE"; of an
					     * exec also "-- COMMAND" */
	uint32_t timeout_s;
	bool trace;   /* of workqueues */
	size_t start; /* of a stop: the index of its start */
};

struct scenario {
	uint32_t smp;	  /* 0 where the scenario says nothing */
	uint32_t mem_mib; /* 0 where the scenario says nothing */
	bool may_skip;
	size_t count; /* with the stops that the scenario leaves out */
	struct step steps[RECORD_STEPS_MAX];
};

struct scenario_error {
	unsigned int line; /* from 1; 0: the scenario as a whole */
	char text[256];
};

/**
 * scenario_parse() - read a scenario
 * @scenario:	where to store it; of no use after a failure
 * @text:	the scenario; need not be NUL-terminated
 * @len:	bytes of @text
 * @error:	on failure: where and why
 *
 * A start without a stop gets one after the last step, the last start first.
 *
 * Return: whether @text is a scenario.
 */
bool scenario_parse(struct scenario *scenario, const char *text, size_t len,
		    struct scenario_error *error);

/**
 * step_param() - the value of one of a step's parameters
 * @step:	the step
 * @key:	the parameter's name
 * @value:	where to store it
 * @size:	bytes of @value; a longer one is cut
 * Return: @value, or NULL if the step does not have it.
 */
const char *step_param(const struct step *step, const char *key, char *value,
		       size_t size);

/**
 * step_command() - what stands behind the `--` of an exec step
 * @step:	the step
 * Return: the command, or NULL if there is none.
 */
const char *step_command(const struct step *step);

#endif
