// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * flat.c - one line of a record stream, checked by itself
 */
#include "flat.h"

#include <stdbool.h>
#include <string.h>

#include "die.h"
#include "record.h"

/* What a value may be. */
enum form {
	TEXT,	/* any text */
	FILLED, /* a text that is not empty */
	NAME,	/* as record_name_valid() */
	WORD,	/* one of the rule's words */
	CRC,	/* eight lower-case hex digits */
	BASE64, /* of at most RECORD_OUTPUT_MAX bytes */
	NUMBER, /* an integer within the rule's limits */
};

struct rule {
	enum flat_kind kind;
	const char *key;
	enum form form;
	bool optional;
	int64_t min, max;	  /* of a NUMBER */
	const char *const *words; /* of a WORD */
};

#define TIMEOUT_S_MAX 86400
#define CPUS_MAX      8192 /* NR_CPUS of the largest x86 configuration */

static const struct rule rules[] = {
	{ FLAT_RUN, "record_version", .form = NUMBER, .min = 1,
	  .max = RECORD_VERSION },
	{ FLAT_RUN, "kernel", .form = FILLED },
	{ FLAT_RUN, "scenario", .form = FILLED },
	{ FLAT_RUN, "mode", .form = WORD, .words = record_modes },
	{ FLAT_RUN, "seed", .form = NUMBER, .max = INT64_MAX },
	{ FLAT_RUN, "cpus", .form = NUMBER, .min = 1, .max = CPUS_MAX },
	{ FLAT_RUN, "mem_kib", .form = NUMBER, .min = 1, .max = INT64_MAX },
	{ FLAT_RUN, "clocksource", .form = FILLED },
	{ FLAT_RUN, "steps", .form = NUMBER, .max = RECORD_STEPS_MAX },
	{ FLAT_RUN, "may_skip", .form = NUMBER, .max = 1 },
	{ FLAT_RUN, "disk", .form = NUMBER, .max = 1 },
	{ FLAT_RUN, "cmdline", .form = TEXT },

	{ FLAT_STEP_BEGIN, "step", .form = NAME },
	{ FLAT_STEP_BEGIN, "verb", .form = WORD, .words = record_verbs },
	{ FLAT_STEP_BEGIN, "probe", .form = NAME, .optional = true },
	{ FLAT_STEP_BEGIN, "params", .form = TEXT },
	{ FLAT_STEP_BEGIN, "timeout_s", .form = NUMBER, .max = TIMEOUT_S_MAX },
	{ FLAT_STEP_BEGIN, "time_ns", .form = NUMBER, .max = INT64_MAX },

	{ FLAT_STEP_END, "step", .form = NAME },
	{ FLAT_STEP_END, "verb", .form = WORD, .words = record_verbs },
	{ FLAT_STEP_END, "probe", .form = NAME, .optional = true },
	{ FLAT_STEP_END, "result", .form = WORD, .words = record_results },
	{ FLAT_STEP_END, "cause", .form = WORD, .optional = true,
	  .words = record_causes },
	{ FLAT_STEP_END, "reason", .form = TEXT, .optional = true },
	{ FLAT_STEP_END, "duration_ns", .form = NUMBER, .max = INT64_MAX },
	{ FLAT_STEP_END, "exit_status", .form = NUMBER, .optional = true,
	  .max = 255 },

	{ FLAT_METRIC, "step", .form = NAME },
	{ FLAT_METRIC, "probe", .form = NAME },
	{ FLAT_METRIC, "metric", .form = NAME },
	{ FLAT_METRIC, "better", .form = WORD, .words = record_betters },
	{ FLAT_METRIC, "unit", .form = WORD, .optional = true,
	  .words = record_units },
	{ FLAT_METRIC, "count", .form = NAME, .optional = true },
	{ FLAT_METRIC, "window", .form = NAME, .optional = true },

	{ FLAT_SAMPLE, "step", .form = NAME },
	{ FLAT_SAMPLE, "probe", .form = NAME },
	{ FLAT_SAMPLE, "repetition", .form = NUMBER, .max = INT64_MAX },
	{ FLAT_SAMPLE, "time_ns", .form = NUMBER, .max = INT64_MAX },
	{ FLAT_SAMPLE, "warmup", .form = NUMBER, .optional = true, .max = 1 },
	{ FLAT_SAMPLE, "capped", .form = NUMBER, .optional = true, .max = 1 },

	{ FLAT_TRACE, "step", .form = NAME },
	{ FLAT_TRACE, "workqueue", .form = FILLED },
	{ FLAT_TRACE, "function", .form = FILLED },
	{ FLAT_TRACE, "cpu", .form = NUMBER, .min = -1, .max = CPUS_MAX },
	{ FLAT_TRACE, "queued", .form = NUMBER, .max = INT64_MAX },
	{ FLAT_TRACE, "executed", .form = NUMBER, .max = INT64_MAX },
	{ FLAT_TRACE, "waiting", .form = NUMBER, .max = INT64_MAX },
	{ FLAT_TRACE, "lost_events", .form = NUMBER, .max = INT64_MAX },
	{ FLAT_TRACE, "delay_sum_ns", .form = NUMBER, .optional = true,
	  .max = INT64_MAX },
	{ FLAT_TRACE, "delay_p50_ns", .form = NUMBER, .optional = true,
	  .max = INT64_MAX },
	{ FLAT_TRACE, "delay_p90_ns", .form = NUMBER, .optional = true,
	  .max = INT64_MAX },
	{ FLAT_TRACE, "delay_p99_ns", .form = NUMBER, .optional = true,
	  .max = INT64_MAX },
	{ FLAT_TRACE, "delay_max_ns", .form = NUMBER, .optional = true,
	  .max = INT64_MAX },
	{ FLAT_TRACE, "req_cpu", .form = NUMBER, .optional = true, .min = -1,
	  .max = CPUS_MAX },
	{ FLAT_TRACE, "ran_cpu", .form = NUMBER, .optional = true,
	  .max = CPUS_MAX },

	{ FLAT_NOTE, "step", .form = NAME, .optional = true },
	{ FLAT_NOTE, "text", .form = TEXT },

	{ FLAT_OUTPUT, "fd", .form = NUMBER, .min = 1, .max = 2 },
	{ FLAT_OUTPUT, "base64", .form = BASE64 },

	{ FLAT_END, "records", .form = NUMBER, .max = INT64_MAX },
	{ FLAT_END, "crc32", .form = CRC },
};

static bool base64_valid(const char *text)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "abcdefghijklmnopqrstuvwxyz0123456789+/";
	size_t len = strlen(text), used = strspn(text, digits);

	if (len % 4 || len / 4 > (RECORD_OUTPUT_MAX + 2) / 3)
		return false;
	return len - used <= 2 && strspn(text + used, "=") == len - used;
}

static bool crc_valid(const char *text)
{
	return strlen(text) == 8 && strspn(text, "0123456789abcdef") == 8;
}

/* NULL if @value is as @rule says, else what is wrong with it. */
static const char *value_fault(const struct rule *rule, const json_t *value)
{
	const char *text = json_string_value(value);
	int64_t number = json_integer_value(value);

	if (rule->form == NUMBER) {
		if (!json_is_integer(value))
			return "is not an integer";
		if (number < rule->min || number > rule->max)
			return "is out of range";
		return NULL;
	}
	if (!text)
		return "is not a text";
	if (rule->form == FILLED && !text[0])
		return "is empty";
	if (rule->form == NAME && !record_name_valid(text))
		return "is not a valid name";
	if (rule->form == WORD && record_word(rule->words, text) < 0)
		return "is not one of its words";
	if (rule->form == CRC && !crc_valid(text))
		return "is not eight lower-case hex digits";
	if (rule->form == BASE64 && !base64_valid(text))
		return "is not base64 of at most 2,048 bytes";
	return NULL;
}

static char *rules_fault(const json_t *record, enum flat_kind kind)
{
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		const json_t *value;
		const char *fault;

		if (rules[i].kind != kind)
			continue;
		value = json_object_get(record, rules[i].key);
		if (!value && rules[i].optional)
			continue;
		fault = value ? value_fault(&rules[i], value) : "is missing";
		if (fault)
			return xprintf("%s %s", rules[i].key, fault);
	}
	return NULL;
}

/* Every key is a name, every value a text or an integer. */
static char *flatness_fault(json_t *record)
{
	const char *key;
	json_t *value;

	json_object_foreach(record, key, value)
	{
		if (!record_name_valid(key))
			return xprintf("a key is not a valid name");
		if (!json_is_string(value) && !json_is_integer(value))
			return xprintf("%s is neither a text nor an integer",
				       key);
	}
	return NULL;
}

static char *step_fault(const json_t *record, enum flat_kind kind)
{
	int verb = flat_word(record, "verb", record_verbs, VERB_PROBE);
	int result = flat_word(record, "result", record_results, RESULT_NONE);

	if (verb != VERB_COMMAND && !flat_text(record, "probe"))
		return xprintf("probe is missing");
	if (kind == FLAT_STEP_BEGIN || result == RESULT_PASS)
		return NULL;
	if (!flat_text(record, "cause"))
		return xprintf("cause is missing");
	if (!flat_text(record, "reason"))
		return xprintf("reason is missing");
	return NULL;
}

static char *sample_fault(json_t *record)
{
	size_t numbers = 0;
	const char *key;
	json_t *value;

	json_object_foreach(record, key, value)
	{
		numbers += json_is_integer(value);
		if (json_is_string(value) && strcmp(key, "type") &&
		    strcmp(key, "step") && strcmp(key, "probe"))
			return xprintf("%s is not an integer", key);
	}
	if (numbers > RECORD_FIELDS_MAX)
		return xprintf("a sample has more than %u keys",
			       RECORD_FIELDS_MAX);
	return NULL;
}

/* What was executed has waited, be it for no time. */
static char *trace_fault(const json_t *record)
{
	if (flat_number(record, "executed", 0) &&
	    flat_number(record, "delay_max_ns", -1) < 0)
		return xprintf("delay_max_ns is missing");
	if (flat_number(record, "executed", 0) >
	    flat_number(record, "queued", 0))
		return xprintf("executed is more than queued");
	return NULL;
}

static char *kind_fault(json_t *record, enum flat_kind kind)
{
	switch (kind) {
	case FLAT_STEP_BEGIN:
	case FLAT_STEP_END:
		return step_fault(record, kind);
	case FLAT_SAMPLE:
		return sample_fault(record);
	case FLAT_TRACE:
		return trace_fault(record);
	case FLAT_METRIC:
		if (!flat_text(record, "count") != !flat_text(record, "window"))
			return xprintf("count and window need each other");
		return NULL;
	default:
		return NULL;
	}
}

static bool kind_of(const json_t *record, enum flat_kind *kind)
{
	static const struct {
		const char *type, *event;
		enum flat_kind kind;
	} kinds[] = {
		{ "run", NULL, FLAT_RUN },
		{ "step", "begin", FLAT_STEP_BEGIN },
		{ "step", "end", FLAT_STEP_END },
		{ "metric", NULL, FLAT_METRIC },
		{ "sample", NULL, FLAT_SAMPLE },
		{ "trace", NULL, FLAT_TRACE },
		{ "note", NULL, FLAT_NOTE },
		{ "output", NULL, FLAT_OUTPUT },
		{ "end", NULL, FLAT_END },
	};
	const char *type = flat_text(record, "type");
	const char *event = flat_text(record, "event");

	for (size_t i = 0; type && i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strcmp(kinds[i].type, type) || (kinds[i].event && !event) ||
		    (kinds[i].event && strcmp(kinds[i].event, event)))
			continue;
		*kind = kinds[i].kind;
		return true;
	}
	return false;
}

static char *record_fault(json_t *record, enum flat_kind *kind)
{
	int64_t version = flat_number(record, "record_version", 0);
	enum flat_kind found;
	char *fault = flatness_fault(record);

	if (fault)
		return fault;
	if (!kind_of(record, &found))
		return xprintf("its type or event is not known");
	if (found == FLAT_RUN && version > RECORD_VERSION)
		return xprintf("record_version is %lld, and this kverdict "
			       "reads up to %d: take a newer one",
			       (long long)version, RECORD_VERSION);
	fault = rules_fault(record, found);
	if (!fault)
		fault = kind_fault(record, found);
	if (!fault)
		*kind = found;
	return fault;
}

json_t *flat_parse(const char *line, size_t len, enum flat_kind *kind,
		   char **why)
{
	json_error_t error;
	json_t *record;

	/* jansson takes blanks around the object, the format does not. */
	if (len < 2 || line[0] != '{' || line[len - 1] != '}') {
		*why = xprintf("is not one JSON object");
		return NULL;
	}
	record = json_loadb(line, len, JSON_REJECT_DUPLICATES, &error);
	if (!record) {
		*why = xprintf("is not valid JSON: %s", error.text);
		return NULL;
	}
	*why = record_fault(record, kind);
	if (*why) {
		json_decref(record);
		return NULL;
	}
	return record;
}

const char *flat_text(const json_t *record, const char *key)
{
	return json_string_value(json_object_get(record, key));
}

int64_t flat_number(const json_t *record, const char *key, int64_t missing)
{
	const json_t *value = json_object_get(record, key);

	return json_is_integer(value) ? json_integer_value(value) : missing;
}

int flat_word(const json_t *record, const char *key, const char *const *words,
	      int missing)
{
	const char *text = flat_text(record, key);
	int index = text ? record_word(words, text) : -1;

	return index < 0 ? missing : index;
}
