// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * formats_junit.c - runs as JUnit XML
 */
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "formats.h"
#include "markup.h"

struct counts {
	size_t tests, failures, errors, skipped;
	double time_s;
};

static const char *element(enum step_result result)
{
	switch (result) {
	case RESULT_PASS:
		return NULL;
	case RESULT_SKIP:
		return "skipped";
	case RESULT_FAIL:
		return "failure";
	default:
		return "error";
	}
}

static struct counts count(const struct cases *cases)
{
	struct counts n = { .tests = cases->count };

	for (size_t i = 0; i < cases->count; i++) {
		enum step_result result = cases->list[i].result;

		if (result == RESULT_PASS)
			continue;
		n.skipped += result == RESULT_SKIP;
		n.failures += result == RESULT_FAIL;
		n.errors += result != RESULT_SKIP && result != RESULT_FAIL;
	}
	n.time_s = cases->list[0].duration_s; /* of the whole run */
	return n;
}

static void put_counts(FILE *out, const struct counts *n)
{
	fprintf(out,
		" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" "
		"skipped=\"%zu\" time=\"%.3f\"",
		n->tests, n->failures, n->errors, n->skipped, n->time_s);
}

static void put_attribute(FILE *out, const char *name, const char *text)
{
	fprintf(out, " %s=\"", name);
	markup_text(out, text);
	fputc('"', out);
}

static void put_property(FILE *out, const struct rundir *run, const char *key)
{
	const char *text = rundir_text(run, key);

	if (!text)
		return;
	fputs("   <property", out);
	put_attribute(out, "name", key);
	put_attribute(out, "value", text);
	fputs("/>\n", out);
}

static void put_properties(FILE *out, const struct rundir *run)
{
	static const char *const keys[] = {
		"kernel_path",	   "kernel_sha256", "mode",
		"accelerator",	   "qemu_version",  "commit",
		"outcome.message",
	};

	fputs("  <properties>\n", out);
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		put_property(out, run, keys[i]);
	fputs("  </properties>\n", out);
}

static void put_result(FILE *out, const struct test_case *c)
{
	const char *name = element(c->result);

	if (!name)
		return;
	fprintf(out, "   <%s", name);
	put_attribute(out, "message", c->reason);
	if (c->result != RESULT_SKIP)
		put_attribute(out, "type",
			      c->result == RESULT_NONE
				      ? "not-ended"
				      : record_results[c->result]);
	fputc('>', out); /* some readers show the text, some the message */
	markup_text(out, c->reason);
	fprintf(out, "</%s>\n", name);
}

static void put_values(FILE *out, const struct rundir *run,
		       const struct test_case *c)
{
	size_t lines;
	char **line = cases_values(run, c->step, &lines);

	for (size_t i = 0; i < lines; i++) {
		fputs(i ? "\n" : "   <system-out>", out);
		markup_text(out, line[i]);
		free(line[i]);
	}
	if (lines)
		fputs("</system-out>\n", out);
	free(line);
}

static void put_case(FILE *out, const struct rundir *run,
		     const struct test_case *c)
{
	const char *scenario =
		run->stream.has_run ? run->stream.run.scenario : "kverdict";

	fputs("  <testcase", out);
	put_attribute(out, "classname", scenario);
	put_attribute(out, "name", c->name);
	fprintf(out, " time=\"%.3f\">\n", c->duration_s);
	put_result(out, c);
	put_values(out, run, c);
	fputs("  </testcase>\n", out);
}

/* The form that the schema of JUnit wants: without a zone. */
static void put_time(FILE *out, const struct rundir *run)
{
	const char *begin = rundir_text(run, "begin");
	char *text;

	if (!begin)
		return;
	text = xprintf("%.*s", (int)strcspn(begin, "Z"), begin);
	put_attribute(out, "timestamp", text);
	free(text);
}

static void put_suite(FILE *out, const struct rundir *run)
{
	char *name = cases_run_name(run);
	struct cases cases;
	struct counts n;

	cases_read(&cases, run);
	n = count(&cases);
	fputs(" <testsuite", out);
	put_attribute(out, "name", name);
	put_counts(out, &n);
	put_time(out, run);
	fputs(">\n", out);
	put_properties(out, run);
	for (size_t i = 0; i < cases.count; i++)
		put_case(out, run, &cases.list[i]);
	fputs(" </testsuite>\n", out);
	cases_free(&cases);
	free(name);
}

static struct counts total(const struct runs *runs)
{
	struct counts all = { .tests = 0 };

	for (size_t i = 0; i < runs->count; i++) {
		struct cases cases;
		struct counts n;

		cases_read(&cases, &runs->run[i]);
		n = count(&cases);
		all.tests += n.tests;
		all.failures += n.failures;
		all.errors += n.errors;
		all.skipped += n.skipped;
		all.time_s += n.time_s;
		cases_free(&cases);
	}
	return all;
}

void formats_junit(FILE *out, const struct runs *runs)
{
	struct counts all = total(runs);

	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	      "<testsuites name=\"kverdict\"",
	      out);
	put_counts(out, &all);
	fputs(">\n", out);
	for (size_t i = 0; i < runs->count; i++)
		put_suite(out, &runs->run[i]);
	fputs("</testsuites>\n", out);
}
