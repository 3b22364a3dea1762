// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * replay.c - `kverdict replay`: boot an export, say whether it is the same
 *
 * The file may come from anywhere.  Until all of it has been checked nothing is
 * written but into a fresh folder, which is removed where the check fails.
 */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bundle.h"
#include "bundle_argv.h"
#include "commands.h"
#include "compare_exact.h"
#include "die.h"
#include "manifest.h"
#include "qemu_facts.h"
#include "run.h"
#include "sha256.h"

/* "kverdict run", its options, and QEMU's words. */
#define WORDS_MAX 128

static const char help[] =
	"Usage: kverdict replay [--check] [--out DIR] FILE\n\n"
	"Boot what `kverdict export` put into FILE, and say whether the\n"
	"records are identical, else what differs.  DIR (default: replay-NAME\n"
	"in this folder) must not exist; it gets export/ and the run\n"
	"directory run/.  --check unpacks and checks, and boots nothing.\n\n"
	"Exit status: 0 identical, or a run in real time that is complete;\n"
	"125 they differ, and so does QEMU; 128 they differ, and nothing else\n"
	"does, or the file is damaged or none; 129 wrong usage\n";

struct replay {
	const char *file;
	char *dir;     /* DIR */
	char *from;    /* DIR/export */
	char *run_dir; /* DIR/run */
	json_t *manifest;
	struct qemu_facts qemu;
	bool other_qemu;
};

/* Only ever of a folder that mkdtemp() made here: it holds plain files. */
static void remove_folder(const char *dir)
{
	DIR *list = opendir(dir);
	struct dirent *entry;

	while (list && (entry = readdir(list)))
		unlinkat(dirfd(list), entry->d_name, 0);
	if (list)
		closedir(list);
	rmdir(dir);
}

static char *check(const char *file, const char *dir, json_t **manifest)
{
	char *path = xprintf("%s/%s", dir, bundle_name(BUNDLE_MANIFEST));
	char *why = bundle_unpack(file, dir);

	*manifest = why ? NULL : manifest_read(path, &why);
	if (!why)
		why = bundle_verify(dir, json_object_get(*manifest, "files"));
	free(path);
	return why;
}

/* Make DIR/export of the file, whole or not at all. */
static void unpack(struct replay *r)
{
	char *fresh = xprintf("%s.XXXXXX", r->dir), *why;

	if (access(r->file, R_OK) < 0)
		die_errno(STATUS_USAGE, "replay %s", r->file);
	if (access(r->dir, F_OK) == 0)
		die(STATUS_USAGE, "replay: %s exists: give another --out",
		    r->dir);
	if (!mkdtemp(fresh))
		die_errno(STATUS_HOST, "make a folder %s", fresh);
	why = check(r->file, fresh, &r->manifest);
	if (why) {
		remove_folder(fresh);
		die(STATUS_HOST, "replay %s: %s: refused, and nothing is kept",
		    r->file, why);
	}
	if (mkdir(r->dir, 0777) < 0 || rename(fresh, r->from) < 0) {
		remove_folder(fresh);
		die_errno(STATUS_HOST, "make %s", r->from);
	}
	free(fresh);
}

static void show_origin(const struct replay *r)
{
	static const char *const keys[] = { "kernel_release", "scenario",
					    "mode",	      "begin",
					    "host_cpu",	      "qemu_version" };
	char sum[SHA256_SIZE];

	sha256_file(sum, r->file);
	fprintf(stderr, "sha256 %s\n", sum);
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		char *text = manifest_text(r->manifest, keys[i]);

		if (text[0])
			fprintf(stderr, "%-15s%s\n", keys[i], text);
		free(text);
	}
}

/* Says what differs here; QEMU comes first, for it explains the rest. */
static void compare_qemu(struct replay *r)
{
	char *version = manifest_text(r->manifest, "qemu_version");
	char *firmware = manifest_text(r->manifest, "firmware_sha256");

	r->other_qemu = true;
	if (strcmp(version, r->qemu.version))
		warn("QEMU differs: %s in the export, %s here (QEMU= names "
		     "another): other records are to be expected",
		     version, r->qemu.version);
	else if (strcmp(firmware, r->qemu.firmware))
		warn("QEMU's firmware differs (on Debian the package seabios): "
		     "other records are to be expected");
	else
		r->other_qemu = false;
	free(version);
	free(firmware);
}

struct words {
	char *word[WORDS_MAX];
	int count;
};

static void add(struct words *w, char *word)
{
	if (w->count == WORDS_MAX - 1)
		die(STATUS_HOST, "replay: too many words for QEMU");
	w->word[w->count++] = word;
}

static void add_option(struct words *w, const char *option, char *value)
{
	add(w, xprintf("%s", option));
	add(w, value);
}

static char *path_in(const struct replay *r, enum bundle_part part)
{
	return xprintf("%s/%s", r->from, bundle_name(part));
}

static int64_t number(const struct replay *r, const char *key)
{
	return json_integer_value(json_object_get(r->manifest, key));
}

static bool is(const struct replay *r, const char *key, const char *word)
{
	const char *value =
		json_string_value(json_object_get(r->manifest, key));

	return value && !strcmp(value, word);
}

static void add_facts(struct words *w, const struct replay *r)
{
	static const char *const facts[] = { "kernel_release", "kernel_sha256",
					     "image_sha256",   "added_sha256",
					     "scenario",       "commit",
					     "command" };

	for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++) {
		const char *value = json_string_value(
			json_object_get(r->manifest, facts[i]));

		if (value)
			add_option(w, "--fact",
				   xprintf("%s=%s", facts[i], value));
	}
	add_option(w, "--fact", xprintf("qemu_version=%s", r->qemu.version));
	add_option(w, "--fact",
		   xprintf("firmware_sha256=%s", r->qemu.firmware));
	add_option(w, "--number", xprintf("smp=%" PRId64, number(r, "smp")));
	add_option(w, "--number",
		   xprintf("mem_mib=%" PRId64, number(r, "mem_mib")));
}

/* A file that the export may lack. */
static void add_part(struct words *w, const struct replay *r,
		     const char *option, enum bundle_part part)
{
	char *path = path_in(r, part);

	if (access(path, R_OK) == 0)
		add_option(w, option, path);
	else
		free(path);
}

/* The words of `kverdict run`, as run-qemu.sh would give them. */
static int boot(const struct replay *r)
{
	const json_t *argv = json_object_get(r->manifest, "qemu_argv");
	char *kernel = path_in(r, BUNDLE_KERNEL);
	char *initrd = path_in(r, BUNDLE_INITRD);
	char **qemu = bundle_argv_local(argv, r->qemu.path, kernel, initrd);
	struct words w = { .count = 0 };

	add_option(&w, "run", xprintf("--dir"));
	add(&w, xprintf("%s", r->run_dir));
	add_option(&w, "--seed", xprintf("%" PRId64, number(r, "seed")));
	/* Another host may be slower. */
	add_option(&w, "--timeout",
		   xprintf("%" PRId64, 2 * number(r, "total_s")));
	add_part(&w, r, "--disk-template", BUNDLE_DISK);
	add_part(&w, r, "--scenario-file", BUNDLE_SCENARIO);
	if (is(r, "mode", "deterministic"))
		add(&w, xprintf("--deterministic"));
	if (is(r, "accelerator", "kvm"))
		add(&w, xprintf("--kvm"));
	if (json_object_get(r->manifest, "command"))
		add(&w, xprintf("--command"));
	add_facts(&w, r);
	add(&w, xprintf("--"));
	for (size_t i = 0; qemu[i]; i++)
		add(&w, qemu[i]);
	w.word[w.count] = NULL;
	return run_main(w.count, w.word);
}

static bool same_records(const struct replay *r)
{
	char there[SHA256_SIZE], here[SHA256_SIZE];
	char *a = path_in(r, BUNDLE_RECORDS);
	char *b = xprintf("%s/" RUN_RECORDS, r->run_dir);
	bool same = !sha256_file(there, a) && !sha256_file(here, b) &&
		    !strcmp(there, here);

	if (same)
		printf("identical: the records have the sha256 %s here too\n",
		       here);
	free(a);
	free(b);
	return same;
}

static int compare_records(const struct replay *r, int status)
{
	if (status == STATUS_INTERRUPTED || status == STATUS_HOST)
		return status;
	if (!is(r, "mode", "deterministic")) {
		printf("not compared: this run was in real time, where no two "
		       "boots have the same records\n");
		return status;
	}
	if (same_records(r))
		return STATUS_GOOD;
	if (compare_exact(stdout, r->from, r->run_dir) == STATUS_GOOD)
		return STATUS_GOOD; /* cannot be: the hashes differ */
	if (r->other_qemu) {
		printf("they differ, and QEMU does: boot with the export's "
		       "QEMU to know more\n");
		return STATUS_CANNOT_TELL;
	}
	printf("they differ, though kernel, images, seed, QEMU and firmware "
	       "are the same\n");
	return STATUS_HOST;
}

static char *default_dir(const char *file)
{
	const char *base = strrchr(file, '/');

	base = base ? base + 1 : file;
	return xprintf("replay-%.*s", (int)strcspn(base, "."), base);
}

/* QEMU runs in a folder of its own, so its words need whole paths. */
static char *absolute(const char *path)
{
	char *here = getcwd(NULL, 0), *whole;

	if (!here)
		die_errno(STATUS_HOST, "find this folder");
	whole = path[0] == '/' ? xprintf("%s", path)
			       : xprintf("%s/%s", here, path);
	free(here);
	return whole;
}

static int replay(const char *file, const char *out, bool only_check)
{
	struct replay r = { .file = file };
	char *dir = out ? xprintf("%s", out) : default_dir(file);
	int status = STATUS_GOOD;

	r.dir = absolute(dir);
	r.from = xprintf("%s/export", r.dir);
	r.run_dir = xprintf("%s/run", r.dir);
	unpack(&r);
	show_origin(&r);
	qemu_facts_find(&r.qemu);
	compare_qemu(&r);
	if (only_check)
		printf("whole: the files in %s are those of the export\n",
		       r.from);
	else
		status = compare_records(&r, boot(&r));
	qemu_facts_free(&r.qemu);
	json_decref(r.manifest);
	free(dir);
	free(r.dir);
	free(r.from);
	free(r.run_dir);
	return status;
}

int replay_main(int argc, char **argv)
{
	const char *out = NULL;
	bool only_check = false;
	int i = 1;

	if (argc == 2 && !strcmp(argv[1], "--help")) {
		fputs(help, stdout);
		return STATUS_GOOD;
	}
	for (; i < argc && argv[i][0] == '-'; i++) {
		if (!strcmp(argv[i], "--check"))
			only_check = true;
		else if (!strcmp(argv[i], "--out") && i + 1 < argc)
			out = argv[++i];
		else
			break;
	}
	if (i + 1 != argc || argv[i][0] == '-' || !argv[i][0]) {
		fputs(help, stderr);
		return STATUS_USAGE;
	}
	return replay(argv[i], out, only_check);
}
