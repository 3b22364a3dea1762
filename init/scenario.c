// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * scenario.c - a scenario's text as a list of steps
 *
 * The host runs the same code before the boot (`init --check`), so a line is
 * never read in two ways.
 */
#include "scenario.h"

#include <stdio.h>
#include <string.h>

#include "parse.h"
#include "scenario_check.h"

#define BLANKS		  " \t"
#define TIMEOUT_DEFAULT_S 60
#define TIMEOUT_MAX_S	  86400
#define COMMAND_MARK	  "-- "
#define COMMAND_MARK_LEN  (sizeof(COMMAND_MARK) - 1)
#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

/* Cuts @word into @key and @value. */
static bool split_parameter(const struct parser *p, char *word,
			    const char **key, const char **value)
{
	char *equals = strchr(word, '=');

	if (!equals)
		return refuse(p, "'%.64s' is not KEY=VALUE", word);
	*equals = '\0';
	*key = word;
	*value = equals + 1;
	if (!record_name_valid(*key))
		return refuse(p,
			      "'%.64s' is no parameter: not [a-z][a-z0-9_]*"
			      " of at most %u bytes",
			      *key, RECORD_NAME_MAX);
	if (!**value)
		return refuse(p, "%s= has no value", *key);
	return true;
}

static bool parse_number(const struct parser *p, uint32_t *number,
			 const char *key, const char *value, uint32_t min,
			 uint32_t max)
{
	uint64_t n;

	if (*number)
		return refuse(p, "%s= is given twice", key);
	if (!parse_u64(&n, value, min, max))
		return refuse(p, "%s=%.32s is not a number from %u to %u", key,
			      value, (unsigned int)min, (unsigned int)max);
	*number = (uint32_t)n;
	return true;
}

static bool parse_guest(const struct parser *p, char *words)
{
	struct scenario *s = p->scenario;
	const char *key, *value;
	char *save, *word;

	if (s->smp || s->mem_mib)
		return refuse(p, "a second guest line: one is enough");
	if (s->count)
		return refuse(p, "guest must stand before the first step");
	word = strtok_r(words, BLANKS, &save);
	if (!word)
		return refuse(p, "guest says nothing: smp=N, mem_mib=N");

	for (; word; word = strtok_r(NULL, BLANKS, &save)) {
		bool good;

		if (!split_parameter(p, word, &key, &value))
			return false;
		if (!strcmp(key, "smp"))
			good = parse_number(p, &s->smp, key, value, 1, 64);
		else if (!strcmp(key, "mem_mib"))
			good = parse_number(p, &s->mem_mib, key, value, 128,
					    65536);
		else
			good = refuse(p, "guest has no %s=: smp=N, mem_mib=N",
				      key);
		if (!good)
			return false;
	}
	return true;
}

static bool parse_may_skip(const struct parser *p, char *words)
{
	if (words[strspn(words, BLANKS)])
		return refuse(p, "may-skip takes nothing after it");
	if (p->scenario->count)
		return refuse(p, "may-skip must stand before the first step");
	if (p->scenario->may_skip)
		return refuse(p, "may-skip is given twice");
	p->scenario->may_skip = true;
	return true;
}

/* Return: the value in @params, words of KEY=VALUE, or NULL. */
static const char *find_value(const char *params, const char *key)
{
	size_t len = strlen(key);

	while (*params && strncmp(params, COMMAND_MARK, COMMAND_MARK_LEN)) {
		if (!strncmp(params, key, len) && params[len] == '=')
			return params + len + 1;
		params += strcspn(params, " ");
		params += strspn(params, " ");
	}
	return NULL;
}

const char *step_param(const struct step *step, const char *key, char *value,
		       size_t size)
{
	const char *found = find_value(step->params, key);

	if (!found)
		return NULL;
	snprintf(value, size, "%.*s", (int)strcspn(found, " "), found);
	return value;
}

const char *step_command(const struct step *step)
{
	const char *at = step->params;

	if (step->verb != VERB_EXEC)
		return NULL;
	while (*at && strncmp(at, COMMAND_MARK, COMMAND_MARK_LEN)) {
		at += strcspn(at, " ");
		at += strspn(at, " ");
	}
	return *at ? at + COMMAND_MARK_LEN : NULL;
}

static bool add_param(const struct parser *p, struct step *step,
		      const char *key, const char *value)
{
	size_t len = strlen(step->params);

	if (step->verb == VERB_STOP)
		return refuse(p,
			      "stop takes name= and timeout_s=, not %s=", key);
	if (!strcmp(key, "seed"))
		return refuse(p, "seed= belongs to the run, not to a step");
	if (find_value(step->params, key))
		return refuse(p, "%s= is given twice", key);
	/* Cannot be cut: it is never longer than the line it came from. */
	snprintf(step->params + len, sizeof(step->params) - len, "%s%s=%s",
		 len ? " " : "", key, value);
	return true;
}

static bool parse_trace(const struct parser *p, struct step *step,
			const char *value)
{
	if (!scenario_check_trace(p, step, value))
		return false;
	step->trace = true;
	return true;
}

static bool parse_param(const struct parser *p, struct step *step, char *word)
{
	const char *key, *value;

	if (!split_parameter(p, word, &key, &value))
		return false;
	if (!strcmp(key, "timeout_s"))
		return parse_number(p, &step->timeout_s, key, value, 1,
				    TIMEOUT_MAX_S);
	if (!strcmp(key, "trace"))
		return parse_trace(p, step, value);
	if (strcmp(key, "name") != 0)
		return add_param(p, step, key, value);

	if (step->name[0])
		return refuse(p, "name= is given twice");
	if (!record_name_valid(value))
		return refuse(p,
			      "name=%.64s: not [a-z][a-z0-9_]* of at most"
			      " %u bytes",
			      value, RECORD_NAME_MAX);
	strcpy(step->name, value);
	return true;
}

/* Cannot be cut either. */
static bool add_command(const struct parser *p, struct step *step,
			const char *command)
{
	size_t len = strlen(step->params);

	if (command)
		command += strspn(command, BLANKS);
	if (!command || !*command)
		return refuse(p, "no command follows --");
	snprintf(step->params + len, sizeof(step->params) - len, "%s%s%s",
		 len ? " " : "", COMMAND_MARK, command);
	return true;
}

static bool parse_step(const struct parser *p, enum step_verb verb, char *words)
{
	struct scenario *s = p->scenario;
	char *save, *word = strtok_r(words, BLANKS, &save);
	struct step *step;

	if (s->count == RECORD_STEPS_MAX)
		return refuse(p, "more than %u steps", RECORD_STEPS_MAX);
	if (!word)
		return refuse(p, "%s of what? its name is missing",
			      record_verbs[verb]);
	if (!record_name_valid(word))
		return refuse(p, "'%.64s' is no name of a probe", word);

	step = &s->steps[s->count];
	*step = (struct step){ .verb = verb, .line = p->line };
	strcpy(step->probe, word);
	while ((word = strtok_r(NULL, BLANKS, &save))) {
		if (verb == VERB_EXEC && !strcmp(word, "--")) {
			if (!add_command(p, step, save))
				return false;
			break;
		}
		if (!parse_param(p, step, word))
			return false;
	}
	if (!step->name[0])
		strcpy(step->name, step->probe);
	if (!step->timeout_s)
		step->timeout_s = TIMEOUT_DEFAULT_S;

	if (!scenario_check_step(p, step))
		return false;
	s->count++;
	return true;
}

static bool parse_probe(const struct parser *p, char *words)
{
	return parse_step(p, VERB_PROBE, words);
}

static bool parse_exec(const struct parser *p, char *words)
{
	return parse_step(p, VERB_EXEC, words);
}

static bool parse_start(const struct parser *p, char *words)
{
	return parse_step(p, VERB_START, words);
}

static bool parse_stop(const struct parser *p, char *words)
{
	return parse_step(p, VERB_STOP, words);
}

/* Cuts @line into words. */
static bool parse_line(const struct parser *p, char *line)
{
	static const struct {
		const char *word;
		bool (*parse)(const struct parser *p, char *words);
	} verbs[] = {
		{ "guest", parse_guest }, { "may-skip", parse_may_skip },
		{ "probe", parse_probe }, { "start", parse_start },
		{ "stop", parse_stop },	  { "exec", parse_exec },
	};
	size_t len;

	line += strspn(line, BLANKS);
	if (!*line)
		return true;
	len = strcspn(line, BLANKS);
	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++)
		if (strlen(verbs[i].word) == len &&
		    !strncmp(line, verbs[i].word, len))
			return verbs[i].parse(p, line + len);
	return refuse(p,
		      "unknown verb '%.*s': guest, may-skip, probe, exec,"
		      " start or stop",
		      len > 64 ? 64 : (int)len, line);
}

static bool add_missing_stops(struct parser *p)
{
	struct scenario *s = p->scenario;

	for (size_t i = s->count; i-- > 0;) {
		struct step *stop = &s->steps[s->count];

		if (s->steps[i].verb != VERB_START || scenario_is_stopped(s, i))
			continue;
		p->line = s->steps[i].line;
		if (s->count == RECORD_STEPS_MAX)
			return refuse(p,
				      "with the stop of %s more than %u"
				      " steps",
				      s->steps[i].name, RECORD_STEPS_MAX);
		*stop = (struct step){
			.verb = VERB_STOP,
			.line = p->line,
			.timeout_s = TIMEOUT_DEFAULT_S,
			.start = i,
		};
		strcpy(stop->probe, s->steps[i].probe);
		strcpy(stop->name, s->steps[i].name);
		s->count++;
	}
	return true;
}

bool scenario_parse(struct scenario *scenario, const char *text, size_t len,
		    struct scenario_error *error)
{
	struct parser p = { .scenario = scenario, .error = error };
	const char *end = text + len;
	char line[SCENARIO_LINE_MAX + 1];

	memset(scenario, 0, sizeof(*scenario));
	if (len > SCENARIO_SIZE_MAX)
		return refuse(&p, "longer than %u bytes", SCENARIO_SIZE_MAX);

	while (text < end) {
		const char *lf = memchr(text, '\n', (size_t)(end - text));
		size_t line_len = (size_t)((lf ? lf : end) - text);

		p.line++;
		if (!scenario_check_bytes(&p, text, line_len))
			return false;
		memcpy(line, text, line_len);
		line[line_len] = '\0';
		if (line[0] != '#' && !parse_line(&p, line))
			return false;
		text += line_len + (lf ? 1 : 0);
	}
	return add_missing_stops(&p);
}
