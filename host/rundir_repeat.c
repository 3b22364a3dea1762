// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * rundir_repeat.c - is a boot among several runs more than once?
 *
 * The same boot twice is no more evidence than once.  An ensemble may have
 * thousands of boots, so they are sorted and not compared each with each.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "rundir.h"

#define ORDER(a, b) (((a) > (b)) - ((a) < (b)))

/* What makes a run the same as another; without a key it is like no other. */
struct identity {
	const struct rundir *run;
	bool has_folder, has_seed, has_records;
	dev_t device;
	ino_t inode;
	const char *kernel_sha256;
};

static struct identity identify(const struct rundir *run)
{
	const struct stream *s = &run->stream;
	struct identity id = {
		.run = run,
		.kernel_sha256 = rundir_text(run, "kernel_sha256"),
	};
	struct stat folder;

	if (stat(run->path, &folder) == 0) {
		id.has_folder = true;
		id.device = folder.st_dev;
		id.inode = folder.st_ino;
	}
	id.has_seed = id.kernel_sha256 && s->has_run &&
		      s->run.mode == MODE_DETERMINISTIC;
	id.has_records = s->complete && s->sample_count;
	return id;
}

/* Of two runs of which one or both lack the key: never the same. */
static int by_key(const struct identity *a, const struct identity *b,
		  bool a_has, bool b_has)
{
	return a_has != b_has ? ORDER(b_has, a_has) : ORDER(a->run, b->run);
}

static int by_folder(const struct identity *a, const struct identity *b)
{
	if (!a->has_folder || !b->has_folder)
		return by_key(a, b, a->has_folder, b->has_folder);
	if (a->device != b->device)
		return ORDER(a->device, b->device);
	return ORDER(a->inode, b->inode);
}

static int by_boot(const struct identity *a, const struct identity *b)
{
	if (!a->has_seed || !b->has_seed)
		return by_key(a, b, a->has_seed, b->has_seed);
	if (a->run->stream.run.seed != b->run->stream.run.seed)
		return ORDER(a->run->stream.run.seed, b->run->stream.run.seed);
	return strcmp(a->kernel_sha256, b->kernel_sha256);
}

/* Times in ns never agree in two boots, so these are one and its copy. */
static int by_records(const struct identity *a, const struct identity *b)
{
	if (!a->has_records || !b->has_records)
		return by_key(a, b, a->has_records, b->has_records);
	if (a->run->stream.crc != b->run->stream.crc)
		return ORDER(a->run->stream.crc, b->run->stream.crc);
	return ORDER(a->run->stream.bytes, b->run->stream.bytes);
}

typedef int order_fn(const struct identity *a, const struct identity *b);

static int compare(const void *a, const void *b, void *context)
{
	order_fn *const *fn = context;
	const struct identity *x = a, *y = b;
	int order = (*fn)(x, y);

	/* As they were given, so that a message names the first two. */
	return order ? order : ORDER(x->run, y->run);
}

/* Return: the first of two neighbours that are the same, or NULL. */
static const struct identity *repeated(struct identity *id, size_t count,
				       order_fn *fn)
{
	qsort_r(id, count, sizeof(*id), compare, &fn);
	for (size_t i = 1; i < count; i++)
		if (!fn(&id[i - 1], &id[i]))
			return &id[i - 1];
	return NULL;
}

static char *find_repetition(struct identity *id, size_t count)
{
	const struct identity *twice;

	twice = repeated(id, count, by_folder);
	if (twice)
		return xprintf("%s is named twice", twice->run->path);
	twice = repeated(id, count, by_boot);
	if (twice)
		return xprintf("%s and %s are the same kernel with the same "
			       "seed %lld: one boot, not two",
			       twice[0].run->path, twice[1].run->path,
			       (long long)twice->run->stream.run.seed);
	twice = repeated(id, count, by_records);
	if (twice)
		return xprintf("%s and %s hold the same records: one boot, "
			       "not two",
			       twice[0].run->path, twice[1].run->path);
	return NULL;
}

char *runs_repetition(const struct runs *runs)
{
	struct identity *id = xalloc(runs->count, sizeof(*id));
	char *text;

	for (size_t i = 0; i < runs->count; i++)
		id[i] = identify(&runs->run[i]);
	text = find_repetition(id, runs->count);
	free(id);
	return text;
}
