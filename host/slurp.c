// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * slurp.c - whole files, of which nothing is trusted but that they are files;
 * and how to write one
 */
#include "slurp.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "die.h"

static int read_whole(int fd, char *bytes, size_t size, size_t *len)
{
	size_t done = 0;

	while (done < size) {
		ssize_t got = pread(fd, bytes + done, size - done, (off_t)done);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		if (got == 0)
			break;
		done += (size_t)got;
	}
	*len = done;
	return 0;
}

int slurp_fd(int fd, size_t max, char **bytes, size_t *len)
{
	struct stat file;
	char *memory;
	size_t size, got = 0;
	int err;

	if (fstat(fd, &file) < 0)
		return -errno;
	if (!S_ISREG(file.st_mode))
		return S_ISDIR(file.st_mode) ? -EISDIR : -EINVAL;
	if (file.st_size < 0 || (uintmax_t)file.st_size > max)
		return -EFBIG;

	size = (size_t)file.st_size;
	memory = xalloc(size + 1, 1);
	err = read_whole(fd, memory, size, &got);
	if (err) {
		free(memory);
		return err;
	}
	*bytes = memory;
	*len = got;
	return 0;
}

int slurp(const char *path, size_t max, char **bytes, size_t *len)
{
	/* O_NONBLOCK: opening a FIFO must not wait for its writer. */
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	int err;

	if (fd < 0)
		return -errno;
	err = slurp_fd(fd, max, bytes, len);
	close(fd);
	return err;
}

const char *slurp_reason(int err)
{
	switch (-err) {
	case ELOOP:
		return "is a link, and links are not followed here";
	case EINVAL:
		return "is not a regular file";
	case EISDIR:
		return "is a folder";
	case EFBIG:
		return "is too large";
	default:
		return strerror(-err);
	}
}

bool write_all(int fd, const void *bytes, size_t len)
{
	const char *at = bytes;

	while (len > 0) {
		ssize_t done = write(fd, at, len);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return false;
		at += done;
		len -= (size_t)done;
	}
	return true;
}
