// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * samples.c - the file behind descriptor 3, and the records it becomes
 *
 * A file in memory and not a pipe: nobody has to read while it is measured.
 */
#include "samples.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fd3.h"
#include "file.h"
#include "outcome.h"
#include "results.h"
#include "scenario.h"
#include "trace.h"

int samples_open(void)
{
	static const char *const paths[] = { "/run/descriptor-3",
					     "/descriptor-3" };
	int fd = -1;

	for (size_t i = 0; fd < 0 && i < sizeof(paths) / sizeof(paths[0]);
	     i++) {
		fd = file_raise_fd(open(paths[i],
					O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC,
					0600));
		if (fd >= 0)
			unlink(paths[i]);
	}
	return fd;
}

static bool sink(void *arg, const char *line, size_t len)
{
	(void)arg;
	return results_add(line, len);
}

/* Reads rather than maps the file: a process that could not be killed may
 * still cut it, and PID 1 must not fault.
 */
static size_t read_file(int fd, char *text, size_t size)
{
	size_t len = 0;

	while (len < size) {
		ssize_t got = pread(fd, text + len, size - len, (off_t)len);

		if (got <= 0)
			break;
		len += (size_t)got;
	}
	return len;
}

/* Return: NULL, or why records are missing. */
static const char *take(int fd, const struct fd3_step *step,
			struct statement *said)
{
	struct stat info;
	size_t size;
	char *text;
	bool whole;

	if (fstat(fd, &info) < 0)
		return strerror(errno);
	if (info.st_size <= 0)
		return NULL;
	/* A program may have lifted its limit. */
	if (info.st_size > (off_t)SAMPLES_BYTES_MAX)
		return "more than 16 MiB were written to descriptor 3";
	size = (size_t)info.st_size;
	text = mmap(NULL, size, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (text == MAP_FAILED)
		return strerror(errno);
	whole = fd3_parse(step, text, read_file(fd, text, size), said);
	munmap(text, size);
	return whole ? NULL : "the record stream is full";
}

const char *samples_take(int fd, const struct step *step, uint64_t begin_ns,
			 struct statement *said)
{
	char better[16], unit[16];
	const struct fd3_step from = {
		.step = step->name,
		.probe = step->probe,
		.begin_ns = begin_ns,
		.better = step_param(step, "better", better, sizeof(better)),
		.unit = step_param(step, "unit", unit, sizeof(unit)),
		.tracer = step->verb == VERB_PROBE &&
			  !strcmp(step->probe, TRACER),
		.sink = sink,
	};
	const char *missing;

	*said = (struct statement){ .result = RESULT_PASS };
	missing = take(fd, &from, said);
	close(fd);
	return missing;
}
