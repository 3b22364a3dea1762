// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * bisect.c - `kverdict bisect`: what bisect.sh keeps and reads as JSON
 *
 * bisect.sh builds, boots and decides; this only holds its notes, one JSON
 * file a bisect, which is replaced as a whole so that a crash leaves the old
 * one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bisect_state.h"
#include "bisect_table.h"
#include "commands.h"
#include "die.h"
#include "metrics.h"
#include "run_outcome.h"
#include "rundir.h"
#include "units.h"

static void usage(FILE *out)
{
	fprintf(out,
		"Usage: kverdict bisect put STATE KERNEL KEY=VALUE...\n"
		"       kverdict bisect get STATE KERNEL KEY\n"
		"       kverdict bisect find STATE KEY VALUE\n"
		"       kverdict bisect table STATE\n"
		"       kverdict bisect outcome RUN\n"
		"       kverdict bisect metric STEP.METRIC RUN...\n"
		"       kverdict bisect verdict VERDICT.json KEY\n\n"
		"The notes of bisect.sh: not for people.  KERNEL is a commit, "
		"or - for the\nbisect itself.  get prints nothing where there "
		"is no such key; find prints the\nkernels that have KEY=VALUE; "
		"outcome prints STATUS INIT_MS crashed|ran MESSAGE of a\n"
		"boot, INIT_MS being -1 if /init was not reached; metric "
		"prints, with tabs between,\nwhich is better, the boots, the "
		"values, p50, p90, p99 and max of all.\n");
}

static int put(int argc, char **argv)
{
	json_t *state = bisect_state_read(argv[0]);
	json_t *kernel = bisect_state_kernel(state, argv[1], true);

	for (int i = 2; i < argc; i++)
		if (!bisect_state_set(kernel, argv[i]))
			die(STATUS_USAGE, "bisect put: %s is not KEY=VALUE",
			    argv[i]);
	bisect_state_write(state, argv[0]);
	json_decref(state);
	return STATUS_GOOD;
}

static void print_value(const json_t *value)
{
	if (json_is_integer(value))
		printf("%" JSON_INTEGER_FORMAT "\n", json_integer_value(value));
	else if (json_is_real(value))
		printf("%.6g\n", json_real_value(value));
	else if (json_is_string(value))
		printf("%s\n", json_string_value(value));
}

static int get(int argc, char **argv)
{
	json_t *state = bisect_state_read(argv[0]);

	(void)argc;
	print_value(json_object_get(bisect_state_kernel(state, argv[1], false),
				    argv[2]));
	json_decref(state);
	return STATUS_GOOD;
}

static int find(int argc, char **argv)
{
	json_t *state = bisect_state_read(argv[0]), *kernel;
	const char *commit;

	(void)argc;
	json_object_foreach(json_object_get(state, "kernels"), commit, kernel)
	{
		const char *value =
			json_string_value(json_object_get(kernel, argv[1]));

		if (value && !strcmp(value, argv[2]))
			printf("%s\n", commit);
	}
	json_decref(state);
	return STATUS_GOOD;
}

static int table(int argc, char **argv)
{
	json_t *state = bisect_state_read(argv[0]);

	(void)argc;
	bisect_table_print(json_object_get(state, "kernels"), stdout);
	json_decref(state);
	return STATUS_GOOD;
}

/* A kernel that does not get to /init crashed, but for want of memory. */
static bool has_crashed(double status, double init_ms, const char *message)
{
	if (status == STATUS_BAD)
		return true;
	return status == STATUS_CANNOT_TELL && init_ms < 0.0 &&
	       strncmp(message, OUTCOME_MEMORY, strlen(OUTCOME_MEMORY)) != 0 &&
	       strncmp(message, OUTCOME_UNPACK, strlen(OUTCOME_UNPACK)) != 0;
}

static int outcome(int argc, char **argv)
{
	const char *path = argv[0], *message;
	struct runs runs = { .run = NULL };
	int status = STATUS_HOST;

	(void)argc;
	if (runs_open(&runs, &path, 1) == STATUS_GOOD && runs.count == 1) {
		const struct rundir *run = &runs.run[0];
		double ended, init_ms;
		char *text;

		ended = rundir_number(run, "outcome.status",
				      STATUS_INTERRUPTED);
		init_ms = rundir_number(run, "times.init_ms", -1.0);
		message = rundir_text(run, "outcome.message");
		text = xprintf("%s", message ? message : "it was not ended");
		text_clean(text);
		printf("%.0f %.0f %s %s\n", ended, init_ms,
		       has_crashed(ended, init_ms, text) ? "crashed" : "ran",
		       text);
		free(text);
		status = STATUS_GOOD;
	}
	runs_free(&runs);
	return status;
}

static void print_metric(const struct metric *m)
{
	const double shown[] = { m->stats.p50, m->stats.p90, m->stats.p99,
				 m->stats.max };

	printf("%s\t%zu\t%zu", m->better == BETTER_LOWER ? "lower" : "higher",
	       m->boots, m->stats.count);
	for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++) {
		char text[UNITS_SIZE];

		units_format(text, shown[i], m->unit);
		printf("\t%s", text);
	}
	printf("\n");
}

/* One metric of all these boots, in a line. */
static int metric(int argc, char **argv)
{
	struct runs runs = { .run = NULL };
	struct metrics all = { .metric = NULL };
	enum status status = runs_open(&runs, (const char *const *)argv + 1,
				       (size_t)argc - 1);

	if (status == STATUS_GOOD)
		metrics_read(&all, &runs, true);
	for (size_t i = 0; i < all.count; i++) {
		char *name = xprintf("%s.%s", all.metric[i].step,
				     all.metric[i].name);

		if (!strcmp(name, argv[0]))
			print_metric(&all.metric[i]);
		free(name);
	}
	metrics_free(&all);
	runs_free(&runs);
	return status;
}

/* A key of verdict.json, "candidate.boots" being boots in candidate. */
static int verdict(int argc, char **argv)
{
	json_error_t error;
	json_t *object = json_load_file(argv[0], 0, &error);
	const json_t *value = object;
	char *words = xprintf("%s", argv[1]), *rest = words, *word;

	(void)argc;
	if (!object)
		die(STATUS_HOST, "read %s: %s", argv[0], error.text);
	while ((word = strsep(&rest, ".")))
		value = json_object_get(value, word);
	print_value(value);
	free(words);
	json_decref(object);
	return STATUS_GOOD;
}

static const struct {
	const char *word;
	int min, max; /* words that follow */
	int (*run)(int argc, char **argv);
} verbs[] = {
	{ "find", 3, 3, find },	       { "get", 3, 3, get },
	{ "metric", 2, 1000, metric }, { "outcome", 1, 1, outcome },
	{ "put", 3, 1000, put },       { "table", 1, 1, table },
	{ "verdict", 2, 2, verdict },
};

int bisect_main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "--help")) {
		usage(stdout);
		return STATUS_GOOD;
	}
	for (size_t i = 0; argc >= 2 && i < sizeof(verbs) / sizeof(verbs[0]);
	     i++) {
		int status;

		if (strcmp(argv[1], verbs[i].word) || argc - 2 < verbs[i].min ||
		    argc - 2 > verbs[i].max)
			continue;
		status = verbs[i].run(argc - 2, argv + 2);
		if (fflush(stdout) == EOF)
			die_errno(STATUS_HOST, "write to standard output");
		return status;
	}
	usage(stderr);
	return STATUS_USAGE;
}
