// SPDX-License-Identifier: GPL-2.0-or-later
// sources: host/summary.c host/summary_pool.c host/summary_steps.c host/summary_why.c host/summary_kernel.c host/run_console.c host/follow.c host/metrics.c host/rundir.c host/rundir_repeat.c host/table.c host/series.c host/stats.c host/stream.c host/take.c host/flat.c host/slurp.c host/units.c host/die.c
/*
 * fuzz_summary.c - whatever a run directory holds, its summary is harmless
 *
 * The bytes are records.jsonl, run.json and console.log, with 0xff between
 * them, and after a third one index.json of the folder above.  A summary has
 * no byte that a terminal would obey.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "summary.h"

#define FILES 4

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const names[FILES] = {
	"a/records.jsonl",
	"a/run.json",
	"a/console.log",
	"index.json",
};
static char folder[] = "/dev/shm/kverdict-fuzz.XXXXXX";

static void check(bool holds)
{
	if (!holds)
		abort();
}

static void clean(void)
{
	if (chdir(folder) < 0)
		return;
	for (size_t i = 0; i < FILES; i++)
		unlink(names[i]);
	rmdir("a");
	rmdir(folder);
}

static void begin(void)
{
	static bool begun;

	if (begun)
		return;
	begun = true;
	check(mkdtemp(folder) && chdir(folder) == 0 && mkdir("a", 0700) == 0);
	atexit(clean);
}

static void write_file(const char *name, const uint8_t *bytes, size_t size)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	check(fd >= 0 && write(fd, bytes, size) == (ssize_t)size);
	close(fd);
}

static void check_text(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)text[i];

		check(c == '\n' || (c >= 0x20 && c != 0x7f));
		/* C1 control characters, in UTF-8 */
		check(c != 0xc2 || i + 1 == len ||
		      (unsigned char)text[i + 1] >= 0xa0);
	}
}

static void summarize(const char *path)
{
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);
	int status;

	check(out != NULL);
	status = summary_write(out, &path, 1, false);
	fclose(out);
	check(status == STATUS_GOOD || status == STATUS_CANNOT_TELL ||
	      status == STATUS_HOST || status == STATUS_USAGE);
	check_text(text, len);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t at = 0;

	begin();
	for (size_t i = 0; i < FILES; i++) {
		const uint8_t *cut = memchr(data + at, 0xff, size - at);
		size_t end = cut && i < FILES - 1 ? (size_t)(cut - data) : size;

		if (i > 0 && at >= size)
			unlink(names[i]);
		else
			write_file(names[i], data + at, end - at);
		at = end < size ? end + 1 : size;
	}
	summarize("a");
	if (access("index.json", F_OK) == 0)
		summarize(".");
	return 0;
}
