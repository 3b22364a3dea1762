// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * judge_load_file.c - values that come from elsewhere, such as a report
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "die.h"
#include "judge_load.h"

#define BLANKS " \t\r\n"

void judge_values_add(struct judge_values *values, double *value, size_t count,
		      const char *from)
{
	size_t boots = values->runs.boots + 1;

	values->runs.boot =
		xgrow(values->runs.boot, boots, sizeof(*values->runs.boot));
	values->from = xgrow(values->from, boots, sizeof(*values->from));
	values->runs.boot[boots - 1] = (struct judge_boot){ value, count };
	values->from[boots - 1] = xprintf("%s", from);
	values->runs.boots = boots;
}

void judge_values_free(struct judge_values *values)
{
	for (size_t i = 0; i < values->runs.boots; i++) {
		free(values->runs.boot[i].value);
		free(values->from[i]);
	}
	free(values->runs.boot);
	free(values->from);
	free(values->why_dropped);
	*values = (struct judge_values){ .capped = 0 };
}

static double parse_value(const char *word, const char *path, size_t line)
{
	char *end;
	double value;

	errno = 0;
	value = strtod(word, &end);
	if (*end || errno == ERANGE || !isfinite(value))
		die(STATUS_USAGE, "read %s, line %zu: not a number: %s", path,
		    line, word);
	return value;
}

/* One boot; an empty line is none. */
static void take_line(struct judge_values *values, char *text, const char *path,
		      size_t line)
{
	double *value = NULL;
	size_t count = 0;
	char *rest, *from;

	text[strcspn(text, "#")] = '\0';
	for (char *word = strtok_r(text, BLANKS, &rest); word;
	     word = strtok_r(NULL, BLANKS, &rest)) {
		value = xgrow(value, count + 1, sizeof(*value));
		value[count++] = parse_value(word, path, line);
	}
	if (!count)
		return;
	from = xprintf("%s:%zu", path, line);
	judge_values_add(values, value, count, from);
	free(from);
}

void judge_load_file(struct judge_values *values, const char *path)
{
	FILE *file = fopen(path, "r");
	char *text = NULL;
	size_t size = 0, line = 0, before = values->runs.boots;

	if (!file)
		die_errno(STATUS_USAGE, "read %s", path);
	while (getline(&text, &size, file) >= 0)
		take_line(values, text, path, ++line);
	if (ferror(file))
		die_errno(STATUS_HOST, "read %s", path);
	free(text);
	fclose(file);
	if (values->runs.boots == before)
		die(STATUS_USAGE, "read %s: it holds no values", path);
}
