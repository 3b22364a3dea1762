// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * exec.c - a step that runs a program of the user's
 */
#include "exec.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "child.h"
#include "outcome.h"
#include "samples.h"
#include "scenario.h"

#define FOLDER "/add/"

/* A word for each two bytes of a line at most, seed=N, NULL. */
#define WORDS_MAX (SCENARIO_LINE_MAX / 2 + 3)

/* @params is cut into words, up to @command. */
static void make_environment(char **environment, char *params, char *seed_word)
{
	char *save, *word = strtok_r(params, " ", &save);
	size_t count = 0;

	for (; word && strcmp(word, "--") != 0;
	     word = strtok_r(NULL, " ", &save))
		environment[count++] = word;
	environment[count++] = seed_word;
	environment[count] = NULL;
}

int exec_start(struct child *child, const struct step *step, uint64_t seed,
	       int records)
{
	char params[SCENARIO_LINE_MAX + 1], seed_word[32], path[64], cpu[16];
	char *environment[WORDS_MAX];
	const char *command = step_command(step);
	char *shell[] = { (char *)"sh", (char *)"-c", (char *)command, NULL };
	char *program[] = { (char *)step->probe, NULL };
	struct child_spec spec = {
		.path = command ? "/bin/sh" : path,
		.argv = command ? shell : program,
		.environment = environment,
		.out = -1,
		.err = -1,
		.records = records,
		.ready = -1,
		.file_bytes_max = SAMPLES_BYTES_MAX,
	};

	strcpy(params, step->params);
	snprintf(seed_word, sizeof(seed_word), "seed=%" PRIu64, seed);
	snprintf(path, sizeof(path), FOLDER "%s", step->probe);
	make_environment(environment, params, seed_word);
	if (step_param(step, "cpu", cpu, sizeof(cpu))) {
		spec.pinned = true;
		spec.cpu = (unsigned int)atoi(cpu); /* checked when parsed */
	}
	return child_start(child, &spec);
}

void exec_decide(struct outcome *outcome, int status, const struct step *step,
		 const struct statement *said)
{
	char better[16];

	outcome_decide_program(
		outcome, status, said,
		step_param(step, "better", better, sizeof(better)) != NULL);
}
