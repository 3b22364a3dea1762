// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * main.c - kverdict, the host's side: runs QEMU, collects, judges, reports
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "die.h"

static const struct {
	const char *word, *summary;
	int (*run)(int argc, char **argv);
} commands[] = {
#define COMMAND(word, function, summary) { word, summary, function },
#include "commands.def"
#undef COMMAND
};

static const size_t command_count = sizeof(commands) / sizeof(commands[0]);

static void usage(FILE *out)
{
	fprintf(out, "Usage: kverdict COMMAND [ARGUMENT...]\n\n");
	for (size_t i = 0; i < command_count; i++)
		fprintf(out, "  %-11s %s\n", commands[i].word,
			commands[i].summary);
	fprintf(out, "\n`kverdict COMMAND --help` tells more of one, `kverdict "
		     "help` lists the pages.\n");
}

/* What nobody could read was not said: that is no success. */
static int flushed(int status)
{
	if (fflush(stdout) == EOF || ferror(stdout)) {
		if (status == STATUS_GOOD && errno != EPIPE)
			die_errno(STATUS_HOST, "write to standard output");
	}
	return status;
}

int main(int argc, char **argv)
{
	if (argc < 2) {
		usage(stderr);
		return STATUS_USAGE;
	}
	if (!strcmp(argv[1], "--help")) {
		usage(stdout);
		return flushed(STATUS_GOOD);
	}
	for (size_t i = 0; i < command_count; i++)
		if (!strcmp(argv[1], commands[i].word))
			return flushed(commands[i].run(argc - 1, argv + 1));

	die(STATUS_USAGE, "no command is named %s: see kverdict --help",
	    argv[1]);
}
