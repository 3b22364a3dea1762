// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * process.c - children that do not outlive their parent
 *
 * QEMU, mke2fs and the boots of an ensemble are started here and nowhere else,
 * so that a run that is killed, however hard, leaves nothing running.
 */
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"

#define KILL_WAIT_MS 5000
#define POLL_US	     2000

static void reset_signals(void)
{
	struct sigaction standard = { .sa_handler = SIG_DFL };
	sigset_t none;

	for (int sig = 1; sig < NSIG; sig++)
		sigaction(sig, &standard, NULL); /* SIGKILL refuses, rightly */
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/**
 * place_fds() - put the child's descriptors where it expects them
 *
 * Every source is first moved above all targets, for one may be another's
 * target.  All others are closed by their close-on-exec flag.
 *
 * Return: whether it worked; errno tells why not.
 */
static bool place_fds(const struct process_setup *setup)
{
	const int source[] = { setup->in, setup->out, setup->err,
			       setup->pass_fd };
	const int count = setup->pass_fd < 0 ? 3 : 4;
	int high[4];

	for (int i = 0; i < count; i++) {
		int fd = source[i];

		if (fd < 0)
			fd = open("/dev/null", O_RDWR | O_CLOEXEC);
		high[i] = fcntl(fd, F_DUPFD_CLOEXEC, 10);
		if (high[i] < 0)
			return false;
	}
	for (int i = 0; i < count; i++)
		if (dup2(high[i], i) < 0)
			return false;
	return true;
}

/* By its descriptor: LD_PRELOAD takes no path with a blank or a colon in it. */
static bool set_preload(const char *library)
{
	const char *before = getenv("LD_PRELOAD");
	char text[4096];
	int fd;

	if (!library)
		return true;
	fd = open(library, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || dup2(fd, PROCESS_PRELOAD_FD) < 0)
		return false;
	if (snprintf(text, sizeof(text), "/proc/self/fd/%d%s%s",
		     PROCESS_PRELOAD_FD, before ? ":" : "",
		     before ? before : "") >= (int)sizeof(text)) {
		errno = E2BIG;
		return false;
	}
	return setenv("LD_PRELOAD", text, 1) == 0;
}

/**
 * exec_child() - become the program, or tell the parent why not
 * @report:	the parent reads an errno from its other end; closed by exec
 */
static void exec_child(const struct process_setup *setup, pid_t parent,
		       int report)
{
	int err;

	reset_signals();
	report = fcntl(report, F_DUPFD_CLOEXEC, 10);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(128); /* it died before the line above */
	if (setup->own_group)
		setpgid(0, 0); /* the parent does the same: no race */
	if ((!setup->cwd || chdir(setup->cwd) == 0) && place_fds(setup) &&
	    set_preload(setup->preload))
		execvp(setup->argv[0], setup->argv);
	err = errno;
	if (write(report, &err, sizeof(err)) < 0)
		_exit(127);
	_exit(128);
}

int process_start(const struct process_setup *setup, pid_t *pid)
{
	pid_t parent = getpid(), child;
	int report[2], err = 0;
	ssize_t len;

	if (pipe2(report, O_CLOEXEC) < 0)
		return -errno;
	child = fork();
	if (child < 0) {
		err = errno;
		close(report[0]);
		close(report[1]);
		return -err;
	}
	if (child == 0)
		exec_child(setup, parent, report[1]);

	if (setup->own_group)
		setpgid(child, child);
	close(report[1]);
	do
		len = read(report[0], &err, sizeof(err));
	while (len < 0 && errno == EINTR);
	close(report[0]);
	if (len > 0) {
		waitpid(child, NULL, 0);
		return -err;
	}
	*pid = child;
	return 0;
}

bool process_wait(pid_t pid, int timeout_ms, int *status)
{
	uint64_t deadline_ns =
		clock_mono_ns() + (uint64_t)timeout_ms * NS_PER_MS;

	for (;;) {
		int now;
		pid_t ended = waitpid(pid, &now, WNOHANG);

		if (ended == pid) {
			*status = now;
			return true;
		}
		if (ended < 0 && errno != EINTR)
			return false;
		if (clock_mono_ns() >= deadline_ns)
			return false;
		usleep(POLL_US);
	}
}

char process_state(pid_t pid)
{
	char path[32], text[512], *name_end;
	ssize_t len;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return '?';
	len = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[len > 0 ? len : 0] = '\0';
	/* The name before it may hold anything, brackets too. */
	name_end = strrchr(text, ')');
	return name_end && name_end[1] == ' ' && name_end[2] ? name_end[2]
							     : '?';
}

bool process_end(pid_t pid, int grace_ms, int *status)
{
	bool ended = false;

	if (grace_ms > 0) {
		kill(pid, SIGTERM);
		ended = process_wait(pid, grace_ms, status);
	}
	/* The group, for a wrapper may have left children behind. */
	kill(-pid, SIGKILL);
	if (!ended) {
		kill(pid, SIGKILL);
		ended = process_wait(pid, KILL_WAIT_MS, status);
	}
	return ended;
}

void process_tail(int fd, char *text, size_t size)
{
	struct stat st;
	off_t from = 0;
	ssize_t len;

	text[0] = '\0';
	if (fstat(fd, &st) < 0)
		return;
	if (st.st_size > (off_t)size - 1)
		from = st.st_size - ((off_t)size - 1);
	len = pread(fd, text, size - 1, from);
	if (len < 0)
		len = 0;
	while (len > 0 && (text[len - 1] == '\n' || text[len - 1] == '\r'))
		len--;
	text[len] = '\0';
	for (ssize_t i = 0; i < len; i++)
		if ((unsigned char)text[i] < ' ')
			text[i] = ' ';
}

int process_run(char *const *argv, char *text, size_t size)
{
	struct process_setup setup = {
		.argv = argv,
		.in = -1,
		.out = -1,
		.pass_fd = -1,
	};
	int status, err;
	pid_t pid;

	text[0] = '\0';
	setup.err = memfd_create("stderr", MFD_CLOEXEC);
	if (setup.err < 0)
		return -errno;
	err = process_start(&setup, &pid);
	if (err) {
		close(setup.err);
		return err;
	}
	if (waitpid(pid, &status, 0) < 0)
		err = -errno;
	process_tail(setup.err, text, size);
	close(setup.err);
	if (err)
		return err;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
