// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * bundle_write.c - make the archive of `kverdict export`
 */
#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bundle_parts.h"
#include "die.h"

/* Half the time of the next level, for some per cent of the size. */
#define LEVEL "9"

static char *fault(struct archive *a, const char *name)
{
	const char *text = archive_error_string(a);

	return xprintf("write %s: %s", name, text ? text : "unknown error");
}

static bool begin(struct archive *a, const char *name, int64_t size)
{
	struct archive_entry *entry = archive_entry_new();
	bool good;

	/* Nothing of the host: no owner, no time. */
	archive_entry_set_pathname(entry, name);
	archive_entry_set_size(entry, size);
	archive_entry_set_filetype(entry, AE_IFREG);
	archive_entry_set_perm(entry, 0644);
	archive_entry_set_mtime(entry, 0, 0);
	good = archive_write_header(a, entry) == ARCHIVE_OK;
	archive_entry_free(entry);
	return good;
}

static char *put_text(struct archive *a, const char *name, const char *text)
{
	size_t len = strlen(text);

	if (!begin(a, name, (int64_t)len) ||
	    archive_write_data(a, text, len) != (la_ssize_t)len)
		return fault(a, name);
	return NULL;
}

static char *put_bytes(struct archive *a, const char *name, int fd)
{
	char buffer[65536];
	ssize_t got;

	while ((got = read(fd, buffer, sizeof(buffer))) > 0)
		if (archive_write_data(a, buffer, (size_t)got) != got)
			return fault(a, name);
	return got < 0 ? xprintf("read %s: %s", name, strerror(errno)) : NULL;
}

static char *put_file(struct archive *a, const struct bundle_rule *rule,
		      const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat file;
	char *why = NULL;

	if (fd < 0)
		return xprintf("read %s: %s", path, strerror(errno));
	if (fstat(fd, &file) < 0 || !S_ISREG(file.st_mode) ||
	    (uint64_t)file.st_size > rule->max)
		why = xprintf("%s is no file of at most %llu bytes", path,
			      (unsigned long long)rule->max);
	else if (!begin(a, rule->name, file.st_size))
		why = fault(a, rule->name);
	if (!why)
		why = put_bytes(a, rule->name, fd);
	close(fd);
	return why;
}

static char *put_all(struct archive *a, const char *const *sources,
		     const char *manifest)
{
	char *why = put_text(a, bundle_rules[BUNDLE_MANIFEST].name, manifest);

	for (int i = BUNDLE_MANIFEST + 1; i < BUNDLE_PARTS && !why; i++)
		if (sources[i])
			why = put_file(a, &bundle_rules[i], sources[i]);
	return why;
}

char *bundle_write(const char *path, const char *const sources[BUNDLE_PARTS],
		   const char *manifest)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	struct archive *a;
	char *why;

	if (fd < 0)
		return xprintf("%s", strerror(errno));
	a = archive_write_new();
	archive_write_set_format_ustar(a);
	archive_write_add_filter_zstd(a);
	archive_write_set_filter_option(a, "zstd", "compression-level", LEVEL);
	if (archive_write_open_fd(a, fd) != ARCHIVE_OK)
		why = fault(a, path);
	else
		why = put_all(a, sources, manifest);
	if (archive_write_close(a) != ARCHIVE_OK && !why)
		why = fault(a, path);
	archive_write_free(a);
	if (close(fd) < 0 && !why)
		why = xprintf("%s", strerror(errno));
	if (why)
		unlink(path);
	return why;
}
