/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table.h - columns of text for a terminal
 */
#ifndef TABLE_H
#define TABLE_H

#include <stddef.h>
#include <stdio.h>

#include "die.h"

#define TABLE_COLUMNS_MAX 12

struct table {
	const char *align; /* one of "lr" for each column */
	char **cell;	   /* row by row */
	size_t count;
};

/**
 * table_add() - fill the next cell
 * @t:		a table with @align set; the first row is its head
 * @fmt:	the cell's text: ASCII, without line breaks
 */
void table_add(struct table *t, const char *fmt, ...) __printf(2, 3);

/**
 * table_print() - print the rows, each column as wide as its widest cell
 * @t:		the table; nothing is printed if it has only its head
 * @out:	where to
 * @width:	if a line would be longer, the left-aligned columns are cut,
 *		and what is cut ends in ".."
 */
void table_print(const struct table *t, FILE *out, size_t width);

/**
 * table_free() - free the cells
 * @t:		any table; empty afterwards
 */
void table_free(struct table *t);

#endif
