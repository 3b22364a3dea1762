// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * disk.c - the results disk, which comes after the last step
 *
 * A disk that is there from the boot disturbs: its interrupts come at moments
 * that the host decides.  Here nothing is measured any more.
 */
#include "disk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "child.h"
#include "clock.h"
#include "console.h"
#include "file.h"
#include "parse.h"
#include "record.h"
#include "results.h"

#define BLOCK	    "/sys/block"
#define RESCAN	    "/sys/bus/pci/rescan"
#define HOST_BRIDGE "/sys/bus/pci/devices/0000:00:00.0"
#define NODE	    "/dev/" RESULTS_DISK_SERIAL
#define MOUNTPOINT  "/run/" RESULTS_DISK_SERIAL

#define PLUG_NS	  (20 * NS_PER_S)  /* how long the host may take to plug it */
#define PAUSE_NS  (20 * NS_PER_MS) /* between two looks */
#define TIMEOUT_S 120		   /* for all of it */

/* As getdents64(2) gives them; no UAPI header has it. */
struct linux_dirent64 {
	uint64_t d_ino;
	int64_t d_off;
	unsigned short d_reclen;
	unsigned char d_type;
	char d_name[];
};

static const char *const filesystems[] = { "ext2", "ext4" };

static bool has_filesystem(void)
{
	char known[4096];

	if (file_read("/proc/filesystems", known, sizeof(known)) < 0)
		return false;
	for (size_t i = 0; i < sizeof(filesystems) / sizeof(filesystems[0]);
	     i++) {
		char line[16];

		snprintf(line, sizeof(line), "\t%s\n", filesystems[i]);
		if (strstr(known, line))
			return true;
	}
	return false;
}

bool disk_possible(void)
{
	/* With pci=off the rest is there, and no bus to plug into. */
	return !access(RESCAN, W_OK) && !access(HOST_BRIDGE, F_OK) &&
	       !access("/sys/bus/pci/drivers/virtio-pci", F_OK) &&
	       !access("/sys/bus/virtio/drivers/virtio_blk", F_OK) &&
	       has_filesystem();
}

/* Return: whether @name is the disk; @dev is then its "MAJOR:MINOR". */
static bool is_disk(const char *name, char *dev, size_t size)
{
	char path[300], serial[32];

	snprintf(path, sizeof(path), BLOCK "/%s/serial", name);
	if (!file_read_line(path, serial, sizeof(serial)) ||
	    strcmp(serial, RESULTS_DISK_SERIAL) != 0)
		return false;
	snprintf(path, sizeof(path), BLOCK "/%s/dev", name);
	return file_read_line(path, dev, size);
}

/* Without readdir(), which would be all that links an allocator. */
static bool find_disk(char *dev, size_t size)
{
	_Alignas(8) char entries[2048];
	int fd = open(BLOCK, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool found = false;
	long len = 0;

	while (fd >= 0 && !found &&
	       (len = syscall(SYS_getdents64, fd, entries, sizeof(entries))) >
		       0)
		for (long at = 0; at < len && !found;) {
			const struct linux_dirent64 *entry =
				(const void *)(entries + at);

			found = is_disk(entry->d_name, dev, size);
			at += entry->d_reclen;
		}
	if (fd >= 0)
		close(fd);
	return found;
}

/* Not a sleep: an idle guest in virtual time would be through with all its
 * waiting before the host has moved.
 */
static void spin(uint64_t ns)
{
	uint64_t end_ns = clock_mono_ns() + ns;

	while (clock_mono_ns() < end_ns)
		;
}

static bool wait_disk(char *dev, size_t size)
{
	uint64_t deadline_ns = clock_mono_ns() + PLUG_NS;

	do {
		file_write(RESCAN, "1");
		if (find_disk(dev, size))
			return true;
		spin(PAUSE_NS);
	} while (clock_mono_ns() < deadline_ns);
	return false;
}

/* Cuts @dev, which is MAJOR:MINOR, in two. */
static bool parse_dev(dev_t *number, char *dev)
{
	uint64_t major, minor;
	char *colon = strchr(dev, ':');

	if (!colon)
		return false;
	*colon = '\0';
	if (!parse_u64(&major, dev, 0, UINT32_MAX) ||
	    !parse_u64(&minor, colon + 1, 0, UINT32_MAX))
		return false;
	*number = makedev(major, minor);
	return true;
}

/* Return: 0 or a negative errno. */
static int mount_disk(char *dev)
{
	dev_t number;
	int err = 0;

	if (!parse_dev(&number, dev))
		return -EINVAL;
	mkdir(MOUNTPOINT, 0700);
	if (mknod(NODE, S_IFBLK | 0600, number) < 0 && errno != EEXIST)
		return -errno;
	for (size_t i = 0; i < sizeof(filesystems) / sizeof(filesystems[0]);
	     i++) {
		if (!mount(NODE, MOUNTPOINT, filesystems[i], MS_NOATIME, NULL))
			return 0;
		err = -errno;
	}
	return err;
}

/* Return: 0 or a negative errno. */
static int write_stream(const char *path)
{
	size_t len;
	const char *bytes = results_stream(&len);
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	int err = 0;

	if (fd < 0)
		return -errno;
	while (len > 0 && !err) {
		ssize_t took = write(fd, bytes, len);

		if (took < 0) {
			err = -errno;
		} else {
			bytes += took;
			len -= (size_t)took;
		}
	}
	if (!err && fsync(fd) < 0)
		err = -errno;
	close(fd);
	return err;
}

static int work(const void *arg)
{
	char dev[32];
	int err;

	(void)arg;
	if (!wait_disk(dev, sizeof(dev))) {
		console_say("# results disk: none was plugged in");
		return 1;
	}
	err = mount_disk(dev);
	if (err) {
		console_say("# mount the results disk: %s", strerror(-err));
		return 1;
	}
	err = write_stream(MOUNTPOINT "/" RESULTS_FILE);
	if (umount(MOUNTPOINT) < 0 && !err)
		err = -errno;
	console_say("# results disk: %s", err ? strerror(-err) : "written");
	return err ? 1 : 0;
}

void disk_write_results(void)
{
	int result = child_call(work, NULL, TIMEOUT_S);

	if (result < 0)
		console_say("# write the results disk: %s", strerror(-result));
}
