// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * take.c - what one record adds to a stream, or why it may not stand there
 *
 * flat.c has checked each line by itself; here is what the lines say together:
 * which may follow which, which names have been declared, count and CRC.
 */
#include "take.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "die.h"
#include "record.h"

/* Each line of a scenario begins at most two steps: `start` and its `stop`. */
#define STEPS_MAX (2 * RECORD_STEPS_MAX)
/* Each step with keys of its own; more would only fill our memory. */
#define KEYS_MAX (RECORD_STEPS_MAX * RECORD_FIELDS_MAX)

static char *copy(const char *text)
{
	return xprintf("%s", text ? text : "");
}

/* Make room for one item more; the sizes are powers of two. */
static void *grow(void *array, size_t count, size_t size)
{
	if (count & (count - 1))
		return array;
	return xgrow(array, count ? 2 * count : 1, size);
}

static struct stream_step *open_step(const struct take *r)
{
	return r->open ? &r->s->steps[r->s->step_count - 1] : NULL;
}

static char *take_run(struct take *r, const json_t *record)
{
	struct stream_run *run = &r->s->run;

	run->kernel = copy(flat_text(record, "kernel"));
	run->scenario = copy(flat_text(record, "scenario"));
	run->clocksource = copy(flat_text(record, "clocksource"));
	run->cmdline = copy(flat_text(record, "cmdline"));
	run->mode = (enum run_mode)flat_word(record, "mode", record_modes,
					     MODE_REALTIME);
	run->seed = flat_number(record, "seed", 0);
	run->cpus = flat_number(record, "cpus", 0);
	run->mem_kib = flat_number(record, "mem_kib", 0);
	run->steps = flat_number(record, "steps", 0);
	run->may_skip = flat_number(record, "may_skip", 0);
	run->disk = flat_number(record, "disk", 0);
	r->s->has_run = true;
	return NULL;
}

static const struct stream_step *find_step(const struct stream *s,
					   const char *name)
{
	for (size_t i = s->step_count; i-- > 0;)
		if (!strcmp(s->steps[i].name, name))
			return &s->steps[i];
	return NULL;
}

/* A name is used once, but for the `stop` after its `start`. */
static char *name_fault(const struct stream *s, const char *name, int verb)
{
	const struct stream_step *earlier = find_step(s, name);

	if (verb == VERB_STOP && (!earlier || earlier->verb != VERB_START))
		return xprintf("stops %s, which was not started", name);
	if (verb != VERB_STOP && earlier)
		return xprintf("a second step is named %s", name);
	return NULL;
}

static char *take_begin(struct take *r, const json_t *record)
{
	struct stream *s = r->s;
	const char *name = flat_text(record, "step");
	int verb = flat_word(record, "verb", record_verbs, VERB_PROBE);
	struct stream_step *step;
	char *fault;

	if (r->open)
		return xprintf("step %s has not ended yet", open_step(r)->name);
	if (s->step_count >= STEPS_MAX)
		return xprintf("more than %u steps", STEPS_MAX);
	fault = name_fault(s, name, verb);
	if (fault)
		return fault;

	s->steps = grow(s->steps, s->step_count, sizeof(*s->steps));
	step = &s->steps[s->step_count++];
	*step = (struct stream_step){
		.name = copy(name),
		.verb = (enum step_verb)verb,
		.probe = copy(flat_text(record, "probe")),
		.params = copy(flat_text(record, "params")),
		.timeout_s = flat_number(record, "timeout_s", 0),
		.time_ns = flat_number(record, "time_ns", 0),
		.result = RESULT_NONE,
		.cause = CAUSE_NONE,
		.reason = copy(NULL),
		.duration_ns = -1,
		.exit_status = -1,
		.first_sample = s->sample_count,
	};
	r->open = true;
	return NULL;
}

/* Does a record belong to the step that is open? */
static char *belongs_fault(const struct take *r, const json_t *record)
{
	const struct stream_step *step = open_step(r);
	const char *probe = flat_text(record, "probe");

	if (!step || strcmp(step->name, flat_text(record, "step")))
		return xprintf("its step is not the one that runs");
	if (strcmp(step->probe, probe ? probe : ""))
		return xprintf("its probe is not that of step %s", step->name);
	return NULL;
}

static char *take_end_of_step(struct take *r, const json_t *record)
{
	struct stream_step *step = open_step(r);
	char *fault = belongs_fault(r, record);

	if (fault)
		return fault;
	if ((int)step->verb !=
	    flat_word(record, "verb", record_verbs, VERB_PROBE))
		return xprintf("its verb is not that of the step's begin");

	step->result = (enum step_result)flat_word(record, "result",
						   record_results, RESULT_NONE);
	if (step->result != RESULT_PASS) {
		step->cause = (enum step_cause)flat_word(
			record, "cause", record_causes, CAUSE_NONE);
		free(step->reason);
		step->reason = copy(flat_text(record, "reason"));
	}
	step->duration_ns = flat_number(record, "duration_ns", -1);
	step->exit_status = flat_number(record, "exit_status", -1);
	r->open = false;
	return NULL;
}

static char *take_metric(struct take *r, const json_t *record)
{
	struct stream *s = r->s;
	const char *name = flat_text(record, "metric");
	const char *count = flat_text(record, "count");
	const char *unit = flat_text(record, "unit");
	char *fault = belongs_fault(r, record);
	size_t declared = 0;

	if (fault)
		return fault;
	if (open_step(r)->sample_count)
		return xprintf("metric %s comes after the step's first sample",
			       name);
	for (size_t i = s->metric_count; i-- > 0; declared++) {
		if (s->metrics[i].step != s->step_count - 1)
			break;
		if (!strcmp(s->metrics[i].name, name))
			return xprintf("metric %s is declared twice", name);
	}
	if (declared >= RECORD_FIELDS_MAX)
		return xprintf("a step has more than %u metrics",
			       RECORD_FIELDS_MAX);

	s->metrics = grow(s->metrics, s->metric_count, sizeof(*s->metrics));
	s->metrics[s->metric_count++] = (struct stream_metric){
		.step = s->step_count - 1,
		.name = copy(name),
		.better = (enum better)flat_word(record, "better",
						 record_betters, BETTER_LOWER),
		.unit = unit ? copy(unit) : NULL,
		.count = count ? copy(count) : NULL,
		.window = count ? copy(flat_text(record, "window")) : NULL,
	};
	return NULL;
}

/* The one pointer for @key, or NULL if there are too many keys. */
static const char *shared_key(struct take *r, const char *key)
{
	struct stream *s = r->s;
	const json_t *index = json_object_get(r->key_index, key);

	if (index)
		return s->keys[json_integer_value(index)];
	if (s->key_count >= KEYS_MAX)
		return NULL;
	s->keys = grow(s->keys, s->key_count, sizeof(*s->keys));
	s->keys[s->key_count] = copy(key);
	json_object_set_new(r->key_index, key,
			    json_integer((json_int_t)s->key_count));
	return s->keys[s->key_count++];
}

static bool is_value(const char *key, const json_t *value)
{
	return json_is_integer(value) && strcmp(key, "repetition") &&
	       strcmp(key, "time_ns") && strcmp(key, "warmup") &&
	       strcmp(key, "capped");
}

static char *take_values(struct take *r, json_t *record)
{
	struct stream *s = r->s;
	const char *key;
	json_t *value;

	json_object_foreach(record, key, value)
	{
		const char *shared;

		if (!is_value(key, value))
			continue;
		shared = shared_key(r, key);
		if (!shared)
			return xprintf("more than %u different keys in the "
				       "samples",
				       KEYS_MAX);
		s->values = grow(s->values, s->value_count, sizeof(*s->values));
		s->values[s->value_count++] = (struct stream_value){
			.key = shared, .value = json_integer_value(value)
		};
	}
	return NULL;
}

static char *take_sample(struct take *r, json_t *record)
{
	struct stream *s = r->s;
	size_t first = s->value_count;
	char *fault = belongs_fault(r, record);

	if (!fault)
		fault = take_values(r, record);
	if (fault) {
		s->value_count = first;
		return fault;
	}
	s->samples = grow(s->samples, s->sample_count, sizeof(*s->samples));
	s->samples[s->sample_count++] = (struct stream_sample){
		.step = s->step_count - 1,
		.repetition = flat_number(record, "repetition", 0),
		.time_ns = flat_number(record, "time_ns", 0),
		.warmup = flat_number(record, "warmup", 0),
		.capped = flat_number(record, "capped", 0),
		.first = first,
		.count = (uint32_t)(s->value_count - first),
	};
	open_step(r)->sample_count++;
	return NULL;
}

static char *take_trace(struct take *r, const json_t *record)
{
	const struct stream_step *step = open_step(r);
	struct stream *s = r->s;

	if (!step || strcmp(step->name, flat_text(record, "step")))
		return xprintf("its step is not the one that runs");
	s->traces = grow(s->traces, s->trace_count, sizeof(*s->traces));
	s->traces[s->trace_count++] = (struct stream_trace){
		.step = s->step_count - 1,
		.workqueue = copy(flat_text(record, "workqueue")),
		.function = copy(flat_text(record, "function")),
		.cpu = flat_number(record, "cpu", -1),
		.queued = flat_number(record, "queued", 0),
		.executed = flat_number(record, "executed", 0),
		.waiting = flat_number(record, "waiting", 0),
		.lost_events = flat_number(record, "lost_events", 0),
		.sum_ns = flat_number(record, "delay_sum_ns", 0),
		.p50_ns = flat_number(record, "delay_p50_ns", 0),
		.p90_ns = flat_number(record, "delay_p90_ns", 0),
		.p99_ns = flat_number(record, "delay_p99_ns", 0),
		.max_ns = flat_number(record, "delay_max_ns", 0),
		.req_cpu = flat_number(record, "req_cpu", -1),
		.ran_cpu = flat_number(record, "ran_cpu", -1),
	};
	return NULL;
}

static char *take_note(struct take *r, const json_t *record)
{
	struct stream *s = r->s;
	const char *step = flat_text(record, "step");

	if (step && !find_step(s, step))
		return xprintf("no step %s has begun", step);
	s->notes = grow(s->notes, s->note_count, sizeof(*s->notes));
	s->notes[s->note_count++] = (struct stream_note){
		.step = step ? copy(step) : NULL,
		.text = copy(flat_text(record, "text")),
	};
	return NULL;
}

static char *take_output(struct take *r)
{
	if (!r->open || open_step(r)->verb != VERB_COMMAND)
		return xprintf("no command runs that could write");
	r->s->output_count++;
	return NULL;
}

static char *take_end(struct take *r, const json_t *record)
{
	struct stream *s = r->s;
	int64_t records = flat_number(record, "records", -1);
	char crc[9];

	if (r->open)
		return xprintf("the stream ends within step %s",
			       open_step(r)->name);
	if (records < 0 || (uint64_t)records != s->records)
		return xprintf("%" PRId64 " records are promised and %zu are "
			       "there",
			       records, s->records);
	snprintf(crc, sizeof(crc), "%08" PRIx32, s->crc);
	if (strcmp(crc, flat_text(record, "crc32")))
		return xprintf("the CRC-32 is %s and should be %s", crc,
			       flat_text(record, "crc32"));
	s->complete = true;
	return NULL;
}

char *take_record(struct take *r, json_t *record, enum flat_kind kind)
{
	if ((kind == FLAT_RUN) == r->s->has_run)
		return xprintf(kind == FLAT_RUN ? "a second run record"
						: "the first is no run record");
	switch (kind) {
	case FLAT_RUN:
		return take_run(r, record);
	case FLAT_STEP_BEGIN:
		return take_begin(r, record);
	case FLAT_STEP_END:
		return take_end_of_step(r, record);
	case FLAT_METRIC:
		return take_metric(r, record);
	case FLAT_SAMPLE:
		return take_sample(r, record);
	case FLAT_TRACE:
		return take_trace(r, record);
	case FLAT_NOTE:
		return take_note(r, record);
	case FLAT_OUTPUT:
		return take_output(r);
	case FLAT_END:
		return take_end(r, record);
	}
	return xprintf("its type is not known");
}
