/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record.h - the limits and names that guest and host agree on
 *
 * docs/record-format.md is the specification; words.h has the words
 * of its values.  Nothing is here that only one side needs.
 */
#ifndef RECORD_H
#define RECORD_H

#include <stdbool.h>
#include <stddef.h>

#define RECORD_VERSION	  1
#define RECORD_LINE_MAX	  4096u	      /* bytes of a line with its LF */
#define RECORD_STREAM_MAX (64u << 20) /* bytes of a whole stream */
#define RECORD_NAME_MAX	  48u	/* bytes of a step, probe, metric or key name */
#define RECORD_FIELDS_MAX 64u	/* keys of one sample */
#define RECORD_STEPS_MAX  128u	/* steps of one scenario */
#define RECORD_OUTPUT_MAX 2048u /* raw bytes in one `output` record */

/* The results disk: how the guest finds it, and the one file on it. */
#define RESULTS_DISK_SERIAL "kverdict-results"
#define RESULTS_FILE	    "records.jsonl"

/* What the guest says on the console for the host's ears: it is there, and, on
 * a kernel without a second serial port, that the disk is wanted.
 */
#define RECORD_INIT_TEXT "# kverdict: Linux "
#define RECORD_PLUG_TEXT "# kverdict: no second serial port, the disk is wanted"

/**
 * record_name_valid() - may @name be a step, a metric or a key?
 * @name:	any string
 *
 * The grammar is [a-z][a-z0-9_]*, at most RECORD_NAME_MAX bytes, so that a
 * name needs no escape in JSON, in a shell or in a file name.
 *
 * Return: whether it may.
 */
bool record_name_valid(const char *name);

#endif
