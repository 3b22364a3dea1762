/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * results.h - the record stream: in memory, on the mirror, on the disk
 *
 * The only writer of either channel.  Records are collected in memory and
 * reach the mirror when results_flush() is called, which is between steps; the
 * disk is written once, at the end, with the same bytes.
 */
#ifndef RESULTS_H
#define RESULTS_H

#include <stdbool.h>
#include <stddef.h>

struct jsonw;

/**
 * results_open() - open the mirror
 * Return: false where this guest has no second serial port.
 */
bool results_open(void);

/**
 * results_add() - add a record that the stream can do without
 * @line:	the record with its LF
 * @len:	bytes of @line
 *
 * For samples, metrics, notes and output: they leave room for what must not be
 * missing.
 *
 * Return: false if there is no room left.
 */
bool results_add(const char *line, size_t len);

/**
 * results_add_needed() - add a record that the stream cannot do without
 * @line:	the record with its LF
 * @len:	bytes of @line
 *
 * For `run`, `step` and `end`.  The room kept for them holds the records of as
 * many steps as a scenario may have.
 */
void results_add_needed(const char *line, size_t len);

/**
 * results_flush() - send what was added since the last time to the mirror
 *
 * Returns when the last byte has left the port.  A mirror that takes nothing
 * for 10 s is given up; the stream goes on in memory.
 */
void results_flush(void);

/**
 * results_end() - add the `end` record
 */
void results_end(void);

/**
 * results_stream() - the whole stream so far
 * @len:	where to store how many bytes it has
 * Return: its bytes.
 */
const char *results_stream(size_t *len);

#endif
