// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * run_many.c - several boots: an ensemble of seeds, or the same one twice
 *
 * Each boot is a process of its own: one that fails takes no other with it.
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process.h"
#include "run.h"
#include "slurp.h"

/* Longer than a boot needs to end QEMU and to write down what it has. */
#define CHILD_GRACE_MS 60000

struct job {
	char *name; /* of its folder */
	char *dir;
	uint64_t seed;
	pid_t pid; /* 0: not started */
	bool ended;
	int status; /* exit status */
};

struct batch {
	const struct run_options *o;
	const char *dir;
	struct job *jobs;
	size_t count, running, ended;
	enum status worst;
};

static pid_t start_job(const struct batch *b, const struct job *job)
{
	pid_t parent = getpid(), pid;

	fflush(NULL);
	pid = fork();
	if (pid == 0) {
		struct outcome out;

		prctl(PR_SET_PDEATHSIG, SIGTERM);
		if (getppid() != parent)
			_exit(STATUS_INTERRUPTED);
		if (mkdir(job->dir, 0777) < 0)
			die_errno(STATUS_HOST, "make %s", job->dir);
		run_boot(b->o, job->dir, job->seed, false, &out);
		run_summarize(job->dir, false);
		if (out.status != STATUS_GOOD)
			warn("%s: %s", job->name, out.message);
		fflush(NULL);
		_exit(out.exit_status);
	}
	return pid;
}

static void start_next(struct batch *b)
{
	for (size_t i = 0; i < b->count; i++) {
		struct job *job = &b->jobs[i];

		if (job->pid)
			continue;
		job->pid = start_job(b, job);
		if (job->pid < 0)
			die_errno(STATUS_HOST, "start %s", job->name);
		b->running++;
		return;
	}
}

static void reap(struct batch *b)
{
	for (size_t i = 0; i < b->count; i++) {
		struct job *job = &b->jobs[i];
		int status;

		if (job->pid <= 0 || job->ended ||
		    !process_wait(job->pid, 0, &status))
			continue;
		job->ended = true;
		job->status =
			WIFEXITED(status) ? WEXITSTATUS(status) : STATUS_HOST;
		b->worst = outcome_worse(b->worst, job->status);
		b->running--;
		b->ended++;
		progress_clear();
	}
}

/* Asks every boot to end, and waits until each has written what it has. */
static void stop_all(struct batch *b)
{
	for (size_t i = 0; i < b->count; i++)
		if (b->jobs[i].pid > 0 && !b->jobs[i].ended)
			kill(b->jobs[i].pid, SIGTERM);
	for (size_t i = 0; i < b->count; i++) {
		struct job *job = &b->jobs[i];

		if (job->pid <= 0 || job->ended)
			continue;
		if (!process_wait(job->pid, CHILD_GRACE_MS, &job->status))
			kill(job->pid, SIGKILL);
		job->ended = true;
		job->status = STATUS_INTERRUPTED;
	}
	b->worst = STATUS_INTERRUPTED;
}

static void run_all(struct batch *b)
{
	while (b->ended < b->count) {
		while (b->running < b->o->jobs &&
		       b->ended + b->running < b->count)
			start_next(b);
		if (run_wait(-1, 0, 200)) {
			stop_all(b);
			break;
		}
		reap(b);
		progress_show("%zu of %zu boots done, %zu running", b->ended,
			      b->count, b->running);
	}
	progress_clear();
}

/* The second boot of --verify is no evidence of its own, and says so. */
static json_t *run_entry(const struct batch *b, size_t i)
{
	const struct job *job = &b->jobs[i];
	json_t *entry =
		json_pack("{s:s, s:I, s:i}", "dir", job->name, "seed",
			  (json_int_t)job->seed, "exit_status", job->status);

	if (b->o->verify && i > 0)
		json_object_set_new(entry, "repeats",
				    json_string(b->jobs[0].name));
	return entry;
}

static int write_index(const struct batch *b)
{
	json_t *runs = json_array(), *index;
	char *path = xprintf("%s/" RUN_INDEX, b->dir);
	int err;

	for (size_t i = 0; i < b->count; i++) {
		const struct job *job = &b->jobs[i];

		if (job->pid > 0)
			json_array_append_new(runs, run_entry(b, i));
	}
	index = json_pack("{s:i, s:i, s:o}", "index_version", 1, "status",
			  (int)b->worst, "runs", runs);
	err = run_dump_json(path, index);
	json_decref(index);
	free(path);
	return err;
}

static void summarize(struct batch *b)
{
	char *file = xprintf("%s/" RUN_SUMMARY, b->dir);
	const char **dirs = xalloc(b->count, sizeof(*dirs));
	size_t count = 0;
	int err;

	/* The second boot of --verify is the first once more. */
	for (size_t i = 0; i < (b->o->verify ? 1 : b->count); i++)
		if (b->jobs[i].pid > 0)
			dirs[count++] = b->jobs[i].dir;
	err = run_write_summary(file, dirs, count, true);
	if (!err)
		err = write_index(b);
	if (err) {
		warn("write into %s: %s", b->dir, strerror(-err));
		b->worst = outcome_worse(b->worst, STATUS_HOST);
	}
	free(dirs);
	free(file);
}

/**
 * compare() - are the records of the two boots the same bytes?
 *
 * Says which line is the first that differs, for that is where to look.
 */
static void compare(struct batch *b)
{
	char *bytes[2] = { NULL, NULL };
	size_t len[2] = { 0, 0 }, at = 0, line = 1;

	for (int i = 0; i < 2; i++) {
		char *path = xprintf("%s/" RUN_RECORDS, b->jobs[i].dir);
		int err = slurp(path, RECORD_STREAM_MAX, &bytes[i], &len[i]);

		if (err) {
			warn("verify: read %s: %s", path, slurp_reason(err));
			b->worst = outcome_worse(b->worst, STATUS_HOST);
		}
		free(path);
	}
	while (at < len[0] && at < len[1] && bytes[0][at] == bytes[1][at])
		line += bytes[0][at++] == '\n';
	if (bytes[0] && bytes[1] && at == len[0] && at == len[1])
		warn("verify: identical, %zu bytes of records", at);
	else if (bytes[0] && bytes[1]) {
		warn("verify: the records differ from line %zu on: compare "
		     "%s/" RUN_RECORDS " and %s/" RUN_RECORDS,
		     line, b->jobs[0].dir, b->jobs[1].dir);
		b->worst = outcome_worse(b->worst, STATUS_HOST);
	}
	free(bytes[0]);
	free(bytes[1]);
}

static void plan(struct batch *b)
{
	const struct run_options *o = b->o;

	b->count = o->verify ? 2 : (size_t)(o->last_seed - o->seed) + 1;
	b->jobs = xalloc(b->count, sizeof(*b->jobs));
	for (size_t i = 0; i < b->count; i++) {
		struct job *job = &b->jobs[i];

		job->seed = o->verify ? o->seed : o->seed + i;
		job->name = o->verify ? xprintf("boot-%zu", i + 1)
				      : xprintf("seed-%" PRIu64, job->seed);
		job->dir = xprintf("%s/%s", b->dir, job->name);
	}
}

int run_many(const struct run_options *o, const char *dir)
{
	struct batch b = { .o = o, .dir = dir, .worst = STATUS_GOOD };

	plan(&b);
	run_all(&b);
	summarize(&b);
	if (o->verify && b.worst != STATUS_INTERRUPTED)
		compare(&b);
	for (size_t i = 0; i < b.count; i++) {
		free(b.jobs[i].name);
		free(b.jobs[i].dir);
	}
	free(b.jobs);
	return (int)b.worst;
}
