// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * formats_ktap.c - runs as KTAP version 1
 */
#include <stdlib.h>

#include "cases.h"
#include "formats.h"

#define INDENT 2 /* blanks a level */

/* A '#' would begin a directive. */
static void put_name(FILE *out, const char *name)
{
	for (; *name; name++)
		fputc(*name == '#' ? '?' : *name, out);
}

static const char *directive(enum step_result result)
{
	switch (result) {
	case RESULT_SKIP:
		return "SKIP";
	case RESULT_TIMEOUT:
		return "TIMEOUT";
	case RESULT_CRASH:
	case RESULT_NONE:
		return "ERROR";
	default:
		return NULL;
	}
}

static bool is_ok(enum step_result result)
{
	return result == RESULT_PASS || result == RESULT_SKIP;
}

static void put_case(FILE *out, int indent, size_t number,
		     const struct test_case *c)
{
	const char *word = directive(c->result);

	fprintf(out, "%*s%s %zu ", indent, "",
		is_ok(c->result) ? "ok" : "not ok", number);
	put_name(out, c->name);
	if (word)
		fprintf(out, " # %s %s", word, c->reason);
	fputc('\n', out);
}

static void put_values(FILE *out, int indent, const struct rundir *run,
		       const struct test_case *c)
{
	size_t count;
	char **line = cases_values(run, c->step, &count);

	for (size_t i = 0; i < count; i++) {
		fprintf(out, "%*s# %s\n", indent, "", line[i]);
		free(line[i]);
	}
	free(line);
	/* A test that failed has no directive to carry its reason. */
	if (c->result == RESULT_FAIL)
		fprintf(out, "%*s# %s: %s\n", indent, "", c->name, c->reason);
}

/* Return: whether all of them are ok. */
static bool put_run(FILE *out, int indent, const struct rundir *run)
{
	struct cases cases;
	bool ok = true;

	cases_read(&cases, run);
	fprintf(out, "%*s1..%zu\n", indent, "", cases.count);
	for (size_t i = 0; i < cases.count; i++) {
		put_values(out, indent, run, &cases.list[i]);
		put_case(out, indent, i + 1, &cases.list[i]);
		ok &= is_ok(cases.list[i].result);
	}
	cases_free(&cases);
	return ok;
}

static void put_subtests(FILE *out, size_t number, const struct rundir *run)
{
	char *name = cases_run_name(run);
	bool ok;

	fprintf(out, "%*sKTAP version 1\n%*s# Subtest: ", INDENT, "", INDENT,
		"");
	put_name(out, name);
	fputc('\n', out);
	ok = put_run(out, INDENT, run);
	fprintf(out, "%s %zu ", ok ? "ok" : "not ok", number);
	put_name(out, name);
	fputc('\n', out);
	free(name);
}

void formats_ktap(FILE *out, const struct runs *runs)
{
	fputs("KTAP version 1\n", out);
	if (runs->count == 1) {
		put_run(out, 0, &runs->run[0]);
		return;
	}
	fprintf(out, "1..%zu\n", runs->count);
	for (size_t i = 0; i < runs->count; i++)
		put_subtests(out, i + 1, &runs->run[i]);
}
