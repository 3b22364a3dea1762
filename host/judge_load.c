// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * judge_load.c - from run directories to the values that are judged
 *
 * What must not be judged ends here: runs without their `end`, runs made
 * under other conditions, the same boot twice.
 */
#include "judge_load.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "die.h"
#include "record.h"
#include "rundir.h"
#include "series.h"

/* A boot's tables have one row a value. */
#define VALUES_MAX 20000

struct loader {
	const struct judge_options *options;
	struct judge_input *input;
	struct runs group[GROUPS];
	struct runs all; /* the same, in one list; owns nothing */
	char step[RECORD_NAME_MAX + 1], metric[RECORD_NAME_MAX + 1];
};

static bool is_file(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* Whether the runs are plain files; a mixture is refused. */
static bool are_files(const struct judge_options *options)
{
	size_t files = 0, paths = 0;

	for (size_t g = 0; g < GROUPS; g++)
		for (size_t i = 0; i < options->group[g].count; i++) {
			files += is_file(options->group[g].path[i]);
			paths++;
		}
	if (files && files != paths)
		die(STATUS_USAGE, "run directories and files of values cannot "
				  "be judged together");
	return files > 0;
}

static void open_runs(struct loader *loader)
{
	struct runs *all = &loader->all;

	for (size_t g = 0; g < GROUPS; g++) {
		const struct judge_paths *paths = &loader->options->group[g];
		struct runs *runs = &loader->group[g];

		if (!paths->count)
			continue;
		if (runs_open(runs, paths->path, paths->count) != STATUS_GOOD)
			exit(STATUS_USAGE);
		all->run = xgrow(all->run, all->count + runs->count,
				 sizeof(*all->run));
		memcpy(all->run + all->count, runs->run,
		       runs->count * sizeof(*all->run));
		all->count += runs->count;
	}
}

/* The names of all metrics that some run declares, for a message. */
static char *list_metrics(const struct runs *all, size_t *count)
{
	char *list = xprintf("%s", "");

	*count = 0;
	for (size_t i = 0; i < all->count; i++) {
		const struct stream *s = &all->run[i].stream;

		for (size_t m = 0; m < s->metric_count; m++) {
			char *name = xprintf(" %s.%s",
					     s->steps[s->metrics[m].step].name,
					     s->metrics[m].name);
			char *longer = xprintf("%s%s", list, name);

			if (!strstr(longer, name) ||
			    strstr(longer, name) == longer + strlen(list)) {
				free(list);
				list = longer;
				++*count;
			} else {
				free(longer);
			}
			free(name);
		}
	}
	return list;
}

/* Split the metric's name, or find the only one there is. */
static void choose_metric(struct loader *loader)
{
	const char *wanted = loader->options->metric, *dot;
	size_t count;
	char *list = list_metrics(&loader->all, &count);

	if (!wanted && count == 1)
		wanted = list + 1;
	if (!wanted)
		die(STATUS_USAGE, "which metric? Pass --metric, one of:%s",
		    count ? list : " none, no run has one");
	dot = strchr(wanted, '.');
	if (!dot || dot - wanted > (long)RECORD_NAME_MAX ||
	    strlen(dot + 1) > RECORD_NAME_MAX)
		die(STATUS_USAGE, "--metric %s: it is STEP.METRIC, one of:%s",
		    wanted, list);
	memcpy(loader->step, wanted, (size_t)(dot - wanted));
	strcpy(loader->metric, dot + 1);
	loader->input->metric = xprintf("%s", wanted);
	free(list);
}

static const struct stream_metric *find_metric(const struct loader *loader,
					       const struct rundir *run)
{
	return series_find(&run->stream, loader->step, loader->metric);
}

/* What the metric declares, from the first run that has it. */
static void read_declaration(struct loader *loader)
{
	struct judge_input *input = loader->input;
	const struct runs *all = &loader->all;
	size_t count;

	for (size_t i = 0; i < all->count; i++) {
		const struct stream_metric *metric =
			find_metric(loader, &all->run[i]);

		if (!metric)
			continue;
		input->lower = metric->better == BETTER_LOWER;
		input->unit = units_declared(metric->unit, metric->name);
		return;
	}
	die(STATUS_USAGE, "no run has the metric %s, only:%s", input->metric,
	    list_metrics(all, &count));
}

/* Why a run gives no values, or NULL if it may. */
static const char *unusable(const struct loader *loader,
			    const struct rundir *run)
{
	const struct stream_metric *metric = find_metric(loader, run);
	const struct stream *s = &run->stream;

	for (size_t i = 0; i < s->step_count; i++)
		if (!strcmp(s->steps[i].name, loader->step) &&
		    s->steps[i].result != RESULT_PASS)
			return s->steps[i].reason[0] ? s->steps[i].reason
						     : "its step did not pass";
	return metric ? NULL : "it has no such metric";
}

static double orient(const struct judge_input *input, double value)
{
	return input->lower ? value : -value;
}

/* The values of a run, oriented; capped ones as they are. */
static void read_oriented(const struct loader *loader, const struct rundir *run,
			  struct series *series)
{
	series_read(&run->stream, find_metric(loader, run), false, series);
	if (series->count > VALUES_MAX)
		die(STATUS_HOST,
		    "judge %s: %zu values, more than %d: use "
		    "fewer repetitions",
		    run->path, series->count, VALUES_MAX);
	for (size_t i = 0; i < series->count; i++)
		series->value[i] = orient(loader->input, series->value[i]);
}

/* No cut lies beyond the worst value of the references. */
static double worst_reference(const struct loader *loader)
{
	double worst = -INFINITY;
	struct series series;

	if (loader->options->limited)
		return INFINITY;
	for (size_t g = GROUP_GOOD; g <= GROUP_BAD; g++)
		for (size_t r = 0; r < loader->group[g].count; r++) {
			const struct rundir *run = &loader->group[g].run[r];

			if (unusable(loader, run))
				continue;
			read_oriented(loader, run, &series);
			for (size_t i = 0; i < series.count; i++)
				worst = fmax(worst, series.value[i]);
			series_free(&series);
		}
	return worst;
}

static void drop(struct judge_values *values, const struct rundir *run,
		 const char *why)
{
	values->dropped++;
	free(values->why_dropped);
	values->why_dropped = xprintf("%s: %s", run->path, why);
	text_clean(values->why_dropped);
}

static void take_run(const struct loader *loader, struct judge_values *values,
		     const struct rundir *run, double worst)
{
	const char *why = unusable(loader, run);
	struct series series;

	if (why) {
		drop(values, run, why);
		return;
	}
	read_oriented(loader, run, &series);
	for (size_t i = 0; i < series.count; i++)
		if (series.capped[i])
			series.value[i] = fmax(series.value[i], worst);
	values->capped += series.capped_count;
	if (series.count) {
		judge_values_add(values, series.value, series.count, run->path);
		series.value = NULL;
	} else {
		drop(values, run, "it has no values");
	}
	series_free(&series);
}

static void load_runs(struct judge_input *input,
		      const struct judge_options *options)
{
	struct loader loader = { .options = options, .input = input };
	double worst;

	open_runs(&loader);
	judge_check_runs(&loader.all, loader.group, options->force);
	input->deterministic =
		loader.all.run[0].stream.run.mode == MODE_DETERMINISTIC;
	choose_metric(&loader);
	read_declaration(&loader);
	if (options->direction != DIRECTION_METRIC)
		input->lower = options->direction == DIRECTION_LOWER;
	worst = worst_reference(&loader);
	for (size_t g = 0; g < GROUPS; g++)
		for (size_t r = 0; r < loader.group[g].count; r++)
			take_run(&loader, &input->group[g],
				 &loader.group[g].run[r], worst);
	for (size_t g = 0; g < GROUPS; g++)
		runs_free(&loader.group[g]);
	free(loader.all.run);
}

static void load_files(struct judge_input *input,
		       const struct judge_options *options)
{
	const char *metric = options->metric ? options->metric : "value";

	input->metric = xprintf("%s", metric);
	input->unit = units_of(metric);
	input->lower = options->direction != DIRECTION_HIGHER;
	for (size_t g = 0; g < GROUPS; g++) {
		struct judge_runs *runs = &input->group[g].runs;

		for (size_t i = 0; i < options->group[g].count; i++)
			judge_load_file(&input->group[g],
					options->group[g].path[i]);
		for (size_t i = 0; i < runs->boots; i++)
			for (size_t v = 0; v < runs->boot[i].values; v++)
				runs->boot[i].value[v] =
					orient(input, runs->boot[i].value[v]);
	}
}

/* --independent: each value stands for a boot. */
static void spread_out(struct judge_values *values)
{
	struct judge_values out = { .capped = values->capped,
				    .dropped = values->dropped,
				    .why_dropped = values->why_dropped };

	for (size_t i = 0; i < values->runs.boots; i++)
		for (size_t v = 0; v < values->runs.boot[i].values; v++) {
			double *one = xalloc(1, sizeof(*one));

			*one = values->runs.boot[i].value[v];
			judge_values_add(&out, one, 1, values->from[i]);
		}
	values->why_dropped = NULL;
	judge_values_free(values);
	*values = out;
}

void judge_load(struct judge_input *input, const struct judge_options *options)
{
	memset(input, 0, sizeof(*input));
	if (are_files(options))
		load_files(input, options);
	else
		load_runs(input, options);
	for (size_t g = 0; g < GROUPS && options->independent; g++)
		spread_out(&input->group[g]);
}

void judge_load_free(struct judge_input *input)
{
	for (size_t g = 0; g < GROUPS; g++)
		judge_values_free(&input->group[g]);
	free(input->metric);
}
