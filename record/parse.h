/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * parse.h - numbers from text, strictly
 */
#ifndef PARSE_H
#define PARSE_H

#include <stdbool.h>
#include <stdint.h>

/**
 * parse_u64() - an unsigned decimal number, and nothing else
 * @value:	where to store it; untouched on failure
 * @text:	digits only: no sign, no space, no base prefix, no unit
 * @min:	smallest value allowed
 * @max:	largest value allowed
 * Return: whether @text is such a number within [@min, @max].
 */
bool parse_u64(uint64_t *value, const char *text, uint64_t min, uint64_t max);

/**
 * parse_i64() - a signed decimal number, and nothing else
 * @value:	where to store it; untouched on failure
 * @text:	digits, with at most one '-' before them
 * @min:	smallest value allowed
 * @max:	largest value allowed
 * Return: whether @text is such a number within [@min, @max].
 */
bool parse_i64(int64_t *value, const char *text, int64_t min, int64_t max);

#endif
