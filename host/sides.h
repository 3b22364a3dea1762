/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sides.h - the runs of a command line, by the kernel they belong to
 */
#ifndef SIDES_H
#define SIDES_H

#include <stddef.h>

#include "die.h"
#include "rundir.h"

/* The boots of one kernel under one condition. */
struct side {
	char *label; /* made harmless, for people */
	struct runs runs;
};

struct sides {
	struct side *side;
	size_t count;
};

/**
 * sides_pair() - the two sides of a comparison
 * @sides:	needs no initialisation; free with sides_free() in any case
 * @words:	A B, A... -- B..., or the folder of a bisect, whose ends they
 *		are; a run directory, an ensemble folder, or a folder with
 *		seed-N/ in it
 * @count:	how many words
 *
 * Return: STATUS_GOOD, or STATUS_USAGE if they are not two sides or a run is
 *	   not there, which stderr tells.
 */
enum status sides_pair(struct sides *sides, char *const *words, size_t count);

/**
 * sides_group() - any number of runs, grouped by what may be pooled
 * @sides:	as for sides_pair()
 * @words:	runs, folders of them, and those of a bisect; LABEL=RUN names
 *		the side of a run
 * @count:	how many words, at least 1
 *
 * The side of a run without a LABEL is the first with which it may be pooled.
 *
 * Return: as sides_pair().
 */
enum status sides_group(struct sides *sides, char *const *words, size_t count);

/**
 * sides_free() - free what was read
 * @sides:	from sides_pair() or sides_group(), or zeroed
 */
void sides_free(struct sides *sides);

#endif
