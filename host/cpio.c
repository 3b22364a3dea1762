// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cpio.c - `kverdict cpio`: pack an initramfs, the same bytes everywhere
 *
 * Every byte of an initramfs lands in guest memory and decides the order of
 * events there, so nothing of the host may enter: cpio(1) takes inode numbers
 * and times from the file system, and needs root to pack a device node.
 */
#include <errno.h>
#include <fcntl.h>
#include <search.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "commands.h"
#include "cpio_entry.h"
#include "die.h"

#define BLOCK_SIZE 512u

struct archive {
	const char *list; /* for messages */
	FILE *out;
	uint64_t size; /* bytes written so far */
	uint32_t ino;  /* of the entry written last */
	void *seen;    /* tree of struct seen, by name */
};

struct seen {
	char *name;
	bool dir;
};

static void put(struct archive *archive, const void *bytes, size_t len)
{
	/* An error stays in the stream; main() asks for it at the end. */
	fwrite(bytes, 1, len, archive->out);
	archive->size += len;
}

static void pad(struct archive *archive, unsigned int unit)
{
	static const char zeroes[BLOCK_SIZE];

	put(archive, zeroes, (unit - archive->size % unit) % unit);
}

static void put_header(struct archive *archive, const struct cpio_entry *entry,
		       uint32_t ino, uint32_t size)
{
	char header[CPIO_HEADER_SIZE + 1];

	cpio_header(header, entry, ino, size);
	put(archive, header, CPIO_HEADER_SIZE);
	put(archive, entry->name, strlen(entry->name) + 1);
	pad(archive, 4);
}

/* Copy exactly @size bytes: the header before them has promised as many. */
static bool put_contents(struct archive *archive, int fd, uint64_t size)
{
	char buffer[65536];

	while (size > 0) {
		size_t want = size < sizeof(buffer) ? size : sizeof(buffer);
		ssize_t got = read(fd, buffer, want);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		put(archive, buffer, (size_t)got);
		size -= (uint64_t)got;
	}
	return true;
}

static enum status put_file(struct archive *archive,
			    const struct cpio_entry *entry)
{
	enum status status = STATUS_GOOD;
	struct stat stat;
	int fd;

	/* Not blocking, lest a FIFO without a writer hangs the open. */
	fd = open(entry->source, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0 || fstat(fd, &stat) < 0) {
		warn_errno("pack %s", entry->source);
		status = STATUS_USAGE;
	} else if (!S_ISREG(stat.st_mode) || stat.st_size > UINT32_MAX) {
		warn("pack %s: not a regular file of at most 4 GiB",
		     entry->source);
		status = STATUS_USAGE;
	} else {
		put_header(archive, entry, archive->ino,
			   (uint32_t)stat.st_size);
		if (!put_contents(archive, fd, (uint64_t)stat.st_size)) {
			warn("pack %s: it cannot be read, or became shorter",
			     entry->source);
			status = STATUS_HOST;
		}
	}
	if (fd >= 0)
		close(fd);
	return status;
}

static int compare_seen(const void *a, const void *b)
{
	const struct seen *left = a, *right = b;

	return strcmp(left->name, right->name);
}

static void free_seen(void *node)
{
	struct seen *seen = node;

	free(seen->name);
	free(seen);
}

/* The kernel drops an entry whose directory is not there, without a word. */
static const char *check_place(struct archive *archive,
			       const struct cpio_entry *entry)
{
	struct seen *seen = xalloc(1, sizeof(*seen)), **found;
	char *slash;

	seen->name = xprintf("%s", entry->name);
	seen->dir = S_ISDIR(entry->mode);
	slash = strrchr(seen->name, '/');
	if (slash) {
		*slash = '\0';
		found = tfind(seen, &archive->seen, compare_seen);
		*slash = '/';
		if (!found || !(*found)->dir) {
			free_seen(seen);
			return "its directory is not listed before it";
		}
	}
	found = tsearch(seen, &archive->seen, compare_seen);
	if (!found)
		die(STATUS_HOST, "pack %s: out of memory", entry->name);
	if (*found != seen) {
		free_seen(seen);
		return "this name is listed already";
	}
	return NULL;
}

static enum status put_entry(struct archive *archive,
			     const struct cpio_entry *entry)
{
	archive->ino++;
	if (S_ISREG(entry->mode)) {
		enum status status = put_file(archive, entry);

		if (status)
			return status;
	} else {
		size_t len = entry->source ? strlen(entry->source) : 0;

		put_header(archive, entry, archive->ino, (uint32_t)len);
		put(archive, entry->source ? entry->source : "", len);
	}
	pad(archive, 4);
	return STATUS_GOOD;
}

static enum status put_line(struct archive *archive, char *line,
			    unsigned int number)
{
	struct cpio_entry entry;
	const char *why;

	if (line[0] == '#' || !line[strspn(line, " \t")])
		return STATUS_GOOD;
	why = cpio_parse(&entry, line);
	if (!why)
		why = check_place(archive, &entry);
	if (why) {
		warn("%s:%u: %s", archive->list, number, why);
		return STATUS_USAGE;
	}
	return put_entry(archive, &entry);
}

static enum status pack(struct archive *archive, FILE *list)
{
	static const struct cpio_entry trailer = { .name = CPIO_TRAILER };
	enum status status = STATUS_GOOD;
	unsigned int number = 0;
	size_t room = 0;
	char *line = NULL;
	ssize_t len;

	while (!status && (len = getline(&line, &room, list)) >= 0) {
		number++;
		if (strlen(line) != (size_t)len) {
			warn("%s:%u: a NUL byte", archive->list, number);
			status = STATUS_USAGE;
			break;
		}
		line[strcspn(line, "\n")] = '\0';
		status = put_line(archive, line, number);
	}
	if (!status && ferror(list)) {
		warn("read %s: it cannot be read", archive->list);
		status = STATUS_USAGE;
	}
	put_header(archive, &trailer, 0, 0);
	pad(archive, BLOCK_SIZE);
	free(line);
	tdestroy(archive->seen, free_seen);
	return status;
}

static enum status pack_to(const char *list_path, const char *out_path)
{
	struct archive archive = { .list = list_path };
	char *temp = xprintf("%s.%ld.tmp", out_path, (long)getpid());
	FILE *list = fopen(list_path, "re");
	enum status status;

	if (!list)
		die_errno(STATUS_USAGE, "read %s", list_path);
	archive.out = fopen(temp, "wxe");
	if (!archive.out)
		die_errno(STATUS_HOST, "write %s", temp);

	status = pack(&archive, list);
	fclose(list);
	if ((ferror(archive.out) | fclose(archive.out)) && !status) {
		warn_errno("write %s", temp);
		status = STATUS_HOST;
	}
	if (!status && rename(temp, out_path) < 0) {
		warn_errno("rename %s to %s", temp, out_path);
		status = STATUS_HOST;
	}
	if (status)
		unlink(temp); /* what is left over is only litter */
	free(temp);
	return status;
}

static void usage(FILE *out)
{
	fprintf(out,
		"Usage: kverdict cpio LIST OUT\n\n"
		"Pack an uncompressed initramfs OUT, the same bytes for the\n"
		"same list and contents.  LIST has a line for each entry:\n\n"
		"  file NAME LOCATION MODE UID GID\n"
		"  dir NAME MODE UID GID\n"
		"  nod NAME MODE UID GID c|b MAJOR MINOR\n"
		"  slink NAME TARGET MODE UID GID\n");
}

int cpio_main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "--help")) {
		usage(stdout);
		return STATUS_GOOD;
	}
	if (argc != 3 || argv[1][0] == '-' || argv[2][0] == '-') {
		usage(stderr);
		return STATUS_USAGE;
	}
	return (int)pack_to(argv[1], argv[2]);
}
