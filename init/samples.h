/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * samples.h - the file behind descriptor 3, and the records it becomes
 */
#ifndef SAMPLES_H
#define SAMPLES_H

#include <stdint.h>

struct statement;
struct step;

#define SAMPLES_BYTES_MAX (16u << 20) /* that are read of such a file */

/**
 * samples_open() - an empty file without a name, in memory
 * Return: its descriptor, above those of children, or -1 with errno.
 */
int samples_open(void);

/**
 * samples_take() - turn what a step wrote into records, and close the file
 * @fd:		from samples_open()
 * @step:	the step that wrote it
 * @begin_ns:	when the step began
 * @said:	where to store what it said of itself
 * Return: NULL, or why records are missing.
 */
const char *samples_take(int fd, const struct step *step, uint64_t begin_ns,
			 struct statement *said);

#endif
