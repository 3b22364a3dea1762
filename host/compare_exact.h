/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compare_exact.h - are the records of two runs the same, to the byte?
 */
#ifndef COMPARE_EXACT_H
#define COMPARE_EXACT_H

#include <stdio.h>

#include "die.h"

/**
 * compare_exact() - say whether two runs have the same records
 * @out:	where to say it
 * @a:		a run directory
 * @b:		another
 *
 * Return: STATUS_GOOD if they are identical, STATUS_BAD if not, with the first
 *	   record that differs shown; STATUS_CANNOT_TELL if one has no valid
 *	   `end`, STATUS_USAGE if one is not there; for these stderr tells which.
 */
enum status compare_exact(FILE *out, const char *a, const char *b);

#endif
