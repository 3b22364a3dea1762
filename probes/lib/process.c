// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * process.c - child processes of a probe
 */
#include "process.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"

_Noreturn void process_exec_self(const char *const argv[])
{
	/* execv() changes no word; its type is older than const. */
	char *const *words = (char *const *)(uintptr_t)argv;

	execv("/proc/self/exe", words);
	/* A guest without /proc; a developer's machine has it. */
	execv("/bin/probe", words);
	_exit(127);
}

void process_die_with(pid_t parent)
{
	/* Cannot fail: the signal is valid. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(127);
}

int process_wait(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	if (WIFSIGNALED(status))
		return 128 + WTERMSIG(status);
	return WEXITSTATUS(status);
}

void process_end(const pid_t *pids, size_t count)
{
	for (size_t i = 0; i < count; i++)
		kill(pids[i], SIGKILL);
	for (size_t i = 0; i < count; i++)
		process_wait(pids[i]);
}

int process_read(int fd, void *bytes, size_t len)
{
	char *at = bytes;

	while (len) {
		ssize_t got = read(fd, at, len);

		if (got == 0)
			return -EPIPE;
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		at += got;
		len -= (size_t)got;
	}
	return 0;
}

void process_sleep_until(uint64_t time_ns)
{
	struct timespec until = {
		.tv_sec = (time_t)(time_ns / NS_PER_S),
		.tv_nsec = (long)(time_ns % NS_PER_S),
	};

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) ==
	       EINTR)
		;
}
