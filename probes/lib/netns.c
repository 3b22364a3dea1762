// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * netns.c - named network namespaces
 */
#include "netns.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

int netns_dir_make(const char *dir)
{
	if (unshare(CLONE_NEWNS) < 0)
		return -errno;
	if (mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
		return -errno;
	if (mount("names", dir, "tmpfs", 0, NULL) < 0 &&
	    mount("names", dir, "ramfs", 0, NULL) < 0)
		return -errno;
	return 0;
}

int netns_add(const char *path)
{
	int fd = open(path, O_RDONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0);

	if (fd < 0)
		return -errno;
	close(fd);
	if (unshare(CLONE_NEWNET) < 0)
		return -errno;
	if (mount("/proc/self/ns/net", path, "none", MS_BIND, NULL) < 0)
		return -errno;
	return 0;
}

int netns_delete(const char *path)
{
	if (umount2(path, MNT_DETACH) < 0)
		return -errno;
	return unlink(path) < 0 ? -errno : 0;
}

int netns_enter(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int err = 0;

	if (fd < 0)
		return -errno;
	if (setns(fd, CLONE_NEWNET) < 0)
		err = -errno;
	close(fd);
	return err;
}
