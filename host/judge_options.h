/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * judge_options.h - the command lines of `kverdict judge` and `simulate`
 */
#ifndef JUDGE_OPTIONS_H
#define JUDGE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "judge.h"

enum judge_group { GROUP_GOOD, GROUP_BAD, GROUP_CANDIDATE, GROUPS };

enum judge_direction { DIRECTION_METRIC, DIRECTION_LOWER, DIRECTION_HIGHER };

/* What a run is; paths are not copied. */
struct judge_paths {
	const char **path;
	size_t count;
};

struct judge_options {
	bool help;
	struct judge_paths group[GROUPS];
	const char *metric; /* STEP.METRIC, or NULL: the only one there is */
	enum judge_direction direction;
	bool independent, force;
	const char *verdict_file;
	struct judge_rule rule;
	bool first_given; /* else it depends on the mode of the runs */

	bool limited; /* --bad-above or --bad-below: no references */
	double limit; /* in the metric's unit */
	double quantile;

	const char *family; /* simulate */
	bool same;
	uint64_t candidates, boots, seed;
};

/**
 * judge_options_parse() - read a command line, or end the program
 * @options:	where to store it; judge_options_free() frees it
 * @simulate:	it is that of `simulate`
 * @argc:	with the subcommand's name
 * @argv:	as for main(); words may change places
 */
void judge_options_parse(struct judge_options *options, bool simulate, int argc,
			 char **argv);
void judge_options_free(struct judge_options *options);

/**
 * judge_options_help() - print the options of a subcommand on stdout
 * @simulate:	those of `simulate`
 */
void judge_options_help(bool simulate);

#endif
