// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * compare_print.c - a comparison as text
 */
#include <stdlib.h>
#include <string.h>

#include "compare.h"
#include "summary.h"
#include "table.h"

#define WIDE 70 /* two texts that do not stand on one line */

static size_t complete_of(const struct side *side)
{
	size_t count = 0;

	for (size_t i = 0; i < side->runs.count; i++)
		count += side->runs.run[i].stream.complete;
	return count;
}

static void side_lines(FILE *out, const char *name, const struct side *side)
{
	char *seeds = runs_seeds(&side->runs);
	size_t complete = complete_of(side);

	summary_line(out, name, "%s: %zu boot%s, seed%s %s", side->label,
		     complete, complete == 1 ? "" : "s",
		     complete == 1 ? "" : "s", complete ? seeds : "none");
	for (size_t i = 0; i < side->runs.count; i++)
		if (!side->runs.run[i].stream.complete)
			summary_line(out, "INCOMPLETE", "%s: %s; left out",
				     side->runs.run[i].path,
				     side->runs.run[i].stream.problem);
	free(seeds);
}

static void difference_lines(FILE *out, const struct contrast *c)
{
	for (size_t i = 0; i < c->differences; i++) {
		const struct contrast_difference *d = &c->difference[i];
		bool wide = strlen(d->a) + strlen(d->b) > WIDE;

		summary_line(out, i ? "" : "differ", "%s: %s%s%s", d->what,
			     d->a, wide ? "" : " | ", wide ? "" : d->b);
		if (wide)
			summary_line(out, "", "%*s| %s", (int)strlen(d->what),
				     "", d->b);
	}
	if (!c->differences)
		summary_line(out, "differ", "nothing but the records");
}

static void left_out_lines(FILE *out, const struct contrast *c)
{
	const char *step = "";

	for (size_t i = 0; i < c->count; i++) {
		const struct contrast_metric *m = &c->metric[i];

		if (!m->left_out || !strcmp(step, m->any->step))
			continue;
		step = m->any->step;
		summary_line(out, "left out",
			     "%s: %zu of %zu boots of A and %zu of %zu of B "
			     "passed it and have values",
			     step, m->a ? m->a->boots : 0, complete_of(c->a),
			     m->b ? m->b->boots : 0, complete_of(c->b));
	}
}

static void add_side(struct table *t, const struct contrast_metric *cm,
		     const struct metric *m, bool first)
{
	table_add(t, "%s", first ? cm->any->step : "");
	table_add(t, "%s", first ? cm->any->name : "");
	table_add(t, "%s", first ? record_betters[cm->any->better] : "");
	table_add(t, "%s", first ? "A" : "B");
	table_add(t, "%zu", m ? m->boots : 0);
	table_add(t, "%zu", m ? m->stats.count : 0);
	metric_quantiles(t, m, false);
}

static void values_table(FILE *out, const struct contrast *c)
{
	static const char *const head[] = { "step",  "metric", "better", "",
					    "boots", "n",      "p50",	 "p90",
					    "p99",   "max" };
	struct table t = { .align = "lllrrrrrrr" };

	for (size_t i = 0; i < sizeof(head) / sizeof(head[0]); i++)
		table_add(&t, "%s", head[i]);
	for (size_t i = 0; i < c->count; i++) {
		const struct contrast_metric *m = &c->metric[i];

		add_side(&t, m, m->a, true);
		add_side(&t, m, m->b, false);
	}
	table_print(&t, out, SUMMARY_WIDTH);
	table_free(&t);
}

static void add_change(struct table *t, const struct contrast_metric *m,
		       const struct contrast_change *change)
{
	char *shown, *interval, *part = contrast_part(change);

	table_add(t, "%s.%s", m->any->step, m->any->name);
	table_add(t, "%s", change->of);
	shown = contrast_shown(m, change, &interval);
	table_add(t, "%s", shown);
	table_add(t, "%s", interval);
	table_add(t, "%s", part);
	if (change->known)
		table_add(t, "%.2g", change->corrected);
	else
		table_add(t, "-");
	table_add(t, "%s",
		  change->word == CONTRAST_NONE ? "-"
						: contrast_words[change->word]);
	free(part);
	free(shown);
	free(interval);
}

static void changes_table(FILE *out, const struct contrast *c)
{
	static const char *const head[] = { "change, A to B", "of",
					    "change",	      "95 % interval",
					    "part",	      "p (Holm)",
					    "shown" };
	struct table t = { .align = "llrrrrl" };

	for (size_t i = 0; i < sizeof(head) / sizeof(head[0]); i++)
		table_add(&t, "%s", head[i]);
	for (size_t i = 0; i < c->count; i++)
		for (size_t k = 0; k < c->metric[i].changes; k++)
			add_change(&t, &c->metric[i], &c->metric[i].change[k]);
	table_print(&t, out, SUMMARY_WIDTH);
	table_free(&t);
}

static size_t marked(const struct contrast *c, enum contrast_word word)
{
	size_t count = 0;

	for (size_t i = 0; i < c->count; i++)
		for (size_t k = 0; k < c->metric[i].changes; k++)
			count += c->metric[i].change[k].word == word;
	return count;
}

static char *why_unknown(const struct contrast *c)
{
	if (!c->count)
		return xprintf("no boot measured anything");
	if (c->incomplete)
		return xprintf("%zu incomplete run%s left out", c->incomplete,
			       c->incomplete == 1 ? " was" : "s were");
	for (size_t i = 0; i < c->count; i++)
		if (c->metric[i].left_out)
			return xprintf("%s has no values of some boots",
				       c->metric[i].any->step);
	for (size_t i = 0; i < c->count; i++)
		for (size_t k = 0; k < c->metric[i].changes; k++)
			if (c->metric[i].change[k].known &&
			    c->metric[i].change[k].word == CONTRAST_FEW)
				return xprintf("%s.%s differs between all "
					       "boots of A and all of B, but "
					       "they are too few to bound the "
					       "error: boot more",
					       c->metric[i].any->step,
					       c->metric[i].any->name);
	return xprintf("an interval needs %d boots a side: boot more seeds",
		       SHIFT_BOOTS_MIN);
}

char *compare_verdict(const struct contrast *c)
{
	size_t worse = marked(c, CONTRAST_WORSE);
	size_t better = marked(c, CONTRAST_BETTER);
	char *why, *text;

	switch (c->status) {
	case STATUS_BAD:
		return xprintf("worse: %zu of %zu quantiles, %zu better", worse,
			       c->tests, better);
	case STATUS_GOOD:
		if (better)
			return xprintf("better: %zu of %zu quantiles, none "
				       "worse",
				       better, c->tests);
		return xprintf("no difference shown in %zu quantiles",
			       c->tests);
	default:
		why = why_unknown(c);
		text = xprintf("cannot tell: %s", why);
		free(why);
		return text;
	}
}

static void capped_lines(FILE *out, const struct contrast *c)
{
	for (size_t i = 0; i < c->count; i++) {
		const struct contrast_metric *m = &c->metric[i];
		size_t a = m->a ? m->a->capped : 0, b = m->b ? m->b->capped : 0;

		if (a || b)
			summary_line(out, "capped",
				     "%s.%s: %zu of A, %zu of B; they count "
				     "as worse than all others",
				     m->any->step, m->any->name, a, b);
	}
}

void compare_print(FILE *out, const struct contrast *c, const char *forced)
{
	char *verdict = compare_verdict(c);

	if (forced)
		summary_line(out, "FORCED", "%s", forced);
	side_lines(out, "A", c->a);
	side_lines(out, "B", c->b);
	difference_lines(out, c);
	left_out_lines(out, c);
	fputc('\n', out);
	if (c->count) {
		values_table(out, c);
		fputc('\n', out);
		changes_table(out, c);
		fputc('\n', out);
		capped_lines(out, c);
	}
	summary_line(out, "verdict", "%s", verdict);
	if (c->tests)
		summary_line(out, "",
			     "marks hold together with an error of at most "
			     "%.0f %% (Holm over %zu quantiles)",
			     SHIFT_ERROR * 100, c->tests);
	free(verdict);
}
