// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * table.c - columns of text for a terminal
 */
#include "table.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define GAP	2 /* blanks between two columns */
#define CUT_MIN 8 /* a column is not cut below this */

void table_add(struct table *t, const char *fmt, ...)
{
	va_list args;

	t->cell = xgrow(t->cell, t->count + 1, sizeof(*t->cell));
	va_start(args, fmt);
	t->cell[t->count++] = xvprintf(fmt, args);
	va_end(args);
}

static size_t total(const size_t *widths, size_t columns)
{
	size_t sum = GAP * (columns - 1);

	for (size_t c = 0; c < columns; c++)
		sum += widths[c];
	return sum;
}

/* Narrow the widest column that may be cut; false if none may. */
static bool cut_one(const struct table *t, size_t *widths, size_t columns)
{
	size_t widest = columns;

	for (size_t c = 0; c < columns; c++)
		if (t->align[c] == 'l' && widths[c] > CUT_MIN &&
		    (widest == columns || widths[c] > widths[widest]))
			widest = c;
	if (widest == columns)
		return false;
	widths[widest]--;
	return true;
}

static void print_cell(FILE *out, const char *text, char align, size_t width)
{
	if (strlen(text) > width)
		fprintf(out, "%.*s..", (int)width - 2, text);
	else if (align == 'l')
		fprintf(out, "%-*s", (int)width, text);
	else
		fprintf(out, "%*s", (int)width, text);
}

/* A line has no blanks at its end: the last column is not filled up. */
static void print_row(const struct table *t, FILE *out, char *const *cell,
		      const size_t *widths)
{
	size_t columns = strlen(t->align), last = columns - 1;

	for (size_t c = 0; c < last; c++) {
		print_cell(out, cell[c], t->align[c], widths[c]);
		fprintf(out, "%*s", GAP, "");
	}
	print_cell(out, cell[last], t->align[last],
		   t->align[last] == 'l' && strlen(cell[last]) <= widths[last]
			   ? strlen(cell[last])
			   : widths[last]);
	fputc('\n', out);
}

void table_print(const struct table *t, FILE *out, size_t width)
{
	size_t widths[TABLE_COLUMNS_MAX] = { 0 };
	size_t columns = strlen(t->align);

	if (t->count <= columns)
		return;
	for (size_t i = 0; i < t->count; i++) {
		size_t len = strlen(t->cell[i]);

		if (len > widths[i % columns])
			widths[i % columns] = len;
	}
	while (total(widths, columns) > width && cut_one(t, widths, columns))
		continue;
	for (size_t i = 0; i + columns <= t->count; i += columns)
		print_row(t, out, t->cell + i, widths);
}

void table_free(struct table *t)
{
	for (size_t i = 0; i < t->count; i++)
		free(t->cell[i]);
	free(t->cell);
	t->cell = NULL;
	t->count = 0;
}
