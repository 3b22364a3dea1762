// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * summary.c - what was measured, as tables for people
 */
#include "summary.h"

#include <stdlib.h>
#include <string.h>

#include "metrics.h"
#include "summary_why.h"
#include "units.h"

#define LABEL_WIDTH 10
#define SHA_SHOWN   12

void summary_line(FILE *out, const char *label, const char *fmt, ...)
{
	va_list args;
	char *text;

	va_start(args, fmt);
	text = xvprintf(fmt, args);
	va_end(args);
	text_clean(text);
	fprintf(out, "%-*s %s\n", LABEL_WIDTH, label, text);
	free(text);
}

static const char *after_slash(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static void kernel_line(FILE *out, const struct rundir *run)
{
	const char *release = rundir_text(run, "kernel_release");
	const char *path = rundir_text(run, "kernel_path");
	const char *sha = rundir_text(run, "kernel_sha256");

	if (run->stream.has_run)
		release = run->stream.run.kernel;
	summary_line(out, "kernel", "%s%s%s%s%.*s",
		     release ? release : "unknown", path ? "  " : "",
		     path ? after_slash(path) : "", sha ? "  sha256 " : "",
		     SHA_SHOWN, sha ? sha : "");
}

static void host_line(FILE *out, const struct rundir *run)
{
	const char *qemu = rundir_text(run, "qemu_version");
	const char *accel = rundir_text(run, "accelerator");
	const char *cpu = rundir_text(run, "host_cpu");

	if (qemu || accel)
		summary_line(out, "host", "QEMU %s, %s; %.0f CPUs, %s",
			     qemu ? qemu : "unknown", accel ? accel : "unknown",
			     rundir_number(run, "host_cpus", 0),
			     cpu ? cpu : "unknown");
}

/* Runs of before there was a lockstep do not say. */
static bool out_of_step(const struct rundir *run)
{
	return json_is_false(json_object_get(run->info, "lockstep"));
}

void summary_head(FILE *out, const struct rundir *run)
{
	const struct stream_run *r = &run->stream.run;
	char mem[UNITS_SIZE];

	kernel_line(out, run);
	if (run->stream.has_run) {
		units_format(mem, (double)r->mem_kib, UNIT_KIB);
		summary_line(out, "scenario", "%s, %s%s", r->scenario,
			     record_modes[r->mode],
			     out_of_step(run)
				     ? "; QEMU's threads did not take turns"
				     : "");
		summary_line(out, "guest", "%lld CPU%s, %s, clocksource %s",
			     (long long)r->cpus, r->cpus == 1 ? "" : "s", mem,
			     r->clocksource);
	}
	host_line(out, run);
}

static void records_line(FILE *out, const struct rundir *run)
{
	const struct stream *s = &run->stream;
	const char *from = rundir_text(run, "outcome.records_from");
	const char *why = rundir_text(run, "outcome.no_disk");

	if (from && !strcmp(from, "none"))
		from = NULL;
	summary_line(out, "records", "%zu, %s, crc32 %08x%s%s%s%s", s->records,
		     s->complete ? "complete" : "incomplete", s->crc,
		     from ? ", from the " : "", from ? from : "",
		     why ? "; the disk: " : "", why ? why : "");
}

static void time_line(FILE *out, const struct rundir *run)
{
	const char *begin = rundir_text(run, "begin");
	double total_ms = rundir_number(run, "times.total_ms", 0);
	double init_ms = rundir_number(run, "times.init_ms", 0);

	if (!begin)
		return;
	if (init_ms > 0)
		summary_line(out, "time", "%s, %.1f s, %.1f s of them to /init",
			     begin, total_ms / 1e3, init_ms / 1e3);
	else
		summary_line(out, "time", "%s, %.1f s", begin, total_ms / 1e3);
}

static void incomplete_line(FILE *out, const struct rundir *run)
{
	const struct stream *s = &run->stream;
	const struct stream_step *last =
		s->step_count ? &s->steps[s->step_count - 1] : NULL;

	summary_line(out, "INCOMPLETE", "%s", s->problem);
	if (last && last->result == RESULT_NONE)
		summary_line(out, "",
			     "step %s had begun; what it measured is sent at "
			     "its end",
			     last->name);
	summary_line(out, "",
		     "what follows is as far as it came, and is "
		     "judged by nobody");
	fputc('\n', out);
}

static void one_run(FILE *out, const struct runs *runs)
{
	const struct rundir *run = &runs->run[0];
	struct metrics m;

	if (!run->stream.complete)
		incomplete_line(out, run);
	summary_head(out, run);
	if (run->stream.has_run)
		summary_line(out, "seed", "%lld",
			     (long long)run->stream.run.seed);
	records_line(out, run);
	time_line(out, run);
	fputc('\n', out);

	metrics_read(&m, runs, false);
	metrics_table(&m, out, false);
	if (m.count)
		fputc('\n', out);
	else
		summary_line(out, "measured", "nothing");
	metrics_lines(&m, out, false);
	summary_why(out, &m, &run->stream);
	metrics_free(&m);
	summary_steps(out, &run->stream);
	summary_kernel(out, run->path);
}

static enum status pool_status(FILE *out, const struct runs *runs, bool force)
{
	char *why = runs_repetition(runs);
	bool refuse = why != NULL;

	if (!why)
		why = runs_difference(runs, RUNS_POOL);
	if (why && (refuse || !force)) {
		warn("pool %zu runs: %s%s", runs->count, why,
		     refuse ? "" : "; --force pools them all the same");
		free(why);
		return STATUS_HOST;
	}
	if (why)
		summary_line(out, "FORCED", "%s", why);
	free(why);
	return STATUS_GOOD;
}

static enum status completeness(const struct runs *runs)
{
	for (size_t i = 0; i < runs->count; i++)
		if (!runs->run[i].stream.complete)
			return STATUS_CANNOT_TELL;
	return STATUS_GOOD;
}

int summary_write(FILE *out, const char *const *dirs, size_t count, bool force)
{
	enum status status;
	struct runs runs;

	status = runs_open(&runs, dirs, count);
	if (status == STATUS_GOOD && runs.count > 1)
		status = pool_status(out, &runs, force);
	if (status == STATUS_GOOD) {
		if (runs.count > 1)
			summary_pool(out, &runs);
		else
			one_run(out, &runs);
		status = completeness(&runs);
	}
	runs_free(&runs);
	return (int)status;
}
