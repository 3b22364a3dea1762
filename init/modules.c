// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * modules.c - the kernel modules of the image
 *
 * Each is loaded by a child: a module that hangs or oopses takes the process
 * that loads it with it, and that must not be PID 1.
 */
#include "modules.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "child.h"
#include "console.h"
#include "file.h"
#include "oom.h"
#include "records.h"
#include "scenario.h"

#define FOLDER	  "/modules/"
#define TIMEOUT_S 30

/* What scripts/sign-file appends to a module: the signature, this, the mark. */
struct signature_info {
	uint8_t algo, hash, id_type, signer_len, key_id_len, pad[3];
	uint32_t signature_len; /* big-endian */
};

static const char signature_mark[] = "~Module signature appended~\n";

/**
 * unsigned_size() - how much of a module's file its signature follows
 * @image:	the file
 * @size:	bytes of @image
 * Return: bytes without the signature; @size if there is none.
 */
static size_t unsigned_size(const uint8_t *image, size_t size)
{
	struct signature_info info;
	size_t mark_len = sizeof(signature_mark) - 1;
	size_t tail = sizeof(info) + mark_len;

	if (size < tail ||
	    memcmp(image + size - mark_len, signature_mark, mark_len))
		return size;
	memcpy(&info, image + size - tail, sizeof(info));
	if (ntohl(info.signature_len) > size - tail)
		return size;
	return size - tail - ntohl(info.signature_len);
}

/* Return: 0 or an errno. */
static int init_module(const void *image, size_t size)
{
	return syscall(SYS_init_module, image, size, "") < 0 ? errno : 0;
}

/*
 * Without its signature first: checking those of ext4 and its like takes an
 * emulated CPU a second, and proves nothing about a file that we brought.  A
 * kernel that insists gets the whole file.
 *
 * Return: 0 or an errno, which is the exit status of the child.
 */
static int load_one(const void *arg)
{
	const char *path = arg;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat info;
	void *image;
	size_t size;
	int err;

	if (fd < 0 || fstat(fd, &info) < 0)
		return errno;
	size = (size_t)info.st_size;
	image = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (image == MAP_FAILED)
		return errno;

	err = init_module(image, unsigned_size(image, size));
	if (err && err != EEXIST)
		err = init_module(image, size);
	return err == EEXIST ? 0 : err;
}

static const char *reason(int result, bool oom)
{
	switch (result) {
	case -ETIMEDOUT:
		return "did not end in time";
	case -EINTR:
		return oom ? "the OOM killer ended it: give the guest more "
			     "memory with --mem"
			   : "the kernel killed the loading process";
	case ENOEXEC:
		return "it is for another kernel (Exec format error)";
	case ENOENT:
		return "it needs a symbol that this kernel lacks";
	case ENOKEY:
	case EKEYREJECTED:
	case EBADMSG:
		return "this kernel refuses its signature";
	default:
		return strerror(result < 0 ? -result : result);
	}
}

static void load(const char *name)
{
	uint64_t kills = oom_kills();
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

	why = reason(result, oom_kills() > kills);
	console_say("# load module %s: %s", name, why);
	records_note(NULL, "load module %s: %s", name, why);
}

/* A program of the user's may need any of them. */
static bool has_exec(const struct scenario *scenario)
{
	for (size_t i = 0; i < scenario->count; i++)
		if (scenario->steps[i].verb == VERB_EXEC)
			return true;
	return false;
}

static bool has_probe(const struct scenario *scenario, const char *name)
{
	for (size_t i = 0; i < scenario->count; i++)
		if (!strcmp(scenario->steps[i].probe, name))
			return true;
	return false;
}

/* Whether a line of the list, "FILE [PROBE...]", concerns this run. */
static bool is_needed(const struct scenario *scenario, char *probes)
{
	char *save, *name = strtok_r(probes, " ", &save);

	if (!scenario || !name || has_exec(scenario))
		return true;
	for (; name; name = strtok_r(NULL, " ", &save))
		if (has_probe(scenario, name))
			return true;
	return false;
}

void modules_load(const struct scenario *scenario)
{
	static char order[16384];
	char *save, *line;

	/* An image without modules is for a kernel that needs none. */
	if (file_read(FOLDER "order", order, sizeof(order)) < 0)
		return;
	for (line = strtok_r(order, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		char *probes = line + strcspn(line, " ");

		if (*probes)
			*probes++ = '\0';
		if (is_needed(scenario, probes))
			load(line);
	}
}
