// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * judge_options.c - the command lines of `kverdict judge` and `simulate`
 */
#include "judge_options.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "die.h"
#include "parse.h"
#include "simulate.h"

#define QUANTILE       0.9 /* if none is given */
#define BOOTS_MAX      1000
#define CANDIDATES_MAX 100000000

enum option_id {
	OPT_BAD = 256,
	OPT_BAD_ABOVE,
	OPT_BAD_BELOW,
	OPT_BOOTS,
	OPT_BOUND,
	OPT_BUDGET,
	OPT_CANDIDATES,
	OPT_DIRECTION,
	OPT_FAMILY,
	OPT_FIRST,
	OPT_FORCE,
	OPT_GOOD,
	OPT_HELP,
	OPT_INDEPENDENT,
	OPT_KAPPA,
	OPT_METRIC,
	OPT_QUANTILE,
	OPT_SAME,
	OPT_SEED,
	OPT_SEQUENTIAL,
	OPT_TOLERANCE,
	OPT_VERDICT,
};

/* Which subcommand takes an option. */
enum { JUDGE = 1, SIMULATE = 2, BOTH = JUDGE | SIMULATE };

static const struct {
	enum option_id id;
	int of;
	const char *name, *value, *help;
} table[] = {
	{ OPT_GOOD, BOTH, "good", "RUN",
	  "the good reference; given once for each of its runs" },
	{ OPT_BAD, BOTH, "bad", "RUN", "the bad reference, the same" },
	{ OPT_METRIC, BOTH, "metric", "STEP.METRIC",
	  "what to judge by (the only one there is)" },
	{ OPT_DIRECTION, BOTH, "direction", "lower|higher",
	  "which is better (what the metric declares)" },
	{ OPT_SEQUENTIAL, BOTH, "sequential", NULL,
	  "look after each boot, with the defaults of a bisect" },
	{ OPT_BUDGET, BOTH, "budget", "N", "boots at most, sequential (16)" },
	{ OPT_FIRST, BOTH, "first", "N",
	  "boots of the first look, sequential (3; virtual time 2)" },
	{ OPT_INDEPENDENT, BOTH, "independent", NULL,
	  "each value stands for a boot of its own" },
	{ OPT_BOUND, BOTH, "bound", "P", "on the error each way (0.001)" },
	{ OPT_TOLERANCE, BOTH, "tolerance", "D",
	  "of a class, in parts of the difference (0; sequential 0.25)" },
	{ OPT_KAPPA, BOTH, "kappa", "K",
	  "how much likelier than half-way (2; sequential 5)" },
	{ OPT_BAD_ABOVE, JUDGE, "bad-above", "VALUE",
	  "no references: bad if the quantile lies above" },
	{ OPT_BAD_BELOW, JUDGE, "bad-below", "VALUE",
	  "no references: the same where higher is better" },
	{ OPT_QUANTILE, JUDGE, "quantile", "Q",
	  "the part of the values that must keep the limit (0.9)" },
	{ OPT_VERDICT, JUDGE, "verdict", "FILE",
	  "write the verdict there (verdict.json in the last run)" },
	{ OPT_CANDIDATES, SIMULATE, "candidates", "N",
	  "of each class (10000; of a family 1000)" },
	{ OPT_BOOTS, SIMULATE, "boots", "N",
	  "of a candidate (the budget, or as many as its reference)" },
	{ OPT_SEED, SIMULATE, "seed", "N", "of the random numbers" },
	{ OPT_FAMILY, SIMULATE, "family", "NAME",
	  "no runs: references and candidates of a made-up family" },
	{ OPT_SAME, SIMULATE, "same", NULL,
	  "with --family: one kernel at both ends" },
	{ OPT_FORCE, BOTH, "force", NULL, "judge runs that do not compare" },
	{ OPT_HELP, BOTH, "help", NULL, "show this" },
};

#define TABLE_SIZE (sizeof(table) / sizeof(table[0]))

void judge_options_help(bool simulate)
{
	int of = simulate ? SIMULATE : JUDGE;
	const char *summary;
	bool modelled;

	if (simulate)
		printf("Usage: kverdict simulate --good RUN --bad RUN\n"
		       "       kverdict simulate --family NAME\n\n");
	else
		printf("Usage: kverdict judge --good RUN --bad RUN "
		       "CANDIDATE...\n"
		       "       kverdict judge --bad-above VALUE CANDIDATE..."
		       "\n\n"
		       "Without a candidate the references alone are looked "
		       "at.  A RUN is a run directory,\nan ensemble folder, "
		       "or a file with the values of one boot a line.\n\n");
	for (size_t i = 0; i < TABLE_SIZE; i++)
		if (table[i].of & of)
			printf("  --%-11s %-13s %s\n", table[i].name,
			       table[i].value ? table[i].value : "",
			       table[i].help);
	if (simulate)
		printf("\nFamilies (* kernels of a "
		       "class differ more than "
		       "boots do):\n");
	for (size_t i = 0; simulate; i++) {
		const char *name = simulate_family_at(i, &summary, &modelled);

		if (!name)
			break;
		printf("%c %-13s %s\n", modelled ? ' ' : '*', name, summary);
	}
}

static double number(const char *name, const char *text, double min, double max)
{
	char *end;
	double value;

	errno = 0;
	value = strtod(text, &end);
	if (end == text || *end || errno || !isfinite(value) || value < min ||
	    value > max)
		die(STATUS_USAGE, "--%s %s: not a number from %g to %g", name,
		    text, min, max);
	return value;
}

static uint64_t whole(const char *name, const char *text, uint64_t min,
		      uint64_t max)
{
	uint64_t value = 0;

	if (!parse_u64(&value, text, min, max))
		die(STATUS_USAGE,
		    "--%s %s: not a whole number from %llu to "
		    "%llu",
		    name, text, (unsigned long long)min,
		    (unsigned long long)max);
	return value;
}

static void add_path(struct judge_paths *paths, const char *path)
{
	paths->path =
		xgrow(paths->path, paths->count + 1, sizeof(*paths->path));
	paths->path[paths->count++] = path;
}

static enum judge_direction direction(const char *text)
{
	if (!strcmp(text, "lower"))
		return DIRECTION_LOWER;
	if (!strcmp(text, "higher"))
		return DIRECTION_HIGHER;
	die(STATUS_USAGE,
	    "--direction %s: it is lower or higher, whichever "
	    "is better",
	    text);
}

static void set_limit(struct judge_options *options, const char *name,
		      const char *text, enum judge_direction better)
{
	if (options->limited)
		die(STATUS_USAGE, "--%s: there is one limit only", name);
	options->limited = true;
	options->limit = number(name, text, -1e300, 1e300);
	options->direction = better;
}

/* Options of the rule, which change the defaults that --sequential sets. */
static bool set_rule(struct judge_options *options, enum option_id id,
		     const char *text)
{
	struct judge_rule *rule = &options->rule;

	switch (id) {
	case OPT_BUDGET:
		rule->budget = whole("budget", text, 1, BOOTS_MAX);
		return true;
	case OPT_FIRST:
		rule->first = whole("first", text, 1, BOOTS_MAX);
		options->first_given = true;
		return true;
	case OPT_BOUND:
		rule->bound = number("bound", text, 1e-9, 0.2);
		return true;
	case OPT_TOLERANCE:
		rule->tolerance = number("tolerance", text, 0.0, 0.4);
		return true;
	case OPT_KAPPA:
		rule->kappa = number("kappa", text, 0.0, 1e6);
		return true;
	default:
		return false;
	}
}

static bool set_simulation(struct judge_options *options, enum option_id id,
			   const char *text)
{
	switch (id) {
	case OPT_CANDIDATES:
		options->candidates =
			whole("candidates", text, 1, CANDIDATES_MAX);
		return true;
	case OPT_BOOTS:
		options->boots = whole("boots", text, 1, BOOTS_MAX);
		return true;
	case OPT_SEED:
		options->seed = whole("seed", text, 0, UINT32_MAX);
		return true;
	case OPT_FAMILY:
		options->family = text;
		return true;
	case OPT_SAME:
		options->same = true;
		return true;
	default:
		return false;
	}
}

static void set_option(struct judge_options *options, enum option_id id,
		       const char *text)
{
	if (set_rule(options, id, text) || set_simulation(options, id, text))
		return;
	if (id == OPT_HELP)
		options->help = true;
	else if (id == OPT_GOOD)
		add_path(&options->group[GROUP_GOOD], text);
	else if (id == OPT_BAD)
		add_path(&options->group[GROUP_BAD], text);
	else if (id == OPT_METRIC)
		options->metric = text;
	else if (id == OPT_DIRECTION)
		options->direction = direction(text);
	else if (id == OPT_INDEPENDENT)
		options->independent = true;
	else if (id == OPT_FORCE)
		options->force = true;
	else if (id == OPT_VERDICT)
		options->verdict_file = text;
	else if (id == OPT_BAD_ABOVE)
		set_limit(options, "bad-above", text, DIRECTION_LOWER);
	else if (id == OPT_BAD_BELOW)
		set_limit(options, "bad-below", text, DIRECTION_HIGHER);
	else if (id == OPT_QUANTILE)
		options->quantile = number("quantile", text, 0.001, 0.999);
}

/* An option that would do nothing is a misunderstanding. */
static void check_idle(const struct judge_options *options)
{
	const struct judge_rule *rule = &options->rule;

	if (!rule->sequential && (rule->first || rule->budget))
		die(STATUS_USAGE, "--first and --budget need --sequential: "
				  "otherwise all boots are one look");
	if (options->same && !options->family)
		die(STATUS_USAGE, "--same needs --family");
	if (options->quantile > 0.0 && !options->limited)
		die(STATUS_USAGE, "--quantile needs --bad-above or "
				  "--bad-below");
}

static void check(const struct judge_options *options, bool simulate)
{
	const struct judge_paths *group = options->group;

	if (options->family) {
		if (group[GROUP_GOOD].count || group[GROUP_BAD].count)
			die(STATUS_USAGE, "--family makes its own references: "
					  "leave out all runs");
		return;
	}
	if (options->limited) {
		if (group[GROUP_GOOD].count || group[GROUP_BAD].count)
			die(STATUS_USAGE, "a limit and references are two ways "
					  "to judge: give one of them");
		if (!group[GROUP_CANDIDATE].count)
			die(STATUS_USAGE, "no candidate is named");
		return;
	}
	if (!group[GROUP_GOOD].count || !group[GROUP_BAD].count)
		die(STATUS_USAGE,
		    "%s needs --good RUN and --bad RUN: see "
		    "kverdict %s --help",
		    simulate ? "simulate" : "judge",
		    simulate ? "simulate" : "judge");
	if (simulate && group[GROUP_CANDIDATE].count)
		die(STATUS_USAGE, "simulate takes no candidate: %s",
		    group[GROUP_CANDIDATE].path[0]);
}

/* The next option, or -1; @anew: the first one. */
static int next_option(int argc, char **argv, const struct option *names,
		       bool anew)
{
	int id;

	if (anew)
		optind = 0; /* whoever used getopt before */
	opterr = 0;
	id = getopt_long(argc, argv, "", names, NULL);
	if (id == '?')
		die(STATUS_USAGE,
		    "%s: unknown, or its value is missing or too much: see "
		    "kverdict %s --help",
		    argv[optind - 1], argv[0]);
	return id;
}

/* Whether the defaults are the bisect's, wherever the word stands. */
static bool is_sequential(int argc, char **argv, const struct option *names)
{
	bool sequential = false;
	int id;

	for (bool anew = true; (id = next_option(argc, argv, names, anew)) >= 0;
	     anew = false)
		sequential |= id == OPT_SEQUENTIAL;
	return sequential;
}

void judge_options_parse(struct judge_options *options, bool simulate, int argc,
			 char **argv)
{
	struct option names[TABLE_SIZE + 1] = { { .name = NULL } };
	size_t count = 0;
	int id;

	for (size_t i = 0; i < TABLE_SIZE; i++)
		if (table[i].of & (simulate ? SIMULATE : JUDGE))
			names[count++] =
				(struct option){ table[i].name,
						 table[i].value
							 ? required_argument
							 : no_argument,
						 NULL, (int)table[i].id };

	memset(options, 0, sizeof(*options));
	judge_rule_default(&options->rule, is_sequential(argc, argv, names));
	options->seed = SIMULATE_SEED;
	for (bool anew = true; (id = next_option(argc, argv, names, anew)) >= 0;
	     anew = false)
		set_option(options, (enum option_id)id, optarg);
	while (optind < argc)
		add_path(&options->group[GROUP_CANDIDATE], argv[optind++]);
	if (options->independent)
		options->rule.disturbed = 0.0;
	if (!options->help) {
		check_idle(options);
		check(options, simulate);
	}
	if (options->quantile == 0.0)
		options->quantile = QUANTILE;
}

void judge_options_free(struct judge_options *options)
{
	for (size_t i = 0; i < GROUPS; i++)
		free(options->group[i].path);
}
