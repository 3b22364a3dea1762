// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * child.c - children with deadlines, for a parent that must not hang
 *
 * PID 1 also inherits orphans, so it waits for any child and looks up whose
 * status it got.
 */
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "cpus.h"
#include "file.h"
#include "record.h"

#define KILL_PATIENCE_NS (2 * NS_PER_S)
#define ENVIRONMENT_MAX	 (RECORD_LINE_MAX / 2)

static struct child *children;

static void on_child(int signal)
{
	(void)signal;
}

void children_init(void)
{
	struct sigaction wake = { .sa_handler = on_child };
	sigset_t mask;

	/* None of these can fail with these arguments. */
	sigaction(SIGCHLD, &wake, NULL);
	sigemptyset(&mask);
	sigaddset(&mask, SIGCHLD);
	sigprocmask(SIG_BLOCK, &mask, NULL);
}

/* Return: what waitpid() returned last: 0 or -1. */
static pid_t reap(void)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		for (struct child *c = children; c; c = c->next) {
			if (c->pid != pid || c->ended)
				continue;
			c->ended = true;
			c->status = status;
		}
	}
	return pid;
}

static void remember(struct child *child, pid_t pid)
{
	*child = (struct child){ .pid = pid, .next = children };
	children = child;
}

static void forget(struct child *child)
{
	struct child **link = &children;

	while (*link && *link != child)
		link = &(*link)->next;
	if (*link)
		*link = child->next;
}

void child_poll(struct pollfd *fds, nfds_t count, uint64_t deadline_ns)
{
	uint64_t now_ns = clock_mono_ns();
	uint64_t wait_ns = deadline_ns > now_ns ? deadline_ns - now_ns : 0;
	struct timespec wait = { .tv_sec = (time_t)(wait_ns / NS_PER_S),
				 .tv_nsec = (long)(wait_ns % NS_PER_S) };
	sigset_t none;

	/* A SIGCHLD that came since the last time is pending and ends the
	 * wait at once, so no end of a child is missed.
	 */
	sigemptyset(&none);
	if (ppoll(fds, count, deadline_ns == NO_DEADLINE ? NULL : &wait,
		  &none) <= 0)
		for (nfds_t i = 0; i < count; i++)
			fds[i].revents = 0;
	reap();
}

bool child_wait(struct child *child, uint64_t deadline_ns)
{
	while (!child->ended && clock_mono_ns() < deadline_ns)
		child_poll(NULL, 0, deadline_ns);
	return child->ended;
}

bool child_kill(struct child *child)
{
	uint64_t deadline_ns = clock_mono_ns() + KILL_PATIENCE_NS;

	/* The group is ESRCH once its last member is reaped; orphans of it
	 * come to PID 1, so none stays a zombie.
	 */
	while (!child->gone) {
		child->gone = kill(-child->pid, SIGKILL) < 0 && child->ended;
		if (child->gone || clock_mono_ns() >= deadline_ns)
			break;
		child_poll(NULL, 0, deadline_ns);
	}
	forget(child);
	return child->gone;
}

/* Puts @fd, which is above all targets, at the number @target. */
static void place_fd(int fd, int target)
{
	if (fd >= 0)
		dup2(fd, target);
}

static void take_terminal(const char *tty)
{
	int fd;

	setsid();
	fd = open(tty, O_RDWR);
	if (fd < 0)
		return; /* a shell on the console is better than none */
	ioctl(fd, TIOCSCTTY, 0);
	for (int target = 0; target <= 2; target++)
		dup2(fd, target);
	close(fd);
}

/* In a child alone, which has this memory to itself. */
static char **make_environment(char *const *more)
{
	static char *environment[ENVIRONMENT_MAX];

	environment[0] = (char *)"PATH=/add:/bin:/sbin:/usr/bin:/usr/sbin";
	environment[1] = (char *)"HOME=/";
	environment[2] = (char *)"TERM=linux";
	for (size_t i = 3; more && *more && i < ENVIRONMENT_MAX - 1; i++)
		environment[i] = *more++;
	return environment;
}

/* Says on descriptor 3 why the program does not run, and ends. */
__attribute__((noreturn)) static void give_up(const struct child_spec *spec,
					      const char *what, int err)
{
	if (spec->records >= 0) {
		dprintf(3, "skip %s %s %s: %s\n",
			err == ENOMEM ? "memory" : "other", what, spec->path,
			strerror(err));
		_exit(4);
	}
	dprintf(2, "%s %s: %s\n", what, spec->path, strerror(err));
	_exit(127);
}

static void become(const struct child_spec *spec)
{
	struct rlimit limit = { spec->file_bytes_max, spec->file_bytes_max };
	int pin_err;
	struct sigaction standard = { .sa_handler = SIG_DFL };
	sigset_t none;

	if (!spec->tty)
		setpgid(0, 0);
	sigaction(SIGCHLD, &standard, NULL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	cpus_restore();
	pin_err = spec->pinned ? cpus_pin(spec->cpu) : 0;
	file_write("/proc/self/oom_score_adj", "0");

	if (spec->tty)
		take_terminal(spec->tty);
	else
		place_fd(file_raise_fd(open("/dev/null", O_RDONLY)), 0);
	place_fd(spec->out, 1);
	place_fd(spec->err, 2);
	place_fd(spec->records, 3);
	place_fd(spec->ready, 4);
	if (spec->file_bytes_max)
		prlimit(0, RLIMIT_FSIZE, &limit, NULL);
	if (pin_err)
		give_up(spec, "pin to the CPU that cpu= names", pin_err);
	execve(spec->path, spec->argv, make_environment(spec->environment));
	give_up(spec, "execute", errno);
}

int child_start(struct child *child, const struct child_spec *spec)
{
	pid_t pid = fork();

	if (pid < 0)
		return -errno;
	if (!pid)
		become(spec);
	/* Here and in the child: whoever comes first, the other is harmless.
	 * Not for a terminal: setsid() refuses the leader of a group.
	 */
	if (!spec->tty)
		setpgid(pid, pid);
	remember(child, pid);
	return 0;
}

int child_call(int (*work)(const void *arg), const void *arg,
	       unsigned int timeout_s)
{
	struct child child;
	pid_t pid = fork();
	bool in_time;

	if (pid < 0)
		return -errno;
	if (!pid) {
		setpgid(0, 0);
		_exit(work(arg));
	}
	setpgid(pid, pid);
	remember(&child, pid);
	in_time = child_wait(&child, clock_mono_ns() + timeout_s * NS_PER_S);
	child_kill(&child);
	if (!in_time)
		return -ETIMEDOUT;
	return WIFEXITED(child.status) ? WEXITSTATUS(child.status) : -EINTR;
}

void children_kill_all(void)
{
	uint64_t deadline_ns = clock_mono_ns() + KILL_PATIENCE_NS;

	kill(-1, SIGKILL);
	while (reap() == 0 && clock_mono_ns() < deadline_ns)
		child_poll(NULL, 0, deadline_ns);
}
