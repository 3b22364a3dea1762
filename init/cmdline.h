/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmdline.h - what the host asks for, from the kernel command line
 *
 * Pure: text in, struct out.  docs/guest.md has the table of parameters.
 */
#ifndef CMDLINE_H
#define CMDLINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "words.h"

#define SCENARIO_NAME_MAX 64u /* bytes of a scenario's name */

enum task { TASK_SCENARIO, TASK_COMMAND, TASK_SHELL };

struct options {
	char scenario[SCENARIO_NAME_MAX + 1];
	uint64_t seed;
	enum run_mode mode;
	enum task task;
	bool disk; /* wait for the results disk after `end` */
};

/**
 * cmdline_defaults() - what holds where the command line says nothing
 * @options:	where to store it
 */
void cmdline_defaults(struct options *options);

/**
 * cmdline_parse() - take the kv.* parameters of a command line
 * @options:	holds the defaults or an earlier result; what @text names is
 *		overwritten, the last one of a name counts
 * @text:	words separated by white space; as in the kernel, white space
 *		between double quotes does not separate
 * @error:	on failure: which word is wrong, and why
 * @size:	bytes of @error
 *
 * A wrong or unknown kv.* parameter is refused: a guest that does something
 * else than it was asked for is worse than none.
 *
 * Return: whether all kv.* words are well-formed.
 */
bool cmdline_parse(struct options *options, const char *text, char *error,
		   size_t size);

/**
 * scenario_name_valid() - may @name be a scenario's?
 * @name:	any string
 * Return: whether it matches [a-z0-9][a-z0-9_-]* within SCENARIO_NAME_MAX.
 */
bool scenario_name_valid(const char *name);

#endif
