// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ctx.c - keeps what a probe says in memory, and writes it when it has ended
 *
 * Nothing is formatted and nothing written while a probe measures; the lines
 * are those of docs/guest.md.
 */
#include "ctx.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINES_FD 3

int64_t probe_param(const struct probe_ctx *ctx, const char *name)
{
	const struct param *p = ctx->probe->params;

	for (size_t i = 0; p && p[i].name; i++)
		if (!strcmp(p[i].name, name))
			return ctx->params[i];
	abort();
}

int probe_cpu(const struct probe_ctx *ctx)
{
	return ctx->cpu;
}

int probe_cpus(const struct probe_ctx *ctx)
{
	return ctx->cpus;
}

uint64_t probe_seed(const struct probe_ctx *ctx)
{
	return ctx->seed;
}

void probe_metric(struct probe_ctx *ctx, const char *name, const char *better,
		  const char *count, const char *window)
{
	if (ctx->metric_count == METRICS_MAX)
		abort();
	ctx->metrics[ctx->metric_count++] =
		(struct metric){ name, better, count, window };
}

void probe_reserve(struct probe_ctx *ctx, size_t samples)
{
	ctx->samples = malloc(samples * sizeof(*ctx->samples));
	if (!ctx->samples) {
		probe_skip(ctx, CAUSE_MEMORY, "no memory for %zu samples",
			   samples);
		ctx_write(ctx);
		exit(PROBE_SKIP);
	}
	/* Not calloc(): that would leave the pages for the measurement. */
	memset(ctx->samples, 0, samples * sizeof(*ctx->samples));
	ctx->sample_max = samples;
}

void probe_sample(struct probe_ctx *ctx, bool warmup, uint64_t time_ns)
{
	struct sample *s;

	if (ctx->sample_count == ctx->sample_max)
		abort();
	s = &ctx->samples[ctx->sample_count++];
	s->warmup = warmup;
	s->time_ns = time_ns;
}

void probe_value(struct probe_ctx *ctx, const char *key, uint64_t value)
{
	struct sample *s = &ctx->samples[ctx->sample_count - 1];

	if (s->count == PROBE_VALUES_MAX)
		abort();
	s->keys[s->count] = key;
	s->values[s->count++] = value;
}

void probe_note(struct probe_ctx *ctx, const char *fmt, ...)
{
	va_list args;

	if (ctx->note_count == NOTES_MAX)
		return;
	va_start(args, fmt);
	vsnprintf(ctx->notes[ctx->note_count++], TEXT_MAX, fmt, args);
	va_end(args);
}

static void set_ending(struct probe_ctx *ctx, const char *ending,
		       enum step_cause cause, const char *fmt, va_list args)
{
	ctx->ending = ending;
	ctx->cause = cause;
	vsnprintf(ctx->reason, sizeof(ctx->reason), fmt, args);
}

enum probe_result probe_skip(struct probe_ctx *ctx, enum step_cause cause,
			     const char *fmt, ...)
{
	va_list args;

	/* Else it would be blamed on what the probe looked for in there. */
	if (cause == CAUSE_OPTION && access("/proc/self", F_OK) < 0)
		fmt = "CONFIG_PROC_FS is off: there is no /proc";
	va_start(args, fmt);
	set_ending(ctx, "skip", cause, fmt, args);
	va_end(args);
	return PROBE_SKIP;
}

enum probe_result probe_fail(struct probe_ctx *ctx, enum step_cause cause,
			     const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	set_ending(ctx, "fail", cause, fmt, args);
	va_end(args);
	return PROBE_FAIL;
}

int probe_output_fd(void)
{
	return fcntl(LINES_FD, F_GETFD) < 0 ? 1 : LINES_FD;
}

static void write_sample(FILE *out, size_t repetition, const struct sample *s)
{
	fprintf(out, "sample repetition=%zu warmup=%d time_ns=%" PRIu64,
		repetition, s->warmup, s->time_ns);
	for (unsigned int i = 0; i < s->count; i++)
		fprintf(out, " %s=%" PRIu64, s->keys[i], s->values[i]);
	fputc('\n', out);
}

bool ctx_write(const struct probe_ctx *ctx)
{
	FILE *out = fdopen(probe_output_fd(), "w");

	if (!out)
		return false;
	for (size_t i = 0; i < ctx->metric_count; i++) {
		const struct metric *m = &ctx->metrics[i];

		fprintf(out, "metric %s better=%s", m->name, m->better);
		if (m->count)
			fprintf(out, " count=%s window=%s", m->count,
				m->window);
		fputc('\n', out);
	}
	for (size_t i = 0; i < ctx->sample_count; i++)
		write_sample(out, i, &ctx->samples[i]);
	for (size_t i = 0; i < ctx->note_count; i++)
		fprintf(out, "note %s\n", ctx->notes[i]);
	if (ctx->ending)
		fprintf(out, "%s %s %s\n", ctx->ending,
			record_causes[ctx->cause], ctx->reason);
	return fflush(out) == 0;
}
