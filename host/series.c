// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * series.c - the values of one metric of one run
 */
#include "series.h"

#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "die.h"

const struct stream_metric *series_find(const struct stream *s,
					const char *step, const char *metric)
{
	for (size_t i = 0; i < s->metric_count; i++) {
		const struct stream_metric *m = &s->metrics[i];

		if (!strcmp(m->name, metric) &&
		    !strcmp(s->steps[m->step].name, step))
			return m;
	}
	return NULL;
}

bool series_value(const struct stream *s, const struct stream_sample *sample,
		  const struct stream_metric *metric, double *value)
{
	int64_t plain, count, window;

	if (!metric->count) {
		if (!stream_value(s, sample, metric->name, &plain))
			return false;
		*value = (double)plain;
		return true;
	}
	if (!stream_value(s, sample, metric->count, &count) ||
	    !stream_value(s, sample, metric->window, &window) || window <= 0)
		return false;
	*value = (double)count * (double)NS_PER_S / (double)window;
	return true;
}

void series_read(const struct stream *s, const struct stream_metric *metric,
		 bool warmups, struct series *series)
{
	const struct stream_step *step = &s->steps[metric->step];

	*series = (struct series){
		.value = xalloc(step->sample_count, sizeof(double)),
		.capped = xalloc(step->sample_count, sizeof(bool)),
	};
	for (size_t i = 0; i < step->sample_count; i++) {
		const struct stream_sample *sample =
			&s->samples[step->first_sample + i];
		double value;

		if (!series_value(s, sample, metric, &value))
			continue;
		series->warmup_count += sample->warmup;
		if (sample->warmup && !warmups)
			continue;
		series->value[series->count] = value;
		series->capped[series->count++] = sample->capped;
		series->capped_count += sample->capped;
	}
}

void series_free(struct series *series)
{
	free(series->value);
	free(series->capped);
	*series = (struct series){ .value = NULL };
}
