// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * payload.c - the vmlinux inside a bzImage
 *
 * Unpacking under emulation takes seconds of each boot (6.0 s against 2.3 s
 * to /init with Debian's XZ-packed 6.1), on the host a fraction of one, once.
 * The unpacking itself is left to the programs that everyone has.
 */
#include "payload.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "die.h"
#include "elf.h"
#include "process.h"
#include "slurp.h"

#define KERNEL_SIZE_MAX (1u << 30) /* of what is unpacked, bytes */
#define FORMAT_WORDS	6u	   /* of a command, with the NULL */
#define TIMEOUT_MS	120000	   /* xz takes 1 s, lzma and bzip2 some more */
#define SIZE_FIELD	4u	   /* the unpacked size, behind the payload */

static const struct format {
	const char *magic;
	size_t magic_len;
	bool own_size; /* the size field is part of the format itself */
	const char *argv[FORMAT_WORDS]; /* ends with NULL */
} formats[] = {
	{ "\x1f\x8b", 2, true, { "gzip", "-dc" } },
	{ "\xfd"
	  "7zXZ",
	  6,
	  false,
	  { "xz", "-dc", "-M", "1GiB" } },
	{ "\x5d\0\0", 3, false, { "xz", "-dc", "-M", "1GiB", "-Flzma" } },
	{ "\x02\x21\x4c\x18", 4, false, { "lz4", "-dc" } },
	{ "\x04\x22\x4d\x18", 4, false, { "lz4", "-dc" } },
	{ "\x28\xb5\x2f\xfd", 4, false, { "zstd", "-dcq" } },
	{ "BZh", 3, false, { "bzip2", "-dc" } },
	{ "\x89LZO", 4, false, { "lzop", "-dc" } },
};

static uint32_t le32(const uint8_t *bytes)
{
	return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 |
	       (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static const struct format *find_format(const struct payload *payload)
{
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		if (payload->size > formats[i].magic_len + SIZE_FIELD &&
		    !memcmp(payload->bytes, formats[i].magic,
			    formats[i].magic_len))
			return &formats[i];
	return NULL;
}

/* A file and not a pipe: the child then needs nobody to feed it. */
static int make_input(const struct payload *payload,
		      const struct format *format)
{
	size_t size = payload->size - (format->own_size ? 0 : SIZE_FIELD);
	int fd = memfd_create("payload", MFD_CLOEXEC);

	if (fd >= 0 && (!write_all(fd, payload->bytes, size) ||
			lseek(fd, 0, SEEK_SET) < 0)) {
		close(fd);
		return -1;
	}
	return fd;
}

/* Run the program; the kernel ends it if it writes more than @size bytes. */
static char *run(const struct format *format, int in, int out, uint32_t size,
		 bool *damaged)
{
	char *argv[FORMAT_WORDS];
	struct process_setup setup = { .argv = argv,
				       .in = in,
				       .out = out,
				       .err = -1,
				       .pass_fd = -1,
				       .own_group = true };
	const char *name = format->argv[0];
	struct rlimit old, limit;
	int err, status;
	pid_t pid;

	for (size_t i = 0; i < FORMAT_WORDS; i++)
		argv[i] = (char *)(uintptr_t)format->argv[i];
	if (getrlimit(RLIMIT_FSIZE, &old) < 0)
		return xprintf("getrlimit: %s", strerror(errno));
	limit = old;
	if (limit.rlim_cur > size)
		limit.rlim_cur = size;
	setrlimit(RLIMIT_FSIZE, &limit); /* lowers it: cannot fail */
	err = process_start(&setup, &pid);
	setrlimit(RLIMIT_FSIZE, &old); /* back up to the same hard limit */

	if (err == -ENOENT)
		return xprintf("%s is not installed", name);
	if (err)
		return xprintf("start %s: %s", name, strerror(-err));
	if (!process_wait(pid, TIMEOUT_MS, &status)) {
		process_end(pid, 0, &status);
		return xprintf("%s did not end in time", name);
	}
	if (WIFSIGNALED(status) && WTERMSIG(status) != SIGXFSZ)
		return xprintf("%s was ended by signal %d", name,
			       WTERMSIG(status));
	*damaged = WIFSIGNALED(status) || WEXITSTATUS(status);
	if (WIFSIGNALED(status))
		return xprintf("it unpacks to more than it claims");
	if (WEXITSTATUS(status))
		return xprintf("%s ended with status %d", name,
			       WEXITSTATUS(status));
	return NULL;
}

static char *check_kernel(int fd, uint32_t size, bool *damaged)
{
	struct elf_info elf;
	struct stat stat;
	uint8_t *bytes;
	char *why = NULL;

	if (fstat(fd, &stat) < 0 || stat.st_size != size) {
		*damaged = true;
		return xprintf("what it unpacks to has another size");
	}
	bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (bytes == MAP_FAILED)
		return xprintf("map %u bytes: %s", size, strerror(errno));
	if (!elf_parse(&elf, bytes, size) || !elf.bits64 || !elf.little ||
	    elf.machine != EM_X86_64 || elf.end > size)
		why = xprintf("what it unpacks to is no x86-64 ELF file");
	else if (!elf.pvh)
		why = xprintf("it has no PVH entry point (CONFIG_PVH)");
	munmap(bytes, size);
	return why;
}

static char *unpack_to(const struct payload *payload,
		       const struct format *format, int out, bool *damaged)
{
	uint32_t size = le32(payload->bytes + payload->size - SIZE_FIELD);
	char *why;
	int in;

	if (size == 0 || size > KERNEL_SIZE_MAX)
		return xprintf("it claims to unpack to %u bytes", size);
	/* Else a full disk would look like a damaged kernel. */
	if (fallocate(out, FALLOC_FL_KEEP_SIZE, 0, size) < 0 &&
	    errno != EOPNOTSUPP && errno != ENOSYS)
		return xprintf("reserve %u bytes: %s", size, strerror(errno));
	in = make_input(payload, format);
	if (in < 0)
		return xprintf("copy the payload: %s", strerror(errno));
	why = run(format, in, out, size, damaged);
	close(in);
	return why ? why : check_kernel(out, size, damaged);
}

char *payload_unpack(const struct payload *payload, const char *path,
		     bool *damaged)
{
	const struct format *format = find_format(payload);
	char *temp, *why;
	int out;

	*damaged = false;
	if (!format)
		return xprintf("its payload is in no known format");
	temp = xprintf("%s.%ld.tmp", path, (long)getpid());
	out = open(temp, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (out < 0)
		die_errno(STATUS_HOST, "write %s", temp);
	why = unpack_to(payload, format, out, damaged);
	close(out);
	if (why)
		unlink(temp); /* what is left over is only litter */
	else if (rename(temp, path) < 0)
		die_errno(STATUS_HOST, "rename %s to %s", temp, path);
	free(temp);
	return why;
}
