// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * file.c - small files of the kernel, and descriptors out of the way
 */
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define FIRST_FD 10 /* above everything that a child is given */

ssize_t file_read(const char *path, char *text, size_t size)
{
	size_t used = 0;
	ssize_t got = 0;
	int fd;

	text[0] = '\0';
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;

	while (used + 1 < size) {
		got = read(fd, text + used, size - 1 - used);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		used += (size_t)got;
	}
	if (got < 0) {
		got = -errno;
		used = 0;
	}
	text[used] = '\0';
	close(fd);
	return got < 0 ? got : (ssize_t)used;
}

bool file_read_line(const char *path, char *text, size_t size)
{
	size_t len;

	if (file_read(path, text, size) < 0)
		return false;
	len = strcspn(text, "\n");
	while (len > 0 && (text[len - 1] == ' ' || text[len - 1] == '\t'))
		len--;
	text[len] = '\0';
	return true;
}

int file_write(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	int err = 0;

	if (fd < 0)
		return -errno;
	if (write(fd, text, strlen(text)) < 0)
		err = -errno;
	close(fd);
	return err;
}

int file_raise_fd(int fd)
{
	int raised;

	if (fd < 0)
		return -1;
	raised = fcntl(fd, F_DUPFD_CLOEXEC, FIRST_FD);
	close(fd);
	return raised;
}
