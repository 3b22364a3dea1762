// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * scenario_check.c - what a scenario must not say
 */
#include "scenario_check.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "parse.h"

#define ANTAGONIST_PREFIX "antagonist_"
#define CPU_MAX		  1023

bool refuse(const struct parser *p, const char *fmt, ...)
{
	va_list args;

	p->error->line = p->line;
	va_start(args, fmt);
	vsnprintf(p->error->text, sizeof(p->error->text), fmt, args);
	va_end(args);
	return false;
}

bool scenario_check_bytes(const struct parser *p, const char *line, size_t len)
{
	if (len > SCENARIO_LINE_MAX)
		return refuse(p, "longer than %u bytes", SCENARIO_LINE_MAX);
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)line[i];

		if (c == '\r')
			return refuse(p, "a carriage return: lines end in LF");
		if ((c < 0x20 && c != '\t') || c == 0x7f)
			return refuse(p, "a control character (0x%02x)", c);
	}
	return true;
}

bool scenario_check_trace(const struct parser *p, const struct step *step,
			  const char *value)
{
	if (step->verb != VERB_PROBE && step->verb != VERB_EXEC)
		return refuse(p,
			      "trace= is for steps that run to their end,"
			      " not for %s",
			      record_verbs[step->verb]);
	if (step->trace)
		return refuse(p, "trace= is given twice");
	if (strcmp(value, "workqueue") != 0)
		return refuse(p, "trace=%.32s: only workqueue can be traced",
			      value);
	return true;
}

/* What init itself reads of an exec step; all else is for the program. */
static bool check_exec(const struct parser *p, const struct step *step)
{
	char value[32];
	bool measures = step_param(step, "better", value, sizeof(value));
	uint64_t cpu;

	if (measures && record_word(record_betters, value) < 0)
		return refuse(p, "better=%s: not lower or higher", value);
	if (step_param(step, "unit", value, sizeof(value))) {
		if (record_word(record_units, value) < 0)
			return refuse(
				p,
				"unit=%s: not count, ns, us, ms, s, bytes,"
				" kib, ppm or per_s",
				value);
		if (!measures)
			return refuse(p, "unit= needs better=lower|higher");
	}
	if (step_param(step, "cpu", value, sizeof(value)) &&
	    !parse_u64(&cpu, value, 0, CPU_MAX))
		return refuse(p, "cpu=%s is not a number from 0 to %d", value,
			      CPU_MAX);
	return true;
}

/* An antagonist run as a probe would never end, and the other way round. */
static bool check_kind(const struct parser *p, const struct step *step)
{
	bool antagonist = !strncmp(step->probe, ANTAGONIST_PREFIX,
				   strlen(ANTAGONIST_PREFIX));

	if (step->verb == VERB_EXEC)
		return check_exec(p, step);
	if (antagonist && step->verb == VERB_PROBE)
		return refuse(p, "%s is an antagonist: use start and stop",
			      step->probe);
	if (!antagonist && step->verb != VERB_PROBE)
		return refuse(p, "%s is not an antagonist: use probe",
			      step->probe);
	return true;
}

bool scenario_is_stopped(const struct scenario *s, size_t start)
{
	for (size_t i = start + 1; i < s->count; i++)
		if (s->steps[i].verb == VERB_STOP && s->steps[i].start == start)
			return true;
	return false;
}

static bool find_start(const struct parser *p, struct step *stop)
{
	const struct scenario *s = p->scenario;

	for (size_t i = 0; i < s->count; i++) {
		const struct step *start = &s->steps[i];

		if (start->verb != VERB_START ||
		    strcmp(start->name, stop->name) != 0 ||
		    strcmp(start->probe, stop->probe) != 0)
			continue;
		if (scenario_is_stopped(s, i))
			return refuse(p, "%s is stopped already", stop->name);
		stop->start = i;
		return true;
	}
	return refuse(p, "stop %s name=%s has no start before it", stop->probe,
		      stop->name);
}

static bool check_name(const struct parser *p, const struct step *step)
{
	const struct scenario *s = p->scenario;

	for (size_t i = 0; i < s->count; i++)
		if (!strcmp(s->steps[i].name, step->name))
			return refuse(p,
				      "the name %s is taken by line %u: give"
				      " another with name=",
				      step->name, s->steps[i].line);
	return true;
}

bool scenario_check_step(const struct parser *p, struct step *step)
{
	if (!check_kind(p, step))
		return false;
	return step->verb == VERB_STOP ? find_start(p, step)
				       : check_name(p, step);
}
