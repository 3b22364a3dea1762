// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * command.c - a user's command, or a shell, in place of a scenario
 */
#include "command.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "clock.h"
#include "console.h"
#include "file.h"
#include "oom.h"
#include "outcome.h"
#include "records.h"
#include "results.h"
#include "samples.h"
#include "scenario.h"
#include "step.h"

#define SHELL	  "/bin/sh"
#define SCRIPT	  "/kv/command"
#define TIMEOUT_S 86400

/* The two pipes of a command, and what became of their contents. */
struct output {
	struct pollfd pipe[2]; /* standard output, standard error */
	bool full;	       /* the stream had no room for all of it */
};

static const struct step command_step = {
	.verb = VERB_COMMAND,
	.name = "command",
	.probe = "command",
	.timeout_s = TIMEOUT_S,
};

/* Return: whether @pipe has a writer yet or bytes left. */
static bool take_piece(struct output *output, int index)
{
	struct pollfd *pipe = &output->pipe[index];
	unsigned char piece[RECORD_OUTPUT_MAX];
	ssize_t got = read(pipe->fd, piece, sizeof(piece));

	if (got <= 0) {
		close(pipe->fd);
		pipe->fd = -1; /* poll() leaves it out then */
		return false;
	}
	if (!records_output(index + 1, piece, (size_t)got))
		output->full = true;
	return true;
}

/* Takes what is there, waiting for it until @deadline_ns. */
static void take_output(struct output *output, uint64_t deadline_ns)
{
	child_poll(output->pipe, 2, deadline_ns);
	for (int i = 0; i < 2; i++)
		if (output->pipe[i].revents)
			take_piece(output, i);
	results_flush();
}

/* Takes what is left when no process of the command is. */
static void take_rest(struct output *output)
{
	do {
		take_output(output, 0);
	} while (output->pipe[0].revents || output->pipe[1].revents);
	for (int i = 0; i < 2; i++)
		if (output->pipe[i].fd >= 0)
			close(output->pipe[i].fd);
}

/* Return: 0 or a negative errno. */
static int start(struct child *child, struct output *output, int records)
{
	char *argv[] = { (char *)"sh", (char *)SCRIPT, NULL };
	struct child_spec spec = {
		.path = SHELL, .argv = argv, .records = records, .ready = -1
	};
	int out[2], err[2], result;

	if (pipe2(out, O_CLOEXEC) < 0)
		return -errno;
	if (pipe2(err, O_CLOEXEC) < 0) {
		result = -errno;
		close(out[0]);
		close(out[1]);
		return result;
	}
	spec.out = file_raise_fd(out[1]);
	spec.err = file_raise_fd(err[1]);
	*output = (struct output){
		.pipe = { { .fd = file_raise_fd(out[0]), .events = POLLIN },
			  { .fd = file_raise_fd(err[0]), .events = POLLIN } },
	};
	result = child_start(child, &spec);
	close(spec.out);
	close(spec.err);
	return result;
}

/* Return: the exit status, or 128 plus the signal. */
static int decide(struct outcome *outcome, int status)
{
	int code = WIFEXITED(status) ? WEXITSTATUS(status)
				     : 128 + WTERMSIG(status);

	if (!code)
		outcome_pass(outcome);
	else if (WIFEXITED(status))
		outcome_set(outcome, RESULT_FAIL, CAUSE_OTHER,
			    "ended with status %d", code);
	else
		outcome_set(outcome, RESULT_CRASH, CAUSE_OTHER,
			    "ended by signal %d (%s)", WTERMSIG(status),
			    strsignal(WTERMSIG(status)));
	return code;
}

/* A command's status says how it went; what it measured goes beside it. */
static void take_samples(int fd, uint64_t begin_ns)
{
	static struct statement said;
	const char *missing = samples_take(fd, &command_step, begin_ns, &said);

	if (said.protocol[0])
		records_note(command_step.name, "%s", said.protocol);
	if (missing)
		records_note(command_step.name, "records are missing: %s",
			     missing);
}

/* Return: the exit status, or -1 if there is none. */
static int run(uint64_t deadline_ns, struct outcome *outcome)
{
	struct output output;
	struct child child;
	uint64_t begin_ns = clock_mono_ns();
	/* Without the file, writing to descriptor 3 is an error there. */
	int records = samples_open();
	int code = -1, err = start(&child, &output, records);
	bool in_time;

	if (err) {
		close(records);
		outcome_set(outcome, RESULT_FAIL, CAUSE_OTHER,
			    "start a process: %s", strerror(-err));
		return -1;
	}
	while (!child.ended && clock_mono_ns() < deadline_ns)
		take_output(&output, deadline_ns);
	in_time = child.ended;
	child_kill(&child);
	/* Also what left its group: one that writes on would never end. */
	children_kill_all();
	take_rest(&output);
	if (records >= 0)
		take_samples(records, begin_ns);

	if (in_time)
		code = decide(outcome, child.status);
	else
		outcome_set(outcome, RESULT_TIMEOUT,
			    child.gone ? CAUSE_OTHER : CAUSE_STUCK,
			    "killed after %u s", TIMEOUT_S);
	if (output.full)
		outcome_set(outcome, RESULT_FAIL, CAUSE_PROTOCOL,
			    "it wrote more than a record stream holds: output "
			    "is missing");
	return code;
}

void command_run(void)
{
	static struct outcome outcome;
	uint64_t kills = oom_kills(), begin_ns;
	int code;

	step_begin(&command_step);
	begin_ns = clock_mono_ns();
	code = run(begin_ns + TIMEOUT_S * NS_PER_S, &outcome);
	if (oom_kills() > kills)
		oom_outcome(&outcome);
	step_end(1, &command_step, &outcome, clock_mono_ns() - begin_ns, code);
}

/* /dev/console cannot be a controlling terminal; what is behind it can. */
static void find_terminal(char *path, size_t size)
{
	char active[64];
	const char *last;

	if (!file_read_line("/sys/class/tty/console/active", active,
			    sizeof(active)) ||
	    !active[0])
		strcpy(active, "ttyS0");
	last = strrchr(active, ' ');
	snprintf(path, size, "/dev/%s", last ? last + 1 : active);
}

void shell_run(void)
{
	char *argv[] = { (char *)"sh", NULL };
	char terminal[80];
	struct child_spec spec = {
		.path = SHELL,
		.argv = argv,
		.tty = terminal,
		.out = -1,
		.err = -1,
		.records = -1,
		.ready = -1,
	};
	struct child child;
	int err;

	find_terminal(terminal, sizeof(terminal));
	console_say("# a shell on %s: `exit` ends the guest", terminal);
	console_drain();
	err = child_start(&child, &spec);
	if (err) {
		console_say("# start a shell: %s", strerror(-err));
		return;
	}
	child_wait(&child, NO_DEADLINE);
	child_kill(&child);
}
