// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * report.c - `kverdict report`: runs, and sides of them, as one HTML page
 */
#include "report.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "charts.h"
#include "commands.h"

#define OUT_DEFAULT "report.html"

static const char help[] =
	"Usage: kverdict report [--out FILE] [--force] [LABEL=]RUN...\n\n"
	"Write one HTML page with plots, tables, where it was measured and how "
	"to repeat it.\nRuns of one kernel under the same conditions are one "
	"side; the first side is\ncompared with each other one.  LABEL=RUN "
	"names the side of a run; a bisect's folder\nstands for its two "
	"ends.\n\n"
	"  --out FILE   where to (" OUT_DEFAULT "); - is standard output\n"
	"  --force      also compare what was measured under other "
	"conditions\n\n"
	"Exit status: 0 written, 125 nothing can be shown, 128 it could not "
	"be written or\ndrawn, 129 no such run\n";

static void make_pairs(struct report *report, bool force)
{
	const struct sides *sides = report->sides;

	report->pair = xalloc(sides->count, sizeof(*report->pair));
	for (size_t i = 1; i < sides->count; i++) {
		struct report_pair *pair = &report->pair[i - 1];
		bool forcible;

		pair->refused = contrast_refuse(&sides->side[0],
						&sides->side[i], &forcible);
		if (pair->refused && !(forcible && force))
			continue;
		contrast_make(&pair->contrast, &sides->side[0],
			      &sides->side[i]);
		pair->made = true;
	}
}

static void free_pairs(struct report *report)
{
	for (size_t i = 1; i < report->sides->count; i++) {
		if (report->pair[i - 1].made)
			contrast_free(&report->pair[i - 1].contrast);
		free(report->pair[i - 1].refused);
	}
	free(report->pair);
}

/* A reader of the old page keeps it until the new one is whole. */
static void write_file(const struct report *report, const char *name,
		       bool *drawn)
{
	char *beside = xprintf("%s.tmp", name);
	FILE *out = fopen(beside, "we");

	if (!out)
		die_errno(STATUS_HOST, "write %s", beside);
	*drawn = report_page(out, report);
	if (ferror(out) || fclose(out) != 0 || rename(beside, name) < 0) {
		warn_errno("write %s", name);
		unlink(beside);
		exit(STATUS_HOST);
	}
	free(beside);
}

static bool has_complete(const struct sides *sides)
{
	for (size_t i = 0; i < sides->count; i++)
		for (size_t r = 0; r < sides->side[i].runs.count; r++)
			if (sides->side[i].runs.run[r].stream.complete)
				return true;
	return false;
}

static enum status write_report(const struct sides *sides, const char *name,
				bool force)
{
	struct report report = { .sides = sides };
	bool drawn;

	if (sides->count > CHARTS_SIDES_MAX) {
		warn("report %zu kernels or conditions: at most %d can be told "
		     "apart in a plot: name fewer runs",
		     sides->count, CHARTS_SIDES_MAX);
		return STATUS_USAGE;
	}
	make_pairs(&report, force);
	if (!strcmp(name, "-"))
		drawn = report_page(stdout, &report);
	else
		write_file(&report, name, &drawn);
	free_pairs(&report);
	if (fflush(stdout) != 0)
		die_errno(STATUS_HOST, "write the report");
	if (!drawn)
		return STATUS_HOST;
	if (!has_complete(sides)) {
		warn("report: no run is complete: %s only says so", name);
		return STATUS_CANNOT_TELL;
	}
	return STATUS_GOOD;
}

int report_main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "force", no_argument, NULL, 'f' },
		{ "help", no_argument, NULL, 'h' },
		{ "out", required_argument, NULL, 'o' },
		{ NULL, 0, NULL, 0 },
	};
	const char *out = OUT_DEFAULT;
	bool force = false;
	struct sides sides;
	enum status status;
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (option) {
		case 'f':
			force = true;
			break;
		case 'o':
			out = optarg;
			break;
		case 'h':
			fputs(help, stdout);
			return STATUS_GOOD;
		default:
			fputs(help, stderr);
			return STATUS_USAGE;
		}
	}
	if (optind == argc) {
		fputs(help, stderr);
		return STATUS_USAGE;
	}
	status = sides_group(&sides, argv + optind, (size_t)(argc - optind));
	if (status == STATUS_GOOD)
		status = write_report(&sides, out, force);
	sides_free(&sides);
	return (int)status;
}
