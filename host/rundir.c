// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * rundir.c - run directories, and which of them belong together
 */
#include "rundir.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "record.h"
#include "slurp.h"
#include "units.h"

#define JSON_MAX    (4u << 20) /* bytes of run.json or index.json */
#define VERSION_MAX 1	       /* of both, that is read here */

/* When a condition counts. */
enum when {
	ALWAYS,
	IN_A_POOL,
	ONE_IMAGE,     /* unless each kernel has its own modules in the image */
	OTHER_MODULES, /* in their stead */
};

/* What must agree: the key in run.json and its name in a message. */
static const struct condition {
	const char *key, *name;
	enum when when;
} conditions[] = {
	{ "mode", "the mode", ALWAYS },
	{ "accelerator", "the accelerator", ALWAYS },
	{ "qemu_version", "the QEMU version", ALWAYS },
	{ "firmware_sha256", "QEMU's firmware", ALWAYS },
	{ "image_sha256", "the image", ONE_IMAGE },
	{ "commit", "the commit that made the image", OTHER_MODULES },
	{ "scenario_text", "the scenario", ALWAYS },
	{ "added_sha256", "what --add brought", ALWAYS },
	{ "smp", "the number of CPUs", ALWAYS },
	{ "mem_mib", "the memory in MiB", ALWAYS },
	{ "kernel_sha256", "the kernel", IN_A_POOL },
};

static const json_t *find(const struct rundir *run, const char *key)
{
	const char *dot = strchr(key, '.');
	const json_t *value;
	char *first;

	if (!dot)
		return json_object_get(run->info, key);
	first = xprintf("%.*s", (int)(dot - key), key);
	value = json_object_get(json_object_get(run->info, first), dot + 1);
	free(first);
	return value;
}

const char *rundir_text(const struct rundir *run, const char *key)
{
	return json_string_value(find(run, key));
}

double rundir_number(const struct rundir *run, const char *key, double missing)
{
	const json_t *value = find(run, key);

	return json_is_number(value) ? json_number_value(value) : missing;
}

/* NULL, or that a newer kverdict wrote it. */
static char *version_fault(const char *path, const json_t *object,
			   const char *key)
{
	json_int_t version = json_integer_value(json_object_get(object, key));

	if (version >= 0 && version <= VERSION_MAX)
		return NULL;
	return xprintf("%s: %s is %lld, and this kverdict reads up to %d: take "
		       "a newer one",
		       path, key, (long long)version, VERSION_MAX);
}

/**
 * load_object() - read a JSON file that is one object
 * @key:	of its version, which may be missing
 * @why:	where to store why not; the caller frees it
 * @err:	where to store what slurp() returned
 * Return: the object, or NULL.
 */
static json_t *load_object(const char *dir, const char *name, const char *key,
			   char **why, int *err)
{
	char *path = xprintf("%s/%s", dir, name), *bytes;
	json_t *object = NULL;
	json_error_t error;
	size_t len;

	*why = NULL;
	*err = slurp(path, JSON_MAX, &bytes, &len);
	if (*err) {
		*why = xprintf("%s %s", path, slurp_reason(*err));
	} else {
		object = json_loadb(bytes, len, JSON_REJECT_DUPLICATES, &error);
		free(bytes);
		if (!object)
			*why = xprintf("%s: line %d: %s", path, error.line,
				       error.text);
	}
	if (object && !json_is_object(object))
		*why = xprintf("%s is not a JSON object", path);
	else if (object)
		*why = version_fault(path, object, key);
	if (*why) {
		text_clean(*why);
		json_decref(object);
		object = NULL;
	}
	free(path);
	return object;
}

static enum status add_run(struct runs *runs, const char *path)
{
	struct rundir *run;
	struct stat folder;
	int info_err, err;
	char *records;

	if (stat(path, &folder) < 0) {
		warn_errno("read the run %s", path);
		return STATUS_USAGE;
	}
	runs->run = xgrow(runs->run, runs->count + 1, sizeof(*runs->run));
	run = &runs->run[runs->count++];
	*run = (struct rundir){ .path = xprintf("%s", path) };
	run->info = load_object(path, RUNDIR_RUN, "run_version",
				&run->info_problem, &info_err);
	records = xprintf("%s/%s", path, RESULTS_FILE);
	err = stream_read(&run->stream, records);
	free(records);
	if (err && info_err) {
		warn("read the run %s: neither %s nor %s can be read there",
		     path, RUNDIR_RUN, RESULTS_FILE);
		return STATUS_USAGE;
	}
	/* What it says of the host decides what may be compared. */
	if (!run->info && info_err != -ENOENT && info_err != -ENOTDIR) {
		warn("read the run %s: %s; without this file its records can "
		     "be read alone",
		     path, run->info_problem);
		return STATUS_USAGE;
	}
	return STATUS_GOOD;
}

/* One folder below, and nothing that leads out of it. */
static bool is_plain_name(const char *name)
{
	return name && name[0] && name[0] != '.' && !strchr(name, '/');
}

static enum status add_ensemble(struct runs *runs, const char *path,
				const json_t *index)
{
	const json_t *list = json_object_get(index, "runs"), *entry;
	enum status status = STATUS_GOOD;
	size_t before = runs->count, i;

	if (!json_array_size(list)) {
		warn("read %s/%s: it names no runs", path, RUNDIR_INDEX);
		return STATUS_USAGE;
	}
	json_array_foreach(list, i, entry)
	{
		const char *name =
			json_string_value(json_object_get(entry, "dir"));
		char *run;

		if (!is_plain_name(name)) {
			warn("read %s/%s: run %zu has no valid dir", path,
			     RUNDIR_INDEX, i);
			return STATUS_USAGE;
		}
		/* The same boot once more, to see that it is the same. */
		if (json_object_get(entry, "repeats"))
			continue;
		run = xprintf("%s/%s", path, name);
		if (add_run(runs, run) != STATUS_GOOD)
			status = STATUS_USAGE;
		free(run);
	}
	if (runs->count == before) {
		warn("read %s/%s: all its runs repeat another", path,
		     RUNDIR_INDEX);
		status = STATUS_USAGE;
	}
	return status;
}

static enum status add_path(struct runs *runs, const char *path)
{
	enum status status;
	json_t *index;
	char *why;
	int err;

	index = load_object(path, RUNDIR_INDEX, "index_version", &why, &err);
	if (index) {
		status = add_ensemble(runs, path, index);
	} else if (err == -ENOENT || err == -ENOTDIR) {
		status = add_run(runs, path);
	} else {
		warn("%s", why);
		status = STATUS_USAGE;
	}
	json_decref(index);
	free(why);
	return status;
}

enum status runs_open(struct runs *runs, const char *const *paths, size_t count)
{
	enum status status = STATUS_GOOD;

	*runs = (struct runs){ .run = NULL };
	for (size_t i = 0; i < count; i++)
		if (add_path(runs, paths[i]) != STATUS_GOOD)
			status = STATUS_USAGE;
	return status;
}

void runs_free(struct runs *runs)
{
	for (size_t i = 0; i < runs->count; i++) {
		free(runs->run[i].path);
		free(runs->run[i].info_problem);
		json_decref(runs->run[i].info);
		stream_free(&runs->run[i].stream);
	}
	free(runs->run);
	*runs = (struct runs){ .run = NULL };
}

/* A value for a message; what is long is not shown, but only differs. */
static char *shown(const json_t *value)
{
	char *text = value ? json_dumps(value, JSON_ENCODE_ANY) : NULL, *copy;

	if (!value)
		copy = xprintf("not told");
	else if (!text || strlen(text) > 72)
		copy = xprintf("another");
	else
		copy = xprintf("%s", text);
	text_clean(copy);
	free(text);
	return copy;
}

static char *difference(const struct rundir *a, const struct rundir *b,
			const char *name, const json_t *of_a,
			const json_t *of_b)
{
	char *in_a = shown(of_a), *in_b = shown(of_b), *text;

	if (!strcmp(in_a, in_b))
		text = xprintf("%s of %s and %s differs", name, a->path,
			       b->path);
	else
		text = xprintf("%s differs: %s in %s, %s in %s", name, in_a,
			       a->path, in_b, b->path);
	free(in_a);
	free(in_b);
	return text;
}

/* Takes "KEY=VALUE " out of a text in which blanks surround every word. */
static void drop_word(char *text, const char *key)
{
	char *word = strstr(text, key);

	if (word) {
		char *rest = strchr(word + 1, ' ');

		memmove(word, rest, strlen(rest) + 1);
	}
}

char *rundir_cmdline(const struct rundir *run)
{
	const char *cmdline = run->stream.run.cmdline;
	char *text = xprintf(" %s ", cmdline ? cmdline : "");

	drop_word(text, " kv.seed=");
	drop_word(text, " tsc_early_khz=");
	return text;
}

static char *cmdline_difference(const struct rundir *a, const struct rundir *b)
{
	char *of_a = rundir_cmdline(a);
	char *of_b = rundir_cmdline(b);
	char *text = NULL;

	if (a->stream.has_run && b->stream.has_run && strcmp(of_a, of_b))
		text = xprintf("the kernel's command line of %s and %s differs",
			       a->path, b->path);
	free(of_a);
	free(of_b);
	return text;
}

static bool has_modules(const struct rundir *run)
{
	const char *modules = rundir_text(run, "modules");

	return modules && modules[0];
}

/*
 * Two kernels with modules cannot have the same image.  Then the commit stands
 * for what else is in it: the same probes.
 */
static bool own_modules(const struct rundir *a, const struct rundir *b)
{
	return has_modules(a) && has_modules(b) &&
	       !json_equal(find(a, "kernel_sha256"), find(b, "kernel_sha256"));
}

static bool counts(const struct condition *c, const struct rundir *a,
		   const struct rundir *b, enum runs_use use)
{
	bool split = use == RUNS_COMPARE && own_modules(a, b);

	switch (c->when) {
	case IN_A_POOL:
		return use == RUNS_POOL;
	case ONE_IMAGE:
		return !split;
	case OTHER_MODULES:
		return split;
	default:
		return true;
	}
}

static char *pair_difference(const struct rundir *a, const struct rundir *b,
			     enum runs_use use)
{
	if (!a->info || !b->info)
		return xprintf("%s: so nobody knows whether it may stand "
			       "beside the others",
			       a->info ? b->info_problem : a->info_problem);
	for (size_t i = 0; i < sizeof(conditions) / sizeof(conditions[0]);
	     i++) {
		const json_t *of_a = find(a, conditions[i].key);
		const json_t *of_b = find(b, conditions[i].key);

		if (!counts(&conditions[i], a, b, use))
			continue;
		if (!json_equal(of_a, of_b) && (of_a || of_b))
			return difference(a, b, conditions[i].name, of_a, of_b);
	}
	return use == RUNS_POOL ? cmdline_difference(a, b) : NULL;
}

char *runs_difference(const struct runs *runs, enum runs_use use)
{
	for (size_t i = 1; i < runs->count; i++) {
		char *text = pair_difference(&runs->run[0], &runs->run[i], use);

		if (text)
			return text;
	}
	return NULL;
}
static int by_value(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

char *runs_seeds(const struct runs *runs)
{
	int64_t *seed = xalloc(runs->count, sizeof(*seed));
	char *text = xprintf("%s", "");
	size_t count = 0;

	for (size_t i = 0; i < runs->count; i++)
		if (runs->run[i].stream.complete)
			seed[count++] = runs->run[i].stream.run.seed;
	qsort(seed, count, sizeof(*seed), by_value);
	for (size_t i = 0, last; i < count; i = last + 1) {
		char *longer, *end;

		for (last = i;
		     last + 1 < count && seed[last + 1] - 1 == seed[last];
		     last++)
			continue;
		end = last == i ? xprintf("%s", "")
				: xprintf("-%" PRId64, seed[last]);
		longer = xprintf("%s%s%" PRId64 "%s", text, i ? ", " : "",
				 seed[i], end);
		free(end);
		free(text);
		text = longer;
	}
	free(seed);
	return text;
}
