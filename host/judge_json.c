// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * judge_json.c - a verdict for programs: verdict.json
 *
 * It holds every count and every setting, so that the verdict can be worked
 * out again from this file alone.  Values are in the metric's own unit.
 */
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "die.h"
#include "judge_report.h"

#define VERDICT_VERSION 1

static void set(json_t *object, const char *key, json_t *value)
{
	if (json_object_set_new(object, key, value) < 0)
		die(STATUS_HOST,
		    "write the verdict: out of memory, or %s is "
		    "no UTF-8",
		    key);
}

/* JSON knows no infinity: such a number is left out. */
static void set_real(json_t *object, const char *key, double value)
{
	if (isfinite(value))
		set(object, key, json_real(value));
}

static void set_size(json_t *object, const char *key, size_t value)
{
	set(object, key, json_integer((json_int_t)value));
}

static void set_value(const struct judge_input *input, json_t *object,
		      const char *key, double oriented)
{
	set_real(object, key, input->lower ? oriented : -oriented);
}

static json_t *pair(double low, double high)
{
	json_t *list = json_array();

	json_array_append_new(list, json_real(low));
	json_array_append_new(list, json_real(high));
	return list;
}

/* A path may hold any bytes. */
static json_t *path_text(const char *path)
{
	json_t *text = json_string(path);

	return text ? text : json_string("(a path that is no UTF-8)");
}

static json_t *rule_object(const struct judge_case *c)
{
	const struct judge_rule *rule = &c->options->rule;
	json_t *object = json_object();

	set_real(object, "bound", rule->bound);
	set_real(object, "tolerance", rule->tolerance);
	set_real(object, "kappa", rule->kappa);
	set_real(object, "disturbed", rule->disturbed);
	set(object, "sequential", json_boolean(rule->sequential));
	set(object, "independent", json_boolean(c->options->independent));
	set_size(object, "first", rule->first);
	set_size(object, "budget", rule->budget);
	if (c->options->limited) {
		set_real(object, "limit", c->options->limit);
		set_real(object, "quantile", c->options->quantile);
	}
	return object;
}

static json_t *cut_object(const struct judge_case *c)
{
	const struct judge_refs *refs = c->refs;
	const struct judge_neither *neither = &refs->neither;
	json_t *object = json_object();

	set(object, "kind",
	    json_string(refs->kind == JUDGE_CUT_MODE ? "mode" : "shift"));
	set_value(c->input, object, "at", refs->cut.at);
	set_value(c->input, object, "gap_good_side", refs->cut.gap_low);
	set_value(c->input, object, "gap_bad_side", refs->cut.gap_high);
	set_value(c->input, object, "outside_good_side", neither->outside_low);
	set_value(c->input, object, "outside_bad_side", neither->outside_high);
	if (neither->middle_used) {
		set_value(c->input, object, "middle_good_side",
			  neither->middle_low);
		set_value(c->input, object, "middle_bad_side",
			  neither->middle_high);
	}
	return object;
}

static json_t *ref_object(const struct judge_case *c,
			  const struct judge_ref *ref,
			  const struct judge_values *values)
{
	bool differ = c->refs->state == JUDGE_REFS_DIFFER;
	json_t *object = json_object(), *runs = json_array();

	set_size(object, "boots", ref->boots);
	set_size(object, "values", ref->values);
	set_size(object, "capped", values->capped);
	set_value(c->input, object, "median", ref->median);
	if (differ) {
		set_size(object, "beyond", ref->beyond);
		set_real(object, "share", ref->share);
		set(object, "share_interval",
		    pair(ref->share_low, ref->share_high));
		set_real(object, "correlation", ref->correlation);
		set(object, "correlation_interval",
		    pair(ref->correlation_low, ref->correlation_high));
	}
	for (size_t i = 0; i < ref->boots; i++) {
		json_t *run = json_object();

		set(run, "run", path_text(values->from[i]));
		set_size(run, "values", values->runs.boot[i].values);
		if (differ)
			set_size(run, "beyond_honest", ref->count[i].beyond);
		json_array_append_new(runs, run);
	}
	set(object, "runs", runs);
	return object;
}

static void set_look(const struct judge_case *c, json_t *object)
{
	const struct judge_look *look = &c->verdict->look;

	set_size(object, "beyond", c->verdict->beyond);
	set_size(object, "neither", c->verdict->neither);
	set_real(object, "share", look->share);
	set(object, "share_interval", pair(look->share_low, look->share_high));
	if (c->refs) {
		set_real(object, "position",
			 judge_position(c->refs, look->share));
		set(object, "position_interval",
		    pair(judge_position(c->refs, look->share_low),
			 judge_position(c->refs, look->share_high)));
	}
	set_real(object, "log10_evidence_against_good",
		 look->log_e_good / M_LN10);
	set_real(object, "log10_evidence_against_bad",
		 look->log_e_bad / M_LN10);
	set_real(object, "tail_against_good", look->tail_good);
	set_real(object, "tail_against_bad", look->tail_bad);
	set_real(object, "near_good", look->near_good);
	set_real(object, "half_way", look->half);
	set_real(object, "near_bad", look->near_bad);
	set_real(object, "like_neither", look->neither);
}

static json_t *candidate_object(const struct judge_case *c)
{
	const struct judge_values *values = &c->input->group[GROUP_CANDIDATE];
	json_t *object = json_object(), *runs = json_array();

	set_size(object, "boots", values->runs.boots);
	set_size(object, "boots_looked_at", c->verdict->boots);
	set_size(object, "values", c->verdict->values);
	set_size(object, "capped", values->capped);
	set_value(c->input, object, "median", c->median);
	set_size(object, "runs_without_values", values->dropped);
	if (!c->verdict->exact)
		set_look(c, object);
	for (size_t i = 0; i < values->runs.boots; i++) {
		json_t *run = json_object();

		set(run, "run", path_text(values->from[i]));
		set_size(run, "values", values->runs.boot[i].values);
		if (c->refs && !c->verdict->exact) {
			struct judge_count count = judge_count_boot(
				c->refs, &values->runs.boot[i]);

			set_size(run, "beyond", count.beyond);
			set_size(run, "neither", count.neither);
		}
		json_array_append_new(runs, run);
	}
	set(object, "runs", runs);
	return object;
}

static json_t *case_object(const struct judge_case *c)
{
	static const char *const whys[] = {
		[JUDGE_WHY_NONE] = NULL,
		[JUDGE_WHY_VALUES] = "values like neither reference",
		[JUDGE_WHY_BETWEEN] = "between the references",
	};
	const struct judge_input *input = c->input;
	json_t *object = json_object();

	set_size(object, "verdict_version", VERDICT_VERSION);
	set(object, "verdict", json_string(judge_report_word(c)));
	set_size(object, "exit_status", (size_t)judge_report_status(c));
	if (c->refused)
		set(object, "reason", json_string(c->refused));
	else if (c->verdict && whys[c->verdict->why])
		set(object, "reason", json_string(whys[c->verdict->why]));
	if (c->verdict && c->verdict->word == JUDGE_MORE)
		set_size(object, "more", c->more);
	if (c->verdict && !c->refused)
		set(object, "exact", json_boolean(c->verdict->exact));
	set(object, "metric", json_string(input->metric));
	set(object, "better", json_string(input->lower ? "lower" : "higher"));
	set(object, "virtual_time", json_boolean(input->deterministic));
	set(object, "rule", rule_object(c));
	if (c->refs) {
		if (c->refs->state == JUDGE_REFS_DIFFER)
			set(object, "cut", cut_object(c));
		set_real(object, "log10_s", c->refs->log_s / M_LN10);
		set(object, "good",
		    ref_object(c, &c->refs->good, &input->group[GROUP_GOOD]));
		set(object, "bad",
		    ref_object(c, &c->refs->bad, &input->group[GROUP_BAD]));
	}
	if (c->verdict && !c->refused)
		set(object, "candidate", candidate_object(c));
	return object;
}

int judge_report_write(const struct judge_case *c, const char *path)
{
	char *beside = xprintf("%s.tmp.%ld", path, (long)getpid());
	json_t *object = case_object(c);
	int err = 0;

	if (json_dump_file(object, beside,
			   JSON_INDENT(1) | JSON_REAL_PRECISION(12)) < 0 ||
	    rename(beside, path) < 0) {
		err = errno ? -errno : -EIO;
		unlink(beside); /* it may never have come to be */
	}
	json_decref(object);
	free(beside);
	return err;
}
