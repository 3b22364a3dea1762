// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * run_tally.c - what the records of one boot say about its course
 *
 * The same code follows the mirror while the guest runs and reads the collected
 * records afterwards, so that both see the same steps.
 */
#include "run_tally.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "die.h"
#include "flat.h"
#include "record.h"
#include "run_base64.h"

/* Start and stop of an antagonist are two steps. */
#define STEPS_MAX (2u * RECORD_STEPS_MAX)

static char *copy(const char *text)
{
	return text ? xprintf("%s", text) : NULL;
}

static void take_run(struct tally *t, const json_t *record)
{
	if (t->run_seen)
		return;
	t->run_seen = true;
	t->kernel = copy(flat_text(record, "kernel"));
	t->asked_steps = (uint64_t)flat_number(record, "steps", 0);
	t->may_skip = flat_number(record, "may_skip", 0) != 0;
	t->disk = flat_number(record, "disk", 0) != 0;
}

static void take_begin(struct tally *t, const json_t *record)
{
	struct outcome_step *step;

	if (t->step_count == STEPS_MAX)
		return;
	t->steps = xgrow(t->steps, t->step_count + 1, sizeof(*t->steps));
	step = &t->steps[t->step_count++];
	memset(step, 0, sizeof(*step));
	step->name = copy(flat_text(record, "step"));
	step->verb = (enum step_verb)flat_word(record, "verb", record_verbs,
					       VERB_PROBE);
	step->result = RESULT_NONE;
	step->cause = CAUSE_NONE;
	t->step_timeout_s = (uint64_t)flat_number(record, "timeout_s", 0);
}

static void take_end(struct tally *t, const json_t *record)
{
	const char *name = flat_text(record, "step");
	struct outcome_step *step;

	if (t->step_count == 0)
		return;
	step = &t->steps[t->step_count - 1];
	if (step->result != RESULT_NONE || !name || !step->name ||
	    strcmp(step->name, name) != 0)
		return;
	step->result = (enum step_result)flat_word(record, "result",
						   record_results, RESULT_FAIL);
	step->cause = (enum step_cause)flat_word(record, "cause", record_causes,
						 CAUSE_NONE);
	step->reason = copy(flat_text(record, "reason"));
	t->step_timeout_s = 0;
	if (step->verb == VERB_COMMAND)
		t->command_status = flat_number(record, "exit_status", -1);
}

/* /init cannot go on for reasons that are ours, such as a broken image. */
static void take_note(struct tally *t, const json_t *record)
{
	static const char mark[] = "fatal: ";
	const char *text = flat_text(record, "text");

	if (text && !t->fatal && !strncmp(text, mark, sizeof(mark) - 1))
		t->fatal = copy(text + sizeof(mark) - 1);
}

static void take_output(struct tally *t, const json_t *record)
{
	const char *text = flat_text(record, "base64");
	unsigned char bytes[RECORD_OUTPUT_MAX];
	long len;

	if (!text)
		return;
	len = base64_decode(bytes, sizeof(bytes), text);
	if (len <= 0)
		return;
	t->output_bytes += (uint64_t)len;
	if (t->output)
		t->output((int)flat_number(record, "fd", 1), bytes,
			  (size_t)len);
}

/* What a hog says of its share measures nothing of the kernel. */
static void take_sample(struct tally *t)
{
	t->samples++;
	if (t->step_count && t->steps[t->step_count - 1].verb != VERB_STOP)
		t->measured++;
}

void tally_line(struct tally *t, const char *line, size_t len)
{
	enum flat_kind kind;
	char *why = NULL;
	json_t *record;

	if (t->end_seen)
		return;
	record = flat_parse(line, len, &kind, &why);
	free(why);
	if (!record)
		return;
	if (kind == FLAT_RUN)
		take_run(t, record);
	else if (kind == FLAT_STEP_BEGIN && t->run_seen)
		take_begin(t, record);
	else if (kind == FLAT_STEP_END)
		take_end(t, record);
	else if (kind == FLAT_SAMPLE)
		take_sample(t);
	else if (kind == FLAT_NOTE)
		take_note(t, record);
	else if (kind == FLAT_OUTPUT)
		take_output(t, record);
	else if (kind == FLAT_END)
		t->end_seen = t->run_seen;
	json_decref(record);
}

void tally_free(struct tally *t)
{
	for (size_t i = 0; i < t->step_count; i++) {
		free(t->steps[i].name);
		free(t->steps[i].reason);
	}
	free(t->steps);
	free(t->kernel);
	free(t->fatal);
	memset(t, 0, sizeof(*t));
	t->command_status = -1;
}
