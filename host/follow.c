// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * follow.c - the lines of a file that is still being written
 *
 * QEMU writes both serial ports to plain files because a file never blocks: a
 * pipe with a slow reader would stop the guest, and change what it measures.
 * So the reader comes by from time to time and looks for more.
 */
#include "follow.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define READ_MAX (4u << 20)

static int begin(struct follow *f, int fd)
{
	memset(f, 0, sizeof(*f));
	f->fd = fd;
	return fd < 0 ? -errno : 0;
}

int follow_create(struct follow *f, int dir_fd, const char *name)
{
	return begin(f, openat(dir_fd, name,
			       O_RDONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
}

int follow_open(struct follow *f, int dir_fd, const char *name)
{
	return begin(f,
		     openat(dir_fd, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
}

static void hand_out(struct follow *f, follow_fn *fn, void *context)
{
	f->line[f->len] = '\0';
	fn(context, f->line, f->len);
	f->len = 0;
}

static void split(struct follow *f, const char *bytes, size_t count,
		  follow_fn *fn, void *context)
{
	while (count > 0) {
		const char *lf = memchr(bytes, '\n', count);
		size_t part = lf ? (size_t)(lf - bytes) : count;
		size_t room = FOLLOW_LINE_MAX - f->len;

		if (part > room) {
			part = room;
			lf = NULL;
		}
		memcpy(f->line + f->len, bytes, part);
		f->len += part;
		if (lf || f->len == FOLLOW_LINE_MAX)
			hand_out(f, fn, context);
		if (lf)
			part++;
		bytes += part;
		count -= part;
	}
}

int64_t follow_lines(struct follow *f, follow_fn *fn, void *context)
{
	char bytes[65536];
	int64_t total = 0;

	while (total < READ_MAX) {
		ssize_t len = read(f->fd, bytes, sizeof(bytes));

		if (len < 0 && errno == EINTR)
			continue;
		if (len < 0)
			return -errno;
		if (len == 0)
			break;
		total += len;
		split(f, bytes, (size_t)len, fn, context);
	}
	f->bytes += (uint64_t)total;
	return total;
}

void follow_close(struct follow *f, follow_fn *fn, void *context)
{
	if (f->fd < 0)
		return;
	if (f->len > 0 && fn)
		hand_out(f, fn, context);
	close(f->fd);
	f->fd = -1;
}
