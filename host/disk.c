// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * disk.c - the file on a results disk, read without mounting it
 *
 * A file system from a broken kernel is not for the host's kernel to parse,
 * and mounting needs root.  debugfs is a process that may fail.  Its output
 * goes to files in memory, so nothing is left behind, however this ends.
 */
#include "disk.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "die.h"
#include "process.h"
#include "record.h"
#include "slurp.h"
#include "units.h"

#define STAT_MAX (1u << 20) /* bytes that `stat` may print */

/* debugfs, on its way to answer one request. */
struct request {
	const char *program, *text;
	int image;  /* becomes its standard input, which it opens by name */
	int out;    /* its standard output */
	int target; /* becomes descriptor 3, or -1 */
	int deadline_ms;
};

/* The first of the usual places that has it; a user's PATH may lack sbin. */
static const char *find_debugfs(void)
{
	static const char *const usual[] = { "/usr/sbin/debugfs",
					     "/sbin/debugfs", NULL };
	const char *chosen = getenv("DEBUGFS");

	if (chosen && chosen[0])
		return chosen;
	for (size_t i = 0; usual[i]; i++)
		if (access(usual[i], X_OK) == 0)
			return usual[i];
	return "debugfs";
}

/* What debugfs complained of, without its banner; NULL if of nothing. */
static char *complaint(int fd)
{
	char text[512], *line;

	process_tail(fd, text, sizeof(text));
	text_clean(text);
	line = strchr(text, ')');
	if (!strncmp(text, "debugfs ", 8) && line)
		memmove(text, line + 1, strlen(line + 1) + 1);
	line = text + strspn(text, " ?");
	return *line ? xprintf("%s", line) : NULL;
}

static char *wait_fault(pid_t pid, int deadline_ms, int complaints)
{
	int status;

	if (!process_wait(pid, deadline_ms, &status)) {
		process_end(pid, 0, &status);
		return xprintf("debugfs did not end within %d s",
			       (deadline_ms + 999) / 1000);
	}
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXFSZ)
		return xprintf("%s on it has more than %u MiB", RESULTS_FILE,
			       RECORD_STREAM_MAX >> 20);
	if (WIFSIGNALED(status))
		return xprintf("debugfs was ended by signal %d",
			       WTERMSIG(status));
	if (WEXITSTATUS(status))
		return xprintf("debugfs ended with status %d",
			       WEXITSTATUS(status));
	return complaint(complaints);
}

/* Start it with the limits on; ours are only borrowed for the fork. */
static int start_limited(const struct process_setup *setup, pid_t *pid)
{
	struct rlimit size, core, low;
	int err;

	if (getrlimit(RLIMIT_FSIZE, &size) < 0 ||
	    getrlimit(RLIMIT_CORE, &core) < 0)
		return -errno;
	low = size;
	if (low.rlim_cur > RECORD_STREAM_MAX)
		low.rlim_cur = RECORD_STREAM_MAX;
	setrlimit(RLIMIT_FSIZE, &low); /* lowering always works */
	low = core;
	low.rlim_cur = 0; /* SIGXFSZ would leave a core file */
	setrlimit(RLIMIT_CORE, &low);
	err = process_start(setup, pid);
	setrlimit(RLIMIT_FSIZE, &size);
	setrlimit(RLIMIT_CORE, &core);
	return err;
}

/**
 * ask() - let debugfs answer one request
 * @r:		the request
 * Return: NULL, or what went wrong; debugfs ends with 0 either way, so what
 *	   it says on standard error counts.
 */
static char *ask(const struct request *r)
{
	/* -c reads no bitmaps: a torn file system may still have the file. */
	char *const argv[] = { (char *)r->program,
			       (char *)"-c",
			       (char *)"-R",
			       (char *)r->text,
			       (char *)"/proc/self/fd/0",
			       NULL };
	struct process_setup setup = {
		.argv = argv,
		.in = r->image,
		.out = r->out,
		.pass_fd = r->target,
		.own_group = true,
	};
	char *fault;
	pid_t pid;
	int err;

	setup.err = memfd_create("complaints", MFD_CLOEXEC);
	if (setup.err < 0)
		return xprintf("no file in memory: %s", strerror(errno));
	err = start_limited(&setup, &pid);
	if (err)
		fault = xprintf("%s cannot be started: %s; it belongs to the "
				"package e2fsprogs",
				r->program, strerror(-err));
	else
		fault = wait_fault(pid, r->deadline_ms, setup.err);
	close(setup.err);
	return fault;
}

/* A link, a folder or a device of that name is not followed, but refused. */
static char *type_fault(struct request *r)
{
	char *text, *line_end, *fault;
	size_t len;

	r->text = "stat /" RESULTS_FILE;
	fault = ask(r);
	if (fault)
		return fault;
	if (slurp_fd(r->out, STAT_MAX, &text, &len))
		return xprintf("debugfs said too much about " RESULTS_FILE);

	line_end = strchr(text, '\n');
	if (line_end)
		*line_end = '\0';
	if (!strstr(text, "Type: regular"))
		fault = xprintf(RESULTS_FILE " on it is not a regular file");
	free(text);
	return fault;
}

static char *read_open(int image, int deadline_ms, char **bytes, size_t *len)
{
	struct request r = {
		.program = find_debugfs(),
		.image = image,
		.out = memfd_create("stat", MFD_CLOEXEC),
		.target = -1,
		.deadline_ms = deadline_ms,
	};
	int dump = memfd_create(RESULTS_FILE, MFD_CLOEXEC), err;
	char *fault = NULL;

	if (r.out < 0 || dump < 0)
		fault = xprintf("no file in memory: %s", strerror(errno));
	if (!fault)
		fault = type_fault(&r);
	if (!fault) {
		r.text = "dump /" RESULTS_FILE " /proc/self/fd/3";
		r.target = dump;
		fault = ask(&r);
	}
	if (!fault) {
		err = slurp_fd(dump, RECORD_STREAM_MAX, bytes, len);
		if (err)
			fault = xprintf(RESULTS_FILE " on it %s",
					slurp_reason(err));
	}
	close(r.out);
	close(dump);
	return fault;
}

char *disk_read(const char *image, int deadline_ms, char **bytes, size_t *len)
{
	int fd = open(image, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat file;
	char *fault;

	if (fd < 0)
		return xprintf("%s", slurp_reason(-errno));
	if (fstat(fd, &file) < 0 || !S_ISREG(file.st_mode))
		fault = xprintf("is not a regular file");
	else
		fault = read_open(fd, deadline_ms, bytes, len);
	close(fd);
	return fault;
}
