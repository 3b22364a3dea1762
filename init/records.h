/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * records.h - the records that init itself writes, but for `end`
 *
 * docs/record-format.md says what they hold.  `run` must come first: notes
 * taken before it wait for it.
 */
#ifndef RECORDS_H
#define RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct outcome;
struct step;

/* What the `run` record says; docs/record-format.md explains each. */
struct run_info {
	const char *kernel, *scenario, *mode, *clocksource, *cmdline;
	uint64_t seed, cpus, mem_kib, steps;
	bool may_skip, disk;
};

/**
 * records_run() - the first record, and the notes taken before it
 * @info:	what it says; a command line that does not fit is cut
 */
void records_run(const struct run_info *info);

/**
 * records_has_run() - was the `run` record written?
 * Return: whether it was.
 */
bool records_has_run(void);

/**
 * records_step_begin() - a step is about to start
 * @step:	the step
 * @time_ns:	the clock at that moment
 */
void records_step_begin(const struct step *step, uint64_t time_ns);

/**
 * records_step_end() - a step has ended
 * @step:	the step
 * @outcome:	how
 * @duration_ns: how long it took
 * @exit_status: of a command; negative: the step has none
 */
void records_step_end(const struct step *step, const struct outcome *outcome,
		      uint64_t duration_ns, int exit_status);

/**
 * records_note() - something a reader should know
 * @step:	the step's name, or NULL if it belongs to none
 * @fmt:	the text, as for printf()
 */
__attribute__((format(printf, 2, 3))) void records_note(const char *step,
							const char *fmt, ...);

/**
 * records_output() - a piece of what a command wrote
 * @fd:		1 or 2
 * @bytes:	the piece
 * @len:	bytes of it, at most RECORD_OUTPUT_MAX
 * Return: false if the stream has no room for it.
 */
bool records_output(int fd, const unsigned char *bytes, size_t len);

#endif
