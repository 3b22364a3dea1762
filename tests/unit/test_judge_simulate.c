// SPDX-License-Identifier: GPL-2.0-or-later
// sources: host/simulate.c host/simulate_family.c host/judge.c host/judge_refs.c host/judge_cut.c host/judge_first.c host/judge_exact.c host/judge_limit.c host/evidence.c host/evidence_sum.c host/stats.c host/die.c
/*
 * test_judge_simulate.c - does the bound hold where the model does not?
 *
 * A short version with a fixed seed; the long one is run by hand:
 *	kverdict simulate --sequential --family NAME --candidates 4000
 */
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "die.h"
#include "judge_limit.h"
#include "simulate.h"

#define BOUND  0.001
#define TRIALS 40

static gsl_rng *rng;

static int set_up(void **state)
{
	(void)state;
	rng = gsl_rng_alloc(gsl_rng_mt19937);
	gsl_rng_set(rng, SIMULATE_SEED);
	return rng ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	gsl_rng_free(rng);
	return 0;
}

/* Clopper and Pearson, 2 of 10: 0.0252 to 0.5561 in every textbook. */
static void interval__is_that_of_clopper_and_pearson(void **state)
{
	struct simulate_interval i = simulate_interval(2, 10);

	(void)state;
	assert_true(fabs(i.low - 0.0252) < 5e-5);
	assert_true(fabs(i.high - 0.5561) < 5e-5);
	i = simulate_interval(0, 7000);
	assert_true(i.low == 0.0 && i.high < 0.00053);
	/* GSL's own inverse fails here. */
	i = simulate_interval(3886, 3927);
	assert_true(fabs(i.low - 0.9858) < 1e-4);
	assert_true(fabs(i.high - 0.9925) < 1e-4);
	i = simulate_interval(10, 10);
	assert_true(i.high == 1.0 && i.low > 0.69);
}

static void above__needs_an_interval_above_the_bound(void **state)
{
	struct simulate_result result = {
		.of_good = { .candidates = 10000, .bad = 15 },
		.of_bad = { .candidates = 10000 },
	};

	(void)state;
	assert_false(simulate_above(&result, BOUND));
	result.of_good.bad = 25;
	assert_true(simulate_above(&result, BOUND));
	result.of_good.bad = 0;
	result.of_bad.good = 25;
	assert_true(simulate_above(&result, BOUND));
}

static void families__as_modelled_stay_under_the_bound(void **state)
{
	const char *name, *summary;
	bool modelled;

	(void)state;
	for (size_t i = 0; (name = simulate_family_at(i, &summary, &modelled));
	     i++) {
		struct simulate_family_result result;
		struct judge_rule rule;

		if (!modelled)
			continue;
		judge_rule_default(&rule, true);
		simulate_family(simulate_family_find(name), &rule, false,
				TRIALS, rng, &result);
		print_message("# %s: %zu of %zu accepted, %zu + %zu wrong\n",
			      name, result.accepted, result.trials,
			      result.result.of_good.bad,
			      result.result.of_bad.good);
		assert_true(result.accepted > 0);
		assert_false(simulate_above(&result.result, BOUND));
	}
}

static void family__is_judged_in_one_look_too(void **state)
{
	struct simulate_family_result result;
	struct judge_rule rule;

	(void)state;
	judge_rule_default(&rule, false);
	simulate_family(simulate_family_find("bimodal"), &rule, false, TRIALS,
			rng, &result);
	assert_int_equal(result.accepted, TRIALS);
	assert_int_equal(result.result.of_good.boots, TRIALS * SIMULATE_FIXED);
	assert_int_equal(result.result.of_good.bad, 0);
	assert_int_equal(result.result.of_bad.good, 0);
}

static void family__of_one_kernel_is_refused(void **state)
{
	struct simulate_family_result result;
	struct judge_rule rule;

	(void)state;
	judge_rule_default(&rule, true);
	simulate_family(simulate_family_find("bimodal"), &rule, true, 10, rng,
			&result);
	assert_int_equal(result.accepted, 0);
}

/* Two modes, in @slow of the values the slow one. */
static struct judge_runs two_modes(size_t boots, size_t values, double slow)
{
	struct judge_runs runs = { xalloc(boots, sizeof(*runs.boot)), boots };

	for (size_t i = 0; i < boots; i++) {
		struct judge_boot *boot = &runs.boot[i];

		boot->values = values;
		boot->value = xalloc(values, sizeof(*boot->value));
		for (size_t v = 0; v < values; v++)
			boot->value[v] =
				gsl_rng_uniform(rng) < slow ? 100.0 : 1.0;
	}
	return runs;
}

static void free_runs(struct judge_runs *runs)
{
	for (size_t i = 0; i < runs->boots; i++)
		free(runs->boot[i].value);
	free(runs->boot);
}

static void resample__finds_no_error_in_clear_references(void **state)
{
	struct judge_runs good = two_modes(8, 40, 0.1);
	struct judge_runs bad = two_modes(8, 40, 0.75);
	struct judge_refs refs = { .plain = NULL };
	struct simulate_result result;
	struct judge_rule rule;

	(void)state;
	judge_rule_default(&rule, true);
	judge_refs_learn(&refs, &good, &bad, &rule);
	simulate_resample(&refs, &good, &bad, 500, 16, rng, &result);
	assert_int_equal(result.of_good.candidates, 500);
	assert_int_equal(result.of_good.bad, 0);
	assert_int_equal(result.of_bad.good, 0);
	assert_true(result.of_good.good > 490);
	assert_true(result.of_bad.bad > 490);
	judge_refs_free(&refs);
	free_runs(&good);
	free_runs(&bad);
}

/* A simulation that cannot find an error proves nothing: a negative
 * control.  This rule is told to decide on next to nothing.
 */
static void resample__finds_the_errors_of_a_careless_rule(void **state)
{
	struct judge_runs good = two_modes(8, 40, 0.3);
	struct judge_runs bad = two_modes(8, 40, 0.6);
	struct judge_refs refs = { .plain = NULL };
	struct simulate_result result;
	struct judge_rule rule;

	(void)state;
	judge_rule_default(&rule, true);
	rule.bound = 0.2;
	rule.tolerance = 0.0;
	rule.kappa = 0.0;
	rule.first = 1;
	judge_refs_learn(&refs, &good, &bad, &rule);
	assert_int_equal(refs.state, JUDGE_REFS_DIFFER);
	simulate_resample(&refs, &good, &bad, 1000, 16, rng, &result);
	assert_true(result.of_good.bad + result.of_bad.good > 0);
	assert_true(simulate_above(&result, 0.0001));
	judge_refs_free(&refs);
	free_runs(&good);
	free_runs(&bad);
}

static void more__is_small_where_the_candidate_is_clear(void **state)
{
	struct judge_runs good = two_modes(8, 40, 0.1);
	struct judge_runs bad = two_modes(8, 40, 0.75);
	struct judge_count clear[] = { { 30, 0, 40 }, { 31, 0, 40 } };
	struct judge_count half[] = { { 17, 0, 40 }, { 16, 0, 40 } };
	struct judge_refs refs = { .plain = NULL };
	struct judge_rule rule;

	(void)state;
	judge_rule_default(&rule, true);
	judge_refs_learn(&refs, &good, &bad, &rule);
	assert_in_range(simulate_more(&refs, clear, 2, rng), 1, 4);
	assert_true(simulate_more(&refs, half, 2, rng) > 4);
	judge_refs_free(&refs);
	free_runs(&good);
	free_runs(&bad);
}

static enum judge_word limit_word(double slow, size_t boots, bool sequential)
{
	struct judge_runs runs = two_modes(boots, 40, slow);
	struct judge_verdict verdict;
	struct judge_rule rule;

	judge_rule_default(&rule, sequential);
	judge_limit(&rule, 50.0, 0.1, &runs, &verdict);
	free_runs(&runs);
	return verdict.word;
}

static void limit__is_kept_or_broken_or_too_close(void **state)
{
	(void)state;
	assert_int_equal(limit_word(0.0, 16, false), JUDGE_GOOD);
	assert_int_equal(limit_word(0.6, 16, false), JUDGE_BAD);
	assert_int_equal(limit_word(0.1, 16, false), JUDGE_UNDECIDED);
	assert_int_equal(limit_word(0.1, 4, true), JUDGE_MORE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(interval__is_that_of_clopper_and_pearson),
		cmocka_unit_test(above__needs_an_interval_above_the_bound),
		cmocka_unit_test(families__as_modelled_stay_under_the_bound),
		cmocka_unit_test(family__is_judged_in_one_look_too),
		cmocka_unit_test(family__of_one_kernel_is_refused),
		cmocka_unit_test(resample__finds_no_error_in_clear_references),
		cmocka_unit_test(resample__finds_the_errors_of_a_careless_rule),
		cmocka_unit_test(more__is_small_where_the_candidate_is_clear),
		cmocka_unit_test(limit__is_kept_or_broken_or_too_close),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
