// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sides.c - the runs of a command line, by the kernel they belong to
 */
#include "sides.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "units.h"

#define STATE	   "state.json"
#define COMMIT_LEN 12 /* of the folder of a bisect's kernel */
#define LABEL_MAX  60

struct paths {
	char **path;
	size_t count;
};

static void add_path(struct paths *paths, char *path)
{
	paths->path =
		xgrow(paths->path, paths->count + 1, sizeof(*paths->path));
	paths->path[paths->count++] = path;
}

static void free_paths(struct paths *paths)
{
	for (size_t i = 0; i < paths->count; i++)
		free(paths->path[i]);
	free(paths->path);
}

static bool has(const char *folder, const char *name)
{
	char *path = xprintf("%s/%s", folder, name);
	bool there = access(path, F_OK) == 0;

	free(path);
	return there;
}

static int is_seed(const struct dirent *entry)
{
	const char *digits = entry->d_name + strlen("seed-");

	return !strncmp(entry->d_name, "seed-", strlen("seed-")) && *digits &&
	       digits[strspn(digits, "0123456789")] == '\0';
}

/* A bisect leaves the boots of a kernel without an index.json. */
static void expand(struct paths *paths, const char *word)
{
	struct dirent **entry = NULL;
	int count = 0;

	if (!has(word, RUNDIR_INDEX) && !has(word, RUNDIR_RUN))
		count = scandir(word, &entry, is_seed, versionsort);
	for (int i = 0; i < count; i++) {
		add_path(paths, xprintf("%s/%s", word, entry[i]->d_name));
		free(entry[i]);
	}
	free(entry);
	if (count <= 0)
		add_path(paths, xprintf("%s", word));
}

static enum status open_words(struct runs *runs, char *const *words,
			      size_t count)
{
	struct paths paths = { .path = NULL };
	enum status status;

	for (size_t i = 0; i < count; i++)
		expand(&paths, words[i]);
	status = runs_open(runs, (const char *const *)paths.path, paths.count);
	free_paths(&paths);
	return status;
}

static struct side *add_side(struct sides *sides)
{
	struct side *side;

	sides->side =
		xgrow(sides->side, sides->count + 1, sizeof(*sides->side));
	side = &sides->side[sides->count++];
	*side = (struct side){ .label = NULL };
	return side;
}

static char *clean_label(const char *text)
{
	char *label = xprintf("%.*s", LABEL_MAX, text), *end;

	/* A character is not cut in two. */
	end = label + strlen(label);
	while (strlen(text) > LABEL_MAX && end > label &&
	       ((unsigned char)text[end - label] & 0xc0) == 0x80)
		*--end = '\0';
	text_clean(label);
	return label;
}

static const char *release_of(const struct rundir *run)
{
	const char *release = rundir_text(run, "kernel_release");

	if (run->stream.has_run)
		release = run->stream.run.kernel;
	return release ? release : "unknown kernel";
}

/* The last part of the folder in which the runs of a side are. */
static char *folder_of(const struct rundir *run)
{
	const char *end = run->path + strlen(run->path), *begin;
	const char *last;

	for (;;) {
		while (end > run->path && end[-1] == '/')
			end--;
		begin = end;
		while (begin > run->path && begin[-1] != '/')
			begin--;
		last = begin;
		if (begin == run->path || strncmp(last, "seed-", 5) != 0)
			return xprintf("%.*s", (int)(end - begin), begin);
		end = begin;
	}
}

static bool same_release(const struct sides *sides, size_t which)
{
	for (size_t i = 0; i < sides->count; i++)
		if (i != which && sides->side[i].runs.count &&
		    !strcmp(release_of(&sides->side[i].runs.run[0]),
			    release_of(&sides->side[which].runs.run[0])))
			return true;
	return false;
}

/* By the kernel's release, and by the folder where that says too little. */
static void label_sides(struct sides *sides)
{
	for (size_t i = 0; i < sides->count; i++) {
		struct side *side = &sides->side[i];
		const struct rundir *run = side->runs.run;
		char *folder, *text;

		if (side->label || !side->runs.count)
			continue;
		folder = folder_of(run);
		text = same_release(sides, i)
			       ? xprintf("%s %s", release_of(run), folder)
			       : xprintf("%s", release_of(run));
		side->label = clean_label(text);
		free(text);
		free(folder);
	}
}

static enum status open_side(struct sides *sides, char *const *words,
			     size_t count)
{
	return open_words(&add_side(sides)->runs, words, count);
}

static enum status open_end(struct sides *sides, const char *folder,
			    const json_t *state, const char *which)
{
	const char *commit = json_string_value(json_object_get(state, which));
	const json_t *kernel;
	enum status status;
	char *path, *text;

	if (!commit || strlen(commit) < COMMIT_LEN || strchr(commit, '/')) {
		warn("read the ends of %s: %s in it does not say which they "
		     "are",
		     folder, STATE);
		return STATUS_USAGE;
	}
	path = xprintf("%s/%.*s", folder, COMMIT_LEN, commit);
	status = open_side(sides, &path, 1);
	free(path);
	kernel = json_object_get(json_object_get(state, "kernels"), commit);
	text = json_string_value(json_object_get(kernel, "role"))
		       ? xprintf("%s %.*s",
				 json_string_value(
					 json_object_get(kernel, "role")),
				 COMMIT_LEN, commit)
		       : xprintf("%.*s", COMMIT_LEN, commit);
	sides->side[sides->count - 1].label = clean_label(text);
	free(text);
	return status;
}

static enum status open_bisect(struct sides *sides, const char *folder)
{
	char *path = xprintf("%s/" STATE, folder);
	json_error_t error;
	json_t *state = json_load_file(path, 0, &error);
	enum status of_old, of_new;

	if (!state) {
		warn("compare %s: one word is the folder of a bisect, but %s: "
		     "%s",
		     folder, path, error.text);
		free(path);
		return STATUS_USAGE;
	}
	of_old = open_end(sides, folder, state, "old");
	of_new = open_end(sides, folder, state, "new");
	json_decref(state);
	free(path);
	return of_old > of_new ? of_old : of_new;
}

enum status sides_pair(struct sides *sides, char *const *words, size_t count)
{
	enum status of_a, of_b;
	size_t border = 0;

	*sides = (struct sides){ .side = NULL };
	if (count == 1)
		return open_bisect(sides, words[0]);
	while (border < count && strcmp(words[border], "--") != 0)
		border++;
	if (border == count && count != 2) {
		warn("compare %zu runs: put -- between those of the one side "
		     "and those of the other",
		     count);
		return STATUS_USAGE;
	}
	if (border == 0 || border + 1 == count) {
		warn("compare: there are no runs on one side of --");
		return STATUS_USAGE;
	}
	if (border == count) {
		of_a = open_side(sides, words, 1);
		of_b = open_side(sides, words + 1, 1);
	} else {
		of_a = open_side(sides, words, border);
		of_b = open_side(sides, words + border + 1, count - border - 1);
	}
	label_sides(sides);
	return of_a > of_b ? of_a : of_b;
}

/* NAME=RUN, unless the '=' belongs to a path. */
static const char *split_label(const char *word, char **label)
{
	const char *equals = strchr(word, '='), *slash = strchr(word, '/');

	*label = NULL;
	if (!equals || equals == word || (slash && slash < equals))
		return word;
	*label = xprintf("%.*s", (int)(equals - word), word);
	return equals + 1;
}

static struct side *named_side(struct sides *sides, const char *name)
{
	char *label = clean_label(name);
	struct side *side = NULL;

	for (size_t i = 0; i < sides->count && !side; i++)
		if (sides->side[i].label &&
		    !strcmp(sides->side[i].label, label))
			side = &sides->side[i];
	if (side) {
		free(label);
	} else {
		side = add_side(sides);
		side->label = label;
	}
	return side;
}

static bool may_pool(const struct rundir *a, const struct rundir *b)
{
	struct rundir pair[] = { *a, *b };
	const struct runs runs = { .run = pair, .count = 2 };
	char *why = runs_difference(&runs, RUNS_POOL);

	free(why);
	return !why;
}

static struct side *fitting_side(struct sides *sides, const struct rundir *run)
{
	for (size_t i = 0; i < sides->count; i++)
		if (!sides->side[i].label &&
		    may_pool(&sides->side[i].runs.run[0], run))
			return &sides->side[i];
	return add_side(sides);
}

static enum status group_word(struct sides *sides, const char *word)
{
	struct runs runs;
	enum status status;
	char *label, *path = xprintf("%s", split_label(word, &label));

	if (!label && has(path, STATE)) {
		status = open_bisect(sides, path);
		free(path);
		return status;
	}
	status = open_words(&runs, &path, 1);
	for (size_t i = 0; i < runs.count; i++) {
		struct side *side = label ? named_side(sides, label)
					  : fitting_side(sides, &runs.run[i]);

		side->runs.run = xgrow(side->runs.run, side->runs.count + 1,
				       sizeof(*side->runs.run));
		side->runs.run[side->runs.count++] = runs.run[i];
	}
	free(runs.run); /* what it holds has moved */
	free(path);
	free(label);
	return status;
}

enum status sides_group(struct sides *sides, char *const *words, size_t count)
{
	enum status status = STATUS_GOOD;

	*sides = (struct sides){ .side = NULL };
	for (size_t i = 0; i < count; i++)
		if (group_word(sides, words[i]) != STATUS_GOOD)
			status = STATUS_USAGE;
	label_sides(sides);
	return status;
}

void sides_free(struct sides *sides)
{
	for (size_t i = 0; i < sides->count; i++) {
		free(sides->side[i].label);
		runs_free(&sides->side[i].runs);
	}
	free(sides->side);
	*sides = (struct sides){ .side = NULL };
}
