/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cases.h - a run as the test cases that other programs know
 */
#ifndef CASES_H
#define CASES_H

#include "rundir.h"

struct test_case {
	char *name;		  /* "readiness", "start hog", or "run" */
	enum step_result result;  /* RESULT_NONE: it did not end, or begin */
	const char *cause;	  /* a word of record_causes, or "" */
	char *reason;		  /* harmless, on one line; "" if it passed */
	double duration_s;	  /* 0 where it is not known */
	struct stream_step *step; /* NULL for the run itself and what never
				     began */
};

struct cases {
	struct test_case *list;
	size_t count;
};

/**
 * cases_read() - the run as a whole, then its steps
 * @cases:	needs no initialisation; free with cases_free()
 * @run:	any run, which must live as long as @cases
 *
 * The case "run" fails if the records are incomplete, or if the boot's outcome
 * was not 0 and no step says why.
 */
void cases_read(struct cases *cases, const struct rundir *run);

/**
 * cases_free() - free what cases_read() made
 * @cases:	from cases_read()
 */
void cases_free(struct cases *cases);

/**
 * cases_run_name() - a name for a run
 * @run:	any run
 * Return: kernel, scenario and seed, harmless; the caller frees it.
 */
char *cases_run_name(const struct rundir *run);

/**
 * cases_values() - what a step measured, a line a metric
 * @run:	its run
 * @step:	the step, or NULL
 * @count:	where to store how many lines there are
 * Return: the lines, harmless; free each, and the array.
 */
char **cases_values(const struct rundir *run, const struct stream_step *step,
		    size_t *count);

#endif
