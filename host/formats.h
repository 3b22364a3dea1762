/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * formats.h - runs in the formats of other programs
 */
#ifndef FORMATS_H
#define FORMATS_H

#include <stdio.h>

#include "rundir.h"

/**
 * formats_ktap() - KTAP version 1, as Documentation/dev-tools/ktap.rst of
 *		    Linux describes it
 * @out:	where to
 * @runs:	one, whose steps are the tests; or several, each a test whose
 *		steps are its subtests
 */
void formats_ktap(FILE *out, const struct runs *runs);

/**
 * formats_junit() - JUnit XML: a testsuite a run, a testcase a step
 * @out:	where to
 * @runs:	any
 */
void formats_junit(FILE *out, const struct runs *runs);

/**
 * formats_json() - all that a summary says, as one JSON object
 * @out:	where to
 * @runs:	any
 */
void formats_json(FILE *out, const struct runs *runs);

/**
 * formats_histogram() - how the values of each metric are spread, a line each
 * @out:	where to
 * @runs:	the runs, pooled
 *
 * The bars are those of Unicode where the locale has UTF-8.
 */
void formats_histogram(FILE *out, const struct runs *runs);

#endif
