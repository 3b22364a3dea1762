// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * bisect_table.c - the table of a bisect's kernels
 */
#include "bisect_table.h"

#include <stdlib.h>
#include <string.h>

#include "die.h"
#include "table.h"

#define COMMIT_DIGITS 12
#define WIDTH	      140u

/* A text as a table takes it. */
static char *ascii(const json_t *kernel, const char *key)
{
	const json_t *value = json_object_get(kernel, key);
	const char *text = json_string_value(value);
	char *copy;

	if (json_is_integer(value)) /* a subject can be a number */
		copy = xprintf("%" JSON_INTEGER_FORMAT,
			       json_integer_value(value));
	else
		copy = xprintf("%s", text ? text : "");
	for (char *c = copy; *c; c++)
		if (*c < ' ' || *c > '~')
			*c = '?';
	return copy;
}

static void add_number(struct table *t, const json_t *kernel, const char *key,
		       const char *unit)
{
	const json_t *number = json_object_get(kernel, key);

	if (json_is_integer(number))
		table_add(t, "%" JSON_INTEGER_FORMAT "%s",
			  json_integer_value(number), unit);
	else
		table_add(t, "-");
}

static void add_row(struct table *t, const char *commit, const json_t *kernel)
{
	static const char *const keys[] = { "role", "verdict", "subject",
					    "why" };
	char *text[4];

	for (size_t i = 0; i < 4; i++)
		text[i] = ascii(kernel, keys[i]);
	table_add(t, "%.*s", COMMIT_DIGITS, commit);
	table_add(t, "%s", text[0]);
	add_number(t, kernel, "built_s", " s");
	add_number(t, kernel, "boots", "");
	table_add(t, "%s", text[1]);
	table_add(t, "%s", text[2]);
	table_add(t, "%s", text[3]);
	for (size_t i = 0; i < 4; i++)
		free(text[i]);
}

void bisect_table_print(json_t *kernels, FILE *out)
{
	static const char *const head[] = { "commit",	      "role",
					    "built",	      "boots",
					    "verdict",	      "subject",
					    "verdict because" };
	struct table t = { .align = "llrrlll" };
	const char *commit;
	json_t *kernel;

	for (size_t i = 0; i < sizeof(head) / sizeof(head[0]); i++)
		table_add(&t, "%s", head[i]);
	json_object_foreach(kernels, commit, kernel)
	{
		if (json_object_get(kernel, "verdict"))
			add_row(&t, commit, kernel);
	}
	table_print(&t, out, WIDTH);
	table_free(&t);
}
