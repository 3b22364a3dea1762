// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * probe.c - the process of a probe or an antagonist
 */
#include "probe.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "exec.h"
#include "outcome.h"
#include "records.h"
#include "samples.h"
#include "scenario.h"

#define PROBE_PATH "/bin/probe"

/* NAME, a word for each two bytes of a line at most, seed=N, NULL. */
#define ARGUMENTS_MAX (SCENARIO_LINE_MAX / 2 + 4)

static int start(struct probe *probe, uint64_t seed, int ready)
{
	char params[SCENARIO_LINE_MAX + 1], seed_word[32];
	char *argv[ARGUMENTS_MAX], *save, *word;
	struct child_spec spec = {
		.path = PROBE_PATH,
		.argv = argv,
		.out = -1,
		.err = -1,
		.records = probe->records,
		.ready = ready,
		.file_bytes_max = SAMPLES_BYTES_MAX,
	};
	size_t argc = 0;

	strcpy(params, probe->step->params);
	snprintf(seed_word, sizeof(seed_word), "seed=%" PRIu64, seed);
	argv[argc++] = (char *)"probe";
	argv[argc++] = (char *)probe->step->probe;
	for (word = strtok_r(params, " ", &save); word;
	     word = strtok_r(NULL, " ", &save))
		argv[argc++] = word;
	argv[argc++] = seed_word;
	argv[argc] = NULL;
	return child_start(&probe->child, &spec);
}

bool probe_start(struct probe *probe, const struct step *step, uint64_t seed,
		 int ready, struct outcome *outcome)
{
	int err;

	*probe = (struct probe){ .step = step };
	probe->records = samples_open();
	if (probe->records < 0) {
		outcome_set(outcome, RESULT_FAIL, CAUSE_OTHER,
			    "make the file of descriptor 3: %s",
			    strerror(errno));
		return false;
	}
	probe->begin_ns = clock_mono_ns();
	err = step->verb == VERB_EXEC
		      ? exec_start(&probe->child, step, seed, probe->records)
		      : start(probe, seed, ready);
	if (!err)
		return true;
	outcome_set(outcome, err == -ENOMEM ? RESULT_SKIP : RESULT_FAIL,
		    err == -ENOMEM ? CAUSE_MEMORY : CAUSE_OTHER,
		    "start a process: %s", strerror(-err));
	close(probe->records);
	return false;
}

void probe_end(struct probe *probe, uint64_t deadline_ns,
	       struct outcome *outcome)
{
	bool in_time = child_wait(&probe->child, deadline_ns);
	bool gone = child_kill(&probe->child);
	/* Too large for the stack beside a line's buffers. */
	static struct statement said;
	const char *missing = samples_take(probe->records, probe->step,
					   probe->begin_ns, &said);

	if (in_time && probe->step->verb == VERB_EXEC)
		exec_decide(outcome, probe->child.status, probe->step, &said);
	else if (in_time)
		outcome_decide(outcome, probe->child.status, &said);
	else
		outcome_set(outcome, RESULT_TIMEOUT,
			    gone ? CAUSE_OTHER : CAUSE_STUCK,
			    gone ? "killed after %u s"
				 : "could not be killed after %u s",
			    (unsigned int)probe->step->timeout_s);
	if (in_time && !gone)
		records_note(probe->step->name,
			     "a process of this step could not be killed");
	if (missing && outcome->result == RESULT_PASS)
		outcome_set(outcome, RESULT_FAIL, CAUSE_OTHER,
			    "records of this step are missing: %s", missing);
}
