/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * flat.h - one line of a record stream, checked by itself
 *
 * Everything that docs/record-format.md says of a single record is a row of
 * one table here; what it says of their order is in stream.c.
 */
#ifndef FLAT_H
#define FLAT_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

#include "words.h"

/* The two events of a `step` record have different keys: two kinds. */
enum flat_kind {
	FLAT_RUN,
	FLAT_STEP_BEGIN,
	FLAT_STEP_END,
	FLAT_METRIC,
	FLAT_SAMPLE,
	FLAT_TRACE,
	FLAT_NOTE,
	FLAT_OUTPUT,
	FLAT_END,
};

/**
 * flat_parse() - a line as a flat JSON object that keeps every rule of its kind
 * @line:	any bytes, need not end with a NUL
 * @len:	how many, without the line end
 * @kind:	where to store what it is; untouched on failure
 * @why:	where to store the reason on failure; the caller frees it
 *
 * Keys that this version does not know are accepted if they are flat, so that
 * the format can grow; other kinds of record are not.
 *
 * Return: the object, which the caller releases, or NULL.
 */
json_t *flat_parse(const char *line, size_t len, enum flat_kind *kind,
		   char **why);

/**
 * flat_text() - the text of a key
 * @record:	from flat_parse()
 * @key:	a key that is a text, if it is there
 * Return: the text, which lives as long as @record, or NULL.
 */
const char *flat_text(const json_t *record, const char *key);

/**
 * flat_number() - the number of a key
 * @record:	from flat_parse()
 * @key:	a key that is an integer, if it is there
 * @missing:	what to return where it is not
 * Return: the number.
 */
int64_t flat_number(const json_t *record, const char *key, int64_t missing);

/**
 * flat_word() - which of a list of words a key has
 * @record:	from flat_parse()
 * @key:	a key that is one of @words, if it is there
 * @words:	one of the lists of words.h
 * @missing:	what to return where it is not
 * Return: the index in @words.
 */
int flat_word(const json_t *record, const char *key, const char *const *words,
	      int missing);

#endif
