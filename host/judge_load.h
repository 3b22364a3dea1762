/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * judge_load.h - from run directories to the values that are judged
 */
#ifndef JUDGE_LOAD_H
#define JUDGE_LOAD_H

#include "judge.h"
#include "judge_options.h"
#include "units.h"

/* The boots of one kernel and where each comes from. */
struct judge_values {
	struct judge_runs runs; /* oriented: larger is worse */
	char **from;		/* one a boot */
	size_t capped, dropped; /* values at a cap; runs without values */
	char *why_dropped;	/* of the last run dropped, or NULL */
};

struct judge_input {
	char *metric; /* STEP.METRIC, or what the values of a file are called */
	enum unit unit;
	bool lower;	    /* is better */
	bool deterministic; /* virtual time */
	struct judge_values group[GROUPS];
};

/**
 * judge_load() - read all runs of a command line, or end the program
 * @input:	where to store them; judge_load_free() frees it
 * @options:	which runs and how
 *
 * Refuses with a message runs that are incomplete, that do not compare, or
 * that are one boot twice.  Warm-ups are left out; a capped value is at least
 * as bad as every other.  A run whose step did not pass gives no boot.
 */
void judge_load(struct judge_input *input, const struct judge_options *options);
void judge_load_free(struct judge_input *input);

/**
 * judge_load_file() - read the values of a plain file, or end the program
 * @values:	where to add its boots, not oriented
 * @path:	a file: one boot a line, values between blanks, # comments
 */
void judge_load_file(struct judge_values *values, const char *path);

/**
 * judge_values_add() - add a boot
 * @values:	where to
 * @value:	its values; taken over
 * @count:	how many, at least 1
 * @from:	where they come from; copied
 */
void judge_values_add(struct judge_values *values, double *value, size_t count,
		      const char *from);

/**
 * judge_values_free() - free the boots of a kernel
 * @values:	any; empty afterwards
 */
void judge_values_free(struct judge_values *values);

struct runs;

/**
 * judge_check_runs() - end the program if the runs must not be judged
 * @all:	all runs
 * @group:	the same by group, GROUPS of them
 * @force:	only warn of runs made under different conditions
 */
void judge_check_runs(const struct runs *all, const struct runs *group,
		      bool force);

#endif
