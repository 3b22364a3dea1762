// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * params.c - KEY=VALUE words against the parameters a probe declares
 *
 * The same table parses, checks and prints, so `probe list` cannot lie.
 */
#include "ctx.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "parse.h"

#define CPU_MAX 1023

static bool complain(const struct probe_ctx *ctx, const char *word,
		     const char *what)
{
	fprintf(stderr, "%s: %s: %s\n", ctx->probe->name, word, what);
	return false;
}

/* "1..40", or "add|add_exec|router" */
static void format_range(char *text, size_t size, const struct param *p)
{
	size_t len = 0;

	if (!p->words) {
		snprintf(text, size, "%" PRId64 "..%" PRId64, p->min, p->max);
		return;
	}
	text[0] = '\0';
	for (size_t i = 0; p->words[i] && len < size; i++)
		len += (size_t)snprintf(text + len, size - len, "%s%s",
					i ? "|" : "", p->words[i]);
}

static bool parse_value(int64_t *value, const struct param *p, const char *text)
{
	if (!p->words)
		return parse_i64(value, text, p->min, p->max);
	for (int64_t i = 0; p->words[i]; i++)
		if (!strcmp(p->words[i], text)) {
			*value = i;
			return true;
		}
	return false;
}

static bool is_key(const char *word, const char *key, size_t len)
{
	return strlen(key) == len && !strncmp(word, key, len);
}

/* The parameters that every probe has. */
static bool parse_common(struct probe_ctx *ctx, const char *word, size_t len,
			 bool *known)
{
	const char *text = word + len + 1;
	uint64_t cpu;

	*known = true;
	if (is_key(word, "seed", len))
		return parse_u64(&ctx->seed, text, 0, INT64_MAX) ||
		       complain(ctx, word, "not a number from 0 to 2^63-1");
	if (is_key(word, "cpu", len)) {
		if (!parse_u64(&cpu, text, 0, CPU_MAX))
			return complain(ctx, word,
					"not a number from 0 to 1023");
		ctx->cpu = (int)cpu;
		return true;
	}
	*known = false;
	return true;
}

static bool parse_own(struct probe_ctx *ctx, const char *word, size_t len)
{
	const struct param *p = ctx->probe->params;
	char what[160], range[120];

	for (size_t i = 0; p && p[i].name; i++) {
		if (!is_key(word, p[i].name, len))
			continue;
		if (parse_value(&ctx->params[i], &p[i], word + len + 1))
			return true;
		format_range(range, sizeof(range), &p[i]);
		snprintf(what, sizeof(what), "allowed is %s", range);
		return complain(ctx, word, what);
	}
	return complain(ctx, word, "no such parameter: see `probe list`");
}

bool ctx_parse(struct probe_ctx *ctx, int count, char **words)
{
	const struct param *p = ctx->probe->params;
	const char *wrong;

	ctx->seed = 1;
	ctx->cpu = ctx->probe->cpu;
	for (size_t i = 0; p && p[i].name; i++)
		ctx->params[i] = p[i].def;

	for (int i = 0; i < count; i++) {
		const char *equals = strchr(words[i], '=');
		size_t len = equals ? (size_t)(equals - words[i]) : 0;
		bool common;

		if (!len)
			return complain(ctx, words[i], "not KEY=VALUE");
		if (!parse_common(ctx, words[i], len, &common))
			return false;
		if (!common && !parse_own(ctx, words[i], len))
			return false;
	}

	wrong = ctx->probe->check ? ctx->probe->check(ctx) : NULL;
	if (wrong)
		fprintf(stderr, "%s: %s\n", ctx->probe->name, wrong);
	return !wrong;
}

static void list_line(const char *left, const char *help)
{
	printf("    %-40s %s\n", left, help);
}

static void list_param(const struct param *p)
{
	char range[120], left[160];

	format_range(range, sizeof(range), p);
	if (p->words)
		snprintf(left, sizeof(left), "%s=%s (%s)", p->name,
			 p->words[p->def], range);
	else
		snprintf(left, sizeof(left), "%s=%" PRId64 " (%s)", p->name,
			 p->def, range);
	list_line(left, p->help);
}

void ctx_list(const struct probe *probe)
{
	const struct param *p = probe->params;
	const struct param cpu =
		PARAM("cpu", probe->cpu, 0, CPU_MAX, "the CPU to run on");

	printf("\n%s: %s\n", probe->name, probe->summary);
	for (size_t i = 0; probe->needs && probe->needs[i]; i++)
		printf("%s%s", i ? " " : "    needs ", probe->needs[i]);
	if (probe->needs)
		putchar('\n');
	if (probe->cpu == PROBE_ANY_CPU)
		list_line("cpu=N (0..1023)",
			  "the CPU to run on; all of them without it");
	else
		list_param(&cpu);
	for (size_t i = 0; p && p[i].name; i++)
		list_param(&p[i]);
}
