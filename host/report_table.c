// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * report_table.c - the tables of a report
 */
#include <stdlib.h>

#include "compare.h"
#include "markup.h"
#include "report.h"

#define COLUMNS 7

static void put_value(FILE *out, const struct metric *m, double value)
{
	char text[UNITS_SIZE];

	units_format(text, value, m->unit);
	fputs("<td>", out);
	markup_printf(out, "%s%s", metric_bound(m, value), text);
	fputs("</td>", out);
}

static void put_row(FILE *out, const struct metric *m, size_t side)
{
	fprintf(out, "<tr><td class=\"side s%zu\">%c</td>", side,
		report_letter(side));
	if (!m || !m->stats.count) {
		fprintf(out, "<td colspan=\"%d\">no values</td></tr>\n",
			COLUMNS - 1);
		return;
	}
	fprintf(out, "<td>%zu</td><td>%zu</td>", m->boots, m->stats.count);
	put_value(out, m, m->stats.p50);
	put_value(out, m, m->stats.p90);
	put_value(out, m, m->stats.p99);
	put_value(out, m, m->stats.max);
	fputs("</tr>\n", out);
}

static void begin_metric(FILE *out, const struct metric *m)
{
	fputs("<table class=\"values\"><caption>", out);
	markup_printf(out, "%s.%s", m->step, m->name);
	fprintf(out,
		" <small>%s is better%s</small></caption>\n"
		"<thead><tr><th></th><th>boots</th><th>values</th>"
		"<th>p50</th><th>p90</th><th>p99</th><th>max</th></tr></thead>"
		"\n<tbody>\n",
		record_betters[m->better],
		m->capped ? ", capped values count as worst" : "");
}

static void end_metric(FILE *out)
{
	fputs("</tbody></table>\n", out);
}

static const char *mark_class(enum contrast_word word)
{
	switch (word) {
	case CONTRAST_WORSE:
		return "worse";
	case CONTRAST_BETTER:
		return "better";
	default:
		return "none";
	}
}

static void put_change(FILE *out, const struct contrast_metric *m,
		       const struct contrast_change *change)
{
	char *interval, *shown = contrast_shown(m, change, &interval);
	char *part = contrast_part(change);

	fprintf(out, "<tr class=\"change\"><td>%s</td><td colspan=\"%d\"><b>",
		change->of, COLUMNS - 1);
	markup_text(out, shown);
	fputs("</b> ", out);
	if (change->known)
		markup_printf(out, "[%s] ", interval);
	markup_printf(out, "%s ", part);
	fprintf(out, "<span class=\"mark %s\">%s</span>",
		mark_class(change->word), contrast_words[change->word]);
	if (change->known)
		fprintf(out, " <small>p %.2g</small>", change->corrected);
	fputs("</td></tr>\n", out);
	free(part);
	free(shown);
	free(interval);
}

static void put_differences(FILE *out, const struct contrast *c, size_t number)
{
	if (!c->differences) {
		fputs("<p>Nothing differs but the records.</p>\n", out);
		return;
	}
	fprintf(out,
		"<details open=\"\"><summary>What differs beside the values "
		"(%zu)"
		"</summary>\n<div class=\"scroll\"><table class=\"plain\">\n"
		"<tr><th></th><th><span class=\"side s0\">A</span></th><th>"
		"<span class=\"side s%zu\">%c</span></th></tr>\n",
		c->differences, number, report_letter(number));
	for (size_t i = 0; i < c->differences; i++) {
		const struct contrast_difference *d = &c->difference[i];

		fputs("<tr><th>", out);
		markup_text(out, d->what);
		fputs("</th><td>", out);
		markup_text(out, d->a);
		fputs("</td><td>", out);
		markup_text(out, d->b);
		fputs("</td></tr>\n", out);
	}
	fputs("</table></div></details>\n", out);
}

static void put_contrast(FILE *out, const struct contrast *c, size_t number)
{
	char *verdict = compare_verdict(c);

	fprintf(out, "<p class=\"verdict %s\">",
		c->status == STATUS_BAD	   ? "worse"
		: c->status == STATUS_GOOD ? "better"
					   : "none");
	markup_text(out, verdict);
	fputs("</p>\n", out);
	free(verdict);
	put_differences(out, c, number);
	fputs("<div class=\"metrics\">\n", out);
	for (size_t i = 0; i < c->count; i++) {
		const struct contrast_metric *m = &c->metric[i];

		begin_metric(out, m->any);
		put_row(out, m->a, 0);
		put_row(out, m->b, number);
		for (size_t k = 0; k < m->changes; k++)
			put_change(out, m, &m->change[k]);
		end_metric(out);
	}
	fputs("</div>\n", out);
	if (c->tests)
		fprintf(out,
			"<p class=\"note\">A change is that of the mean of the "
			"boots' quantiles, with its 95 %% interval. Marks hold "
			"together with an error of at most %.0f %%: p is "
			"corrected for %zu quantiles by Holm's method. The "
			"boot is the unit of evidence.</p>\n",
			SHIFT_ERROR * 100, c->tests);
}

void report_pair(FILE *out, const struct report_pair *pair, size_t number)
{
	if (pair->refused) {
		fputs("<p class=\"verdict none\">", out);
		markup_printf(out, "%s: %s",
			      pair->made ? "compared by force" : "not compared",
			      pair->refused);
		fputs("</p>\n", out);
	}
	if (pair->made)
		put_contrast(out, &pair->contrast, number);
}

void report_values(FILE *out, const struct side *side)
{
	struct metrics m;

	metrics_read(&m, &side->runs, true);
	fputs("<div class=\"metrics\">\n", out);
	for (size_t i = 0; i < m.count; i++) {
		if (!m.metric[i].stats.count)
			continue;
		begin_metric(out, &m.metric[i]);
		put_row(out, &m.metric[i], 0);
		end_metric(out);
	}
	fputs("</div>\n", out);
	metrics_free(&m);
}
