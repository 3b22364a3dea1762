/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * process.h - child processes of a probe
 */
#ifndef PROCESS_H
#define PROCESS_H

#include <stdint.h>
#include <sys/types.h>

/**
 * process_exec_self() - become a fresh process of this program
 * @argv:	its words, argv[0] included, ends with NULL
 *
 * For a child after fork().  Ends with status 127 if there is no way.
 */
_Noreturn void process_exec_self(const char *const argv[]);

/**
 * process_die_with() - have the kernel kill this process with its parent
 * @parent:	the parent, as getpid() said before the fork
 *
 * Ends the process if the parent is gone already.
 */
void process_die_with(pid_t parent);

/**
 * process_wait() - wait until a child has ended
 * @pid:	the child
 * Return: its exit status, or 128 plus the signal that ended it, or a
 *	   negative errno.
 */
int process_wait(pid_t pid);

/**
 * process_end() - kill children that were forked, and reap them
 * @pids:	the children
 * @count:	how many
 */
void process_end(const pid_t *pids, size_t count);

/**
 * process_read() - read all of a small answer from a pipe
 * @fd:		the pipe
 * @bytes:	where to store it
 * @len:	how much it must be
 * Return: 0, -EPIPE if the writer ended before, or a negative errno.
 */
int process_read(int fd, void *bytes, size_t len);

/**
 * process_sleep_until() - sleep until a point of clock_mono_ns()
 * @time_ns:	when to wake up; in the past returns at once
 */
void process_sleep_until(uint64_t time_ns);

#endif
