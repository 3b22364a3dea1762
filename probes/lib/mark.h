/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mark.h - an address of its own for each repetition
 *
 * A debugger can stop a run in virtual time exactly once: with the stop, QEMU
 * lets the clock of an idle guest go to its next timer.  So it must not stop
 * at each repetition to count them.  Here the n-th repetition passes an
 * instruction that no other passes, at an address that is the same in every
 * build: see docs/deterministic.md.
 */
#ifndef MARK_H
#define MARK_H

#include <stdint.h>

/* How many marks there are: two for each of 1,024 repetitions. */
#define MARKS 2048u

/**
 * mark_begin() - pass the mark of a repetition that begins
 * @repetition:	which one; from 1,024 on the marks are passed again
 *
 * To stand outside the timed section, as close to it as can be.
 */
void mark_begin(uint64_t repetition);

/**
 * mark_end() - pass the mark of a repetition that has just ended
 * @repetition:	as for mark_begin()
 */
void mark_end(uint64_t repetition);

#endif
