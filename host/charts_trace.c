// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * charts_trace.c - how long the work of each workqueue waited
 */
#include "charts_trace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "charts_draw.h"

#define ROWS_MAX   10 /* that waited longest */
#define NAME_CHARS 22 /* of a workqueue */

/* One workqueue for one CPU, over all boots. */
struct row {
	char *name; /* plain */
	int64_t max_ns;
	struct chart_range range[CHARTS_SIDES_MAX];
};

struct rows {
	struct row *row;
	size_t count;
};

/* Nothing of it can mean anything to gnuplot or to its shell. */
static char *plain_name(const struct stream_trace *t)
{
	char *name = t->cpu < 0 ? xprintf("%.*s", NAME_CHARS, t->workqueue)
				: xprintf("%.*s, CPU %" PRId64, NAME_CHARS,
					  t->workqueue, t->cpu);

	for (char *c = name; *c; c++)
		if (!strchr("abcdefghijklmnopqrstuvwxyz"
			    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-:/, ",
			    *c))
			*c = '?';
	return name;
}

/* Takes over the name. */
static struct row *find_row(struct rows *rows, char *name)
{
	for (size_t i = 0; i < rows->count; i++)
		if (!strcmp(rows->row[i].name, name)) {
			free(name);
			return &rows->row[i];
		}
	rows->row = xgrow(rows->row, rows->count + 1, sizeof(*rows->row));
	rows->row[rows->count] = (struct row){ .name = name };
	return &rows->row[rows->count++];
}

/* Of several functions the one that waited longest stands for its queue. */
static void add_trace(struct rows *rows, const struct stream_trace *t,
		      size_t side)
{
	struct row *row;
	struct chart_range *range;

	if (!t->executed)
		return;
	row = find_row(rows, plain_name(t));
	range = &row->range[side];
	if (t->max_ns > row->max_ns)
		row->max_ns = t->max_ns;
	if (range->known && (double)t->max_ns <= range->high)
		return;
	*range = (struct chart_range){ .known = true,
				       .middle = (double)t->p50_ns,
				       .high = (double)t->max_ns };
}

static void add_side(struct rows *rows, const struct runs *runs,
		     const char *step, size_t side)
{
	for (size_t r = 0; r < runs->count; r++) {
		const struct stream *s = &runs->run[r].stream;

		for (size_t i = 0; s->complete && i < s->trace_count; i++)
			if (!strcmp(s->steps[s->traces[i].step].name, step))
				add_trace(rows, &s->traces[i], side);
	}
}

static int by_wait(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (x->max_ns != y->max_ns)
		return x->max_ns > y->max_ns ? -1 : 1;
	return strcmp(x->name, y->name);
}

char *charts_trace(const struct sides *sides, const char *step)
{
	const char *name[ROWS_MAX];
	struct chart_range range[ROWS_MAX * CHARTS_SIDES_MAX];
	struct rows rows = { .row = NULL };
	size_t count = sides->count, shown;
	char *script = NULL;

	if (count > CHARTS_SIDES_MAX)
		count = CHARTS_SIDES_MAX;
	for (size_t k = 0; k < count; k++)
		add_side(&rows, &sides->side[k].runs, step, k);
	if (rows.count) {
		qsort(rows.row, rows.count, sizeof(*rows.row), by_wait);
		shown = rows.count < ROWS_MAX ? rows.count : ROWS_MAX;
		for (size_t i = 0; i < shown; i++) {
			name[i] = rows.row[i].name;
			memcpy(&range[i * count], rows.row[i].range,
			       count * sizeof(*range));
		}
		script = charts_draw_ranges(name, range, shown, count);
	}
	for (size_t i = 0; i < rows.count; i++)
		free(rows.row[i].name);
	free(rows.row);
	return script;
}

static bool is_listed(const char *const *list, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(list[i], name))
			return true;
	return false;
}

const char **charts_trace_steps(const struct sides *sides, size_t *count)
{
	const char **list = NULL;

	*count = 0;
	for (size_t k = 0; k < sides->count; k++)
		for (size_t r = 0; r < sides->side[k].runs.count; r++) {
			const struct stream *s =
				&sides->side[k].runs.run[r].stream;

			for (size_t i = 0; s->complete && i < s->trace_count;
			     i++) {
				const char *name =
					s->steps[s->traces[i].step].name;

				if (is_listed(list, *count, name))
					continue;
				list = xgrow(list, *count + 1, sizeof(*list));
				list[(*count)++] = name;
			}
		}
	return list;
}
