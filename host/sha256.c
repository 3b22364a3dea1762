// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sha256.c - what sha256sum(1) says of a file
 */
#include "sha256.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture.h"

int sha256_fd(char sum[SHA256_SIZE], int fd)
{
	char *argv[] = { (char *)"sha256sum", NULL };
	char *text;
	int err;

	sum[0] = '\0';
	if (lseek(fd, 0, SEEK_SET) < 0)
		return -errno;
	err = capture(argv, fd, 256, &text);
	if (err)
		return err;
	if (strspn(text, "0123456789abcdef") != SHA256_SIZE - 1)
		err = -EPROTO;
	else
		memcpy(sum, text, SHA256_SIZE - 1);
	sum[err ? 0 : SHA256_SIZE - 1] = '\0';
	free(text);
	return err;
}

int sha256_file(char sum[SHA256_SIZE], const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), err;

	sum[0] = '\0';
	if (fd < 0)
		return -errno;
	err = sha256_fd(sum, fd);
	close(fd);
	return err;
}
