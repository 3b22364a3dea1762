/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * series.h - the values of one metric of one run
 */
#ifndef SERIES_H
#define SERIES_H

#include <stdbool.h>
#include <stddef.h>

#include "stream.h"

struct series {
	double *value; /* in the metric's unit, or per second for a rate */
	bool *capped;  /* beyond the worst that could be measured */
	size_t count;
	size_t capped_count;
	size_t warmup_count; /* left out, or among @value where asked for */
};

/**
 * series_find() - the declaration of STEP.METRIC
 * @s:		any stream
 * @step:	a step's name
 * @metric:	a metric's name
 * Return: the first metric of that name, or NULL.
 */
const struct stream_metric *series_find(const struct stream *s,
					const char *step, const char *metric);

/**
 * series_value() - the value of a metric in one sample
 * @s:		the stream
 * @sample:	one of its samples
 * @metric:	one of the metrics of the sample's step
 * @value:	where to store it, in the metric's unit or per second
 * Return: whether the sample has one.
 */
bool series_value(const struct stream *s, const struct stream_sample *sample,
		  const struct stream_metric *metric, double *value);

/**
 * series_read() - the values of a metric in the order in which they were taken
 * @s:		any stream
 * @metric:	one of its metrics
 * @warmups:	take those that are never judged too
 * @series:	where to store them; free with series_free()
 *
 * A sample without the metric's keys gives no value, nor does a window that
 * is not above 0.
 */
void series_read(const struct stream *s, const struct stream_metric *metric,
		 bool warmups, struct series *series);

/**
 * series_free() - free what a series holds
 * @series:	from series_read(), or zeroed
 */
void series_free(struct series *series);

#endif
