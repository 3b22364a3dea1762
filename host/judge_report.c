// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * judge_report.c - a verdict for people
 *
 * Each line names what it speaks of, with units, and how sure it is: a reader
 * must be able to disagree.
 */
#include "judge_report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "die.h"

#define LABEL_WIDTH 11
/* From this correlation within a boot on a reader is warned. */
#define MUCH_SCATTER 0.15

static const char *const words[] = {
	[JUDGE_GOOD] = "good",		 [JUDGE_BAD] = "bad",
	[JUDGE_THIRD] = "third",	 [JUDGE_MORE] = "more",
	[JUDGE_UNDECIDED] = "undecided",
};

const char *judge_report_word(const struct judge_case *c)
{
	if (c->refused)
		return "refused";
	return c->verdict ? words[c->verdict->word] : "apart";
}

int judge_report_status(const struct judge_case *c)
{
	if (c->refused)
		return STATUS_HOST;
	if (!c->verdict || c->verdict->word == JUDGE_GOOD)
		return STATUS_GOOD;
	return c->verdict->word == JUDGE_BAD ? STATUS_BAD : STATUS_CANNOT_TELL;
}

static void label(const char *text)
{
	printf("%-*s ", LABEL_WIDTH, text);
}

/* An oriented value in the metric's own unit and sense. */
static const char *show_digits(const struct judge_input *input, double oriented,
			       char text[UNITS_SIZE], int digits)
{
	double value = input->lower ? oriented : -oriented;

	/* The reader of values knows their unit; units_format() would make
	 * 0.00 of 0.00002 s.
	 */
	if (input->unit == UNIT_COUNT && value != floor(value))
		snprintf(text, UNITS_SIZE, "%.*g", digits + 1, value);
	else
		units_format_digits(text, value, input->unit, digits);
	return text;
}

static const char *show(const struct judge_input *input, double oriented,
			char text[UNITS_SIZE])
{
	return show_digits(input, oriented, text, 3);
}

static double percent(double share)
{
	return 100.0 * share;
}

/* A likelihood ratio, as a power of ten where it is extreme. */
static const char *odds(double natural_log, char text[UNITS_SIZE])
{
	double tens = natural_log / M_LN10;

	if (fabs(tens) < 4.0)
		snprintf(text, UNITS_SIZE, "%.3g", exp(natural_log));
	else
		snprintf(text, UNITS_SIZE, "10^%.0f", tens);
	return text;
}

/* A gap between medians that hardly differ still has two ends. */
static void cut_part(const struct judge_case *c)
{
	const struct judge_input *input = c->input;
	const struct judge_cut *cut = &c->refs->cut;
	double low = input->lower ? cut->gap_low : cut->gap_high;
	double high = input->lower ? cut->gap_high : cut->gap_low;
	char text[3][UNITS_SIZE];
	int digits = units_digits(low, high, input->unit);

	printf("; cut %s in a gap %s .. %s (%s cut)",
	       show_digits(input, cut->at, text[0], digits),
	       show_digits(input, low, text[1], digits),
	       show_digits(input, high, text[2], digits),
	       c->refs->kind == JUDGE_CUT_MODE ? "mode" : "shift");
}

static void metric_line(const struct judge_case *c)
{
	const struct judge_input *input = c->input;
	const struct judge_refs *refs = c->refs;
	char at[UNITS_SIZE];

	label("metric");
	printf("%s, %s is better", input->metric,
	       input->lower ? "lower" : "higher");
	if (refs && refs->state == JUDGE_REFS_DIFFER)
		cut_part(c);
	if (c->options->limited)
		printf("; limit %s, at most %g %% of the values beyond it",
		       show(input,
			    input->lower ? c->options->limit
					 : -c->options->limit,
			    at),
		       percent(1.0 - c->options->quantile));
	printf("\n");
}

static void size_line(const struct judge_case *c, size_t boots, size_t values)
{
	if (!c->options->independent)
		printf("%zu boot%s, ", boots, boots == 1 ? "" : "s");
	printf("%zu value%s", values, values == 1 ? "" : "s");
}

static void ref_line(const struct judge_case *c, const char *name,
		     const struct judge_ref *ref, bool last)
{
	char median[UNITS_SIZE], s[UNITS_SIZE];

	label(name);
	size_line(c, ref->boots, ref->values);
	if (c->refs->state == JUDGE_REFS_DIFFER) {
		printf(": %.3g %% beyond the cut [%.3g, %.3g]",
		       percent((double)ref->beyond / (double)ref->values),
		       percent(ref->share_low), percent(ref->share_high));
		if (!c->options->independent)
			printf("; correlation within a boot %.2f [%g, %g]",
			       ref->correlation, ref->correlation_low,
			       ref->correlation_high);
	}
	printf("; median %s", show(c->input, ref->median, median));
	if (last && c->refs->log_s != 0.0)
		printf("; S = %s", odds(c->refs->log_s, s));
	printf("\n");
}

/* Measured: with such references, no tolerance and one look the error of
 * hard families is 0.003, and 0.0008 with a tolerance (docs/judge.md).
 */
static void scatter_line(const struct judge_case *c)
{
	double correlation;

	if (!c->refs || c->refs->state != JUDGE_REFS_DIFFER ||
	    c->options->independent || c->options->rule.tolerance > 0.0)
		return;
	correlation = fmax(c->refs->good.correlation, c->refs->bad.correlation);
	if (correlation < MUCH_SCATTER)
		return;
	label("note");
	printf("the boots of a reference differ much (correlation %.2f): the "
	       "error may exceed the bound; pass --tolerance 0.25\n",
	       correlation);
}

static void dropped_lines(const struct judge_case *c)
{
	static const char *const names[GROUPS] = { "good ref", "bad ref",
						   "candidate" };

	for (size_t g = 0; g < GROUPS; g++) {
		const struct judge_values *values = &c->input->group[g];

		if (values->capped) {
			label("note");
			printf("%s: %zu values reached their cap and count as "
			       "beyond\n",
			       names[g], values->capped);
		}
		if (values->dropped) {
			label("note");
			printf("%s: %zu runs gave no values, such as %s\n",
			       names[g], values->dropped, values->why_dropped);
		}
	}
}

/* A position in hundredths, without a negative zero. */
static double hundredths(const struct judge_refs *refs, double share)
{
	return round(100.0 * judge_position(refs, share)) / 100.0 + 0.0;
}

static void share_words(const struct judge_case *c)
{
	const struct judge_verdict *verdict = c->verdict;
	const struct judge_look *look = &verdict->look;

	printf(": %zu beyond the %s = %.3g %%", verdict->beyond,
	       c->options->limited ? "limit" : "cut",
	       percent((double)verdict->beyond / (double)verdict->values));
	if (look->share <= 0.0)
		return; /* there was no look yet */
	printf(" [%.3g, %.3g]", percent(look->share_low),
	       percent(look->share_high));
	if (c->refs)
		printf("; position between the references %.2f [%.2f, %.2f]",
		       hundredths(c->refs, look->share),
		       hundredths(c->refs, look->share_low),
		       hundredths(c->refs, look->share_high));
}

/* Values in the gap count for the nearer side, but a reader should know. */
static void gap_line(const struct judge_case *c)
{
	const struct judge_runs *runs = &c->input->group[GROUP_CANDIDATE].runs;
	double low = INFINITY, high = -INFINITY;
	char text[2][UNITS_SIZE];
	size_t count = 0;

	for (size_t i = 0; i < c->verdict->boots; i++)
		for (size_t v = 0; v < runs->boot[i].values; v++) {
			double value = runs->boot[i].value[v];

			if (value <= c->refs->cut.gap_low ||
			    value >= c->refs->cut.gap_high)
				continue;
			count++;
			low = fmin(low, value);
			high = fmax(high, value);
		}
	if (!count)
		return;
	label("note");
	if (count == 1) {
		printf("1 value lies in the gap between the references: %s\n",
		       show(c->input, low, text[0]));
		return;
	}
	printf("%zu values lie in the gap between the references: %s .. %s\n",
	       count, show(c->input, c->input->lower ? low : high, text[0]),
	       show(c->input, c->input->lower ? high : low, text[1]));
}

static void candidate_lines(const struct judge_case *c)
{
	const struct judge_verdict *verdict = c->verdict;
	size_t boots = c->input->group[GROUP_CANDIDATE].runs.boots;
	char median[UNITS_SIZE];

	label("candidate");
	size_line(c, verdict->boots, verdict->values);
	if (!verdict->exact && verdict->values)
		share_words(c);
	if (isfinite(c->median))
		printf("; median %s", show(c->input, c->median, median));
	printf("\n");
	if (verdict->boots < boots) {
		label("note");
		printf("the verdict stood after %zu of %zu boots; the later "
		       "ones were not looked at\n",
		       verdict->boots, boots);
	}
	if (c->refs && !verdict->exact && c->refs->kind == JUDGE_CUT_MODE)
		gap_line(c);
	if (verdict->neither && verdict->word != JUDGE_THIRD) {
		label("note");
		printf("%zu values are like neither reference\n",
		       verdict->neither);
	}
}

/* Is this value like neither reference?  With exact ones, any may be. */
static bool is_new(const struct judge_case *c, double *value)
{
	struct judge_boot one = { value, 1 };

	return c->verdict->exact || judge_count_boot(c->refs, &one).neither > 0;
}

static void third_reason(const struct judge_case *c)
{
	const struct judge_runs *runs = &c->input->group[GROUP_CANDIDATE].runs;
	const struct judge_look *look = &c->verdict->look;
	double low = INFINITY, high = -INFINITY;
	char text[2][UNITS_SIZE];

	if (c->verdict->why == JUDGE_WHY_BETWEEN) {
		printf("between the references: %.0f %% beyond the cut "
		       "[%.0f, %.0f]",
		       percent(look->share), percent(look->share_low),
		       percent(look->share_high));
		return;
	}
	for (size_t i = 0; i < c->verdict->boots; i++)
		for (size_t v = 0; v < runs->boot[i].values; v++) {
			double *value = &runs->boot[i].value[v];

			if (!is_new(c, value))
				continue;
			low = fmin(low, *value);
			high = fmax(high, *value);
		}
	printf("values like neither reference: %s .. %s",
	       show(c->input, c->input->lower ? low : high, text[0]),
	       show(c->input, c->input->lower ? high : low, text[1]));
}

static const char *leaning(const struct judge_look *look)
{
	if (look->log_e_good > 0.0 && look->log_e_good > look->log_e_bad)
		return "leans to bad";
	if (look->log_e_bad > 0.0 && look->log_e_bad > look->log_e_good)
		return "leans to good";
	return "leans to neither side";
}

static void wanted(const struct judge_case *c)
{
	const struct judge_rule *rule = &c->options->rule;

	if (c->verdict->word == JUDGE_MORE &&
	    c->verdict->boots + c->more > rule->budget)
		printf("; more than the budget of %zu boots may be needed",
		       rule->budget);
	else if (c->verdict->word == JUDGE_MORE)
		printf("; about %zu more boots wanted", c->more);
	else if (c->verdict->word == JUDGE_UNDECIDED && !rule->sequential)
		printf("; take more boots with --sequential");
}

static void evidence_words(const struct judge_case *c)
{
	const struct judge_look *look = &c->verdict->look;
	char good[UNITS_SIZE], bad[UNITS_SIZE];

	printf(" (evidence against good %s, against bad %s",
	       odds(look->log_e_good, good), odds(look->log_e_bad, bad));
	if (look->tail_good < 1.0 || look->tail_bad < 1.0)
		printf("; tails %.2g and %.2g, limit %g", look->tail_good,
		       look->tail_bad, c->options->rule.bound / 2.0);
	printf(")");
}

static void verdict_line(const struct judge_case *c)
{
	const struct judge_rule *rule = &c->options->rule;
	enum judge_word word = c->verdict->word;

	label("verdict");
	if (word == JUDGE_GOOD)
		printf("GOOD: ");
	else if (word == JUDGE_BAD)
		printf("BAD: ");
	else if (word == JUDGE_THIRD)
		printf("THIRD KIND: ");
	else
		printf("CANNOT TELL: ");

	if (word == JUDGE_THIRD)
		third_reason(c);
	else if (!c->verdict->exact &&
		 (word == JUDGE_MORE || word == JUDGE_UNDECIDED))
		printf("%s", leaning(&c->verdict->look));
	else if (!c->verdict->exact)
		printf("error <= %g", rule->bound);

	if (c->verdict->exact) {
		printf("%sexact; error bound not applicable; tolerance 1/3 of "
		       "the difference\n",
		       word == JUDGE_THIRD ? "; " : "");
		return;
	}
	evidence_words(c);
	wanted(c);
	if (!c->options->limited)
		printf("; tolerance %g", rule->tolerance);
	if (rule->sequential)
		printf("; budget %zu", rule->budget);
	if (c->options->independent)
		printf("; repetitions assumed independent");
	printf("\n");
}

void judge_report_print(const struct judge_case *c)
{
	if (!strcmp(judge_report_word(c), "more"))
		printf("more %zu\n", c->more);
	else
		printf("%s\n", judge_report_word(c));
	metric_line(c);
	if (c->refs) {
		ref_line(c, "good ref", &c->refs->good, false);
		ref_line(c, "bad ref", &c->refs->bad, true);
		scatter_line(c);
	}
	if (c->verdict && !c->refused)
		candidate_lines(c);
	dropped_lines(c);
	if (c->refused) {
		label("refused");
		printf("%s\n", c->refused);
	} else if (c->verdict) {
		verdict_line(c);
	}
}
