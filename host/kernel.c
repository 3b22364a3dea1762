// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kernel.c - `kverdict kernel`: name a kernel file, take the vmlinux out
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "commands.h"
#include "die.h"
#include "identify.h"
#include "payload.h"

struct file {
	const uint8_t *bytes;
	size_t size;
};

static void usage(FILE *out)
{
	fprintf(out,
		"Usage: kverdict kernel FILE [--vmlinux OUT]\n\n"
		"Say what FILE is, as KEY=VALUE lines: type (bzImage or\n"
		"vmlinux), release (or unknown), boot (how QEMU starts it: "
		"pvh\n"
		"or bzimage) and reason (why not pvh).  What cannot be booted\n"
		"is named on stderr, and the status is 129.\n\n"
		"  --vmlinux OUT  take the ELF kernel out of a bzImage, which\n"
		"                 boots without unpacking; without boot=pvh "
		"OUT\n"
		"                 is not written, nor for a FILE that is "
		"one\n");
}

static noreturn void cannot_read(const char *path)
{
	if (errno == EACCES)
		die(STATUS_USAGE,
		    "read %s: permission denied: make it readable with "
		    "`sudo chmod a+r '%s'`, or a copy with "
		    "`sudo install -o $USER -m 644 '%s' .`",
		    path, path, path);
	die_errno(STATUS_USAGE, "read %s", path);
}

static struct file map_file(const char *path)
{
	struct file file;
	struct stat stat;
	void *bytes;
	/* Not blocking, lest a FIFO without a writer hangs the open. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0 || fstat(fd, &stat) < 0)
		cannot_read(path);
	if (S_ISDIR(stat.st_mode))
		die(STATUS_USAGE,
		    "boot %s: it is a directory: give the kernel in it "
		    "(arch/x86/boot/bzImage, boot/vmlinuz-*)",
		    path);
	if (!S_ISREG(stat.st_mode))
		die(STATUS_USAGE, "boot %s: it is not a regular file", path);
	file.size = (size_t)stat.st_size;
	if (file.size == 0)
		die(STATUS_USAGE,
		    "boot %s: it is empty: copy or build it again", path);
	bytes = mmap(NULL, file.size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (bytes == MAP_FAILED)
		die_errno(STATUS_HOST, "map %s", path);
	close(fd);
	file.bytes = bytes;
	return file;
}

/* Return: why there is no vmlinux in @out, on the heap, or NULL. */
static char *take_out(const struct bzimage *image, const struct file *file,
		      const char *out, bool *damaged)
{
	struct payload payload = {
		.bytes = file->bytes + image->payload,
		.size = (size_t)image->payload_size,
	};

	if (!image->payload)
		return xprintf("boot protocol %d.%02d does not say where the "
			       "payload is, or it is damaged",
			       image->protocol >> 8, image->protocol & 0xff);
	return payload_unpack(&payload, out, damaged);
}

static void print_info(const struct kernel_info *info, const struct file *file,
		       const char *path, const char *out)
{
	const char *release = info->release[0] ? info->release : "unknown";
	bool vmlinux = info->type == KERNEL_VMLINUX;
	bool damaged = false;
	char *why = NULL;

	if (!vmlinux && out)
		why = take_out(&info->image, file, out, &damaged);
	if (damaged)
		die(STATUS_USAGE,
		    "boot %s: the kernel packed in it is damaged (%s): copy "
		    "or build it again",
		    path, why);
	printf("type=%s\nrelease=%s\n", vmlinux ? "vmlinux" : "bzImage",
	       release);
	if (vmlinux || (out && !why))
		printf("boot=pvh\n");
	else
		printf("boot=bzimage\nreason=%s\n",
		       why ? why : "the vmlinux was not asked for");
	free(why);
}

int kernel_main(int argc, char **argv)
{
	const char *out = NULL;
	struct kernel_info info;
	struct file file;

	if (argc == 2 && !strcmp(argv[1], "--help")) {
		usage(stdout);
		return STATUS_GOOD;
	}
	if (argc == 4 && !strcmp(argv[2], "--vmlinux"))
		out = argv[3];
	if ((argc != 2 && !out) || argv[1][0] == '-') {
		usage(stderr);
		return STATUS_USAGE;
	}
	file = map_file(argv[1]);
	kernel_identify(&info, file.bytes, file.size);
	if (info.type == KERNEL_NONE)
		die(STATUS_USAGE, "boot %s: it is %s", argv[1], info.problem);
	print_info(&info, &file, argv[1], out);
	if (fflush(stdout) == EOF)
		die_errno(STATUS_HOST, "write to standard output");
	return STATUS_GOOD;
}
