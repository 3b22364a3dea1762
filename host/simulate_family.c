// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * simulate_family.c - families of kernels that were made to be hard
 *
 * Each family draws a kernel, then its boots, then their values, so that
 * boots of a kernel and, in some families, kernels of a class differ among
 * themselves.  The shapes are those seen in real boots: two modes whose
 * shares differ, small shifts, modes that persist within a boot, boots that
 * are disturbed as a whole.
 */
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "die.h"
#include "simulate.h"

#define REFS_START 5
#define REFS_MOST  16
#define REFS_EXTRA 3
#define REFS_LAST  (REFS_MOST + REFS_EXTRA)

enum kind { SHIFT, MODES };

struct simulate_family {
	const char *name, *summary;
	enum kind kind;
	size_t values;	  /* of one boot */
	double good, bad; /* mean, or share of the slow mode */
	double within;	  /* SHIFT: sd of the values of a boot */
	double between;	  /* SHIFT: sd of the boots; MODES: correlation */
	double kernels;	  /* sd of mean or share between kernels of a class */
	double place;	  /* MODES: sd of the fast mode's place by kernel */
	double stay;	  /* MODES: chance to stay in the mode of the last */
	double upset;	  /* MODES: chance of a boot that is wholly slow */
	bool heavy;	  /* SHIFT: Student's t with 2 degrees of freedom */
};

static const struct simulate_family families[] = {
	{ "clean", "slow mode 2 % against 98 %", MODES, 20, 0.02, 0.98,
	  .between = 0.0 },
	{ "bimodal", "slow mode 10 % against 75 %, correlation 0.05", MODES, 20,
	  0.10, 0.75, .between = 0.05 },
	{ "upset", "bimodal, and 2 % of the boots wholly slow", MODES, 20, 0.10,
	  0.75, .between = 0.05, .upset = 0.02 },
	{ "markov", "10 % against 75 %, modes persist (0.8)", MODES, 20, 0.10,
	  0.75, .stay = 0.8 },
	{ "n3", "bimodal with 3 values a boot", MODES, 3, 0.10, 0.75,
	  .between = 0.05 },
	{ "shift5", "shift 5 %, sd 4 % within and 1 % between boots", SHIFT, 20,
	  100.0, 105.0, .within = 4.0, .between = 1.0 },
	{ "heavy", "shift5 with Student's t, 2 degrees of freedom", SHIFT, 20,
	  100.0, 105.0, .within = 4.0, .between = 1.0, .heavy = true },
	{ "shift1", "shift 1 %, sd 1 % within and 0.2 % between boots", SHIFT,
	  20, 100.0, 101.0, .within = 1.0, .between = 0.2 },
	{ "shift1-n3", "shift1 with 3 values a boot", SHIFT, 3, 100.0, 101.0,
	  .within = 1.0, .between = 0.2 },
	{ "rare", "slow mode 0.1 % against 10 %", MODES, 40, 0.001, 0.10,
	  .between = 0.0 },
	{ "bootfx", "shift 5 %, sd 3 % within and 3 % between boots", SHIFT, 20,
	  100.0, 105.0, .within = 3.0, .between = 3.0 },
	{ "bimodal-kjit", "bimodal, kernels' shares differ by sd 0.05", MODES,
	  20, 0.10, 0.75, .between = 0.05, .kernels = 0.05 },
	{ "shift1-kjit", "shift1, kernels differ by sd 0.2 %", SHIFT, 20, 100.0,
	  101.0, .within = 1.0, .between = 0.2, .kernels = 0.2 },
	{ "det-jitter",
	  "0 against 25 %, share (0.06) and place (10 %) by kernel", MODES, 20,
	  0.0, 0.25, .kernels = 0.06, .place = 0.10 },
};

static const size_t family_count = sizeof(families) / sizeof(families[0]);

/* One kernel: the mean or slow share of its boots, and its fast mode. */
struct kernel {
	double level, fast;
};

const struct simulate_family *simulate_family_find(const char *name)
{
	for (size_t i = 0; i < family_count; i++)
		if (!strcmp(families[i].name, name))
			return &families[i];
	return NULL;
}

const char *simulate_family_at(size_t i, const char **summary, bool *modelled)
{
	if (i >= family_count)
		return NULL;
	*summary = families[i].summary;
	*modelled = families[i].kernels == 0.0;
	return families[i].name;
}

static double within_0_1(double x)
{
	return fmin(fmax(x, 0.0), 1.0);
}

/* @position: 0 a good kernel, 1 a bad one, 0.5 half-way. */
static struct kernel draw_kernel(const struct simulate_family *family,
				 double position, gsl_rng *rng)
{
	struct kernel kernel = {
		.level = family->good + position * (family->bad - family->good),
		.fast = 1.0,
	};

	/* A share of 0 is a mode that is not there: it stays so. */
	if (family->kernels > 0.0 && kernel.level > 0.0)
		kernel.level += gsl_ran_gaussian(rng, family->kernels);
	if (family->place > 0.0)
		kernel.fast += gsl_ran_gaussian(rng, family->place);
	if (family->kind == MODES)
		kernel.level = within_0_1(kernel.level);
	return kernel;
}

static void draw_shift(const struct simulate_family *family,
		       const struct kernel *kernel, gsl_rng *rng, double *value)
{
	double mean = kernel->level + gsl_ran_gaussian(rng, family->between);

	for (size_t v = 0; v < family->values; v++)
		value[v] = mean +
			   (family->heavy
				    ? family->within * gsl_ran_tdist(rng, 2.0)
				    : gsl_ran_gaussian(rng, family->within));
}

/* The slow share of one boot. */
static double draw_share(const struct simulate_family *family, double share,
			 gsl_rng *rng)
{
	double scale;

	if (family->upset > 0.0 && gsl_rng_uniform(rng) < family->upset)
		return 1.0;
	if (family->between == 0.0 || share <= 0.0 || share >= 1.0)
		return share;
	scale = (1.0 - family->between) / family->between;
	return gsl_ran_beta(rng, share * scale, (1.0 - share) * scale);
}

static void draw_modes(const struct simulate_family *family,
		       const struct kernel *kernel, gsl_rng *rng, double *value)
{
	double share = draw_share(family, kernel->level, rng);
	bool slow = gsl_rng_uniform(rng) < share;

	for (size_t v = 0; v < family->values; v++) {
		if (v && gsl_rng_uniform(rng) >= family->stay)
			slow = gsl_rng_uniform(rng) < share;
		value[v] = (slow ? 10.0 : kernel->fast) *
			   (1.0 + gsl_ran_gaussian(rng, 0.05));
	}
}

static struct judge_runs draw_boots(const struct simulate_family *family,
				    const struct kernel *kernel, size_t boots,
				    gsl_rng *rng)
{
	struct judge_runs runs = { xalloc(boots, sizeof(*runs.boot)), boots };

	for (size_t i = 0; i < boots; i++) {
		struct judge_boot *boot = &runs.boot[i];

		boot->values = family->values;
		boot->value = xalloc(boot->values, sizeof(*boot->value));
		if (family->kind == SHIFT)
			draw_shift(family, kernel, rng, boot->value);
		else
			draw_modes(family, kernel, rng, boot->value);
	}
	return runs;
}

static void free_boots(struct judge_runs *runs, size_t boots)
{
	for (size_t i = 0; i < boots; i++)
		free(runs->boot[i].value);
	free(runs->boot);
}

static bool told_apart(struct judge_refs *refs, struct judge_runs *good,
		       struct judge_runs *bad, size_t boots,
		       const struct judge_rule *rule)
{
	good->boots = bad->boots = boots;
	judge_refs_learn(refs, good, bad, rule);
	return refs->state == JUDGE_REFS_DIFFER;
}

/* As a bisect does: until told apart, then 3 more, which must agree; or as
 * `judge` does, which takes what there is.
 */
static bool take_references(struct judge_refs *refs, struct judge_runs *good,
			    struct judge_runs *bad,
			    const struct judge_rule *rule)
{
	if (!rule->sequential)
		return told_apart(refs, good, bad, SIMULATE_FIXED, rule);
	for (size_t boots = REFS_START; boots <= REFS_MOST; boots++)
		if (told_apart(refs, good, bad, boots, rule))
			return told_apart(refs, good, bad, boots + REFS_EXTRA,
					  rule);
	return false;
}

static void judge_one(const struct simulate_family *family,
		      struct judge_refs *refs, double position, gsl_rng *rng,
		      struct simulate_tally *tally)
{
	struct kernel kernel = draw_kernel(family, position, rng);
	size_t boots = refs->rule.budget ? refs->rule.budget : SIMULATE_FIXED;
	struct judge_runs runs = draw_boots(family, &kernel, boots, rng);
	struct judge_verdict verdict;

	judge_runs(refs, &runs, &verdict);
	simulate_tally_add(tally, &verdict);
	free_boots(&runs, boots);
}

void simulate_family(const struct simulate_family *family,
		     const struct judge_rule *rule, bool same, size_t trials,
		     gsl_rng *rng, struct simulate_family_result *result)
{
	struct judge_refs refs = { .plain = NULL };
	*result = (struct simulate_family_result){ .trials = trials };
	for (size_t trial = 0; trial < trials; trial++) {
		struct kernel one = draw_kernel(family, 0.0, rng);
		struct kernel other =
			draw_kernel(family, same ? 0.0 : 1.0, rng);
		struct judge_runs good =
			draw_boots(family, &one, REFS_LAST, rng);
		struct judge_runs bad =
			draw_boots(family, &other, REFS_LAST, rng);

		if (take_references(&refs, &good, &bad, rule)) {
			result->accepted++;
			result->boots += good.boots;
			judge_one(family, &refs, 0.0, rng,
				  &result->result.of_good);
			judge_one(family, &refs, 1.0, rng,
				  &result->result.of_bad);
			judge_one(family, &refs, 0.5, rng,
				  &result->result.half_way);
		}
		free_boots(&good, REFS_LAST);
		free_boots(&bad, REFS_LAST);
	}
	judge_refs_free(&refs);
}
