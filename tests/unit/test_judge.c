// SPDX-License-Identifier: GPL-2.0-or-later
// sources: host/judge.c host/judge_refs.c host/judge_cut.c host/judge_first.c host/judge_exact.c host/evidence.c host/evidence_sum.c host/stats.c host/die.c
/*
 * test_judge.c - the verdicts, and the symmetries that they must have
 */
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "die.h"
#include "judge.h"

#define REPORT "tests/data/readiness-report.csv"

static gsl_rng *rng;

static int set_up(void **state)
{
	(void)state;
	rng = gsl_rng_alloc(gsl_rng_mt19937);
	gsl_rng_set(rng, 20250701);
	return rng ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	gsl_rng_free(rng);
	return 0;
}

static struct judge_runs make_runs(size_t boots, size_t values)
{
	struct judge_runs runs = { xalloc(boots, sizeof(*runs.boot)), boots };

	for (size_t i = 0; i < boots; i++) {
		runs.boot[i].values = values;
		runs.boot[i].value = xalloc(values, sizeof(double));
	}
	return runs;
}

static void free_runs(struct judge_runs *runs)
{
	for (size_t i = 0; i < runs->boots; i++)
		free(runs->boot[i].value);
	free(runs->boot);
}

/* Fast values near 1, and @slow of all near 100, as readiness has them. */
static struct judge_runs two_modes(size_t boots, size_t values, double slow)
{
	struct judge_runs runs = make_runs(boots, values);

	for (size_t i = 0; i < boots; i++)
		for (size_t v = 0; v < values; v++)
			runs.boot[i].value[v] =
				(gsl_rng_uniform(rng) < slow ? 100.0 : 1.0) *
				(1.0 + gsl_ran_gaussian(rng, 0.05));
	return runs;
}

static struct judge_runs normal(size_t boots, size_t values, double mean,
				double within, double between)
{
	struct judge_runs runs = make_runs(boots, values);

	for (size_t i = 0; i < boots; i++) {
		double at = mean + gsl_ran_gaussian(rng, between);

		for (size_t v = 0; v < values; v++)
			runs.boot[i].value[v] =
				at + gsl_ran_gaussian(rng, within);
	}
	return runs;
}

static struct judge_runs constant(size_t boots, size_t values, double value)
{
	struct judge_runs runs = make_runs(boots, values);

	for (size_t i = 0; i < boots; i++)
		for (size_t v = 0; v < values; v++)
			runs.boot[i].value[v] = value;
	return runs;
}

static struct judge_runs mapped(const struct judge_runs *from, double factor,
				double shift)
{
	struct judge_runs runs = make_runs(from->boots, from->boot[0].values);

	for (size_t i = 0; i < from->boots; i++)
		for (size_t v = 0; v < from->boot[i].values; v++)
			runs.boot[i].value[v] =
				shift + factor * from->boot[i].value[v];
	return runs;
}

/* The samples of one kernel of the public report, a boot each. */
static struct judge_runs report(const char *series)
{
	struct judge_runs runs = { NULL, 0 };
	FILE *file = fopen(REPORT, "r");
	char line[256];

	if (!file)
		fail_msg("open " REPORT ": run the tests from the top");
	while (fgets(line, sizeof(line), file)) {
		size_t len = strcspn(line, ",");
		struct judge_boot *boot;

		if (strlen(series) != len || strncmp(line, series, len) != 0)
			continue;
		runs.boot = xgrow(runs.boot, runs.boots + 1, sizeof(*boot));
		boot = &runs.boot[runs.boots++];
		boot->values = 1;
		boot->value = xalloc(1, sizeof(double));
		boot->value[0] = strtod(strrchr(line, ',') + 1, NULL);
	}
	fclose(file);
	return runs;
}

static struct judge_rule rule_of(bool sequential)
{
	struct judge_rule rule;

	judge_rule_default(&rule, sequential);
	return rule;
}

static enum judge_refs_state state_of(struct judge_runs good,
				      struct judge_runs bad, bool sequential)
{
	struct judge_rule rule = rule_of(sequential);
	struct judge_refs refs = { .plain = NULL };
	enum judge_refs_state state;

	judge_refs_learn(&refs, &good, &bad, &rule);
	state = refs.state;
	if (state == JUDGE_REFS_SAME && judge_refs_reversed(&good, &bad, &rule))
		state = JUDGE_REFS_REVERSED;
	judge_refs_free(&refs);
	free_runs(&good);
	free_runs(&bad);
	return state;
}

/* Frees what it is given, so that a test reads as a sentence. */
static struct judge_verdict verdict_of(struct judge_runs good,
				       struct judge_runs bad,
				       struct judge_runs candidate,
				       struct judge_rule rule)
{
	struct judge_verdict verdict;
	struct judge_refs refs = { .plain = NULL };

	judge_refs_learn(&refs, &good, &bad, &rule);
	assert_true(refs.state == JUDGE_REFS_DIFFER ||
		    refs.state == JUDGE_REFS_EXACT);
	judge_runs(&refs, &candidate, &verdict);
	judge_refs_free(&refs);
	free_runs(&good);
	free_runs(&bad);
	free_runs(&candidate);
	return verdict;
}

static struct judge_verdict report_verdict(const char *series)
{
	struct judge_rule rule = rule_of(false);

	rule.disturbed = 0.0; /* --independent */
	return verdict_of(report("before-lag-placement"),
			  report("lag-placement"), report(series), rule);
}

static void report__gives_the_verdicts_it_must(void **state)
{
	struct judge_verdict mixture;

	(void)state;
	assert_int_equal(report_verdict("before-lag-placement").word,
			 JUDGE_GOOD);
	assert_int_equal(report_verdict("lag-placement").word, JUDGE_BAD);
	assert_int_equal(report_verdict("lag-placement-plus-fix").word,
			 JUDGE_GOOD);
	assert_int_equal(report_verdict("6.6.98-plus-fix").word, JUDGE_GOOD);
	mixture = report_verdict("6.6.98");
	assert_int_equal(mixture.word, JUDGE_BAD);
	assert_int_equal(mixture.beyond, 9);
	assert_int_equal(mixture.values, 13);
	/* docs/judge.md: a narrow one, by the tail of the one look alone. */
	assert_true(fabs(mixture.look.tail_good - 0.00036) < 0.00001);
	assert_true(mixture.look.log_e_good < log(2000.0));
}

static void report__is_cut_in_the_gap(void **state)
{
	struct judge_runs good = report("before-lag-placement");
	struct judge_runs bad = report("lag-placement");
	struct judge_rule rule = rule_of(false);
	struct judge_refs refs = { .plain = NULL };

	(void)state;
	rule.disturbed = 0.0;
	judge_refs_learn(&refs, &good, &bad, &rule);
	assert_int_equal(refs.state, JUDGE_REFS_DIFFER);
	assert_int_equal(refs.kind, JUDGE_CUT_MODE);
	assert_true(fabs(refs.cut.at - 0.001325) < 1e-9);
	assert_int_equal(refs.good.beyond, 2);
	assert_int_equal(refs.bad.beyond, 10);
	assert_true(refs.log_s > log(1e5));
	judge_refs_free(&refs);
	free_runs(&good);
	free_runs(&bad);
}

static void references__that_are_one_kernel_are_refused(void **state)
{
	(void)state;
	assert_int_equal(
		state_of(two_modes(8, 40, 0.3), two_modes(8, 40, 0.3), true),
		JUDGE_REFS_SAME);
	assert_int_equal(state_of(normal(8, 40, 100.0, 4.0, 1.0),
				  normal(8, 40, 100.0, 4.0, 1.0), false),
			 JUDGE_REFS_SAME);
	assert_int_equal(state_of(report("lag-placement"),
				  report("lag-placement"), false),
			 JUDGE_REFS_SAME);
	assert_int_equal(
		state_of(constant(8, 40, 7.0), constant(8, 40, 7.0), true),
		JUDGE_REFS_SAME);
}

static void references__in_the_wrong_order_are_named(void **state)
{
	(void)state;
	assert_int_equal(
		state_of(two_modes(8, 40, 0.75), two_modes(8, 40, 0.1), true),
		JUDGE_REFS_REVERSED);
	assert_int_equal(
		state_of(constant(1, 1, 9.0), constant(1, 1, 3.0), true),
		JUDGE_REFS_REVERSED);
}

static void references__of_too_few_boots_are_refused(void **state)
{
	(void)state;
	assert_int_equal(
		state_of(two_modes(2, 40, 0.1), two_modes(9, 40, 0.7), true),
		JUDGE_REFS_FEW);
	assert_int_equal(
		state_of(two_modes(1, 40, 0.1), two_modes(1, 40, 0.7), false),
		JUDGE_REFS_FEW);
}

static void judge__finds_two_bad_candidates(void **state)
{
	struct judge_verdict verdict;

	(void)state;
	verdict = verdict_of(two_modes(8, 40, 0.1), two_modes(8, 40, 0.75),
			     two_modes(8, 40, 0.75), rule_of(false));
	assert_int_equal(verdict.word, JUDGE_BAD);
	verdict = verdict_of(normal(8, 40, 100.0, 2.0, 0.5),
			     normal(8, 40, 105.0, 2.0, 0.5),
			     normal(16, 40, 105.0, 2.0, 0.5), rule_of(true));
	assert_int_equal(verdict.word, JUDGE_BAD);
}

static void judge__does_not_blame_two_good_candidates(void **state)
{
	struct judge_verdict verdict;

	(void)state;
	verdict = verdict_of(two_modes(8, 40, 0.1), two_modes(8, 40, 0.75),
			     two_modes(8, 40, 0.1), rule_of(false));
	assert_int_equal(verdict.word, JUDGE_GOOD);
	verdict = verdict_of(normal(8, 40, 100.0, 2.0, 0.5),
			     normal(8, 40, 105.0, 2.0, 0.5),
			     normal(16, 40, 100.0, 2.0, 0.5), rule_of(true));
	assert_int_equal(verdict.word, JUDGE_GOOD);
}

static void judge__names_values_like_neither(void **state)
{
	struct judge_verdict verdict;

	(void)state;
	verdict = verdict_of(two_modes(8, 40, 0.1), two_modes(8, 40, 0.75),
			     constant(8, 40, 50.0), rule_of(false));
	assert_int_equal(verdict.word, JUDGE_THIRD);
	assert_int_equal(verdict.why, JUDGE_WHY_VALUES);
	verdict = verdict_of(two_modes(8, 40, 0.1), two_modes(8, 40, 0.75),
			     constant(8, 40, 900.0), rule_of(true));
	assert_int_equal(verdict.word, JUDGE_THIRD);
	assert_int_equal(verdict.boots, 3);
}

static void judge__names_a_share_between(void **state)
{
	struct judge_verdict verdict =
		verdict_of(two_modes(8, 400, 0.02), two_modes(8, 400, 0.98),
			   two_modes(16, 400, 0.5), rule_of(false));

	(void)state;
	assert_int_equal(verdict.word, JUDGE_THIRD);
	assert_int_equal(verdict.why, JUDGE_WHY_BETWEEN);
}

static void judge__cannot_tell_from_one_boot_alone(void **state)
{
	struct judge_verdict verdict =
		verdict_of(two_modes(8, 40, 0.1), two_modes(8, 40, 0.75),
			   two_modes(1, 40, 0.75), rule_of(true));

	(void)state;
	assert_int_equal(verdict.word, JUDGE_MORE);
}

static void judge__is_undecided_at_the_end_of_the_budget(void **state)
{
	struct judge_rule rule = rule_of(true);
	struct judge_verdict verdict;

	(void)state;
	rule.budget = 4;
	verdict = verdict_of(two_modes(8, 40, 0.1), two_modes(8, 40, 0.75),
			     two_modes(6, 40, 0.42), rule);
	assert_int_equal(verdict.word, JUDGE_UNDECIDED);
	assert_int_equal(verdict.boots, 4);
}

/* The first three boots are bad; nothing that follows takes that back. */
static void sequential__stop_stands_whatever_follows(void **state)
{
	struct judge_runs candidate = two_modes(12, 40, 0.0);
	struct judge_runs start = two_modes(6, 40, 0.75);
	struct judge_verdict verdict;

	(void)state;
	for (size_t i = 0; i < 6; i++)
		memcpy(candidate.boot[i].value, start.boot[i].value,
		       40 * sizeof(double));
	free_runs(&start);
	verdict = verdict_of(two_modes(8, 40, 0.1), two_modes(8, 40, 0.75),
			     candidate, rule_of(true));
	assert_int_equal(verdict.word, JUDGE_BAD);
	assert_true(verdict.boots <= 6);
}

/* Two boots at first: a third one does not get the first look's error. */
static void sequential__spends_the_first_look_once(void **state)
{
	struct judge_rule rule = rule_of(true);
	struct judge_runs good = two_modes(8, 40, 0.1);
	struct judge_runs bad = two_modes(8, 40, 0.75);
	struct judge_count count[6];
	struct judge_verdict verdict;
	struct judge_refs refs = { .plain = NULL };

	(void)state;
	rule.first = 2;
	judge_refs_learn(&refs, &good, &bad, &rule);
	for (size_t i = 0; i < 6; i++)
		count[i] = (struct judge_count){ 17, 0, 40 };
	judge_counts(&refs, count, 2, &verdict);
	assert_int_equal(verdict.word, JUDGE_MORE);
	assert_true(verdict.look.tail_good < 1.0);
	judge_counts(&refs, count, 3, &verdict);
	assert_int_equal(verdict.boots, 3);
	assert_true(verdict.look.tail_good == 1.0);
	judge_refs_free(&refs);
	free_runs(&good);
	free_runs(&bad);
}

static double log_like_good(struct judge_refs *refs,
			    const struct judge_count *count, size_t boots)
{
	double log_like[EVIDENCE_CELLS] = { 0.0 };

	for (size_t i = 0; i < boots; i++)
		evidence_add(refs->like_good,
			     (struct evidence_count){ count[i].beyond,
						      count[i].values },
			     log_like);
	return evidence_log_mix(refs->good.weight, log_like);
}

/* The whole of the bound rests on this: summed over all data, exactly. */
static void evidence__averages_1_over_its_denominator(void **state)
{
	struct judge_rule rule = rule_of(false);
	struct judge_runs good = two_modes(8, 9, 0.1);
	struct judge_runs bad = two_modes(8, 9, 0.75);
	struct judge_refs refs = { .plain = NULL };
	double mean = 0.0;

	(void)state;
	rule.tolerance = 0.25;
	judge_refs_learn(&refs, &good, &bad, &rule);
	assert_int_equal(refs.state, JUDGE_REFS_DIFFER);
	for (size_t k = 0; k <= 9; k++)
		for (size_t l = 0; l <= 7; l++) {
			struct judge_count count[] = { { k, 0, 9 },
						       { l, 0, 7 } };
			struct judge_verdict verdict;

			judge_counts(&refs, count, 2, &verdict);
			mean += exp(log_like_good(&refs, count, 2) +
				    verdict.look.log_e_good);
		}
	assert_true(fabs(mean - 1.0) < 1e-9);
	judge_refs_free(&refs);
	free_runs(&good);
	free_runs(&bad);
}

static void assert_same_evidence(const struct judge_verdict *a,
				 const struct judge_verdict *b, double slack)
{
	assert_int_equal(a->word, b->word);
	assert_int_equal(a->beyond, b->beyond);
	assert_true(fabs(a->look.log_e_good - b->look.log_e_good) < slack);
	assert_true(fabs(a->look.log_e_bad - b->look.log_e_bad) < slack);
	assert_true(fabs(a->look.half - b->look.half) < slack);
}

static void verdict__is_mirrored_with_the_metric(void **state)
{
	struct judge_runs good = two_modes(7, 40, 0.1);
	struct judge_runs bad = two_modes(8, 40, 0.75);
	struct judge_runs candidate = two_modes(5, 40, 0.1);
	struct judge_runs mirrored_good = mapped(&bad, -1.0, 0.0);
	struct judge_runs mirrored_bad = mapped(&good, -1.0, 0.0);
	struct judge_runs mirrored = mapped(&candidate, -1.0, 0.0);
	struct judge_verdict one =
		verdict_of(good, bad, candidate, rule_of(false));
	struct judge_verdict two = verdict_of(mirrored_good, mirrored_bad,
					      mirrored, rule_of(false));

	(void)state;
	assert_int_equal(one.word, JUDGE_GOOD);
	assert_int_equal(two.word, JUDGE_BAD);
	assert_int_equal(one.beyond, two.values - two.beyond);
	assert_true(fabs(one.look.log_e_bad - two.look.log_e_good) < 1e-9);
	assert_true(fabs(one.look.log_e_good - two.look.log_e_bad) < 1e-9);
}

static void verdict__does_not_depend_on_the_unit(void **state)
{
	struct judge_runs good = normal(8, 40, 100.0, 4.0, 1.0);
	struct judge_runs bad = normal(8, 40, 106.0, 4.0, 1.0);
	struct judge_runs candidate = normal(8, 40, 106.0, 4.0, 1.0);
	struct judge_runs good_ns = mapped(&good, 1024.0, 3e6);
	struct judge_runs bad_ns = mapped(&bad, 1024.0, 3e6);
	struct judge_runs candidate_ns = mapped(&candidate, 1024.0, 3e6);
	struct judge_verdict one =
		verdict_of(good, bad, candidate, rule_of(false));
	struct judge_verdict two =
		verdict_of(good_ns, bad_ns, candidate_ns, rule_of(false));

	(void)state;
	assert_same_evidence(&one, &two, 1e-9);
}

static void verdict__does_not_depend_on_the_order_of_runs(void **state)
{
	struct judge_runs good = two_modes(8, 40, 0.1);
	struct judge_runs bad = two_modes(8, 40, 0.75);
	struct judge_runs candidate = two_modes(6, 40, 0.3);
	struct judge_rule rule = rule_of(false);
	struct judge_verdict one, two;
	struct judge_refs refs = { .plain = NULL };

	(void)state;
	judge_refs_learn(&refs, &good, &bad, &rule);
	judge_runs(&refs, &candidate, &one);
	for (size_t i = 0; i < 3; i++) {
		struct judge_boot boot = candidate.boot[i];

		candidate.boot[i] = candidate.boot[5 - i];
		candidate.boot[5 - i] = boot;
	}
	judge_runs(&refs, &candidate, &two);
	assert_same_evidence(&one, &two, 1e-9);
	judge_refs_free(&refs);
	free_runs(&good);
	free_runs(&bad);
	free_runs(&candidate);
}

/* Three values in all: 1, 2 and 3, and a fifth of the spread is a gap. */
static void ties__everywhere_are_no_obstacle(void **state)
{
	struct judge_runs good = make_runs(9, 30), bad = make_runs(9, 30);
	struct judge_runs candidate = make_runs(9, 30);
	struct judge_verdict verdict;

	(void)state;
	for (size_t i = 0; i < 9; i++)
		for (size_t v = 0; v < 30; v++) {
			good.boot[i].value[v] = v % 10 ? 1.0 : 2.0;
			bad.boot[i].value[v] = v % 10 ? 3.0 : 2.0;
			candidate.boot[i].value[v] = v % 7 ? 3.0 : 1.0;
		}
	verdict = verdict_of(good, bad, candidate, rule_of(false));
	assert_int_equal(verdict.word, JUDGE_BAD);
	assert_int_equal(verdict.beyond, 9 * 25);
}

static void one_constant_reference__takes_the_general_rule(void **state)
{
	struct judge_verdict verdict =
		verdict_of(constant(8, 40, 0.0), two_modes(8, 40, 0.5),
			   constant(8, 40, 0.0), rule_of(true));

	(void)state;
	assert_int_equal(verdict.word, JUDGE_GOOD);
	assert_false(verdict.exact);
}

static void exact__judges_by_a_third_of_the_difference(void **state)
{
	static const struct {
		double value;
		enum judge_word word;
	} table[] = {
		{ 39382.0, JUDGE_GOOD },  { 39250.0, JUDGE_GOOD },
		{ 39700.0, JUDGE_GOOD },  { 39900.0, JUDGE_THIRD },
		{ 39200.0, JUDGE_THIRD }, { 39100.0, JUDGE_BAD },
		{ 38974.0, JUDGE_BAD },	  { 38600.0, JUDGE_BAD },
		{ 38500.0, JUDGE_THIRD },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct judge_verdict verdict = verdict_of(
			constant(1, 1, -39382.0), constant(1, 1, -38974.0),
			constant(1, 1, -table[i].value), rule_of(true));

		assert_true(verdict.exact);
		assert_int_equal(verdict.word, table[i].word);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(report__gives_the_verdicts_it_must),
		cmocka_unit_test(report__is_cut_in_the_gap),
		cmocka_unit_test(references__that_are_one_kernel_are_refused),
		cmocka_unit_test(references__in_the_wrong_order_are_named),
		cmocka_unit_test(references__of_too_few_boots_are_refused),
		cmocka_unit_test(judge__finds_two_bad_candidates),
		cmocka_unit_test(judge__does_not_blame_two_good_candidates),
		cmocka_unit_test(judge__names_values_like_neither),
		cmocka_unit_test(judge__names_a_share_between),
		cmocka_unit_test(judge__cannot_tell_from_one_boot_alone),
		cmocka_unit_test(judge__is_undecided_at_the_end_of_the_budget),
		cmocka_unit_test(sequential__stop_stands_whatever_follows),
		cmocka_unit_test(sequential__spends_the_first_look_once),
		cmocka_unit_test(evidence__averages_1_over_its_denominator),
		cmocka_unit_test(verdict__is_mirrored_with_the_metric),
		cmocka_unit_test(verdict__does_not_depend_on_the_unit),
		cmocka_unit_test(verdict__does_not_depend_on_the_order_of_runs),
		cmocka_unit_test(ties__everywhere_are_no_obstacle),
		cmocka_unit_test(
			one_constant_reference__takes_the_general_rule),
		cmocka_unit_test(exact__judges_by_a_third_of_the_difference),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
