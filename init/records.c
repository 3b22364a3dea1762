// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * records.c - the records that init itself writes, but for `end`
 */
#include "records.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base64.h"
#include "jsonw.h"
#include "outcome.h"
#include "record.h"
#include "results.h"
#include "scenario.h"

#define NOTE_MAX 512 /* bytes of a note's text with its NUL */

static bool has_run;

/* Notes that wait for `run`: NUL-terminated texts, one after the other. */
static char early[8192];
static size_t early_len;

bool records_has_run(void)
{
	return has_run;
}

static void add_note(const char *step, const char *text)
{
	struct jsonw w;

	jsonw_begin(&w, "note");
	if (step)
		jsonw_str(&w, "step", step);
	jsonw_str(&w, "text", text);
	/* A note may be missing where the stream is full. */
	if (jsonw_end(&w))
		results_add(w.line, w.len);
}

void records_note(const char *step, const char *fmt, ...)
{
	char text[NOTE_MAX];
	va_list args;
	size_t size;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);

	size = strlen(text) + 1;
	if (has_run) {
		add_note(step, text);
	} else if (size <= sizeof(early) - early_len) {
		memcpy(early + early_len, text, size);
		early_len += size;
	}
}

static bool format_run(struct jsonw *w, const struct run_info *info,
		       const char *cmdline)
{
	jsonw_begin(w, "run");
	jsonw_u64(w, "record_version", RECORD_VERSION);
	jsonw_str(w, "kernel", info->kernel);
	jsonw_str(w, "scenario", info->scenario);
	jsonw_str(w, "mode", info->mode);
	jsonw_u64(w, "seed", info->seed);
	jsonw_u64(w, "cpus", info->cpus);
	jsonw_u64(w, "mem_kib", info->mem_kib);
	jsonw_str(w, "clocksource", info->clocksource);
	jsonw_u64(w, "steps", info->steps);
	jsonw_u64(w, "may_skip", info->may_skip);
	jsonw_u64(w, "disk", info->disk);
	jsonw_str(w, "cmdline", cmdline);
	return jsonw_end(w);
}

void records_run(const struct run_info *info)
{
	char cmdline[RECORD_LINE_MAX];
	struct jsonw w;

	snprintf(cmdline, sizeof(cmdline), "%s", info->cmdline);
	while (!format_run(&w, info, cmdline))
		cmdline[strlen(cmdline) / 2] = '\0';
	results_add_needed(w.line, w.len);
	has_run = true;

	for (size_t at = 0; at < early_len; at += strlen(early + at) + 1)
		add_note(NULL, early + at);
}

static void begin_step(struct jsonw *w, const struct step *step,
		       const char *event)
{
	jsonw_begin(w, "step");
	jsonw_str(w, "event", event);
	jsonw_str(w, "step", step->name);
	jsonw_str(w, "verb", record_verbs[step->verb]);
	jsonw_str(w, "probe", step->probe);
}

void records_step_begin(const struct step *step, uint64_t time_ns)
{
	struct jsonw w;

	begin_step(&w, step, "begin");
	jsonw_str(&w, "params", step->params);
	if (step->trace)
		jsonw_str(&w, "trace", "workqueue");
	jsonw_u64(&w, "timeout_s", step->timeout_s);
	jsonw_u64(&w, "time_ns", time_ns);
	/* Fits: the parameters have at most SCENARIO_LINE_MAX bytes, none of
	 * them a control character, and an escape doubles at most.
	 */
	jsonw_end(&w);
	results_add_needed(w.line, w.len);
}

static bool format_step_end(struct jsonw *w, const struct step *step,
			    const struct outcome *outcome, const char *reason,
			    uint64_t duration_ns, int exit_status)
{
	begin_step(w, step, "end");
	jsonw_str(w, "result", record_results[outcome->result]);
	if (outcome->result != RESULT_PASS) {
		jsonw_str(w, "cause", record_causes[outcome->cause]);
		jsonw_str(w, "reason", reason);
	}
	if (exit_status >= 0)
		jsonw_u64(w, "exit_status", (uint64_t)exit_status);
	jsonw_u64(w, "duration_ns", duration_ns);
	return jsonw_end(w);
}

void records_step_end(const struct step *step, const struct outcome *outcome,
		      uint64_t duration_ns, int exit_status)
{
	char reason[REASON_MAX];
	struct jsonw w;

	snprintf(reason, sizeof(reason), "%s", outcome->reason);
	while (!format_step_end(&w, step, outcome, reason, duration_ns,
				exit_status))
		reason[strlen(reason) / 2] = '\0';
	results_add_needed(w.line, w.len);
}

bool records_output(int fd, const unsigned char *bytes, size_t len)
{
	char text[BASE64_SIZE(RECORD_OUTPUT_MAX)];
	struct jsonw w;

	base64_encode(text, bytes, len);
	jsonw_begin(&w, "output");
	jsonw_u64(&w, "fd", (uint64_t)fd);
	jsonw_str(&w, "base64", text);
	/* Fits: 2,048 bytes are 2,732 of base64. */
	jsonw_end(&w);
	return results_add(w.line, w.len);
}
