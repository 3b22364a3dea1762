// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * parse.c - numbers from text, strictly
 *
 * strtoull() takes " 7", "+7" and even "-7"; a record or a parameter may not.
 */
#include "parse.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

bool parse_u64(uint64_t *value, const char *text, uint64_t min, uint64_t max)
{
	unsigned long long n;
	char *end;

	if (!isdigit((unsigned char)text[0]))
		return false;

	errno = 0;
	n = strtoull(text, &end, 10);
	if (errno || *end || n < min || n > max)
		return false;

	*value = n;
	return true;
}

bool parse_i64(int64_t *value, const char *text, int64_t min, int64_t max)
{
	const char *digits = text[0] == '-' ? text + 1 : text;
	long long n;
	char *end;

	if (!isdigit((unsigned char)digits[0]))
		return false;

	errno = 0;
	n = strtoll(text, &end, 10);
	if (errno || *end || n < min || n > max)
		return false;

	*value = n;
	return true;
}
