// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * simulate_main.c - `kverdict simulate`: the judge's real error rates
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "commands.h"
#include "die.h"
#include "judge_load.h"
#include "judge_options.h"
#include "judge_refuse.h"
#include "simulate.h"

#define CANDIDATES_DEFAULT 10000
#define TRIALS_DEFAULT	   1000

static void rate(const char *name, size_t hits, size_t trials)
{
	struct simulate_interval i = simulate_interval(hits, trials);

	printf("  %-12s %8zu  %.4f [%.4f, %.4f]\n", name, hits, i.share, i.low,
	       i.high);
}

static void tally_lines(const char *name, const struct simulate_tally *tally)
{
	if (!tally->candidates)
		return;
	printf("%s: %zu candidates, %.1f boots on average\n", name,
	       tally->candidates,
	       (double)tally->boots / (double)tally->candidates);
	rate("good", tally->good, tally->candidates);
	rate("bad", tally->bad, tally->candidates);
	rate("third", tally->third, tally->candidates);
	rate("cannot tell", tally->undecided, tally->candidates);
}

static gsl_rng *start_random(uint64_t seed)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

	if (!rng)
		die(STATUS_HOST, "simulate: out of memory");
	gsl_rng_set(rng, (unsigned long)seed);
	return rng;
}

/* The word comes first, as in `judge`: a script reads one line. */
static int finish(const struct simulate_result *result, const char *about,
		  double bound, uint64_t seed)
{
	bool above = simulate_above(result, bound);

	printf("%s\n", above ? "refused" : "kept");
	printf("bound %g each way; shares with 95 %% intervals; mt19937, seed "
	       "%" PRIu64 "\n",
	       bound, seed);
	printf("%s\n", about);
	tally_lines("good candidates", &result->of_good);
	tally_lines("bad candidates", &result->of_bad);
	tally_lines("half-way candidates", &result->half_way);
	if (above)
		warn("simulate: an error rate lies above the bound %g: take 3 "
		     "more boots of each reference and simulate again",
		     bound);
	return above ? STATUS_HOST : STATUS_GOOD;
}

static int of_family(const struct judge_options *options)
{
	const struct simulate_family *family =
		simulate_family_find(options->family);
	size_t trials =
		options->candidates ? options->candidates : TRIALS_DEFAULT;
	struct simulate_family_result result;
	char *about;
	gsl_rng *rng;
	int status;

	if (!family)
		die(STATUS_USAGE,
		    "no family is named %s: see kverdict "
		    "simulate --help",
		    options->family);
	rng = start_random(options->seed);
	simulate_family(family, &options->rule, options->same, trials, rng,
			&result);
	gsl_rng_free(rng);
	if (options->same) {
		printf("one kernel at both ends: told apart in %zu of %zu "
		       "sets of references\n",
		       result.accepted, trials);
		return STATUS_GOOD;
	}
	if (!result.accepted)
		die(STATUS_HOST,
		    "simulate %s: no set of references was told "
		    "apart in %zu trials",
		    options->family, trials);
	about = xprintf("family %s: references told apart in %zu of %zu sets, "
			"with %.1f boots each",
			options->family, result.accepted, trials,
			(double)result.boots / (double)result.accepted);
	status = finish(&result.result, about, options->rule.bound,
			options->seed);
	free(about);
	return status;
}

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

static int of_references(struct judge_options *options)
{
	const struct judge_runs *good, *bad;
	struct judge_refs refs = { .plain = NULL };
	struct simulate_result result;
	struct judge_input input;
	size_t boots;
	char *refused, *about;
	gsl_rng *rng;
	int status;

	judge_load(&input, options);
	judge_adapt_rule(options, &input);
	good = &input.group[GROUP_GOOD].runs;
	bad = &input.group[GROUP_BAD].runs;
	refused = judge_refuse(&refs, &input, &options->rule);
	if (!refused && refs.state == JUDGE_REFS_EXACT)
		refused = xprintf("constant references of too few boots have "
				  "no error rate");
	if (refused)
		die(STATUS_HOST, "simulate: %s", refused);

	boots = options->boots ? options->boots : options->rule.budget;
	if (!boots)
		boots = smaller(good->boots, bad->boots);
	rng = start_random(options->seed);
	simulate_resample(&refs, good, bad,
			  options->candidates ? options->candidates
					      : CANDIDATES_DEFAULT,
			  boots, rng, &result);
	gsl_rng_free(rng);
	about = xprintf("references: %zu and %zu boots, resampled into "
			"candidates of at most %zu",
			good->boots, bad->boots, boots);
	status = finish(&result, about, options->rule.bound, options->seed);
	free(about);
	judge_refs_free(&refs);
	judge_load_free(&input);
	return status;
}

int simulate_main(int argc, char **argv)
{
	struct judge_options options;
	int status = STATUS_GOOD;

	judge_options_parse(&options, true, argc, argv);
	if (options.help)
		judge_options_help(true);
	else if (options.family)
		status = of_family(&options);
	else
		status = of_references(&options);
	judge_options_free(&options);
	return status;
}
