// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * formats_json.c - all that a summary says, as one JSON object
 */
#include <jansson.h>
#include <stdlib.h>

#include "formats.h"
#include "markup.h"
#include "metrics.h"

#define SUMMARY_VERSION 1

static json_t *metric_json(const struct metric *m)
{
	json_t *o = json_pack(
		"{s:s, s:s, s:s, s:s, s:I, s:I, s:I, s:I, s:b}", "step",
		m->step, "metric", m->name, "better", record_betters[m->better],
		"unit", units_name(m->unit), "boots", (json_int_t)m->boots,
		"values", (json_int_t)m->stats.count, "capped",
		(json_int_t)m->capped, "warmups", (json_int_t)m->warmups,
		"passed", m->passed);

	if (m->stats.count) {
		json_object_set_new(o, "min", json_real(m->stats.min));
		json_object_set_new(o, "p50", json_real(m->stats.p50));
		json_object_set_new(o, "p90", json_real(m->stats.p90));
		json_object_set_new(o, "p99", json_real(m->stats.p99));
		json_object_set_new(o, "max", json_real(m->stats.max));
	}
	return o;
}

static json_t *metrics_json(const struct runs *runs, bool pooled)
{
	json_t *list = json_array();
	struct metrics m;

	metrics_read(&m, runs, pooled);
	for (size_t i = 0; i < m.count; i++)
		json_array_append_new(list, metric_json(&m.metric[i]));
	metrics_free(&m);
	return list;
}

static json_t *step_json(const struct stream_step *step)
{
	json_t *o = json_pack("{s:s, s:s, s:s, s:s}", "step", step->name,
			      "verb", record_verbs[step->verb], "probe",
			      step->probe, "params", step->params);

	if (step->result == RESULT_NONE)
		json_object_set_new(o, "result", json_null());
	else
		json_object_set_new(o, "result",
				    json_string(record_results[step->result]));
	if (step->cause != CAUSE_NONE) {
		json_object_set_new(o, "cause",
				    json_string(record_causes[step->cause]));
		json_object_set_new(o, "reason", json_string(step->reason));
	}
	if (step->duration_ns >= 0)
		json_object_set_new(o, "duration_ns",
				    json_integer(step->duration_ns));
	return o;
}

static json_t *steps_json(const struct stream *s)
{
	json_t *list = json_array();

	for (size_t i = 0; i < s->step_count; i++)
		json_array_append_new(list, step_json(&s->steps[i]));
	return list;
}

static json_t *traces_json(const struct stream *s)
{
	json_t *list = json_array();

	for (size_t i = 0; i < s->trace_count; i++) {
		const struct stream_trace *t = &s->traces[i];
		json_t *o = json_pack(
			"{s:s, s:s, s:s, s:I, s:I, s:I, s:I, s:I}", "step",
			s->steps[t->step].name, "workqueue", t->workqueue,
			"function", t->function, "cpu", (json_int_t)t->cpu,
			"queued", (json_int_t)t->queued, "executed",
			(json_int_t)t->executed, "waiting",
			(json_int_t)t->waiting, "lost_events",
			(json_int_t)t->lost_events);

		if (t->executed)
			json_object_update_new(
				o,
				json_pack("{s:I, s:I, s:I, s:I, s:I}",
					  "delay_sum_ns", (json_int_t)t->sum_ns,
					  "delay_p50_ns", (json_int_t)t->p50_ns,
					  "delay_p90_ns", (json_int_t)t->p90_ns,
					  "delay_p99_ns", (json_int_t)t->p99_ns,
					  "delay_max_ns",
					  (json_int_t)t->max_ns));
		json_array_append_new(list, o);
	}
	return list;
}

static json_t *notes_json(const struct stream *s)
{
	json_t *list = json_array();

	for (size_t i = 0; i < s->note_count; i++)
		json_array_append_new(list, json_pack("{s:s?, s:s}", "step",
						      s->notes[i].step, "text",
						      s->notes[i].text));
	return list;
}

static json_t *run_json(const struct rundir *run)
{
	struct rundir copy = *run;
	const struct runs one = { .run = &copy, .count = 1 };
	const struct stream *s = &run->stream;
	char *path = markup_utf8(run->path);
	json_t *o = json_pack("{s:s, s:b, s:s?, s:o, s:o, s:o, s:o}", "dir",
			      path, "complete", s->complete, "problem",
			      s->problem, "steps", steps_json(s), "metrics",
			      metrics_json(&one, false), "traces",
			      traces_json(s), "notes", notes_json(s));

	free(path);
	if (s->has_run) {
		json_object_set_new(o, "kernel", json_string(s->run.kernel));
		json_object_set_new(o, "scenario",
				    json_string(s->run.scenario));
		json_object_set_new(o, "mode",
				    json_string(record_modes[s->run.mode]));
		json_object_set_new(o, "seed", json_integer(s->run.seed));
		json_object_set_new(o, "cpus", json_integer(s->run.cpus));
		json_object_set_new(o, "mem_kib", json_integer(s->run.mem_kib));
	}
	json_object_set(o, "outcome", json_object_get(run->info, "outcome"));
	return o;
}

/* Runs that may not be pooled have no metrics in common. */
static json_t *pooled_json(const struct runs *runs)
{
	char *why = runs_repetition(runs);

	if (!why)
		why = runs_difference(runs, RUNS_POOL);
	if (!why)
		return metrics_json(runs, true);
	free(why);
	return json_null();
}

void formats_json(FILE *out, const struct runs *runs)
{
	json_t *list = json_array(), *o;

	for (size_t i = 0; i < runs->count; i++)
		json_array_append_new(list, run_json(&runs->run[i]));
	o = json_pack("{s:i, s:o, s:o}", "summary_version", SUMMARY_VERSION,
		      "runs", list, "pooled", pooled_json(runs));
	if (!o || json_dumpf(o, out, JSON_INDENT(1) | JSON_REAL_PRECISION(15)))
		die(STATUS_HOST, "write the summary as JSON");
	fputc('\n', out);
	json_decref(o);
}
