/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compare.h - how two sides are shown to differ
 */
#ifndef COMPARE_H
#define COMPARE_H

#include <jansson.h>
#include <stdio.h>

#include "contrast.h"

/**
 * compare_print() - a comparison as text
 * @out:	where to
 * @c:		the comparison
 * @forced:	why it should not have been made, or NULL
 */
void compare_print(FILE *out, const struct contrast *c, const char *forced);

/**
 * compare_json() - a comparison as JSON
 * @c:		the comparison
 * @forced:	why it should not have been made, or NULL
 * Return: the object, which docs/compare.md describes.
 */
json_t *compare_json(const struct contrast *c, const char *forced);

/**
 * compare_verdict() - what it comes to, in words
 * @c:		the comparison
 * Return: the text; the caller frees it.
 */
char *compare_verdict(const struct contrast *c);

#endif
