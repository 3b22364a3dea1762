/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * take.h - what one record adds to a stream, or why it may not stand there
 */
#ifndef TAKE_H
#define TAKE_H

#include <jansson.h>
#include <stdbool.h>

#include "flat.h"
#include "stream.h"

/* A stream while it is read; begins with @s and @key_index set. */
struct take {
	struct stream *s;
	json_t *key_index; /* name of a key -> index in s->keys */
	bool open;	   /* the last step has no end yet */
};

/**
 * take_record() - add a record to the stream
 * @r:		the stream so far
 * @record:	from flat_parse()
 * @kind:	what it is
 * Return: NULL, or why it may not stand here; the caller frees it, and the
 *	   stream is as if the record had never come.
 */
char *take_record(struct take *r, json_t *record, enum flat_kind kind);

#endif
