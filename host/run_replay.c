// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * run_replay.c - qemu-cmd: a script that boots the same again
 *
 * It needs QEMU, the kernel and the image, and nothing of this project, so that
 * a developer can send it along with a report.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "process.h"
#include "run.h"

static bool is_plain(const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_-+=./,:@%";

	return word[0] && strspn(word, plain) == strlen(word);
}

static void print_quoted(FILE *out, const char *word)
{
	if (is_plain(word)) {
		fputs(word, out);
		return;
	}
	putc('\'', out);
	for (; *word; word++) {
		if (*word == '\'')
			fputs("'\\''", out);
		else
			putc(*word, out);
	}
	putc('\'', out);
}

/* One option with its value a line, for a reader. */
static void print_argv(FILE *out, char *const *argv)
{
	for (size_t i = 0; argv[i]; i++) {
		if (i > 0)
			fputs(argv[i][0] == '-' ? " \\\n\t" : " ", out);
		print_quoted(out, argv[i]);
	}
	putc('\n', out);
}

static void print_check(FILE *out, const json_t *facts, const char *file_key,
			const char *sha256_key)
{
	const char *file = json_string_value(json_object_get(facts, file_key));
	const char *sha256 =
		json_string_value(json_object_get(facts, sha256_key));

	if (!file || !sha256)
		return;
	fputs("check ", out);
	print_quoted(out, file);
	fprintf(out, " %s\n", sha256);
}

void run_print_command(FILE *out, const struct run_options *o, uint64_t seed)
{
	char **argv = qemu_argv(o->qemu, seed, false);

	print_argv(out, argv);
	qemu_argv_free(argv);
}

/*
 * QEMU boots the same without it, but for a moment that a busy host finds now
 * and then, so a host that lacks it is none to refuse.
 */
static void print_preload(FILE *out, const struct run_options *o)
{
	char *preload = run_lockstep(o);

	if (preload) {
		fputs("lockstep=", out);
		print_quoted(out, preload);
		fprintf(out,
			"\nif [ -r \"$lockstep\" ]; then\n"
			"\texec %d<\"$lockstep\"\n"
			"\texport LD_PRELOAD=/proc/self/fd/%d\n"
			"fi\n",
			PROCESS_PRELOAD_FD, PROCESS_PRELOAD_FD);
	}
	free(preload);
}

static void print_script(FILE *out, const struct run_options *o, uint64_t seed)
{
	fputs("#!/bin/sh\n"
	      "#\n"
	      "# Boot again what this run booted: sh qemu-cmd [OUTDIR]\n"
	      "#\n"
	      "# OUTDIR (default: a new folder) gets console.log and the "
	      "records as\n"
	      "# " RUN_MIRROR ".  There is no results disk here; the guest "
	      "looks for it for\n"
	      "# 20 s of its time, then ends.\n"
	      "set -eu\n\n"
	      "check() {\n"
	      "\tsum=$(sha256sum <\"$1\") || exit 128\n"
	      "\t[ \"${sum%% *}\" = \"$2\" ] && return\n"
	      "\techo \"qemu-cmd: $1 is not what this run booted\" >&2\n"
	      "\texit 128\n"
	      "}\n\n",
	      out);
	print_check(out, o->facts, "booted_file", "booted_sha256");
	print_check(out, o->facts, "initrd_file", "initrd_sha256");
	fputs("out=${1:-$(mktemp -d)}\n"
	      "mkdir -p \"$out\"\n"
	      "cd \"$out\"\n"
	      "echo \"qemu-cmd: console.log and " RUN_MIRROR " are in $PWD\" "
	      ">&2\n",
	      out);
	print_preload(out, o);
	fputs("exec ", out);
	run_print_command(out, o, seed);
}

int run_write_replay(const char *dir, const struct run_options *o,
		     uint64_t seed)
{
	char *path = xprintf("%s/" RUN_COMMAND, dir);
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0777);
	FILE *out = fd < 0 ? NULL : fdopen(fd, "w");
	int err = out ? 0 : -errno;

	if (out) {
		print_script(out, o, seed);
		if (ferror(out))
			err = -EIO;
		if (fclose(out) != 0)
			err = -errno;
	} else if (fd >= 0) {
		close(fd);
	}
	free(path);
	return err;
}
