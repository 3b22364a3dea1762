// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * run_summary.c - summary.txt, and the same on standard output
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run.h"
#include "summary.h"

/* Return: 0, or a negative errno; a reader that has seen enough is none. */
static int show_file(FILE *file)
{
	char bytes[4096];
	size_t len;

	rewind(file);
	while ((len = fread(bytes, 1, sizeof(bytes), file)) > 0)
		fwrite(bytes, 1, len, stdout);
	if (fflush(stdout) != 0 && errno != EPIPE)
		return -errno;
	return 0;
}

int run_write_summary(const char *file, const char *const *dirs, size_t count,
		      bool show)
{
	FILE *out = fopen(file, "w+e");
	int err = 0;

	if (!out)
		return -errno;
	/* Its status is about the runs, of which the outcome says more. */
	summary_write(out, dirs, count, false);
	if (fflush(out) != 0)
		err = -errno;
	if (show)
		err = show_file(out);
	if (fclose(out) != 0 && !err)
		err = -errno;
	return err;
}

void run_summarize(const char *dir, bool show)
{
	char *file = xprintf("%s/" RUN_SUMMARY, dir);
	int err = run_write_summary(file, &dir, 1, show);

	if (err)
		warn("write %s: %s", file, strerror(-err));
	free(file);
}
