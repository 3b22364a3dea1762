/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe.h - what a probe is, and what it may ask of its runner
 *
 * A probe measures one thing that the kernel does and reports samples.  It
 * never judges: whether a value is too high is decided on the host.  One C
 * file defines `const struct probe probe_NAME`, one line in probes.def adds
 * it; docs/writing-a-probe.md walks through one.
 */
#ifndef PROBE_H
#define PROBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "words.h"

#define __printf(fmt, args) __attribute__((format(printf, fmt, args)))

#define PROBE_ANY_CPU	 (-1) /* a probe that is not pinned by default */
#define PROBE_PARAMS_MAX 16
#define PROBE_VALUES_MAX 8 /* keys of one sample besides the common ones */

/* Exit statuses of kselftest, so that a probe can be run by it unchanged. */
enum probe_result {
	PROBE_PASS = 0, /* all samples were taken */
	PROBE_FAIL = 1, /* the kernel broke a promise */
	PROBE_SKIP = 4, /* this kernel or guest cannot run it */
};

/* One KEY=VALUE that a step may set. */
struct param {
	const char *name;      /* ends in its unit: "period_us" */
	int64_t def, min, max; /* with @words: indices into it */
	const char *const
		*words; /* the values, ends with NULL; NULL: numbers */
	const char *help;
};

/* A number, a word out of a list that ends with NULL, the end of the table. */
#define PARAM(name, def, min, max, help)        \
	{                                       \
		name, def, min, max, NULL, help \
	}
#define PARAM_WORD(name, def, list, help)                                      \
	{                                                                      \
		name, def, 0, sizeof(list) / sizeof((list)[0]) - 2, list, help \
	}
#define PARAM_END            \
	{                    \
		.name = NULL \
	}

struct probe_ctx;

struct probe {
	const char *name;	    /* equals the file name */
	const char *summary;	    /* completes "This probe will ..." */
	const char *const *needs;   /* kernel options, ends with NULL */
	const struct param *params; /* ends with .name == NULL; NULL: none */
	int cpu;		    /* default of cpu=, or PROBE_ANY_CPU */

	/* What ranges cannot say.  Returns NULL, or what is wrong. */
	const char *(*check)(const struct probe_ctx *ctx);

	/* The measurement.  Undoes what it set up, also where it fails. */
	enum probe_result (*run)(struct probe_ctx *ctx);

	/* `probe NAME child WORD...`: a fresh process of this probe's own. */
	int (*child)(int argc, char **argv);
};

/**
 * probe_param() - the value of a parameter
 * @ctx:	the runner
 * @name:	one of the probe's own parameters; any other aborts
 * Return: the number, or the index of the word.
 */
int64_t probe_param(const struct probe_ctx *ctx, const char *name);

/**
 * probe_cpu() - the CPU that the step is to run on
 * @ctx:	the runner
 *
 * A probe is pinned to it before run(); an antagonist is not, it pins its
 * hogs and keeps its own process away from it.
 *
 * Return: its number, or PROBE_ANY_CPU.
 */
int probe_cpu(const struct probe_ctx *ctx);

/**
 * probe_cpus() - how many CPUs there are to run on
 * @ctx:	the runner
 * Return: 1 or more; not affected by the pinning.
 */
int probe_cpus(const struct probe_ctx *ctx);

/**
 * probe_seed() - the seed of the run
 * @ctx:	the runner
 * Return: any number; see rng.h for what to make of it.
 */
uint64_t probe_seed(const struct probe_ctx *ctx);

/**
 * probe_metric() - declare that the samples' key @name is measured
 * @ctx:	the runner
 * @name:	the metric; without @count also the key in the samples
 * @better:	"lower" or "higher"
 * @count:	NULL, or the key of a count: the metric is @count / @window
 * @window:	NULL, or the key of the time it took, ns
 *
 * The texts must live until the process ends.  Keys that no metric names are
 * facts beside the measurement.
 */
void probe_metric(struct probe_ctx *ctx, const char *name, const char *better,
		  const char *count, const char *window);

/**
 * probe_reserve() - get the memory of all samples, before measuring
 * @ctx:	the runner
 * @samples:	how many there will be at most
 *
 * All of it is touched, so that no page fault falls into a measurement.  To
 * be called before anything is set up: if there is too little memory, the
 * process ends here with a skip.
 */
void probe_reserve(struct probe_ctx *ctx, size_t samples);

/**
 * probe_sample() - begin the next sample; probe_value() adds to it
 * @ctx:	the runner
 * @warmup:	whether it is to be shown but never judged
 * @time_ns:	clock_mono_ns() at its start
 *
 * The key `repetition` counts by itself.  More samples than reserved abort.
 */
void probe_sample(struct probe_ctx *ctx, bool warmup, uint64_t time_ns);

/**
 * probe_value() - add a key and its value to the sample just begun
 * @ctx:	the runner
 * @key:	a name that ends in its unit; must live until the end
 * @value:	up to 2^63 - 1
 */
void probe_value(struct probe_ctx *ctx, const char *key, uint64_t value);

/**
 * probe_note() - something a reader should know; at most 8 are kept
 * @ctx:	the runner
 * @fmt:	one line of text
 */
void probe_note(struct probe_ctx *ctx, const char *fmt, ...) __printf(2, 3);

/**
 * probe_skip() - this kernel or guest cannot run the probe
 * @ctx:	the runner
 * @cause:	CAUSE_OPTION, CAUSE_MEMORY, CAUSE_KERNEL or CAUSE_OTHER
 * @fmt:	what is missing, and what to do about it
 * Return: PROBE_SKIP, for the caller to return.
 */
enum probe_result probe_skip(struct probe_ctx *ctx, enum step_cause cause,
			     const char *fmt, ...) __printf(3, 4);

/**
 * probe_fail() - the kernel broke a promise, or a call failed that must not
 * @ctx:	the runner
 * @cause:	CAUSE_OPTION, CAUSE_MEMORY, CAUSE_KERNEL or CAUSE_OTHER
 * @fmt:	the action, its object and the reason
 * Return: PROBE_FAIL, for the caller to return.
 */
enum probe_result probe_fail(struct probe_ctx *ctx, enum step_cause cause,
			     const char *fmt, ...) __printf(3, 4);

/**
 * probe_output_fd() - where the lines of docs/guest.md go
 *
 * For those who write them by hand: everyone else has the functions above.
 *
 * Return: descriptor 3, or standard output where 3 is not open.
 */
int probe_output_fd(void);

#endif
