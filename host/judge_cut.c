// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * judge_cut.c - where to cut the values, and what each boot then counts
 *
 * One sweep over the sorted values visits every cut: a value that falls below
 * the cut changes the share of its own boot and nothing else, so the mean and
 * the variance of the boot shares are kept up in constant time.
 */
#include "judge_cut.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "die.h"
#include "stats.h"

/* A gap is a border between modes from this part of the spread on. */
#define GAP_MIN 0.2
/* Ties of T within rounding go to the wider gap. */
#define TIE 1e-9

struct tagged {
	double value;
	size_t boot; /* the good ones first */
};

struct judge_field {
	struct tagged *tagged;
	size_t count;
	size_t goods, boots;
	size_t *values; /* one a boot */
};

/* One reference during a sweep. */
struct side {
	size_t boots, values, beyond;
	double sum, sum_squares; /* of the boot shares */
};

struct sweep {
	const struct judge_field *field;
	size_t without[2]; /* boots left out */
	size_t *beyond;	   /* one a boot */
	struct side side[2];
	double gap_min;
};

static int compare_tagged(const void *a, const void *b)
{
	const struct tagged *x = a, *y = b;

	if (x->value != y->value)
		return x->value < y->value ? -1 : 1;
	return x->boot < y->boot ? -1 : x->boot > y->boot;
}

static size_t count_values(const struct judge_runs *runs)
{
	size_t count = 0;

	for (size_t i = 0; i < runs->boots; i++)
		count += runs->boot[i].values;
	return count;
}

static void take(struct judge_field *field, const struct judge_runs *runs)
{
	for (size_t i = 0; i < runs->boots; i++) {
		const struct judge_boot *boot = &runs->boot[i];

		field->values[field->boots] = boot->values;
		for (size_t v = 0; v < boot->values; v++)
			field->tagged[field->count++] =
				(struct tagged){ boot->value[v], field->boots };
		field->boots++;
	}
}

struct judge_field *judge_field_new(const struct judge_runs *good,
				    const struct judge_runs *bad)
{
	struct judge_field *field = xalloc(1, sizeof(*field));

	field->tagged = xalloc(count_values(good) + count_values(bad),
			       sizeof(*field->tagged));
	field->values =
		xalloc(good->boots + bad->boots, sizeof(*field->values));
	take(field, good);
	field->goods = field->boots;
	take(field, bad);
	qsort(field->tagged, field->count, sizeof(*field->tagged),
	      compare_tagged);
	return field;
}

void judge_field_free(struct judge_field *field)
{
	if (!field)
		return;
	free(field->tagged);
	free(field->values);
	free(field);
}

double *judge_field_sorted(const struct judge_field *field, size_t *count)
{
	double *sorted = xalloc(field->count, sizeof(*sorted));

	for (size_t i = 0; i < field->count; i++)
		sorted[i] = field->tagged[i].value;
	*count = field->count;
	return sorted;
}

static bool left_out(const struct sweep *sweep, size_t boot)
{
	return boot == sweep->without[0] || boot == sweep->without[1];
}

/* The spread of the values that take part: their central 95 %. */
static double spread(const struct sweep *sweep)
{
	const struct judge_field *field = sweep->field;
	double *sorted = xalloc(field->count, sizeof(*sorted));
	size_t count = 0;
	double width = 0.0;

	for (size_t i = 0; i < field->count; i++)
		if (!left_out(sweep, field->tagged[i].boot))
			sorted[count++] = field->tagged[i].value;
	if (count)
		width = stats_quantile(sorted, count, 0.975) -
			stats_quantile(sorted, count, 0.025);
	free(sorted);
	return width;
}

/* Start with everything beyond the cut. */
static void sweep_start(struct sweep *sweep, enum judge_cut_kind kind)
{
	const struct judge_field *field = sweep->field;

	sweep->gap_min = kind == JUDGE_CUT_MODE ? GAP_MIN * spread(sweep) : 0.0;
	sweep->beyond = xalloc(field->boots, sizeof(*sweep->beyond));
	for (size_t boot = 0; boot < field->boots; boot++) {
		struct side *side = &sweep->side[boot >= field->goods];

		sweep->beyond[boot] = field->values[boot];
		if (left_out(sweep, boot))
			continue;
		side->boots++;
		side->values += field->values[boot];
		side->beyond += field->values[boot];
		side->sum += 1.0;
		side->sum_squares += 1.0;
	}
}

/* Move the cut above one value of @boot. */
static void sweep_over(struct sweep *sweep, size_t boot)
{
	struct side *side = &sweep->side[boot >= sweep->field->goods];
	double values = (double)sweep->field->values[boot];
	double old = (double)sweep->beyond[boot] / values;
	double now = (double)--sweep->beyond[boot] / values;

	side->beyond--;
	side->sum += now - old;
	side->sum_squares += now * now - old * old;
}

/* The error of the mean share: of the boots, but never below binomial. */
static double mean_variance(const struct side *side)
{
	double boots = (double)side->boots, values = (double)side->values;
	double share = ((double)side->beyond + 0.5) / (values + 1.0);
	double variance = share * (1.0 - share) * boots / values;

	if (side->boots > 1) {
		double seen =
			(side->sum_squares - side->sum * side->sum / boots) /
			(boots - 1.0);

		variance = fmax(variance, seen);
	}
	return variance / boots;
}

static double separation(const struct sweep *sweep)
{
	const struct side *good = &sweep->side[0], *bad = &sweep->side[1];
	double difference =
		bad->sum / (double)bad->boots - good->sum / (double)good->boots;

	return difference / sqrt(mean_variance(good) + mean_variance(bad));
}

static bool better(const struct judge_cut *old, double t, double gap)
{
	double slack = TIE * fabs(old->t);

	if (t > old->t + slack)
		return true;
	return t > old->t - slack && gap > old->gap_high - old->gap_low;
}

/* Consider the cut between two neighbouring values. */
static void consider(const struct sweep *sweep, double low, double high,
		     struct judge_cut *best)
{
	double t;

	if (low == high || high - low < sweep->gap_min)
		return;
	t = separation(sweep);
	if (!better(best, t, high - low))
		return;
	*best = (struct judge_cut){ low + (high - low) / 2.0, low, high, t };
	/* Between neighbouring doubles the middle may round to the upper. */
	if (best->at >= high)
		best->at = low;
}

static bool best_without(const struct judge_field *field,
			 enum judge_cut_kind kind, size_t one, size_t other,
			 struct judge_cut *cut)
{
	struct sweep sweep = { .field = field, .without = { one, other } };
	struct judge_cut best = { .t = 0.0 };
	const struct tagged *last = NULL;

	sweep_start(&sweep, kind);
	if (sweep.side[0].boots == 0 || sweep.side[1].boots == 0)
		goto free_sweep;
	for (size_t i = 0; i < field->count; i++) {
		const struct tagged *tagged = &field->tagged[i];

		if (left_out(&sweep, tagged->boot))
			continue;
		if (last)
			consider(&sweep, last->value, tagged->value, &best);
		sweep_over(&sweep, tagged->boot);
		last = tagged;
	}

free_sweep:
	free(sweep.beyond);
	*cut = best;
	return best.t > 0.0;
}

bool judge_cut_best(const struct judge_field *field, enum judge_cut_kind kind,
		    struct judge_cut *cut)
{
	return best_without(field, kind, SIZE_MAX, SIZE_MAX, cut);
}

bool judge_honest_counts(const struct judge_field *field,
			 enum judge_cut_kind kind, struct evidence_count *count)
{
	struct judge_cut *cut = xalloc(field->boots, sizeof(*cut));
	bool all = true;

	for (size_t boot = 0; boot < field->boots && all; boot++) {
		bool good = boot < field->goods;
		size_t bads = field->boots - field->goods;
		size_t other = good ? field->goods + boot % bads
				    : (boot - field->goods) % field->goods;

		all = best_without(field, kind, boot, other, &cut[boot]);
		count[boot] = (struct evidence_count){ 0, field->values[boot] };
	}
	for (size_t i = 0; i < field->count && all; i++) {
		const struct tagged *tagged = &field->tagged[i];

		count[tagged->boot].beyond +=
			tagged->value > cut[tagged->boot].at;
	}
	free(cut);
	return all;
}
