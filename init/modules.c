// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * modules.c - the kernel modules of the image
 *
 * Each is loaded by a child: a module that hangs or oopses takes the process
 * that loads it with it, and that must not be PID 1.
 */
#include "modules.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "child.h"
#include "console.h"
#include "file.h"
#include "records.h"

#define FOLDER	  "/modules/"
#define TIMEOUT_S 30

/* The way of a kernel without finit_module(). Return: 0 or an errno. */
static int init_module_from(int fd)
{
	struct stat info;
	void *image;

	if (fstat(fd, &info) < 0)
		return errno;
	image = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (image == MAP_FAILED)
		return errno;
	if (syscall(SYS_init_module, image, (size_t)info.st_size, "") < 0)
		return errno;
	return 0;
}

/* Return: 0 or an errno, which is the exit status of the child. */
static int load_one(const void *arg)
{
	const char *path = arg;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int err = 0;

	if (fd < 0)
		return errno;
	if (syscall(SYS_finit_module, fd, "", 0) < 0)
		err = errno;
	if (err == ENOSYS)
		err = init_module_from(fd);
	return err == EEXIST ? 0 : err;
}

static void load(const char *name)
{
	char path[256];
	const char *why;
	int result;

	if ((size_t)snprintf(path, sizeof(path), FOLDER "%s", name) >=
	    sizeof(path))
		result = ENAMETOOLONG;
	else
		result = child_call(load_one, path, TIMEOUT_S);
	if (!result)
		return;

	if (result == -ETIMEDOUT)
		why = "did not end in time";
	else if (result == -EINTR)
		why = "the kernel killed the loading process";
	else
		why = strerror(result < 0 ? -result : result);
	console_say("# load module %s: %s", name, why);
	records_note(NULL, "load module %s: %s", name, why);
}

void modules_load(void)
{
	static char order[16384];
	char *save, *name;

	/* An image without modules is for a kernel that needs none. */
	if (file_read(FOLDER "order", order, sizeof(order)) < 0)
		return;
	for (name = strtok_r(order, "\n", &save); name;
	     name = strtok_r(NULL, "\n", &save))
		load(name);
}
