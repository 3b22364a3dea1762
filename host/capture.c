// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * capture.c - what a program writes to its standard output
 */
#include "capture.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process.h"
#include "slurp.h"

#define TIMEOUT_MS 120000

/* Into a file and not a pipe: nobody has to read while it runs. */
static int run(char *const *argv, int in, int out)
{
	struct process_setup setup = {
		.argv = argv, .in = in, .out = out, .err = -1, .pass_fd = -1
	};
	int err, status;
	pid_t pid;

	err = process_start(&setup, &pid);
	if (err)
		return err;
	if (!process_wait(pid, TIMEOUT_MS, &status)) {
		process_end(pid, 0, &status);
		return -ETIMEDOUT;
	}
	return WIFEXITED(status) && !WEXITSTATUS(status) ? 0 : -ECHILD;
}

int capture(char *const *argv, int in, size_t max, char **text)
{
	int out = memfd_create("capture", MFD_CLOEXEC), err;
	size_t len;

	if (out < 0)
		return -errno;
	err = run(argv, in, out);
	if (!err)
		err = slurp_fd(out, max, text, &len);
	close(out);
	return err;
}
