// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * qemu_disk.c - the results disk of one boot
 *
 * The file system is made once, by mkimage.sh; a boot gets a copy of the few
 * blocks in it, which takes no time while the guest waits for its disk.
 */
#include "qemu_disk.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static int copy_range(int from, int to, off_t at, off_t end)
{
	off_t out = at;

	while (at < end) {
		char bytes[65536];
		size_t want = end - at < (off_t)sizeof(bytes)
				      ? (size_t)(end - at)
				      : sizeof(bytes);
		ssize_t len = pread(from, bytes, want, at);

		if (len <= 0)
			return len < 0 ? -errno : -EIO;
		if (pwrite(to, bytes, (size_t)len, out) != len)
			return errno ? -errno : -ENOSPC;
		at += len;
		out += len;
	}
	return 0;
}

static int copy_data(int from, int to)
{
	struct stat st;
	off_t at = 0, end;

	if (fstat(from, &st) < 0 || ftruncate(to, st.st_size) < 0)
		return -errno;
	for (;;) {
		int err;

		at = lseek(from, at, SEEK_DATA);
		if (at < 0)
			return errno == ENXIO ? 0 : -errno;
		end = lseek(from, at, SEEK_HOLE);
		if (end < 0)
			return -errno;
		errno = 0;
		err = copy_range(from, to, at, end);
		if (err)
			return err;
		at = end;
	}
}

int qemu_disk_copy(const char *template, int dir_fd, const char *name)
{
	int from = open(template, O_RDONLY | O_CLOEXEC), to, err;

	if (from < 0)
		return -errno;
	to = openat(dir_fd, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
		    0666);
	if (to < 0) {
		err = -errno;
		close(from);
		return err;
	}
	err = copy_data(from, to);
	close(from);
	if (close(to) < 0 && !err)
		err = -errno;
	if (err)
		unlinkat(dir_fd, name, 0);
	return err;
}
