/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * summary_why.h - what a step's trace says about why it took as long
 */
#ifndef SUMMARY_WHY_H
#define SUMMARY_WHY_H

#include <stdio.h>

#include "metrics.h"
#include "stream.h"

/**
 * summary_why() - for each traced step, the work that waited longest in all
 * @out:	where to
 * @m:		what the run measured, for its first metric
 * @s:		the records of the run
 */
void summary_why(FILE *out, const struct metrics *m, const struct stream *s);

#endif
