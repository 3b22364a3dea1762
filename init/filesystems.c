// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * filesystems.c - the kernel's file systems and the device nodes
 */
#include "filesystems.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "file.h"
#include "parse.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

#define NAMESPACES_MIN	    100000
#define NAMESPACES_MIN_TEXT "100000"

static const struct {
	const char *target, *type, *data;
} mounts[] = {
	{ "/proc", "proc", NULL },
	{ "/sys", "sysfs", NULL },
	{ "/dev", "devtmpfs", "mode=0755" },
	{ "/dev/pts", "devpts", "mode=0620,ptmxmode=0666" },
	{ "/run", "tmpfs", "mode=0755" },
	{ "/tmp", "tmpfs", "mode=1777" },
	{ "/sys/kernel/debug", "debugfs", NULL },
	{ "/sys/kernel/tracing", "tracefs", NULL },
};

static const struct {
	const char *path;
	mode_t mode;
	unsigned int major, minor;
} nodes[] = {
	{ "/dev/null", 0666, 1, 3 },	   { "/dev/zero", 0666, 1, 5 },
	{ "/dev/random", 0666, 1, 8 },	   { "/dev/urandom", 0666, 1, 9 },
	{ "/dev/kmsg", 0600, 1, 11 },	   { "/dev/ttyS0", 0600, 4, 64 },
	{ "/dev/ttyS1", 0600, 4, 65 },	   { "/dev/tty", 0666, 5, 0 },
	{ "/dev/console", 0600, 5, 1 },	   { "/dev/ptmx", 0666, 5, 2 },
	{ "/dev/net/tun", 0666, 10, 200 },
};

void filesystems_mount(void)
{
	/* What exists is as good, and what cannot be mounted is missed by
	 * whoever needs it: the directory of the root file system stays.
	 */
	for (size_t i = 0; i < ARRAY_SIZE(mounts); i++) {
		mkdir(mounts[i].target, 0755);
		mount(mounts[i].type, mounts[i].target, mounts[i].type, 0,
		      mounts[i].data);
	}
	mkdir("/dev/net", 0755);
	for (size_t i = 0; i < ARRAY_SIZE(nodes); i++)
		mknod(nodes[i].path, S_IFCHR | nodes[i].mode,
		      makedev(nodes[i].major, nodes[i].minor));
}

static void raise_namespaces(void)
{
	static const char path[] = "/proc/sys/user/max_net_namespaces";
	uint64_t now;
	char text[32];

	if (file_read_line(path, text, sizeof(text)) &&
	    parse_u64(&now, text, 0, UINT64_MAX) && now < NAMESPACES_MIN)
		file_write(path, NAMESPACES_MIN_TEXT);
}

void settings_write(void)
{
	/* A kernel without one of these files has nothing to set. */
	file_write("/proc/self/oom_score_adj", "-1000");
	file_write("/proc/sys/kernel/randomize_va_space", "0");
	raise_namespaces();
}
