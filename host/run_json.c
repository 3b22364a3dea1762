// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * run_json.c - run.json: what booted, where, and how it went
 *
 * Everything that depends on the host is here and not in the records, so that
 * records of two hosts can be equal.  docs/kverdict.1 lists the keys.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "run.h"
#include "slurp.h"

#define RUN_VERSION	  1
#define SCENARIO_TEXT_MAX (64u << 10)

/* json_string() refuses what is not UTF-8, as a path or a message may be. */
static json_t *text(const char *string)
{
	json_t *json;
	char *ascii;

	if (!string)
		return json_null();
	json = json_string(string);
	if (json)
		return json;
	ascii = xprintf("%s", string);
	for (char *c = ascii; *c; c++)
		if ((unsigned char)*c >= 0x80)
			*c = '?';
	json = json_string(ascii);
	free(ascii);
	return json;
}

static json_t *time_text(int64_t since_epoch_s)
{
	time_t when = (time_t)since_epoch_s;
	struct tm utc;
	char string[32];

	gmtime_r(&when, &utc);
	strftime(string, sizeof(string), "%Y-%m-%dT%H:%M:%SZ", &utc);
	return json_string(string);
}

static json_t *host_cpu(void)
{
	static const char key[] = "model name";
	FILE *file = fopen("/proc/cpuinfo", "re");
	json_t *json = NULL;
	char line[512];

	while (file && !json && fgets(line, sizeof(line), file)) {
		char *value = strchr(line, ':');

		if (!value || strncmp(line, key, strlen(key)) != 0)
			continue;
		line[strcspn(line, "\n")] = '\0';
		json = text(value + 1 + strspn(value + 1, " "));
	}
	if (file)
		fclose(file);
	return json ? json : json_null();
}

static json_t *scenario_text(const char *path)
{
	char *bytes;
	size_t len;
	json_t *json;
	int fd;

	if (!path)
		return json_null();
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || slurp_fd(fd, SCENARIO_TEXT_MAX, &bytes, &len)) {
		if (fd >= 0)
			close(fd);
		return json_null();
	}
	close(fd);
	json = text(bytes);
	free(bytes);
	return json;
}

static json_t *argv_json(char *const *argv)
{
	json_t *array = json_array();

	for (size_t i = 0; argv && argv[i]; i++)
		json_array_append_new(array, text(argv[i]));
	return array;
}

static json_t *outcome_json(const struct boot_report *r)
{
	json_t *o = json_object();

	json_object_set_new(o, "status", json_integer(r->outcome->status));
	json_object_set_new(o, "exit_status",
			    json_integer(r->outcome->exit_status));
	json_object_set_new(o, "message", text(r->outcome->message));
	json_object_set_new(o, "records_from", text(r->records_from));
	json_object_set_new(o, "no_disk", text(r->no_disk));
	if (r->command_status >= 0)
		json_object_set_new(o, "command_status",
				    json_integer(r->command_status));
	if (r->qemu_status >= 0 && WIFEXITED(r->qemu_status))
		json_object_set_new(o, "qemu_status",
				    json_integer(WEXITSTATUS(r->qemu_status)));
	if (r->qemu_status >= 0 && WIFSIGNALED(r->qemu_status))
		json_object_set_new(o, "qemu_signal",
				    json_integer(WTERMSIG(r->qemu_status)));
	return o;
}

static json_t *times_json(const struct boot_report *r)
{
	return json_pack(
		"{s:I, s:I, s:I, s:I}", "init_ms", (json_int_t)r->init_ms,
		"end_ms", (json_int_t)r->end_ms, "qemu_ms",
		(json_int_t)r->qemu_ms, "total_ms", (json_int_t)r->total_ms);
}

static json_t *timeouts_json(const struct run_options *o)
{
	return json_pack("{s:I, s:I, s:I}", "boot_s", (json_int_t)o->boot_s,
			 "silence_s", (json_int_t)o->silence_s, "total_s",
			 (json_int_t)o->total_s);
}

static json_t *report_json(const struct boot_report *r)
{
	const struct run_options *o = r->options;
	json_t *run = json_copy(o->facts);

	json_object_set_new(run, "run_version", json_integer(RUN_VERSION));
	if (r->kernel)
		json_object_set_new(run, "kernel_release", text(r->kernel));
	json_object_set_new(
		run, "mode",
		json_string(o->deterministic ? "deterministic" : "realtime"));
	if (o->deterministic)
		json_object_set_new(run, "lockstep", json_boolean(r->lockstep));
	json_object_set_new(run, "accelerator",
			    json_string(o->kvm ? "kvm" : "tcg"));
	json_object_set_new(run, "seed", json_integer((json_int_t)r->seed));
	json_object_set_new(run, "qemu_argv", argv_json(r->argv));
	json_object_set_new(run, "host_cpu", host_cpu());
	json_object_set_new(run, "host_cpus",
			    json_integer(sysconf(_SC_NPROCESSORS_ONLN)));
	json_object_set_new(run, "scenario_text",
			    scenario_text(o->scenario_file));
	json_object_set_new(run, "begin", time_text(r->begin_s));
	json_object_set_new(run, "end", time_text((int64_t)time(NULL)));
	json_object_set_new(run, "times", times_json(r));
	json_object_set_new(run, "timeouts", timeouts_json(o));
	json_object_set_new(run, "outcome", outcome_json(r));
	return run;
}

int run_dump_json(const char *path, const json_t *json)
{
	FILE *file = fopen(path, "we");
	int err = 0;

	if (!file)
		return -errno;
	errno = 0;
	if (json_dumpf(json, file, JSON_INDENT(2) | JSON_SORT_KEYS) < 0 ||
	    putc('\n', file) == EOF)
		err = errno ? -errno : -EIO;
	if (fclose(file) != 0 && !err)
		err = -errno;
	return err;
}

int run_write_json(const char *dir, const struct boot_report *report)
{
	char *path = xprintf("%s/" RUN_JSON, dir);
	char *part = xprintf("%s.part", path);
	json_t *run = report_json(report);
	int err;

	err = run_dump_json(part, run);
	if (!err && rename(part, path) < 0)
		err = -errno;
	if (err)
		unlink(part);
	json_decref(run);
	free(part);
	free(path);
	return err;
}
