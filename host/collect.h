/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * collect.h - the two copies of a run's records become one file
 */
#ifndef COLLECT_H
#define COLLECT_H

#include <stdbool.h>
#include <stddef.h>

#include "die.h"

#define COLLECT_IMAGE  "results.img"	    /* of the results disk */
#define COLLECT_MIRROR "mirror.jsonl"	    /* what came over the serial port */
#define COLLECT_DISK   "records.disk.jsonl" /* only where the copies differ */

enum collect_from {
	COLLECT_FROM_NONE,
	COLLECT_FROM_DISK,
	COLLECT_FROM_MIRROR,
	COLLECT_FROM_KEPT, /* collected before; both sources are gone */
};

struct collect_result {
	enum status status; /* as collect_run() returned it */
	enum collect_from from;
	bool complete;	 /* records.jsonl is there and has a valid end */
	bool spent;	 /* complete, so the sources are no longer needed */
	size_t records;	 /* in records.jsonl */
	char *disk_note; /* why the disk's copy was not taken, or NULL */
	char *message;	 /* what was collected and what is missing */
};

/**
 * collect_run() - make records.jsonl out of results.img and mirror.jsonl
 * @dir:	a run directory
 * @result:	what came of it, needs no initialisation; free with
 *		collect_free()
 *
 * Takes the disk's copy if it is complete, else the mirror's, else what is
 * valid of the longer one.  Removes neither source and leaves no other file
 * behind.  If both are complete and differ, the channel to the host is broken:
 * the disk's copy is kept as records.disk.jsonl, the mirror's where it is, and
 * there is no records.jsonl.
 *
 * Return: STATUS_GOOD if records.jsonl is complete, STATUS_CANNOT_TELL if it is
 *	   not, STATUS_HOST if the copies differ or it cannot be written,
 *	   STATUS_USAGE if there is no such directory.
 */
enum status collect_run(const char *dir, struct collect_result *result);

/**
 * collect_free() - free what a result holds
 * @result:	from collect_run()
 */
void collect_free(struct collect_result *result);

/**
 * collect_word() - the source of the records in the word of run.json
 * @from:	where they came from
 * Return: "disk", "mirror", "none" or "kept".
 */
const char *collect_word(enum collect_from from);

#endif
