// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fd3.c - what a probe writes to descriptor 3, as records
 */
#include "fd3.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "jsonw.h"
#include "parse.h"
#include "record.h"
#include "words.h"

#define BLANKS		  " \t"
#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

/* Names in the order of their first use, and how often each was used. */
struct names {
	size_t count;
	char name[RECORD_FIELDS_MAX][RECORD_NAME_MAX + 1];
	uint64_t uses[RECORD_FIELDS_MAX];
};

struct reader {
	const struct fd3_step *step;
	struct statement *said;
	unsigned int line;
	unsigned int short_count; /* samples in the short form */
	bool sampled;		  /* a sample was there: no metric may follow */
	bool full;		  /* the sink had no room */
	struct names metrics, shorts;
	struct jsonw json;
};

/* Keys that init writes itself, or that a sample has in its own way. */
static const char *const reserved[] = {
	"type", "step", "probe", "repetition", "warmup", "time_ns", "capped",
};

/* Return: false, so that a caller can refuse and return at once. */
__attribute__((format(printf, 2, 3))) static bool refuse(struct reader *r,
							 const char *fmt, ...)
{
	char why[256];
	va_list args;

	va_start(args, fmt);
	vsnprintf(why, sizeof(why), fmt, args);
	va_end(args);
	snprintf(r->said->protocol, sizeof(r->said->protocol),
		 "line %u on descriptor 3: %s", r->line, why);
	return false;
}

static bool is_reserved(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(reserved); i++)
		if (!strcmp(name, reserved[i]))
			return true;
	return false;
}

/* Return: the index of @name, added where it is new; -1 if there is no room. */
static int names_index(struct names *names, const char *name)
{
	for (size_t i = 0; i < names->count; i++)
		if (!strcmp(names->name[i], name))
			return (int)i;
	if (names->count == ARRAY_SIZE(names->name))
		return -1;
	strcpy(names->name[names->count], name);
	names->uses[names->count] = 0;
	return (int)names->count++;
}

static void begin_record(struct reader *r, const char *type)
{
	jsonw_begin(&r->json, type);
	jsonw_str(&r->json, "step", r->step->step);
}

static bool end_record(struct reader *r)
{
	if (!jsonw_end(&r->json))
		return refuse(r, "longer than a record may be");
	if (!r->full && !r->step->sink(r->step->arg, r->json.line, r->json.len))
		r->full = true;
	return true;
}

/* Return: the text after "@key=", or NULL. */
static const char *after_key(const char *word, const char *key)
{
	size_t len = strlen(key);

	if (!word || strncmp(word, key, len) != 0 || word[len] != '=')
		return NULL;
	return word + len + 1;
}

/* Cuts the first word off @words; NULL when there is none. */
static char *cut_word(char **words)
{
	char *word = *words;

	if (!word)
		return NULL;
	*words = strchr(word, ' ');
	if (*words)
		*(*words)++ = '\0';
	return word;
}

static void begin_metric(struct reader *r, const char *name, const char *better,
			 const char *unit)
{
	begin_record(r, "metric");
	jsonw_str(&r->json, "probe", r->step->probe);
	jsonw_str(&r->json, "metric", name);
	jsonw_str(&r->json, "better", better);
	if (unit)
		jsonw_str(&r->json, "unit", unit);
}

static bool take_metric(struct reader *r, char *words)
{
	const char *name = cut_word(&words);
	const char *better = after_key(cut_word(&words), "better");
	const char *third = cut_word(&words);
	const char *unit = after_key(third, "unit");
	bool rate = third && !unit;
	const char *count = after_key(third, "count");
	const char *window = after_key(cut_word(&words), "window");
	int index;

	if (!name || !record_name_valid(name) || is_reserved(name) || !better ||
	    record_word(record_betters, better) < 0)
		return refuse(r, "not metric NAME better=lower|higher");
	if (rate && (!count || !window || words || !record_name_valid(count) ||
		     !record_name_valid(window)))
		return refuse(r, "not count=KEY window=KEY");
	if (unit && (window || words || record_word(record_units, unit) < 0))
		return refuse(r, "unit=%.32s is not a unit, or not the last",
			      unit);
	if (r->sampled)
		return refuse(r, "metric %s after the first sample", name);
	index = names_index(&r->metrics, name);
	if (index < 0 || r->metrics.uses[index]++)
		return refuse(r, "metric %s twice, or too many", name);

	begin_metric(r, name, better, unit);
	if (rate) {
		jsonw_str(&r->json, "count", count);
		jsonw_str(&r->json, "window", window);
	}
	return end_record(r);
}

static void begin_sample(struct reader *r)
{
	r->sampled = true;
	begin_record(r, "sample");
	jsonw_str(&r->json, "probe", r->step->probe);
}

/* Return: whether @value is in the range that a sample's @key has. */
static bool value_in_range(const char *key, int64_t value)
{
	if (!strcmp(key, "repetition") || !strcmp(key, "time_ns"))
		return value >= 0;
	if (!strcmp(key, "warmup") || !strcmp(key, "capped"))
		return value == 0 || value == 1;
	return true;
}

static bool take_field(struct reader *r, struct names *keys, char *word)
{
	char *equals = strchr(word, '=');
	int64_t value;
	int index;

	if (!equals)
		return refuse(r, "'%.64s' is not KEY=INTEGER", word);
	*equals = '\0';
	if (!record_name_valid(word) || !strcmp(word, "type") ||
	    !strcmp(word, "step") || !strcmp(word, "probe"))
		return refuse(r, "'%.64s' is no key of a sample", word);
	if (!parse_i64(&value, equals + 1, INT64_MIN, INT64_MAX) ||
	    !value_in_range(word, value))
		return refuse(r, "%s=%.32s is not a value it may have", word,
			      equals + 1);
	index = names_index(keys, word);
	if (index < 0)
		return refuse(r, "more than %u keys", RECORD_FIELDS_MAX);
	if (keys->uses[index]++)
		return refuse(r, "%s= twice in one sample", word);
	jsonw_i64(&r->json, word, value);
	return true;
}

static bool take_sample(struct reader *r, char *words)
{
	struct names keys = { .count = 0 };
	char *word;

	begin_sample(r);
	while ((word = cut_word(&words)))
		if (!take_field(r, &keys, word))
			return false;

	/* The two that are needed, found or added: added ones have no use. */
	for (int i = 0; i < 2; i++) {
		int index = names_index(&keys, i ? "time_ns" : "repetition");

		if (index < 0 || !keys.uses[index])
			return refuse(r, "a sample needs repetition= and"
					 " time_ns=");
	}
	return end_record(r);
}

/* What a tracer says of one workqueue, function and CPU. */
static bool take_trace(struct reader *r, char *words)
{
	const char *workqueue = after_key(cut_word(&words), "workqueue");
	const char *function = after_key(cut_word(&words), "function");
	struct names keys = { .count = 0 };
	char *word;

	if (!workqueue || !*workqueue || !function || !*function)
		return refuse(r, "not trace workqueue=NAME function=NAME");
	begin_record(r, "trace");
	jsonw_str(&r->json, "workqueue", workqueue);
	jsonw_str(&r->json, "function", function);
	/* Fits: they are the first two. */
	keys.uses[names_index(&keys, "workqueue")]++;
	keys.uses[names_index(&keys, "function")]++;
	while ((word = cut_word(&words)))
		if (!take_field(r, &keys, word))
			return false;
	return end_record(r);
}

static bool take_note(struct reader *r, char *text)
{
	if (!text || !*text)
		return refuse(r, "a note without text");
	begin_record(r, "note");
	jsonw_str(&r->json, "text", text);
	return end_record(r);
}

static bool take_statement(struct reader *r, enum step_result result,
			   char *words)
{
	const char *word = cut_word(&words);
	int cause = word ? record_word(record_causes, word) : -1;

	if (cause < 0 || !words || !*words)
		return refuse(r, "not %s CAUSE TEXT", record_results[result]);
	r->said->result = result;
	r->said->cause = (enum step_cause)cause;
	snprintf(r->said->reason, sizeof(r->said->reason), "%s", words);
	return true;
}

static bool take_skip(struct reader *r, char *words)
{
	return take_statement(r, RESULT_SKIP, words);
}

static bool take_fail(struct reader *r, char *words)
{
	return take_statement(r, RESULT_FAIL, words);
}

/* Cuts the first word off @line; NULL when nothing follows it. */
static char *cut_first(char *line)
{
	size_t len = strcspn(line, BLANKS);

	if (!line[len])
		return NULL;
	line[len] = '\0';
	return line + len + 1;
}

/* Takes off the blanks at both ends, which the widths of printf() leave. */
static char *trim(char *text)
{
	size_t len;

	text += strspn(text, BLANKS);
	len = strlen(text);
	while (len && strchr(BLANKS, text[len - 1]))
		text[--len] = '\0';
	return text;
}

/* The form of a test that knows nothing of probes: NAME INTEGER. */
static bool parse_short(struct reader *r, const char *name, char *number,
			int64_t *value)
{
	if (!record_name_valid(name) || is_reserved(name))
		return refuse(r, "'%.64s' is neither a word nor a name", name);
	number = number ? trim(number) : NULL;
	if (!number || !parse_i64(value, number, INT64_MIN, INT64_MAX))
		return refuse(r,
			      "%s has '%.32s', which is no integer of 64 bits"
			      " (for fractions take a smaller unit)",
			      name, number ? number : "");
	return true;
}

static bool take_short(struct reader *r, const char *name, char *number)
{
	int64_t value;
	int index;

	if (!parse_short(r, name, number, &value))
		return false;
	index = names_index(&r->shorts, name);
	if (index < 0)
		return refuse(r, "more than %u names", RECORD_FIELDS_MAX);
	if (r->short_count++ == FD3_SHORT_MAX)
		return refuse(r,
			      "more than %u samples: write fewer, such as"
			      " one for each second",
			      FD3_SHORT_MAX);

	begin_sample(r);
	jsonw_u64(&r->json, "repetition", r->shorts.uses[index]++);
	jsonw_u64(&r->json, "time_ns", r->step->begin_ns);
	jsonw_i64(&r->json, name, value);
	return end_record(r);
}

static const struct word {
	const char *word;
	bool (*take)(struct reader *r, char *words);
} words[] = {
	{ "metric", take_metric }, { "sample", take_sample },
	{ "note", take_note },	   { "skip", take_skip },
	{ "fail", take_fail },	   { "trace", take_trace },
};

static const struct word *find_word(const struct reader *r, const char *word)
{
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (!strcmp(word, words[i].word) &&
		    (words[i].take != take_trace || r->step->tracer))
			return &words[i];
	return NULL;
}

static bool take_line(struct reader *r, char *line)
{
	char *rest = cut_first(line);
	const struct word *word = find_word(r, line);

	return word ? word->take(r, rest) : take_short(r, line, rest);
}

/* Declares a name of the short form at its first use, if nothing did yet. */
static bool declare_line(struct reader *r, char *line)
{
	char *rest = cut_first(line);
	const struct word *word = find_word(r, line);
	size_t known = r->shorts.count;
	int64_t value;
	int index;

	if (word) {
		const char *name = cut_word(&rest);

		if (word->take == take_metric && name &&
		    record_name_valid(name))
			names_index(&r->shorts, name);
		return true;
	}
	if (!parse_short(r, line, rest, &value) ||
	    names_index(&r->shorts, line) < 0)
		return false;
	if (r->shorts.count == known)
		return true;
	index = names_index(&r->metrics, line); /* no more names than above */
	r->metrics.uses[index]++;
	begin_metric(r, line, r->step->better, r->step->unit);
	return end_record(r);
}

/* Hands out line after line, up to the first that is none of the grammar. */
static void walk(struct reader *r, const char *text, size_t len,
		 bool (*take)(struct reader *r, char *line))
{
	const char *end = text + len;
	char line[FD3_LINE_MAX];

	while (text < end) {
		const char *lf = memchr(text, '\n', (size_t)(end - text));
		size_t line_len = (size_t)((lf ? lf : end) - text);

		r->line++;
		if (line_len >= FD3_LINE_MAX) {
			refuse(r, "longer than %u bytes", FD3_LINE_MAX);
			return;
		}
		if (!lf || memchr(text, '\0', line_len)) {
			refuse(r, lf ? "has a NUL byte" : "ends without LF");
			return;
		}
		memcpy(line, text, line_len);
		line[line_len] = '\0';
		if (!take(r, line))
			return;
		text = lf + 1;
	}
}

bool fd3_parse(const struct fd3_step *step, const char *text, size_t len,
	       struct statement *said)
{
	struct reader r = { .step = step, .said = said };

	*said = (struct statement){ .result = RESULT_PASS };
	/* A metric must stand before the first sample of its step. */
	if (step->better) {
		walk(&r, text, len, declare_line);
		said->protocol[0] = '\0';
		r.shorts.count = 0;
		r.line = 0;
	}
	walk(&r, text, len, take_line);
	said->samples = r.sampled;
	return !r.full;
}
