// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * netns.c - named network namespaces, and whether the dead ones are gone
 *
 * Destruction is asynchronous, and nothing shows its progress: /proc and
 * /sys have no list of namespaces, and the slab cache net_namespace frees a
 * round late (and merges with others).  But the kernel charges each
 * namespace to a per-user count that has a limit, from before its setup
 * (copy_net_ns(), inc_net_namespaces()) to the last step of its destruction
 * (cleanup_net(), dec_net_namespaces(), behind rcu_barrier()), and has done
 * so in every version since 4.9.  A request at the limit fails with ENOSPC
 * before anything else, so the limit is a probe for the count.
 */
#include "netns.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include "procfile.h"

#define LIMIT_FILE "/proc/sys/user/max_net_namespaces"

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

int netns_limit_swap(unsigned int limit, int64_t *old)
{
	int64_t before;

	return procfile_swap(LIMIT_FILE, limit, old ? old : &before);
}

int netns_try(unsigned int count)
{
	int err = procfile_write(LIMIT_FILE, count);

	if (err)
		return err;
	if (unshare(CLONE_NEWNET) == 0)
		return 0;
	return errno == ENOSPC ? 1 : -errno;
}
