/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report.h - one page that shows what some runs measured
 */
#ifndef REPORT_H
#define REPORT_H

#include <stdio.h>

#include "contrast.h"
#include "sides.h"

/* A comparison of the first side with another, or why there is none. */
struct report_pair {
	bool made;
	struct contrast contrast; /* if it was made */
	char *refused;		  /* why it should not have been, or NULL */
};

struct report {
	const struct sides *sides;
	struct report_pair *pair; /* one less than there are sides */
};

/**
 * report_page() - write the whole page
 * @out:	where to
 * @report:	what to show
 *
 * The page needs nothing but itself; what a guest wrote is text in it.
 *
 * Return: whether every plot could be drawn.
 */
bool report_page(FILE *out, const struct report *report);

/**
 * report_side() - what booted on one side, where, and how to do it again
 * @out:	where to
 * @side:	the side
 * @number:	of the side, from 0
 */
void report_side(FILE *out, const struct side *side, size_t number);

/**
 * report_pair() - the table of a comparison
 * @out:	where to
 * @pair:	the comparison
 * @number:	of the other side
 */
void report_pair(FILE *out, const struct report_pair *pair, size_t number);

/**
 * report_values() - the table of a single side
 * @out:	where to
 * @side:	the side
 */
void report_values(FILE *out, const struct side *side);

/**
 * report_letter() - what a side is called
 * @number:	from 0
 * Return: A, B and so on.
 */
char report_letter(size_t number);

#endif
