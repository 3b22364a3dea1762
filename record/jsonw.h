/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jsonw.h - one flat JSON object on one line
 *
 * The only writer of records: no other file of the guest prints a brace or a
 * quoted key.  A line that would not fit is cut by nobody: it is an error that
 * jsonw_end() reports.
 *
 *	struct jsonw w;
 *
 *	jsonw_begin(&w, "sample");
 *	jsonw_str(&w, "step", name);
 *	jsonw_u64(&w, "ready_ns", ready_ns);
 *	if (jsonw_end(&w))
 *		append(w.line, w.len);
 */
#ifndef JSONW_H
#define JSONW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record.h"

struct jsonw {
	char line[RECORD_LINE_MAX + 1]; /* NUL-terminated after jsonw_end() */
	size_t len;			/* bytes in @line without the NUL */
	bool overflow; /* something did not fit; the line is not usable */
};

/**
 * jsonw_begin() - start a line with its type
 * @w:		the writer; needs no initialisation
 * @type:	value of the key "type"
 */
void jsonw_begin(struct jsonw *w, const char *type);

/**
 * jsonw_str() - add a text
 * @w:		the writer
 * @key:	a name as record_name_valid() allows
 * @text:	any bytes; those that are not valid UTF-8 come out as '?'
 */
void jsonw_str(struct jsonw *w, const char *key, const char *text);

/**
 * jsonw_u64() - add an unsigned integer
 * @w:		the writer
 * @key:	a name that ends in the unit of @value
 * @value:	any value
 */
void jsonw_u64(struct jsonw *w, const char *key, uint64_t value);

/**
 * jsonw_i64() - add a signed integer
 * @w:		the writer
 * @key:	a name that ends in the unit of @value
 * @value:	any value
 */
void jsonw_i64(struct jsonw *w, const char *key, int64_t value);

/**
 * jsonw_end() - close the object and the line
 * @w:		the writer
 * Return: whether the line is whole; false if it exceeds RECORD_LINE_MAX.
 */
bool jsonw_end(struct jsonw *w);

#endif
