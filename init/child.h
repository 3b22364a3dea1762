/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * child.h - children with deadlines, for a parent that must not hang
 *
 * Whatever may hang or crash runs in one of these.  Waiting needs no pidfd, so
 * that it works on Linux 4.19.
 */
#ifndef CHILD_H
#define CHILD_H

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define NO_DEADLINE UINT64_MAX

struct child {
	pid_t pid; /* also its process group */
	bool ended;
	bool gone;  /* and so is its group: the number may be another's now */
	int status; /* as from waitpid(), once it has ended */
	struct child *next;
};

/* How a child is started. */
struct child_spec {
	const char *path;
	char *const *argv;
	char *const *environment; /* more KEY=VALUE words, or NULL */
	const char *tty; /* becomes 0 to 2 and its controlling terminal */
	int out, err;	 /* become 1 and 2; negative: the console */
	int records;	 /* becomes 3; negative: none */
	int ready;	 /* becomes 4; negative: none */
	uint64_t file_bytes_max; /* 0: no limit */
	bool pinned;		 /* to @cpu */
	unsigned int cpu;
};

/**
 * children_init() - get ready to wait for children
 *
 * Blocks SIGCHLD, which only child_poll() lets through.
 */
void children_init(void);

/**
 * child_start() - run a program in a process group of its own
 * @child:	where to store it; stays known until child_kill()
 * @spec:	how
 *
 * It has no standard input, but for @spec->tty, may run on every CPU unless it
 * is pinned, and the OOM killer may take it.  If the program cannot be executed,
 * the child says so on descriptor 3 in the words of docs/guest.md and ends 4,
 * for that is no fault of what is tested; without that descriptor it says so on
 * 2 and ends 127.
 *
 * Return: 0, or a negative errno if there is no child.
 */
int child_start(struct child *child, const struct child_spec *spec);

/**
 * child_poll() - wait until anything happens
 * @fds:	as for poll(2); @revents are all zero if none is ready
 * @count:	how many
 * @deadline_ns: when to return at the latest, by clock_mono_ns()
 *
 * Returns also when any child ended, be it one of ours or an orphan.
 */
void child_poll(struct pollfd *fds, nfds_t count, uint64_t deadline_ns);

/**
 * child_wait() - wait for the end of a child
 * @child:	the child
 * @deadline_ns: until when, by clock_mono_ns()
 * Return: whether it has ended.
 */
bool child_wait(struct child *child, uint64_t deadline_ns);

/**
 * child_kill() - kill what is left of a child's process group
 * @child:	the child, which may have ended; not known afterwards
 *
 * Waits up to 2 s until they are gone: a process that cannot be killed must
 * not stop PID 1.
 *
 * Return: whether all of them are gone.
 */
bool child_kill(struct child *child);

/**
 * child_call() - call a function in a child
 * @work:	the function; its value, 0 to 255, is the exit status
 * @arg:	its argument
 * @timeout_s:	how long it may take
 * Return: the exit status; -ETIMEDOUT if it had to be killed, -EINTR if a
 *	   signal ended it, or another negative errno if there was no child.
 */
int child_call(int (*work)(const void *arg), const void *arg,
	       unsigned int timeout_s);

/**
 * children_kill_all() - kill every process but this one
 *
 * Waits up to 2 s until they are gone.
 */
void children_kill_all(void);

#endif
