/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * metrics.h - one metric of one or several runs, described and shown
 */
#ifndef METRICS_H
#define METRICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "rundir.h"
#include "stats.h"
#include "table.h"
#include "units.h"

/* What one boot says of a metric. */
struct metric_boot {
	const struct rundir *run;
	double *value; /* sorted; stats.count of them */
	struct stats stats;
};

struct metric {
	const char *step, *probe, *name; /* live as long as the runs */
	enum better better;
	enum unit unit;
	double *value;	    /* of all boots, sorted; stats.count of them */
	struct stats stats; /* of all values of all boots */
	double worst;	    /* that was measured; what is worse is a bound */
	size_t capped, warmups;
	bool passed; /* the step did, in every boot; else nobody judges it */
	struct metric_boot *boot; /* those that have a value */
	size_t boots;
};

struct metrics {
	struct metric *metric;
	size_t count;
};

/**
 * metrics_read() - every metric of some runs, in the order of the records
 * @m:		needs no initialisation; free with metrics_free()
 * @runs:	the runs, which must live as long as @m
 * @pooled:	leave out those without a valid `end`, and the values of
 *		steps that did not pass
 */
void metrics_read(struct metrics *m, const struct runs *runs, bool pooled);

/**
 * metric_place() - the key that says where in a step a value was taken
 * @m:		the metric
 *
 * Values at different places differ for a reason, and not by chance: with 4,000
 * namespaces the next one takes longer than with none.
 *
 * Return: the key, or NULL if all values of a step are of one kind.
 */
const char *metric_place(const struct metric *m);

/**
 * metrics_find() - one of them by its name
 * @m:		the metrics
 * @step:	the step's name
 * @name:	the metric's
 * Return: the metric, or NULL.
 */
struct metric *metrics_find(const struct metrics *m, const char *step,
			    const char *name);

/**
 * metrics_free() - free what metrics_read() made
 * @m:		from metrics_read()
 */
void metrics_free(struct metrics *m);

/**
 * metric_bound() - the sign before a value that stands for a capped one
 * @m:		the metric
 * @value:	one of its values, or a quantile of them
 * Return: ">" or "<" if @value is only a bound, else "".
 */
const char *metric_bound(const struct metric *m, double value);

/**
 * metric_quantiles() - fill the cells of a row: the quantiles of all values
 * @t:		a table
 * @m:		the metric; "-" in each cell if it is NULL or has no value
 * @min:	with the smallest value before p50, p90, p99 and max
 */
void metric_quantiles(struct table *t, const struct metric *m, bool min);

/**
 * metrics_table() - quantiles of every metric
 * @m:		the metrics
 * @out:	where to
 * @boots:	with a column for the number of boots
 */
void metrics_table(const struct metrics *m, FILE *out, bool boots);

/**
 * metrics_spread() - how far values differ within a boot and between boots
 * @m:		the metrics
 * @out:	where to
 */
void metrics_spread(const struct metrics *m, FILE *out);

/**
 * metrics_lines() - what the table leaves unsaid: caps and warm-ups
 * @m:		the metrics
 * @out:	where to
 * @pooled:	as for metrics_read()
 */
void metrics_lines(const struct metrics *m, FILE *out, bool pooled);

#endif
