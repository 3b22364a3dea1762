/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * process.h - children that do not outlive their parent
 */
#ifndef PROCESS_H
#define PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Under these numbers a child finds what was passed to it. */
#define PROCESS_PASS_FD	   3
#define PROCESS_PRELOAD_FD 4

/* How to start a child; a descriptor of -1 stands for /dev/null. */
struct process_setup {
	char *const *argv;
	const char *cwd;     /* its working directory; NULL keeps ours */
	int in, out, err;    /* its standard input, output and error */
	int pass_fd;	     /* becomes PROCESS_PASS_FD; -1 passes none */
	bool own_group;	     /* out of reach of the terminal's Ctrl-C */
	const char *preload; /* a library that it loads first, or NULL */
};

/**
 * process_start() - start a program that is killed when this process ends
 * @setup:	what to start; the program is found in PATH
 * @pid:	where to store its process id; untouched on failure
 *
 * All signals are unblocked and set to their default in the child.
 *
 * Return: 0, or a negative errno, also where the program cannot be executed.
 */
int process_start(const struct process_setup *setup, pid_t *pid);

/**
 * process_wait() - wait for a child, but not for ever
 * @pid:	the child
 * @timeout_ms:	how long, 0 only looks
 * @status:	where to store its wait status; untouched on failure
 * Return: whether it has ended, and is reaped.
 */
bool process_wait(pid_t pid, int timeout_ms, int *status);

/**
 * process_state() - what a process does at the moment
 * @pid:	the process
 * Return: the letter of proc(5), such as R, S, D or T; '?' if it is not known.
 */
char process_state(pid_t pid);

/**
 * process_end() - end a child and its process group
 * @pid:	the child, the leader of its group
 * @grace_ms:	time between SIGTERM and SIGKILL; 0 kills at once
 * @status:	where to store its wait status; untouched on failure
 *
 * A process that sleeps in the kernel without end cannot be killed; it is
 * given 5 s, then left alone.
 *
 * Return: whether it has ended, and is reaped.
 */
bool process_end(pid_t pid, int grace_ms, int *status);

/**
 * process_run() - run a tool to its end
 * @argv:	its words; it gets neither input nor a place for its output
 * @text:	where to store the end of what it wrote to standard error
 * @size:	of @text, at least 1
 * Return: its exit status, 128 plus the signal that ended it, or a negative
 *	   errno.
 */
int process_run(char *const *argv, char *text, size_t size);

/**
 * process_tail() - the last bytes of an open file as a text on one line
 * @fd:		any file that can be read at an offset
 * @text:	where to store it, without newlines at its end
 * @size:	of @text, at least 1
 */
void process_tail(int fd, char *text, size_t size);

#endif
