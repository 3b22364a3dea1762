// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * procfile.c - one value in one file of /proc or /sys
 */
#include "procfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "parse.h"

/* Whole small files; they come in one read. */
static int read_text(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t len;
	int err = 0;

	if (fd < 0)
		return -errno;
	len = read(fd, text, size - 1);
	if (len < 0)
		err = -errno;
	else
		text[len] = '\0';
	close(fd);
	return err;
}

int procfile_read(const char *path, int64_t *value)
{
	char text[64];
	int err = read_text(path, text, sizeof(text));

	if (err)
		return err;
	text[strcspn(text, "\n")] = '\0';
	return parse_i64(value, text, INT64_MIN, INT64_MAX) ? 0 : -EINVAL;
}

int procfile_write(const char *path, int64_t value)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	int err = 0;

	if (fd < 0)
		return -errno;
	if (dprintf(fd, "%lld\n", (long long)value) < 0)
		err = -errno;
	close(fd);
	return err;
}

int procfile_swap(const char *path, int64_t value, int64_t *old)
{
	int64_t before;
	int err = procfile_read(path, &before);

	if (!err)
		err = procfile_write(path, value);
	if (!err)
		*old = before;
	return err;
}

int procfile_meminfo_kib(const char *key, uint64_t *kib)
{
	char text[4096];
	size_t len = strlen(key);
	int err = read_text("/proc/meminfo", text, sizeof(text));

	if (err)
		return err;
	for (char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (!strncmp(line, key, len) && line[len] == ':') {
			*kib = strtoull(line + len + 1, NULL, 10);
			return 0;
		}
	}
	return -ENOENT;
}
