// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * collect.c - the two copies of a run's records become one file
 *
 * The same bytes leave the guest twice, and each way can fail: the disk with a
 * kernel that dies before it is plugged, the serial port never so far.  Only a
 * copy with a valid `end` is taken as the run's records.
 */
#include "collect.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "commands.h"
#include "disk.h"
#include "record.h"
#include "slurp.h"
#include "stream.h"

#define DISK_DEADLINE_MS 30000

struct copy {
	char *bytes; /* NULL if there is none */
	size_t len;
	char *fault; /* why it is not complete, or NULL */
	struct stream stream;
};

static bool is_there(const char *dir, const char *name)
{
	char *path = xprintf("%s/%s", dir, name);
	struct stat file;
	bool there = lstat(path, &file) == 0;

	free(path);
	return there;
}

static void copy_check(struct copy *c)
{
	if (c->bytes && !stream_parse(&c->stream, c->bytes, c->len))
		c->fault = xprintf("%s", c->stream.problem);
}

static struct copy copy_of_disk(const char *dir)
{
	struct copy c = { .bytes = NULL };
	char *path = xprintf("%s/%s", dir, COLLECT_IMAGE);

	if (is_there(dir, COLLECT_IMAGE))
		c.fault = disk_read(path, DISK_DEADLINE_MS, &c.bytes, &c.len);
	else
		c.fault = xprintf("there is no " COLLECT_IMAGE);
	copy_check(&c);
	free(path);
	return c;
}

static struct copy copy_of_file(const char *dir, const char *name)
{
	struct copy c = { .bytes = NULL };
	char *path = xprintf("%s/%s", dir, name);
	int err = slurp(path, RECORD_STREAM_MAX, &c.bytes, &c.len);

	if (err == -ENOENT)
		c.fault = xprintf("there is no %s", name);
	else if (err)
		c.fault = xprintf("%s %s", name, slurp_reason(err));
	copy_check(&c);
	free(path);
	return c;
}

static void copy_free(struct copy *c)
{
	stream_free(&c->stream);
	free(c->bytes);
	free(c->fault);
}

static bool write_beside(char *beside, const char *path, const char *bytes,
			 size_t len)
{
	int fd = mkostemp(beside, O_CLOEXEC);
	mode_t mask;
	bool good;

	if (fd < 0)
		return false;
	/* mkostemp() gives it to its owner alone, whatever the umask says. */
	mask = umask(0);
	umask(mask);
	good = write_all(fd, bytes, len) && fchmod(fd, 0666 & ~mask) == 0;
	good = close(fd) == 0 && good;
	if (good && rename(beside, path) == 0)
		return true;
	unlink(beside); /* errno of the first failure is what is told */
	return false;
}

/* All or nothing; a signal in between waits, so that no half file stays. */
static bool write_file(const char *dir, const char *name, const char *bytes,
		       size_t len)
{
	char *path = xprintf("%s/%s", dir, name);
	char *beside = xprintf("%s/.%s.XXXXXX", dir, name);
	sigset_t all, before;
	bool good;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	good = write_beside(beside, path, bytes, len);
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (!good)
		warn_errno("write %s", path);
	free(beside);
	free(path);
	return good;
}

static enum status failed(struct collect_result *result, const char *name)
{
	result->message = xprintf("%s could not be written", name);
	return STATUS_HOST;
}

static enum status keep_both(const char *dir, const struct copy *disk,
			     const struct copy *mirror,
			     struct collect_result *result)
{
	if (!write_file(dir, COLLECT_DISK, disk->bytes, disk->len))
		return failed(result, COLLECT_DISK);
	result->message = xprintf(
		"the copies of disk and mirror are both complete and differ "
		"(%zu and %zu records): the host's fault; they are kept as %s "
		"and %s",
		disk->stream.records, mirror->stream.records, COLLECT_DISK,
		COLLECT_MIRROR);
	return STATUS_HOST;
}

static enum status take_complete(const char *dir, const struct copy *c,
				 const struct copy *mirror,
				 struct collect_result *result)
{
	const char *word = collect_word(result->from);

	if (!write_file(dir, RESULTS_FILE, c->bytes, c->len))
		return failed(result, RESULTS_FILE);
	result->complete = result->spent = true;
	result->records = c->stream.records;
	if (c == mirror)
		result->message =
			xprintf("%zu records, complete, from the %s; the disk: "
				"%s",
				result->records, word, result->disk_note);
	else if (mirror->fault)
		result->message =
			xprintf("%zu records, complete, from the %s; the "
				"mirror: %s",
				result->records, word, mirror->fault);
	else
		result->message = xprintf("%zu records, complete, from the %s",
					  result->records, word);
	return STATUS_GOOD;
}

static enum status take_prefix(const char *dir, const struct copy *disk,
			       const struct copy *mirror,
			       struct collect_result *result)
{
	bool from_disk = disk->stream.bytes > mirror->stream.bytes;
	const struct copy *c = from_disk ? disk : mirror;

	if (c->stream.bytes) {
		result->from =
			from_disk ? COLLECT_FROM_DISK : COLLECT_FROM_MIRROR;
		result->records = c->stream.records;
		if (!write_file(dir, RESULTS_FILE, c->bytes, c->stream.bytes))
			return failed(result, RESULTS_FILE);
	}
	result->message =
		c->stream.bytes
			? xprintf("incomplete: %zu valid records from the %s; "
				  "the disk: %s; the mirror: %s",
				  result->records, collect_word(result->from),
				  disk->fault, mirror->fault)
			: xprintf("incomplete: no valid record; the disk: %s; "
				  "the mirror: %s",
				  disk->fault, mirror->fault);
	return STATUS_CANNOT_TELL;
}

/* Collected before and cleaned up since: what is there is all there is. */
static enum status look_again(const char *dir, struct collect_result *result)
{
	struct copy kept = copy_of_file(dir, RESULTS_FILE);

	result->complete = kept.bytes && !kept.fault;
	result->records = kept.stream.records;
	if (kept.bytes)
		result->from = COLLECT_FROM_KEPT;
	if (result->complete)
		result->message = xprintf("%zu records, complete, collected "
					  "before",
					  result->records);
	else
		result->message = xprintf("incomplete: neither %s nor %s is "
					  "there; %s: %s",
					  COLLECT_IMAGE, COLLECT_MIRROR,
					  RESULTS_FILE, kept.fault);
	copy_free(&kept);
	return result->complete ? STATUS_GOOD : STATUS_CANNOT_TELL;
}

static enum status choose(const char *dir, struct collect_result *result)
{
	struct copy disk = copy_of_disk(dir);
	struct copy mirror = copy_of_file(dir, COLLECT_MIRROR);
	bool same = disk.len == mirror.len && disk.bytes && mirror.bytes &&
		    !memcmp(disk.bytes, mirror.bytes, disk.len);
	enum status status;

	if (disk.fault)
		result->disk_note = xprintf("%s", disk.fault);
	if (!disk.fault && !mirror.fault && !same) {
		status = keep_both(dir, &disk, &mirror, result);
	} else if (!disk.fault) {
		result->from = COLLECT_FROM_DISK;
		status = take_complete(dir, &disk, &mirror, result);
	} else if (!mirror.fault) {
		result->from = COLLECT_FROM_MIRROR;
		status = take_complete(dir, &mirror, &mirror, result);
	} else {
		status = take_prefix(dir, &disk, &mirror, result);
	}
	copy_free(&disk);
	copy_free(&mirror);
	return status;
}

enum status collect_run(const char *dir, struct collect_result *result)
{
	struct stat folder;

	*result = (struct collect_result){ .from = COLLECT_FROM_NONE };
	if (stat(dir, &folder) < 0 || !S_ISDIR(folder.st_mode)) {
		result->message = xprintf("%s is not a run directory", dir);
		result->status = STATUS_USAGE;
	} else if (!is_there(dir, COLLECT_IMAGE) &&
		   !is_there(dir, COLLECT_MIRROR)) {
		result->status = look_again(dir, result);
	} else {
		result->status = choose(dir, result);
	}
	return result->status;
}

void collect_free(struct collect_result *result)
{
	free(result->disk_note);
	free(result->message);
	*result = (struct collect_result){ .from = COLLECT_FROM_NONE };
}

const char *collect_word(enum collect_from from)
{
	static const char *const words[] = {
		[COLLECT_FROM_NONE] = "none",
		[COLLECT_FROM_DISK] = "disk",
		[COLLECT_FROM_MIRROR] = "mirror",
		[COLLECT_FROM_KEPT] = "kept",
	};

	return words[from];
}

static const char help[] =
	"Usage: kverdict collect RUN\n\n"
	"Make RUN/records.jsonl from the two copies a guest sent:\n"
	"RUN/results.img (the results disk) and RUN/mirror.jsonl.\n"
	"It takes the disk's copy if it is complete, else the mirror's, else\n"
	"what is valid of the longer one.  DEBUGFS names another debugfs.\n\n"
	"Exit status: 0 complete, 125 incomplete, 128 the copies differ or\n"
	"cannot be written, 129 no such run\n";

int collect_main(int argc, char **argv)
{
	struct collect_result result;
	enum status status;

	if (argc == 2 && !strcmp(argv[1], "--help")) {
		fputs(help, stdout);
		return STATUS_GOOD;
	}
	if (argc != 2 || argv[1][0] == '-') {
		fputs(help, stderr);
		return STATUS_USAGE;
	}
	status = collect_run(argv[1], &result);
	if (status == STATUS_GOOD)
		printf("%s: %s\n", argv[1], result.message);
	else
		warn("collect %s: %s", argv[1], result.message);
	collect_free(&result);
	return (int)status;
}
