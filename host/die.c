// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * die.c - messages for the person at the keyboard, and memory that is there
 */
#include "die.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One write for a whole line, so that parallel runs do not mix theirs. */
static __printf(1, 0) void say(const char *fmt, va_list args, int err)
{
	char text[4096];
	int len = vsnprintf(text, sizeof(text), fmt, args);

	if (len < 0)
		text[0] = '\0';
	if (err)
		fprintf(stderr, "kverdict: %s: %s\n", text, strerror(err));
	else
		fprintf(stderr, "kverdict: %s\n", text);
}

void warn(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	say(fmt, args, 0);
	va_end(args);
}

void warn_errno(const char *fmt, ...)
{
	int err = errno;
	va_list args;

	va_start(args, fmt);
	say(fmt, args, err);
	va_end(args);
}

void die(enum status status, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	say(fmt, args, 0);
	va_end(args);
	exit((int)status);
}

void die_errno(enum status status, const char *fmt, ...)
{
	int err = errno;
	va_list args;

	va_start(args, fmt);
	say(fmt, args, err);
	va_end(args);
	exit((int)status);
}

void *xalloc(size_t count, size_t size)
{
	void *memory = calloc(count ? count : 1, size);

	if (!memory)
		die(STATUS_HOST, "allocate %zu x %zu bytes: out of memory",
		    count, size);
	return memory;
}

void *xgrow(void *array, size_t count, size_t size)
{
	void *memory = NULL;

	if (size == 0 || count <= SIZE_MAX / size)
		memory = realloc(array, count && size ? count * size : 1);
	if (!memory)
		die(STATUS_HOST, "allocate %zu x %zu bytes: out of memory",
		    count, size);
	return memory;
}

char *xvprintf(const char *fmt, va_list args)
{
	char *text;

	if (vasprintf(&text, fmt, args) < 0)
		die(STATUS_HOST, "format a text: out of memory");
	return text;
}

char *xprintf(const char *fmt, ...)
{
	va_list args;
	char *text;

	va_start(args, fmt);
	text = xvprintf(fmt, args);
	va_end(args);
	return text;
}
