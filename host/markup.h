/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * markup.h - texts of a guest inside XML and HTML
 */
#ifndef MARKUP_H
#define MARKUP_H

#include <stdio.h>

#include "die.h"

/**
 * markup_text() - write a text so that no markup can be in it
 * @out:	where to
 * @text:	any bytes
 *
 * Good between tags and in quoted attributes.  What XML 1.0 forbids and
 * control characters become '?'.
 */
void markup_text(FILE *out, const char *text);

/**
 * markup_printf() - as markup_text(), with a format
 * @out:	where to
 * @fmt:	as for printf(); all of it is escaped
 */
void markup_printf(FILE *out, const char *fmt, ...) __printf(2, 3);

/**
 * markup_utf8() - a copy of a text that is valid UTF-8 and harmless
 * @text:	any bytes
 * Return: the copy; the caller frees it.
 */
char *markup_utf8(const char *text);

#endif
