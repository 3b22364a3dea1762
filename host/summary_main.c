// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * summary_main.c - `kverdict summary`: for people, or for another program
 */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "formats.h"
#include "summary.h"

static const char help[] =
	"Usage: kverdict summary [--force] [--format text|ktap|junit|json] "
	"RUN...\n\n"
	"Show what a run measured; of several runs, or a folder of them, pool\n"
	"the values and show how they differ within a boot and between boots.\n"
	"Runs are pooled only if kernel, command line, image, scenario, guest\n"
	"size, QEMU and mode are the same; --force pools them all the same.\n"
	"The same boot twice is always refused.  On a terminal a histogram of\n"
	"each metric follows.\n\n"
	"text is the default format; ktap, junit and json are for CI, do not\n"
	"pool, and take any runs.\n\n"
	"Exit status: 0 shown, 125 a run is incomplete, 128 they cannot be\n"
	"pooled, 129 no such run\n";

static const struct {
	const char *name;
	void (*write)(FILE *out, const struct runs *runs);
} formats[] = {
	{ "text", NULL },
	{ "ktap", formats_ktap },
	{ "junit", formats_junit },
	{ "json", formats_json },
};

#define FORMAT_COUNT (sizeof(formats) / sizeof(formats[0]))

/* Return: its index, or FORMAT_COUNT. */
static size_t find_format(const char *name)
{
	size_t i = 0;

	while (i < FORMAT_COUNT && strcmp(formats[i].name, name) != 0)
		i++;
	return i;
}

static enum status completeness(const struct runs *runs)
{
	for (size_t i = 0; i < runs->count; i++)
		if (!runs->run[i].stream.complete)
			return STATUS_CANNOT_TELL;
	return STATUS_GOOD;
}

static enum status write_format(size_t format, const char *const *dirs,
				size_t count)
{
	struct runs runs;
	enum status status = runs_open(&runs, dirs, count);

	if (status == STATUS_GOOD) {
		formats[format].write(stdout, &runs);
		status = completeness(&runs);
	}
	runs_free(&runs);
	return status;
}

static void draw(const char *const *dirs, size_t count)
{
	struct runs runs;

	if (runs_open(&runs, dirs, count) == STATUS_GOOD)
		formats_histogram(stdout, &runs);
	runs_free(&runs);
}

static enum status write_text(const char *const *dirs, size_t count, bool force)
{
	int status = summary_write(stdout, dirs, count, force);

	if (isatty(STDOUT_FILENO) &&
	    (status == STATUS_GOOD || status == STATUS_CANNOT_TELL))
		draw(dirs, count);
	return (enum status)status;
}

int summary_main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "force", no_argument, NULL, 'f' },
		{ "format", required_argument, NULL, 'F' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	const char *const *dirs;
	size_t count, format = 0;
	bool force = false, wrong = false;
	enum status status;
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (option) {
		case 'f':
			force = true;
			break;
		case 'F':
			format = find_format(optarg);
			break;
		case 'h':
			fputs(help, stdout);
			return STATUS_GOOD;
		default:
			wrong = true;
		}
	}
	dirs = (const char *const *)argv + optind;
	count = (size_t)(argc - optind);
	if (wrong || format == FORMAT_COUNT || !count) {
		fputs(help, stderr);
		return STATUS_USAGE;
	}
	status = format ? write_format(format, dirs, count)
			: write_text(dirs, count, force);
	if (fflush(stdout) != 0)
		die_errno(STATUS_HOST, "write the summary");
	return (int)status;
}
