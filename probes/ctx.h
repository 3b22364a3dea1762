/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ctx.h - the runner's side of probe.h; no probe includes it
 */
#ifndef CTX_H
#define CTX_H

#include "probe.h"

#define METRICS_MAX 8
#define NOTES_MAX   8
#define TEXT_MAX    512

enum probe_kind { KIND_PROBE, KIND_ANTAGONIST, KIND_TRACER, KIND_TEST };

struct sample {
	uint64_t time_ns;
	const char *keys[PROBE_VALUES_MAX];
	uint64_t values[PROBE_VALUES_MAX];
	unsigned int count; /* of @keys and @values */
	bool warmup;
};

struct metric {
	const char *name, *better, *count, *window;
};

struct probe_ctx {
	const struct probe *probe;
	int64_t params[PROBE_PARAMS_MAX]; /* in the order of probe->params */
	uint64_t seed;
	int cpu, cpus;

	struct metric metrics[METRICS_MAX];
	size_t metric_count;
	struct sample *samples;
	size_t sample_count, sample_max;
	char notes[NOTES_MAX][TEXT_MAX];
	size_t note_count;
	const char *ending;    /* "skip", "fail", or NULL */
	enum step_cause cause; /* valid with @ending, as is @reason */
	char reason[TEXT_MAX];
};

/**
 * ctx_parse() - take defaults, then KEY=VALUE words
 * @ctx:	zeroed, with @probe set
 * @count:	how many words
 * @words:	the words
 *
 * What is wrong is said on stderr.
 *
 * Return: whether all of them are right.
 */
bool ctx_parse(struct probe_ctx *ctx, int count, char **words);

/**
 * ctx_list() - print a probe as `probe list` shows it
 * @probe:	the probe
 */
void ctx_list(const struct probe *probe);

/**
 * ctx_write() - write everything the probe has said
 * @ctx:	the runner, after run()
 * Return: whether all of it could be written.
 */
bool ctx_write(const struct probe_ctx *ctx);

#endif
