/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rundir.h - run directories, and which of them belong together
 */
#ifndef RUNDIR_H
#define RUNDIR_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "die.h"
#include "stream.h"

#define RUNDIR_RUN   "run.json"
#define RUNDIR_INDEX "index.json"

struct rundir {
	char *path;
	json_t *info;	    /* run.json, an object; NULL if there is none */
	char *info_problem; /* why @info is NULL */
	struct stream stream;
};

struct runs {
	struct rundir *run;
	size_t count;
};

/* What several runs are wanted for. */
enum runs_use {
	RUNS_POOL,    /* one kernel: their values go into one table */
	RUNS_COMPARE, /* the kernels may differ, and nothing else */
};

/**
 * runs_open() - read run directories and ensemble folders
 * @runs:	needs no initialisation; free with runs_free() in any case
 * @paths:	run directories, or folders whose index.json names some
 * @count:	how many, at least 1
 *
 * An incomplete run is read too; its stream says so.  What cannot be read is
 * told on stderr.
 *
 * Return: STATUS_GOOD, or STATUS_USAGE if one of them is not there or is none.
 */
enum status runs_open(struct runs *runs, const char *const *paths,
		      size_t count);

/**
 * runs_free() - free what runs_open() read
 * @runs:	from runs_open(), or zeroed
 */
void runs_free(struct runs *runs);

/**
 * runs_difference() - may these runs be put side by side?
 * @runs:	any runs
 * @use:	what for
 *
 * They must agree in QEMU version, image, scenario, guest size, accelerator
 * and mode; to be pooled in the kernel and its command line too.  Kernels that
 * are compared with their own modules have different images: there the commit
 * of this project must agree instead.
 *
 * Return: NULL if they may, else the first difference in words; the caller
 *	   frees it.
 */
char *runs_difference(const struct runs *runs, enum runs_use use);

/**
 * runs_repetition() - is one of these runs no new evidence?
 * @runs:	any runs
 *
 * A boot in deterministic mode is its kernel and its seed; a second one is the
 * same boot once more.  In real time every boot counts, but not a copy of it.
 *
 * Return: NULL if all count, else which two are one; the caller frees it.
 */
char *runs_repetition(const struct runs *runs);

/**
 * runs_seeds() - the seeds of the runs that are complete
 * @runs:	any runs
 * Return: such as "1-4, 7"; the caller frees it.
 */
char *runs_seeds(const struct runs *runs);

/**
 * rundir_cmdline() - the kernel's command line, less what each boot has of
 *		      its own: the seed and the measured rate of a counter
 * @run:	a run
 * Return: its words, a blank around each; the caller frees it.
 */
char *rundir_cmdline(const struct rundir *run);

/**
 * rundir_text() - a text of run.json
 * @run:	a run
 * @key:	its key; "outcome.message" is the key message in outcome
 * Return: the text, which lives as long as @run, or NULL.
 */
const char *rundir_text(const struct rundir *run, const char *key);

/**
 * rundir_number() - a number of run.json
 * @run:	a run
 * @key:	its key, as for rundir_text()
 * @missing:	what to return where it is not
 * Return: the number.
 */
double rundir_number(const struct rundir *run, const char *key, double missing);

#endif
