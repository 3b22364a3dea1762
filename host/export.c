// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * export.c - `kverdict export`: one file with all that boots a run again
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bundle.h"
#include "commands.h"
#include "die.h"
#include "manifest.h"
#include "run.h"
#include "sha256.h"
#include "slurp.h"
#include "units.h"

#define RUN_JSON_MAX (4u << 20)
#define SUFFIX	     ".kverdict.tar.zst"

static const char help[] =
	"Usage: kverdict export RUN [FILE]\n\n"
	"Put the kernel, the images, the scenario, QEMU's arguments, the seed\n"
	"and the records of a run into one FILE (RUN" SUFFIX " in this\n"
	"folder), which must not exist.  `kverdict replay FILE` boots it "
	"again\n"
	"on any host; `kverdict help export` tells more.\n";

static json_t *read_run(const char *dir)
{
	char *path = xprintf("%s/" RUN_JSON, dir), *bytes;
	json_error_t error;
	json_t *run;
	size_t len;
	int err = slurp(path, RUN_JSON_MAX, &bytes, &len);

	if (err == -ENOENT)
		die(STATUS_USAGE,
		    "export %s: it has no " RUN_JSON ": name the folder of one "
		    "run (of an ensemble, one of its seed-N)",
		    dir);
	if (err)
		die(STATUS_USAGE, "export %s: %s", path, slurp_reason(err));
	run = json_loadb(bytes, len, 0, &error);
	if (!json_is_object(run))
		die(STATUS_USAGE, "export %s: it is no JSON object", path);
	free(bytes);
	free(path);
	return run;
}

/* What was booted lies in a cache, where it may be gone or another by now. */
static const char *booted(const json_t *run, const char *file_key,
			  const char *sum_key, const char *what)
{
	const char *file = json_string_value(json_object_get(run, file_key));
	const char *sum = json_string_value(json_object_get(run, sum_key));
	char now[SHA256_SIZE];
	int err = file ? sha256_file(now, file) : -ENOENT;

	if (err == -ENOENT)
		die(STATUS_HOST,
		    "export: the %s of this run is not kept any more (%s): "
		    "boot it again with the same options, then export that",
		    what, file ? file : "its path is unknown");
	if (err)
		die(STATUS_HOST, "export: read %s: %s", file, strerror(-err));
	if (!sum || strcmp(sum, now))
		die(STATUS_HOST,
		    "export: %s is not what this run booted any more: boot it "
		    "again, then export that",
		    file);
	return file;
}

/* Written from run.json, so that it is the text that ran; and into memory, so
 * that an export which fails leaves no file.
 */
static char *scenario_file(const json_t *run)
{
	const char *text =
		json_string_value(json_object_get(run, "scenario_text"));
	int fd;

	if (!text)
		return NULL;
	fd = memfd_create("scenario", MFD_CLOEXEC);
	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		die_errno(STATUS_HOST, "keep the scenario in memory");
	return xprintf("/proc/self/fd/%d", fd);
}

static char *default_name(const char *dir)
{
	char *full = realpath(dir, NULL), *name;
	const char *base = full ? strrchr(full, '/') : NULL;

	name = xprintf("%s" SUFFIX, base && base[1] ? base + 1 : "run");
	free(full);
	return name;
}

static void show_size(const char *what, uint64_t bytes)
{
	char text[UNITS_SIZE];

	units_format(text, (double)bytes, UNIT_BYTES);
	printf("  %-18s %s\n", what, text);
}

static void show(const char *path, const json_t *files)
{
	char sum[SHA256_SIZE];
	struct stat file;

	if (stat(path, &file) < 0)
		die_errno(STATUS_HOST, "find %s", path);
	sha256_file(sum, path);
	printf("%s\n", path);
	for (int i = BUNDLE_MANIFEST + 1; i < BUNDLE_PARTS; i++) {
		const char *name = bundle_name((enum bundle_part)i);
		const json_t *one = json_object_get(files, name);

		if (one)
			show_size(name, (uint64_t)json_integer_value(
						json_object_get(one, "bytes")));
	}
	show_size("packed", (uint64_t)file.st_size);
	printf("sha256 %s\n", sum);
}

static void export(const char *dir, const char *path)
{
	json_t *run = read_run(dir), *files, *manifest;
	const char *disk = json_string_value(json_object_get(run, "disk_file"));
	char *records = xprintf("%s/" RUN_RECORDS, dir), *text, *why = NULL;
	char *scenario = scenario_file(run);
	const char *sources[BUNDLE_PARTS] = {
		[BUNDLE_KERNEL] =
			booted(run, "booted_file", "booted_sha256", "kernel"),
		[BUNDLE_INITRD] =
			booted(run, "initrd_file", "initrd_sha256", "image"),
		[BUNDLE_DISK] = disk && !access(disk, R_OK) ? disk : NULL,
		[BUNDLE_SCENARIO] = scenario,
		[BUNDLE_RECORDS] = records,
	};

	files = bundle_describe(sources, &why);
	manifest = files ? manifest_make(run, files, &why) : NULL;
	if (!manifest)
		die(STATUS_USAGE, "export %s: %s", dir, why);
	text = json_dumps(manifest, JSON_INDENT(2) | JSON_SORT_KEYS);
	why = bundle_write(path, sources, text);
	if (why)
		die(STATUS_HOST, "write %s: %s", path, why);
	show(path, files);
	if (strcmp(json_string_value(json_object_get(run, "mode")),
		   "deterministic") != 0)
		warn("note: this run was in real time, so a replay boots the "
		     "same and can never have the same records");
	free(text);
	free(scenario);
	free(records);
	json_decref(manifest);
	json_decref(files);
	json_decref(run);
}

int export_main(int argc, char **argv)
{
	char *path;

	if (argc == 2 && !strcmp(argv[1], "--help")) {
		fputs(help, stdout);
		return STATUS_GOOD;
	}
	if (argc < 2 || argc > 3 || argv[1][0] == '-' ||
	    (argc == 3 && argv[2][0] == '-')) {
		fputs(help, stderr);
		return STATUS_USAGE;
	}
	path = argc == 3 ? xprintf("%s", argv[2]) : default_name(argv[1]);
	if (access(path, F_OK) == 0)
		die(STATUS_USAGE, "export: %s exists: give another FILE", path);
	export(argv[1], path);
	free(path);
	return STATUS_GOOD;
}
