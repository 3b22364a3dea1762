/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * judge_report.h - a verdict for people and for programs
 */
#ifndef JUDGE_REPORT_H
#define JUDGE_REPORT_H

#include "judge.h"
#include "judge_load.h"
#include "judge_options.h"

/* Everything that a report tells; nothing is owned. */
struct judge_case {
	const struct judge_options *options; /* the rule is that in use */
	const struct judge_input *input;
	const struct judge_refs *refs;	     /* NULL against a limit */
	const char *refused;		     /* why, or NULL */
	const struct judge_verdict *verdict; /* NULL without a candidate */
	double median; /* oriented, of the boots looked at; NaN without any */
	size_t more;   /* boots wanted; over the budget: it would not do */
};

/**
 * judge_report_word() - the word on the first line
 * @c:		any case
 * Return: good, bad, third, more, undecided, apart or refused.
 */
const char *judge_report_word(const struct judge_case *c);

/**
 * judge_report_print() - the report on stdout, the word first
 * @c:		any case
 */
void judge_report_print(const struct judge_case *c);

/**
 * judge_report_status() - the exit status of a verdict
 * @c:		any case
 * Return: an enum status.
 */
int judge_report_status(const struct judge_case *c);

/**
 * judge_report_write() - write verdict.json
 * @c:		any case
 * @path:	the file; it is replaced as a whole
 * Return: 0, or a negative errno.
 */
int judge_report_write(const struct judge_case *c, const char *path);

#endif
