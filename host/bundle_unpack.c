// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * bundle_unpack.c - take the parts out of an archive that may be hostile
 *
 * Everything that is not asked for is a reason to stop: another name (and so
 * every path), a link, a device, a size beyond the limit, a part twice.
 */
#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bundle_parts.h"
#include "die.h"
#include "slurp.h"
#include "units.h"

#define BLOCK 65536u

/* Names come from the archive: they are made harmless, and cut. */
static char *entry_fault(const char *name, const char *what)
{
	char *text = xprintf("its entry '%.64s' %s", name ? name : "?", what);

	for (char *c = text; *c; c++)
		if ((unsigned char)*c >= 0x80)
			*c = '?';
	text_clean(text);
	return text;
}

static int find_part(const char *name)
{
	for (int i = 0; name && i < BUNDLE_PARTS; i++)
		if (!strcmp(name, bundle_rules[i].name))
			return i;
	return -1;
}

/* Return: the part that an entry is, or -1 and why it is none. */
static int check_entry(struct archive_entry *entry, const bool *had, char **why)
{
	const char *name = archive_entry_pathname(entry);
	int part = find_part(name);

	if (archive_entry_filetype(entry) != AE_IFREG ||
	    archive_entry_hardlink(entry) || archive_entry_symlink(entry))
		*why = entry_fault(name, "is no file, but a link, a folder or "
					 "a device");
	else if (part < 0)
		*why = entry_fault(name, "is no part of an export");
	else if (had[part])
		*why = entry_fault(name, "is there twice");
	else if (part != BUNDLE_MANIFEST && !had[BUNDLE_MANIFEST])
		*why = entry_fault(name, "stands before the manifest");
	else if (!archive_entry_size_is_set(entry) ||
		 archive_entry_size(entry) < 0 ||
		 (uint64_t)archive_entry_size(entry) > bundle_rules[part].max)
		*why = entry_fault(name, "is too large");
	return *why ? -1 : part;
}

/* Leaves holes where there are zeros: most of a results disk is. */
static bool put(int fd, const char *bytes, size_t len)
{
	static const char zeros[BLOCK];

	if (!memcmp(bytes, zeros, len))
		return lseek(fd, (off_t)len, SEEK_CUR) >= 0;
	return write_all(fd, bytes, len);
}

static char *take_bytes(struct archive *a, const char *name, int64_t size,
			int fd)
{
	char buffer[BLOCK];
	int64_t left = size;
	la_ssize_t got;

	while ((got = archive_read_data(a, buffer, sizeof(buffer))) > 0) {
		left -= got;
		if (left < 0)
			return entry_fault(name, "is longer than it says");
		if (!put(fd, buffer, (size_t)got))
			return xprintf("write %s: %s", name, strerror(errno));
	}
	if (got < 0 || left != 0)
		return entry_fault(name, "is damaged, or cut short");
	return ftruncate(fd, size) < 0
		       ? xprintf("write %s: %s", name, strerror(errno))
		       : NULL;
}

static char *take_entry(struct archive *a, struct archive_entry *entry,
			enum bundle_part part, const char *dir)
{
	const char *name = bundle_rules[part].name;
	char *path = xprintf("%s/%s", dir, name), *why;
	int fd =
		open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
		     0600);

	free(path);
	if (fd < 0)
		return xprintf("write %s: %s", name, strerror(errno));
	why = take_bytes(a, name, archive_entry_size(entry), fd);
	close(fd);
	return why;
}

static char *take_all(struct archive *a, const char *dir)
{
	bool had[BUNDLE_PARTS] = { false };
	struct archive_entry *entry;
	char *why = NULL;
	int result, part;

	while (!why &&
	       (result = archive_read_next_header(a, &entry)) == ARCHIVE_OK) {
		part = check_entry(entry, had, &why);
		if (part < 0)
			break;
		had[part] = true;
		why = take_entry(a, entry, (enum bundle_part)part, dir);
	}
	if (!why && result != ARCHIVE_EOF)
		why = xprintf("it is no export, or damaged");
	for (int i = 0; i < BUNDLE_PARTS && !why; i++)
		if (bundle_rules[i].needed && !had[i])
			why = xprintf("%s is missing in it",
				      bundle_rules[i].name);
	return why;
}

char *bundle_unpack(const char *path, const char *dir)
{
	struct archive *a = archive_read_new();
	char *why;

	/* These two and no other: each more is more that may go wrong. */
	archive_read_support_filter_zstd(a);
	archive_read_support_format_tar(a);
	if (archive_read_open_filename(a, path, BLOCK) != ARCHIVE_OK)
		why = xprintf("it is no export, or cannot be read");
	else
		why = take_all(a, dir);
	archive_read_free(a);
	return why;
}
