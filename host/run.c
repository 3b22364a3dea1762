// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * run.c - `kverdict run`: boot once or several times, and say how it went
 */
#include "run.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "commands.h"
#include "die.h"

#define UNIQUE_MAX 10000

static int signal_fd = -1;

void run_signals(void)
{
	struct sigaction hup;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGCHLD);
	/* signalfd would hand out what nohup made us ignore, too. */
	if (sigaction(SIGHUP, NULL, &hup) == 0 && hup.sa_handler != SIG_IGN)
		sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal(SIGPIPE, SIG_IGN);
	signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (signal_fd < 0)
		die_errno(STATUS_HOST, "wait for signals");
}

bool run_wait(int fd, short events, int timeout_ms)
{
	static bool interrupted;
	struct pollfd ready[] = {
		{ .fd = signal_fd, .events = POLLIN },
		{ .fd = fd, .events = events },
	};
	struct signalfd_siginfo info;

	poll(ready, 2, timeout_ms);
	while (read(signal_fd, &info, sizeof(info)) == (ssize_t)sizeof(info))
		interrupted |= info.ssi_signo != SIGCHLD;
	return interrupted;
}

/*
 * A closed standard stream would give its number to the next file that is
 * opened, and a message would end up in that file.
 */
static void fill_standard_fds(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDWR);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}

/* mke2fs and debugfs are where a user's PATH often does not look. */
static void extend_path(void)
{
	const char *path = getenv("PATH");
	char *longer = xprintf("%s:/usr/sbin:/sbin", path ? path : "/usr/bin");

	setenv("PATH", longer, 1);
	free(longer);
}

/* A new /proc/run gives ENOENT too, and there that is no typing mistake. */
static bool has_parent(const char *path)
{
	char *copy = xprintf("%s", path);
	struct stat folder;
	bool there =
		stat(dirname(copy), &folder) == 0 && S_ISDIR(folder.st_mode);

	free(copy);
	return there;
}

static noreturn void no_parent(const char *name)
{
	die(STATUS_USAGE,
	    "make %s: the folder that it shall be in is not there: make it, "
	    "or choose another --out",
	    name);
}

/**
 * make_dir() - make the run directory
 * Return: its absolute path; the caller frees it.
 */
static char *make_dir(const struct run_options *o)
{
	char *name = xprintf("%s", o->dir), *path;

	for (unsigned int i = 2; mkdir(name, 0777) < 0; i++) {
		if (errno == EEXIST && !o->unique)
			die(STATUS_USAGE,
			    "make %s: it exists, and a run directory is never "
			    "used twice: choose another --out",
			    name);
		if ((errno == ENOENT || errno == ENOTDIR) && !has_parent(name))
			no_parent(name);
		if (errno != EEXIST || i > UNIQUE_MAX)
			die_errno(STATUS_HOST, "make the run directory %s",
				  name);
		free(name);
		name = xprintf("%s-%u", o->dir, i);
	}
	path = realpath(name, NULL);
	if (!path)
		die_errno(STATUS_HOST, "find %s", name);
	free(name);
	return path;
}

static int run_one(const struct run_options *o, const char *dir)
{
	struct outcome outcome;

	run_boot(o, dir, o->seed, true, &outcome);
	run_summarize(dir, !o->command && !o->shell);
	if (outcome.status != STATUS_GOOD || !o->command)
		warn("%s", outcome.message);
	return outcome.exit_status;
}

int run_main(int argc, char **argv)
{
	struct run_options options;
	int status;
	char *dir;

	fill_standard_fds();
	run_parse(&options, argc, argv);
	if (options.dry_run) {
		if (!has_parent(options.dir))
			no_parent(options.dir);
		run_print_command(stdout, &options, options.seed);
		json_decref(options.facts);
		return STATUS_GOOD;
	}
	extend_path();
	run_signals();
	dir = make_dir(&options);
	if (options.ensemble || options.verify)
		status = run_many(&options, dir);
	else
		status = run_one(&options, dir);
	fprintf(stderr, "run: %s\n", dir);
	free(dir);
	json_decref(options.facts);
	return status;
}
