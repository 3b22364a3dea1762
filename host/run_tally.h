/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run_tally.h - what the records of one boot say about its course
 */
#ifndef RUN_TALLY_H
#define RUN_TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "run_outcome.h"

struct tally {
	bool run_seen, end_seen;
	char *kernel; /* the release, or NULL */
	char *fatal;  /* why /init could not go on, or NULL */
	uint64_t asked_steps, samples;
	uint64_t measured;     /* of the samples: not by an antagonist */
	uint64_t output_bytes; /* that the command wrote */
	bool may_skip, disk;
	struct outcome_step *steps;
	size_t step_count;
	uint64_t step_timeout_s; /* of the step that runs; 0 between steps */
	int64_t command_status;	 /* -1: no command has ended */
	/* Gets what the command wrote, as it comes; NULL drops it. */
	void (*output)(int fd, const void *bytes, size_t len);
};

/**
 * tally_line() - take in one more record
 * @t:		a struct tally, at first all zeros but for command_status -1
 * @line:	the line without its LF
 * @len:	its length
 *
 * Lines that are no records are passed over: whether the stream is whole is
 * for collecting to say.
 */
void tally_line(struct tally *t, const char *line, size_t len);

/**
 * tally_free() - free what a tally holds
 * @t:	any tally; all zeros afterwards but for command_status
 */
void tally_free(struct tally *t);

#endif
