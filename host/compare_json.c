// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * compare_json.c - a comparison as JSON
 */
#include <stdlib.h>

#include <string.h>

#include "compare.h"

#define COMPARE_VERSION 1

static json_t *side_json(const struct side *side)
{
	json_t *runs = json_array();

	for (size_t i = 0; i < side->runs.count; i++) {
		const struct rundir *run = &side->runs.run[i];

		json_array_append_new(
			runs, json_pack("{s:s%, s:b, s:I}", "dir", run->path,
					strlen(run->path), "complete",
					run->stream.complete, "seed",
					(json_int_t)run->stream.run.seed));
	}
	return json_pack("{s:s, s:o}", "label", side->label, "runs", runs);
}

static json_t *values_json(const struct metric *m)
{
	if (!m || !m->boots)
		return json_null();
	return json_pack(
		"{s:I, s:I, s:I, s:f, s:f, s:f, s:f}", "boots",
		(json_int_t)m->boots, "values", (json_int_t)m->stats.count,
		"capped", (json_int_t)m->capped, "p50", m->stats.p50, "p90",
		m->stats.p90, "p99", m->stats.p99, "max", m->stats.max);
}

static json_t *change_json(const struct contrast_change *c)
{
	json_t *change = json_pack("{s:s, s:f, s:f, s:f, s:s}", "of", c->of,
				   "a", c->a, "b", c->b, "change", c->b - c->a,
				   "shown", contrast_words[c->word]);

	if (!c->known)
		return change;
	if (!c->shift.constant) {
		json_object_set_new(change, "low", json_real(c->shift.low));
		json_object_set_new(change, "high", json_real(c->shift.high));
	}
	json_object_set_new(change, "p", json_real(c->shift.p));
	json_object_set_new(change, "p_holm", json_real(c->corrected));
	return change;
}

static json_t *metric_json(const struct contrast_metric *m)
{
	json_t *changes = json_array();

	for (size_t i = 0; i < m->changes; i++)
		json_array_append_new(changes, change_json(&m->change[i]));
	return json_pack("{s:s, s:s, s:s, s:s, s:o, s:o, s:o}", "step",
			 m->any->step, "metric", m->any->name, "better",
			 record_betters[m->any->better], "unit",
			 units_name(m->any->unit), "a", values_json(m->a), "b",
			 values_json(m->b), "changes", changes);
}

json_t *compare_json(const struct contrast *c, const char *forced)
{
	json_t *differences = json_array(), *metrics = json_array();
	char *verdict = compare_verdict(c);
	json_t *object;

	for (size_t i = 0; i < c->differences; i++)
		json_array_append_new(differences,
				      json_pack("{s:s, s:s, s:s}", "what",
						c->difference[i].what, "a",
						c->difference[i].a, "b",
						c->difference[i].b));
	for (size_t i = 0; i < c->count; i++)
		json_array_append_new(metrics, metric_json(&c->metric[i]));
	object = json_pack("{s:i, s:s, s:i, s:s?, s:f, s:o, s:o, s:o, s:o}",
			   "compare_version", COMPARE_VERSION, "verdict",
			   verdict, "status", (int)c->status, "forced", forced,
			   "level", 1 - SHIFT_ERROR, "a", side_json(c->a), "b",
			   side_json(c->b), "differences", differences,
			   "metrics", metrics);
	free(verdict);
	if (!object)
		die(STATUS_HOST, "write the comparison as JSON: a path or a "
				 "label is not UTF-8");
	return object;
}
