// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * contrast.c - two sides, metric by metric: what changed, beyond noise?
 */
#include "contrast.h"

#include <stdlib.h>
#include <string.h>

/* A boot with fewer values has no 90th percentile to speak of. */
#define P90_VALUES_MIN 10

static const struct {
	const char *name;
	double q;
	size_t values_min;
} quantiles[CONTRAST_QUANTILES] = {
	{ "p50", 0.5, 1 },
	{ "p90", 0.9, P90_VALUES_MIN },
};

const char *const contrast_words[] = {
	[CONTRAST_NONE] = "not shown",
	[CONTRAST_BETTER] = "better",
	[CONTRAST_WORSE] = "worse",
	[CONTRAST_FEW] = "too few boots",
};

static char *refuse_pool(const struct side *side, bool *forcible)
{
	char *why = runs_repetition(&side->runs);

	*forcible = !why;
	return why ? why : runs_difference(&side->runs, RUNS_POOL);
}

char *contrast_refuse(const struct side *a, const struct side *b,
		      bool *forcible)
{
	const struct side *const sides[] = { a, b };
	struct runs all = { .count = a->runs.count + b->runs.count };
	bool of_b;
	char *why = refuse_pool(a, forcible), *second;

	/* What cannot be forced goes first. */
	if (!why || *forcible) {
		second = refuse_pool(b, &of_b);
		if (second && (!why || !of_b)) {
			free(why);
			why = second;
			*forcible = of_b;
		} else {
			free(second);
		}
	}
	if (why)
		return why;

	*forcible = true;
	all.run = xalloc(all.count, sizeof(*all.run));
	for (size_t s = 0, n = 0; s < 2; s++)
		for (size_t i = 0; i < sides[s]->runs.count; i++)
			all.run[n++] = sides[s]->runs.run[i];
	why = runs_difference(&all, RUNS_COMPARE);
	free(all.run);
	return why;
}

static size_t complete_boots(const struct side *side)
{
	size_t count = 0;

	for (size_t i = 0; i < side->runs.count; i++)
		count += side->runs.run[i].stream.complete;
	return count;
}

static bool enough_values(const struct metric *m, size_t least)
{
	for (size_t i = 0; i < m->boots; i++)
		if (m->boot[i].stats.count < least)
			return false;
	return true;
}

/* What each boot says of a quantile; the arrays are the caller's to free. */
static struct shift_side boots_of(const struct metric *m, double q)
{
	double *value = xalloc(m->boots, sizeof(double));
	double *variance = xalloc(m->boots, sizeof(double));

	for (size_t i = 0; i < m->boots; i++) {
		const struct metric_boot *boot = &m->boot[i];

		value[i] = stats_quantile(boot->value, boot->stats.count, q);
		if (!metric_place(m))
			variance[i] = stats_quantile_variance(
				boot->value, boot->stats.count, q);
	}
	return (struct shift_side){ .value = value,
				    .variance = variance,
				    .boots = m->boots };
}

static double mean_of(const struct shift_side *side)
{
	double sum = 0;

	for (size_t i = 0; i < side->boots; i++)
		sum += side->value[i];
	return sum / (double)side->boots;
}

static void free_boots(const struct shift_side *side)
{
	free((void *)side->value);
	free((void *)side->variance);
}

static void add_change(struct contrast_metric *m, size_t which)
{
	struct contrast_change *change = &m->change[m->changes];
	struct shift_side a, b;

	if (!enough_values(m->a, quantiles[which].values_min) ||
	    !enough_values(m->b, quantiles[which].values_min))
		return;
	a = boots_of(m->a, quantiles[which].q);
	b = boots_of(m->b, quantiles[which].q);
	*change = (struct contrast_change){ .of = quantiles[which].name,
					    .a = mean_of(&a),
					    .b = mean_of(&b),
					    .corrected = 1,
					    .word = CONTRAST_FEW };
	change->known = shift_of(&a, &b, &change->shift);
	m->changes++;
	free_boots(&a);
	free_boots(&b);
}

static bool has_boots(const struct metric *m)
{
	return m && m->boots;
}

static void add_metric(struct contrast *c, const struct metric *a,
		       const struct metric *b)
{
	struct contrast_metric *m;

	if (!has_boots(a) && !has_boots(b))
		return;
	c->metric = xgrow(c->metric, c->count + 1, sizeof(*c->metric));
	m = &c->metric[c->count++];
	*m = (struct contrast_metric){ .a = a, .b = b, .any = a ? a : b };
	m->left_out = !a || a->boots < complete_boots(c->a) || !b ||
		      b->boots < complete_boots(c->b);
	for (size_t i = 0;
	     has_boots(a) && has_boots(b) && i < CONTRAST_QUANTILES; i++)
		add_change(m, i);
}

static void add_metrics(struct contrast *c)
{
	for (size_t i = 0; i < c->of_a.count; i++) {
		const struct metric *a = &c->of_a.metric[i];

		add_metric(c, a, metrics_find(&c->of_b, a->step, a->name));
	}
	for (size_t i = 0; i < c->of_b.count; i++) {
		const struct metric *b = &c->of_b.metric[i];

		if (!metrics_find(&c->of_a, b->step, b->name))
			add_metric(c, NULL, b);
	}
}

/* Every change that has a p, in one order, for both directions of Holm. */
static struct contrast_change **list_tests(struct contrast *c)
{
	struct contrast_change **list =
		xalloc(c->count * CONTRAST_QUANTILES,
		       sizeof(struct contrast_change *));

	for (size_t i = 0; i < c->count; i++)
		for (size_t k = 0; k < c->metric[i].changes; k++)
			if (c->metric[i].change[k].known)
				list[c->tests++] = &c->metric[i].change[k];
	return list;
}

static void correct(struct contrast *c)
{
	struct contrast_change **test = list_tests(c);
	double *p = xalloc(c->tests, sizeof(*p));
	double *corrected = xalloc(c->tests, sizeof(*corrected));

	for (size_t i = 0; i < c->tests; i++)
		p[i] = test[i]->shift.p;
	shift_holm(p, corrected, c->tests);
	for (size_t i = 0; i < c->tests; i++)
		test[i]->corrected = corrected[i];
	free(corrected);
	free(p);
	free(test);
}

static enum contrast_word word_of(const struct contrast_metric *m,
				  const struct contrast_change *change)
{
	bool lower = m->any->better == BETTER_LOWER;

	if (!change->known)
		return CONTRAST_FEW;
	if (change->corrected <= SHIFT_ERROR)
		return stats_worse(change->b, change->a, lower)
			       ? CONTRAST_WORSE
			       : CONTRAST_BETTER;
	/* All boots of a side agree and differ from all of the other. */
	if (change->shift.constant && change->shift.change != 0)
		return CONTRAST_FEW;
	return CONTRAST_NONE;
}

static void decide(struct contrast *c)
{
	bool worse = false, unknown = c->incomplete || !c->tests;

	for (size_t i = 0; i < c->count; i++) {
		struct contrast_metric *m = &c->metric[i];

		unknown |= m->left_out || !m->changes;
		for (size_t k = 0; k < m->changes; k++) {
			m->change[k].word = word_of(m, &m->change[k]);
			worse |= m->change[k].word == CONTRAST_WORSE;
			unknown |= m->change[k].word == CONTRAST_FEW;
		}
	}
	c->status = worse     ? STATUS_BAD
		    : unknown ? STATUS_CANNOT_TELL
			      : STATUS_GOOD;
}

void contrast_make(struct contrast *c, const struct side *a,
		   const struct side *b)
{
	*c = (struct contrast){ .a = a, .b = b };
	c->incomplete = a->runs.count + b->runs.count - complete_boots(a) -
			complete_boots(b);
	contrast_list_differences(c);
	metrics_read(&c->of_a, &a->runs, true);
	metrics_read(&c->of_b, &b->runs, true);
	add_metrics(c);
	correct(c);
	decide(c);
}

void contrast_free(struct contrast *c)
{
	for (size_t i = 0; i < c->differences; i++) {
		free(c->difference[i].a);
		free(c->difference[i].b);
	}
	free(c->difference);
	free(c->metric);
	metrics_free(&c->of_a);
	metrics_free(&c->of_b);
	*c = (struct contrast){ .a = NULL };
}

static char *signed_value(double value, enum unit unit)
{
	char text[UNITS_SIZE];

	units_format(text, value, unit);
	return xprintf("%s%s", value > 0 ? "+" : "", text);
}

char *contrast_shown(const struct contrast_metric *m,
		     const struct contrast_change *change, char **interval)
{
	enum unit unit = m->any->unit;
	char *low = signed_value(change->shift.low, unit);
	char *high = signed_value(change->shift.high, unit);

	if (!change->known)
		*interval = xprintf("-");
	else if (change->shift.constant)
		*interval = xprintf("no scatter");
	else
		*interval = xprintf("%s .. %s", low, high);
	free(low);
	free(high);
	return signed_value(change->b - change->a, unit);
}

char *contrast_part(const struct contrast_change *change)
{
	double part = change->a > 0 ? change->b / change->a : 0;
	char text[UNITS_SIZE];

	if (change->a <= 0)
		return xprintf("-");
	if (part < 3)
		return xprintf("%+.1f %%", (part - 1) * 100);
	units_format(text, part, UNIT_COUNT);
	return xprintf("x %s", text);
}
