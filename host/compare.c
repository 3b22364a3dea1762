// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * compare.c - `kverdict compare`: two kernels, or the same one, side by side
 */
#include "compare.h"

#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "compare_exact.h"
#include "summary.h"

static const char help[] =
	"Usage: kverdict compare [--force] [--format text|json] A B\n"
	"       kverdict compare [--force] [--format text|json] A... -- B...\n"
	"       kverdict compare [--force] [--format text|json] BISECT\n"
	"       kverdict compare --exact [--force] RUN RUN\n\n"
	"Show what changed from A to B in every metric, with its interval, and "
	"mark what\nis shown beyond noise.  A and B are run directories or "
	"folders of them; a bisect's\nfolder stands for its two ends.  The "
	"boot is the unit of evidence: 3 a side at\nleast.\n\n"
	"  --exact        are the records the same to the byte?\n"
	"  --force        also compare what was measured under other "
	"conditions\n"
	"  --format F     text or json (text)\n\n"
	"Exit status: 0 no difference shown, or better (--exact: identical), "
	"1 worse\n(not identical), 125 cannot tell, 128 not comparable, 129 "
	"no such run\n";

struct options {
	bool exact, force, json;
	char **words;
	size_t count;
};

/* Not getopt: a `--` between the runs is a border, not the end of options. */
static bool parse(struct options *o, int argc, char **argv)
{
	int i = 1;

	for (; i < argc && argv[i][0] == '-' && strcmp(argv[i], "--"); i++) {
		if (!strcmp(argv[i], "--exact"))
			o->exact = true;
		else if (!strcmp(argv[i], "--force"))
			o->force = true;
		else if (!strcmp(argv[i], "--format=json") ||
			 (!strcmp(argv[i], "--format") && i + 1 < argc &&
			  !strcmp(argv[i + 1], "json")))
			o->json = true;
		else if (strcmp(argv[i], "--format=text") != 0 &&
			 !(!strcmp(argv[i], "--format") && i + 1 < argc &&
			   !strcmp(argv[i + 1], "text")))
			return false;
		i += !strcmp(argv[i], "--format");
	}
	o->words = argv + i;
	o->count = (size_t)(argc - i);
	if (o->exact)
		return o->count == 2 && !o->json;
	return o->count > 0;
}

/* Whether both ran under the same conditions; says the first that differs. */
static bool comparable(const char *const *dirs)
{
	struct runs runs;
	char *why;

	if (runs_open(&runs, dirs, 2) != STATUS_GOOD)
		return true; /* which comparing the records will tell */
	why = runs_difference(&runs, RUNS_COMPARE);
	if (why)
		warn("%s: --force compares them all the same", why);
	free(why);
	runs_free(&runs);
	return !why;
}

static enum status exact(const struct options *o)
{
	if (!o->force && !comparable((const char *const *)o->words))
		return STATUS_HOST;
	return compare_exact(stdout, o->words[0], o->words[1]);
}

static void show(const struct contrast *c, bool json, const char *forced)
{
	json_t *object;

	if (!json) {
		compare_print(stdout, c, forced);
		return;
	}
	object = compare_json(c, forced);
	json_dumpf(object, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(12));
	fputc('\n', stdout);
	json_decref(object);
}

static enum status compare(const struct options *o)
{
	struct sides sides;
	struct contrast c;
	enum status status = sides_pair(&sides, o->words, o->count);
	bool forcible;
	char *why = NULL;

	if (status == STATUS_GOOD)
		why = contrast_refuse(&sides.side[0], &sides.side[1],
				      &forcible);
	if (why && !(forcible && o->force)) {
		warn("compare: %s%s", why,
		     forcible ? ": boot them alike, or pass --force" : "");
		status = STATUS_HOST;
	}
	if (status == STATUS_GOOD) {
		contrast_make(&c, &sides.side[0], &sides.side[1]);
		show(&c, o->json, why);
		status = c.status;
		contrast_free(&c);
	}
	free(why);
	sides_free(&sides);
	return status;
}

int compare_main(int argc, char **argv)
{
	struct options o = { .exact = false };
	enum status status;

	if (argc == 2 && !strcmp(argv[1], "--help")) {
		fputs(help, stdout);
		return STATUS_GOOD;
	}
	if (!parse(&o, argc, argv)) {
		fputs(help, stderr);
		return STATUS_USAGE;
	}
	status = o.exact ? exact(&o) : compare(&o);
	if (fflush(stdout) != 0)
		die_errno(STATUS_HOST, "write the comparison");
	return (int)status;
}
