/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run.h - the parts of `kverdict run`
 */
#ifndef RUN_H
#define RUN_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "collect.h"
#include "qemu.h"
#include "record.h"
#include "run_outcome.h"
#include "run_tally.h"

/* The files of a run directory, which is QEMU's working directory. */
#define RUN_CONSOLE "console.log"
#define RUN_MIRROR  COLLECT_MIRROR
#define RUN_DISK    COLLECT_IMAGE
#define RUN_RECORDS RESULTS_FILE
#define RUN_JSON    "run.json"
#define RUN_SUMMARY "summary.txt"
#define RUN_COMMAND "qemu-cmd"
#define RUN_INDEX   "index.json"

#define RUN_LOCKSTEP "lockstep.so"

struct run_options {
	const char *dir; /* the run directory to make */
	bool unique;	 /* if it is taken, DIR-2, DIR-3, ... */
	bool kvm, deterministic, command, shell, gdb, keep_disk, verify;
	const char *disk_template;   /* NULL, or an empty results disk */
	const char *scenario_file;   /* NULL, or where its text is */
	uint64_t scenario_timeout_s; /* the sum of its deadlines */
	uint64_t seed, last_seed;    /* equal for one boot */
	bool ensemble, dry_run;
	uint64_t jobs;
	uint64_t factor; /* how much slower than KVM this mode may be */
	uint64_t boot_s, silence_s, total_s; /* timeouts of the host's clock */
	json_t *facts;			     /* goes into run.json as it is */
	char *const *qemu;		     /* QEMU's words, with @SEED@ */
};

/* What one boot left for its run.json. */
struct boot_report {
	const struct run_options *options;
	uint64_t seed;
	char *const *argv; /* of QEMU */
	const char *kernel;
	const struct outcome *outcome;
	int64_t command_status;	  /* -1: none */
	const char *records_from; /* "disk", "mirror" or "none" */
	const char *no_disk; /* why the disk's copy was not taken, or NULL */
	int qemu_status;     /* its wait status, -1: it never ran */
	uint64_t init_ms, end_ms; /* from QEMU's start; 0: never */
	uint64_t qemu_ms, total_ms;
	int64_t begin_s; /* since the epoch */
	bool lockstep;	 /* whether QEMU has loaded RUN_LOCKSTEP */
};

/**
 * run_lockstep() - the library that QEMU loads first in deterministic mode
 * @o:		the options
 *
 * None under gdb: a CPU that has met a breakpoint has to stop the others, and
 * the main loop does that.
 *
 * Return: its path, which the caller frees, or NULL.
 */
char *run_lockstep(const struct run_options *o);

/**
 * run_parse() - the options of `kverdict run`, or the end of the program
 * @o:		where to store them
 * @argc:	as for main()
 * @argv:	as for main()
 */
void run_parse(struct run_options *o, int argc, char **argv);

/**
 * run_boot() - boot once, collect, and write everything down
 * @o:		the options
 * @dir:	the run directory, which exists and is empty
 * @seed:	the seed of this boot
 * @live:	whether a progress line and a command's output are wanted
 * @out:	where to store how it went
 */
void run_boot(const struct run_options *o, const char *dir, uint64_t seed,
	      bool live, struct outcome *out);

/**
 * run_many() - boot an ensemble of seeds, or twice for --verify
 * @o:		the options
 * @dir:	exists and is empty
 * Return: the exit status.
 */
int run_many(const struct run_options *o, const char *dir);

/**
 * run_write_json() - write a run's run.json
 * @dir:	the run directory
 * @report:	what goes in
 * Return: 0 or a negative errno.
 */
int run_write_json(const char *dir, const struct boot_report *report);

/**
 * run_dump_json() - write a JSON value to a file
 * @path:	the file; replaced if it exists
 * @json:	the value
 * Return: 0 or a negative errno.
 */
int run_dump_json(const char *path, const json_t *json);

/**
 * run_write_replay() - write the script that boots the same again
 * @dir:	the run directory
 * @o:		the options
 * @seed:	the seed of this boot
 * Return: 0 or a negative errno.
 */
int run_write_replay(const char *dir, const struct run_options *o,
		     uint64_t seed);

/**
 * run_print_command() - print QEMU's command line for a shell
 * @out:	where to
 * @o:		the options
 * @seed:	the seed of the boot
 */
void run_print_command(FILE *out, const struct run_options *o, uint64_t seed);

/**
 * run_write_summary() - write summary.txt, and show it
 * @file:	where summary.txt goes
 * @dirs:	run directories
 * @count:	how many, at least 1
 * @show:	whether it goes to standard output too
 * Return: 0 or a negative errno.
 */
int run_write_summary(const char *file, const char *const *dirs, size_t count,
		      bool show);

/**
 * run_summarize() - write the summary.txt of one run, and show it
 * @dir:	the run directory
 * @show:	whether it goes to standard output too
 *
 * A summary that cannot be written takes nothing from the run: it is said.
 */
void run_summarize(const char *dir, bool show);

/**
 * run_signals() - begin to collect signals instead of being ended by them
 *
 * They stay blocked, and are looked for where it suits.
 */
void run_signals(void);

/**
 * run_wait() - sleep until something may have happened
 * @fd:		wake up when it is ready; -1 for none
 * @events:	for what: POLLIN or POLLOUT
 * @timeout_ms:	how long to sleep at most
 *
 * Also wakes up for a signal and for the end of a child.
 *
 * Return: whether SIGINT, SIGTERM or SIGHUP came, now or earlier.
 */
bool run_wait(int fd, short events, int timeout_ms);

/**
 * progress_show() - rewrite the one line on the terminal that shows progress
 * @fmt:	what it shows; nothing is shown if stderr is no terminal
 */
void progress_show(const char *fmt, ...) __printf(1, 2);

/**
 * progress_clear() - remove the line, so that others can be written
 */
void progress_clear(void);

#endif
