// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * report_page.c - the page of a report
 */
#include <stdlib.h>

#include "charts.h"
#include "markup.h"
#include "plot.h"
#include "report.h"

/*
 * Nothing is fetched and nothing runs: the policy says so to the browser, in
 * case a text of a guest got past markup.c.
 */
static const char head[] =
	"<!DOCTYPE html>\n<html lang=\"en\" "
	"xmlns=\"http://www.w3.org/1999/xhtml\"><head><meta "
	"charset=\"utf-8\"/>\n"
	"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
	"'none'; style-src 'unsafe-inline'\"/>\n"
	"<meta name=\"viewport\" content=\"width=device-width, "
	"initial-scale=1\"/>\n"
	"<meta name=\"generator\" content=\"kverdict report\"/>\n";

static const char style[] =
	":root{color-scheme:light}\n"
	"body{font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif;"
	"color:#1b1b1b;background:#fff;max-width:70rem;margin:0 auto;"
	"padding:1rem}\n"
	"h1{font-size:1.5rem;line-height:1.25;margin:.2rem 0 .6rem}\n"
	"h2{font-size:1.2rem;margin:2rem 0 .6rem;border-bottom:1px solid "
	"#ccc}\n"
	"h3{font-size:1rem;margin:1rem 0 .3rem;overflow-wrap:anywhere}\n"
	"h4{font-size:.9rem;margin:1rem 0 .3rem}\n"
	"small,.note,figcaption{color:#555}\n"
	".note,figcaption{font-size:.85rem}\n"
	".charts{display:grid;gap:1rem 2rem;grid-template-columns:"
	"repeat(auto-fit,minmax(min(100%,26rem),1fr))}\n"
	"figure{margin:0;break-inside:avoid}\n"
	"figure svg{display:block;width:100%;height:auto;max-width:40rem}\n"
	".legend{list-style:none;display:flex;flex-wrap:wrap;gap:.2rem 1.2rem;"
	"padding:0;margin:.4rem 0}\n"
	".side{font-weight:700;color:#fff;background:var(--c);padding:0 .45em;"
	"border-radius:.2em;-webkit-print-color-adjust:exact;"
	"print-color-adjust:exact}\n"
	".scroll{overflow-x:auto}\n"
	"table{border-collapse:collapse;font-size:.9rem;"
	"font-variant-numeric:tabular-nums}\n"
	".values th,.values td{padding:.1rem .5rem;text-align:right;"
	"white-space:nowrap}\n"
	".metrics{display:grid;gap:.8rem 2rem;align-items:start;"
	"grid-template-columns:repeat(auto-fit,minmax(min(100%,28rem),1fr))}\n"
	".values{width:100%;max-width:36rem;break-inside:avoid;"
	"table-layout:fixed}.values th:first-child{width:2.6rem}\n"
	".values caption{text-align:left;font-weight:700;"
	"overflow-wrap:anywhere}\n"
	".values small{font-weight:400}\n"
	".values thead th{border-bottom:1px solid #bbb;font-weight:400;"
	"color:#555}\n"
	".values .change "
	"td{vertical-align:top;text-align:left;white-space:normal}\n"
	".values td.side{text-align:center}\n"
	".plain th,.plain td{text-align:left;vertical-align:top;padding:.1rem "
	".6rem .1rem 0;overflow-wrap:anywhere;min-width:6rem}\n"
	".mark,.verdict{font-weight:700}\n"
	".mark.none{font-weight:400;color:#555}\n"
	".worse{color:#a8071a}.better{color:#0a6b2d}\n"
	"dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem;"
	"margin:.3rem 0;font-size:.9rem}\n"
	"dt{color:#555}dd{margin:0;overflow-wrap:anywhere}\n"
	"pre{background:#f4f4f4;padding:.6rem;white-space:pre-wrap;"
	"overflow-wrap:anywhere;font-size:.8rem;margin:.3rem 0}\n"
	"code{overflow-wrap:anywhere;font-size:.85em}\n"
	".trouble:empty{display:none}.trouble{color:#a8071a;font-size:.9rem}\n"
	"details{margin-bottom:1rem}.change small{white-space:nowrap}\n"
	"summary{cursor:pointer;font-size:.9rem;margin:.4rem 0}\n"
	"@media (max-width:30rem){body{padding:.6rem}.values th,.values "
	"td{padding:.1rem .15rem;font-size:.8rem}dl{grid-template-columns:"
	"1fr}dd{margin-bottom:.3rem}}\n"
	"@media print{body{max-width:none;font-size:11pt;padding:0}"
	".charts{grid-template-columns:1fr 1fr}a{color:inherit}"
	".metrics{grid-template-columns:1fr 1fr}.values{font-size:8.5pt}"
	".values th,.values td{padding:.1rem .2rem}"
	".scroll{overflow:visible}h2,h3{break-after:avoid}}\n";

char report_letter(size_t number)
{
	return (char)('A' + number);
}

static void put_style(FILE *out)
{
	fputs("<style>\n", out);
	fputs(style, out);
	for (size_t i = 0; i < CHARTS_SIDES_MAX; i++)
		fprintf(out, ".s%zu{--c:%s}", i, charts_colors[i]);
	fputs("\n</style>\n", out);
}

/* What all sides have in common stands above; else it says which differ. */
static char *title_of(const struct sides *sides)
{
	const struct stream_run *run = &sides->side[0].runs.run[0].stream.run;
	const char *scenario = sides->side[0].runs.run[0].stream.has_run
				       ? run->scenario
				       : "no records";

	if (sides->count == 2)
		return xprintf("%s: %s and %s", scenario, sides->side[0].label,
			       sides->side[1].label);
	if (sides->count == 1)
		return xprintf("%s: %s", scenario, sides->side[0].label);
	return xprintf("%s: %zu kernels or conditions", scenario, sides->count);
}

static void put_legend(FILE *out, const struct sides *sides)
{
	fputs("<ul class=\"legend\">\n", out);
	for (size_t i = 0; i < sides->count; i++) {
		fprintf(out, "<li><span class=\"side s%zu\">%c</span> ", i,
			report_letter(i));
		markup_text(out, sides->side[i].label);
		fputs("</li>\n", out);
	}
	fputs("</ul>\n", out);
}

static bool put_chart(FILE *out, const struct chart *chart, size_t number)
{
	char *id = xprintf("plot%zu", number);
	char *svg = plot_svg(chart->script, id, chart->heading);

	fputs("<figure><h3>", out);
	markup_text(out, chart->heading);
	fputs("</h3>\n", out);
	fputs(svg ? svg : "<p>This plot could not be drawn.</p>", out);
	fputs("<figcaption>", out);
	markup_text(out, chart->caption);
	fputs("</figcaption></figure>\n", out);
	free(svg);
	free(id);
	return svg != NULL;
}

static bool put_charts(FILE *out, const struct report *report)
{
	struct charts charts;
	bool drawn = true;

	charts_make(&charts, report->sides);
	if (charts.count)
		fputs("<h2>Plots</h2>\n<div class=\"charts\">\n", out);
	/* Without gnuplot one message is enough. */
	for (size_t i = 0; i < charts.count && drawn; i++)
		drawn = put_chart(out, &charts.chart[i], i);
	if (charts.count)
		fputs("</div>\n", out);
	charts_free(&charts);
	return drawn;
}

static void put_tables(FILE *out, const struct report *report)
{
	const struct sides *sides = report->sides;

	if (sides->count == 1) {
		fputs("<h2>What was measured</h2>\n", out);
		report_values(out, &sides->side[0]);
	}
	for (size_t i = 1; i < sides->count; i++) {
		fprintf(out,
			"<h2>What changed from <span class=\"side s0\">A"
			"</span> to <span class=\"side s%zu\">%c</span>"
			"</h2>\n",
			i, report_letter(i));
		report_pair(out, &report->pair[i - 1], i);
	}
}

bool report_page(FILE *out, const struct report *report)
{
	const struct sides *sides = report->sides;
	char *title = title_of(sides);
	bool drawn;

	fputs(head, out);
	fputs("<title>", out);
	markup_text(out, title);
	fputs("</title>\n", out);
	put_style(out);
	fputs("</head><body>\n<h1>", out);
	markup_text(out, title);
	fputs("</h1>\n", out);
	put_legend(out, sides);
	drawn = put_charts(out, report);
	put_tables(out, report);
	fputs("<h2>Where and how it was measured</h2>\n", out);
	for (size_t i = 0; i < sides->count; i++)
		report_side(out, &sides->side[i], i);
	fputs("</body></html>\n", out);
	free(title);
	return drawn;
}
