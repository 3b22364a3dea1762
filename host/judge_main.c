// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * judge_main.c - `kverdict judge`: from runs to a verdict and its exit status
 */
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "commands.h"
#include "die.h"
#include "judge.h"
#include "judge_limit.h"
#include "judge_load.h"
#include "judge_options.h"
#include "judge_refuse.h"
#include "judge_report.h"
#include "simulate.h"
#include "stats.h"

/* Boots until a verdict, by continuing with the candidate's own. */
static size_t boots_wanted(struct judge_refs *refs,
			   const struct judge_runs *candidate)
{
	struct judge_count *count = xalloc(candidate->boots, sizeof(*count));
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	size_t more;

	if (!rng)
		die(STATUS_HOST, "judge: out of memory");
	gsl_rng_set(rng, SIMULATE_SEED);
	for (size_t i = 0; i < candidate->boots; i++)
		count[i] = judge_count_boot(refs, &candidate->boot[i]);
	more = simulate_more(refs, count, candidate->boots, rng);
	gsl_rng_free(rng);
	free(count);
	return more;
}

/* Nothing measured is no reason to ask for more of it. */
static void settle_empty(const struct judge_input *input,
			 struct judge_verdict *verdict)
{
	if (!input->group[GROUP_CANDIDATE].runs.boots)
		verdict->word = JUDGE_UNDECIDED;
}

static size_t more_of(struct judge_refs *refs, const struct judge_rule *rule,
		      const struct judge_runs *candidate,
		      const struct judge_verdict *verdict)
{
	if (verdict->word != JUDGE_MORE)
		return 0;
	if (candidate->boots < rule->first)
		return rule->first - candidate->boots;
	return refs ? boots_wanted(refs, candidate) : 1;
}

/* The median of the first @boots boots. */
static double median_of(const struct judge_runs *runs, size_t boots)
{
	double *sorted = NULL, median = NAN;
	size_t count = 0;

	for (size_t i = 0; i < boots; i++) {
		const struct judge_boot *boot = &runs->boot[i];

		sorted = xgrow(sorted, count + boot->values, sizeof(*sorted));
		memcpy(sorted + count, boot->value,
		       boot->values * sizeof(*sorted));
		count += boot->values;
	}
	if (count) {
		gsl_sort(sorted, 1, count);
		median = stats_quantile(sorted, count, 0.5);
	}
	free(sorted);
	return median;
}

/* The default place is the last candidate, if it is a folder. */
static void write_verdict(const struct judge_case *c)
{
	const struct judge_options *options = c->options;
	const struct judge_paths *paths = &options->group[GROUP_CANDIDATE];
	const char *last = paths->count ? paths->path[paths->count - 1] : NULL;
	struct stat st;
	char *path;
	int err;

	if (options->verdict_file) {
		err = judge_report_write(c, options->verdict_file);
		if (err)
			die(STATUS_HOST, "write %s: %s", options->verdict_file,
			    strerror(-err));
		return;
	}
	if (!last || stat(last, &st) < 0 || !S_ISDIR(st.st_mode))
		return;
	path = xprintf("%s/verdict.json", last);
	err = judge_report_write(c, path);
	if (err)
		warn("write %s: %s: the verdict is on stdout only", path,
		     strerror(-err));
	free(path);
}

static int finish(const struct judge_case *c)
{
	judge_report_print(c);
	write_verdict(c);
	if (fflush(stdout) == EOF)
		die_errno(STATUS_HOST, "print the verdict");
	if (c->refused)
		warn("judge: %s", c->refused);
	return judge_report_status(c);
}

static int by_limit(const struct judge_options *options,
		    const struct judge_input *input)
{
	const struct judge_runs *candidate =
		&input->group[GROUP_CANDIDATE].runs;
	struct judge_case c = { .options = options, .input = input };
	struct judge_verdict verdict;

	judge_limit(&options->rule,
		    input->lower ? options->limit : -options->limit,
		    1.0 - options->quantile, candidate, &verdict);
	settle_empty(input, &verdict);
	c.verdict = &verdict;
	c.median = median_of(candidate, verdict.boots);
	c.more = more_of(NULL, &options->rule, candidate, &verdict);
	return finish(&c);
}

static int by_references(const struct judge_options *options,
			 const struct judge_input *input)
{
	const struct judge_runs *candidate =
		&input->group[GROUP_CANDIDATE].runs;
	struct judge_case c = { .options = options, .input = input };
	struct judge_refs refs = { .plain = NULL };
	struct judge_verdict verdict;
	char *refused;
	int status;

	refused = judge_refuse(&refs, input, &options->rule);
	c.refs = &refs;
	c.refused = refused;
	if (!refused && options->group[GROUP_CANDIDATE].count) {
		judge_runs(&refs, candidate, &verdict);
		settle_empty(input, &verdict);
		c.verdict = &verdict;
		c.median = median_of(candidate, verdict.boots);
		c.more = more_of(&refs, &options->rule, candidate, &verdict);
	}
	status = finish(&c);
	free(refused);
	judge_refs_free(&refs);
	return status;
}

int judge_main(int argc, char **argv)
{
	struct judge_options options;
	struct judge_input input;
	int status;

	judge_options_parse(&options, false, argc, argv);
	if (options.help) {
		judge_options_help(false);
		judge_options_free(&options);
		return STATUS_GOOD;
	}
	judge_load(&input, &options);
	judge_adapt_rule(&options, &input);
	status = options.limited ? by_limit(&options, &input)
				 : by_references(&options, &input);
	judge_load_free(&input);
	judge_options_free(&options);
	return status;
}
