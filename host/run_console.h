/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run_console.h - what the kernel says about its own failure
 */
#ifndef RUN_CONSOLE_H
#define RUN_CONSOLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The kinds of failure that a kernel reports on its console. */
enum console_mark {
	MARK_PANIC,  /* "Kernel panic - not syncing" */
	MARK_MEMORY, /* a panic, or an unpacking, that lacked memory */
	MARK_OOPS,   /* an oops, a BUG(), a general protection fault */
	MARK_STALL,  /* an RCU stall, a soft or hard lockup, a hung task */
	MARK_CLOCK,  /* a clocksource was given up as unstable */
	MARK_OOM,    /* the OOM killer ended a process */
	MARK_UNPACK, /* the image could not be unpacked */
	MARK_WARN,   /* a WARN(), a report of KASAN, lockdep and the like */
	MARK_COUNT,
};

#define CONSOLE_TEXT_MAX 256

struct console {
	bool init; /* /init has begun, as far as a console can tell */
	bool plug; /* it has no mirror, and waits for the disk */
	uint64_t lines;
	uint64_t count[MARK_COUNT];
	char first[MARK_COUNT][CONSOLE_TEXT_MAX]; /* first line of each kind */
	char last[CONSOLE_TEXT_MAX]; /* last line that was not empty */
};

/**
 * console_text() - a line without the kernel's time before it
 * @line:	the line
 * Return: where its text begins.
 */
const char *console_text(const char *line);

/**
 * console_line() - look at one more line of the console
 * @c:		all zeros at first
 * @line:	the line without its LF; must have room for a NUL at @len
 * @len:	its length
 */
void console_line(struct console *c, const char *line, size_t len);

/**
 * console_trim() - cut a flooded console file to its first and last MiB
 * @dir_fd:	the folder
 * @name:	the file
 * Return: 0 or a negative errno; the file is whole in either case.
 */
int console_trim(int dir_fd, const char *name);

#endif
