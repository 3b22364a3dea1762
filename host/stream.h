/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stream.h - a record stream, read and checked as a whole
 *
 * The bytes come from a guest whose kernel may be broken, over a serial port
 * or from a file system that kernel wrote: nothing in them is believed that
 * docs/record-format.md does not allow.  Texts can hold any character; what is
 * shown to people goes through text_clean() of units.h.
 */
#ifndef STREAM_H
#define STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "flat.h"

struct stream_run {
	char *kernel, *scenario, *clocksource, *cmdline;
	enum run_mode mode;
	int64_t seed, cpus, mem_kib;
	int64_t steps; /* lines of the scenario, not records */
	bool may_skip, disk;
};

/* One begin and its end; an antagonist has two, `start` and `stop`. */
struct stream_step {
	char *name;
	enum step_verb verb;
	char *probe; /* "" for a command */
	char *params;
	int64_t timeout_s, time_ns;
	enum step_result result; /* RESULT_NONE until its end arrives */
	enum step_cause cause;	 /* CAUSE_NONE if it passed */
	char *reason;		 /* "" if it passed */
	int64_t duration_ns;	 /* -1 until its end arrives */
	int64_t exit_status;	 /* of a command, else -1 */
	size_t first_sample;	 /* its samples stand together in samples */
	size_t sample_count;
};

struct stream_metric {
	size_t step; /* index in steps */
	char *name;
	enum better better;
	char *unit; /* of record_units; NULL: the end of @name tells it */
	char *count, *window; /* keys of a rate; both NULL for a plain value */
};

/* A key of a sample; equal keys of a stream are one pointer. */
struct stream_value {
	const char *key;
	int64_t value;
};

struct stream_sample {
	size_t step; /* index in steps */
	int64_t repetition, time_ns;
	bool warmup, capped;
	size_t first;	/* of its values, an index in values */
	uint32_t count; /* of its values, without the fields above */
};

/* Work of one workqueue and function for one CPU, from a step's trace. */
struct stream_trace {
	size_t step; /* index in steps */
	char *workqueue, *function;
	int64_t cpu; /* -1: any */
	int64_t queued, executed, waiting, lost_events;
	int64_t sum_ns, p50_ns, p90_ns, p99_ns, max_ns; /* 0: none executed */
	int64_t req_cpu, ran_cpu; /* of the slowest; -1: none */
};

struct stream_note {
	char *step; /* NULL if it belongs to none */
	char *text;
};

struct stream {
	bool complete;	/* it has a valid `end`; else nothing is judged */
	char *problem;	/* NULL if complete, else which line and why */
	size_t bytes;	/* that are valid, from the start */
	size_t records; /* that are valid, with the `end` */
	uint32_t crc;	/* of the bytes before `end`, or of all valid ones */

	bool has_run; /* @run is filled */
	struct stream_run run;
	struct stream_step *steps;
	size_t step_count;
	struct stream_metric *metrics;
	size_t metric_count;
	struct stream_sample *samples;
	size_t sample_count;
	struct stream_value *values;
	size_t value_count;
	struct stream_trace *traces;
	size_t trace_count;
	struct stream_note *notes;
	size_t note_count;
	char **keys; /* every key of a sample once */
	size_t key_count;
	size_t output_count; /* `output` records */
};

/**
 * stream_parse() - read a stream from memory
 * @s:		needs no initialisation; free with stream_free() in any case
 * @bytes:	the stream, untrusted
 * @len:	its length in bytes
 *
 * Everything before the first bad line is in @s, whatever comes after it.
 *
 * Return: whether the stream is complete, which is @s->complete.
 */
bool stream_parse(struct stream *s, const char *bytes, size_t len);

/**
 * stream_read() - read a stream from a file
 * @s:		as for stream_parse()
 * @path:	a regular file of at most RECORD_STREAM_MAX bytes, not a link
 *
 * A file that cannot be read counts as a stream of which nothing arrived;
 * @s->problem says why.
 *
 * Return: 0 if the file was read, complete or not, or a negative errno.
 */
int stream_read(struct stream *s, const char *path);

/**
 * stream_free() - free what a stream holds
 * @s:		from stream_parse() or stream_read(), or zeroed
 */
void stream_free(struct stream *s);

/**
 * stream_value() - the value of a sample's key
 * @s:		the stream
 * @sample:	one of its samples
 * @key:	any key
 * @value:	where to store it; untouched if the sample has no such key
 * Return: whether it has.
 */
bool stream_value(const struct stream *s, const struct stream_sample *sample,
		  const char *key, int64_t *value);

#endif
