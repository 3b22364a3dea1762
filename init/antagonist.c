// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * antagonist.c - load beside the probes, from its start to its stop
 */
#include "antagonist.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "file.h"
#include "oom.h"
#include "outcome.h"
#include "probe.h"
#include "scenario.h"

enum state {
	STATE_NONE,    /* no antagonist, or stopped */
	STATE_RUNNING, /* its load is up */
	STATE_DEAD,    /* its load was up, and it ended by itself */
	STATE_FAILED,  /* it could not be started */
};

/* By the index of the step that started it. */
static struct antagonist {
	enum state state;
	struct probe probe;
	uint64_t oom_kills; /* before it was started */
	bool oom;	    /* STATE_DEAD: the OOM killer took it */
} antagonists[RECORD_STEPS_MAX];

/* Return: whether the byte came that says that the load is up. */
static bool wait_ready(struct probe *probe, int fd, uint64_t deadline_ns)
{
	struct pollfd ready = { .fd = fd, .events = POLLIN };
	char byte;

	while (!ready.revents && !probe->child.ended &&
	       clock_mono_ns() < deadline_ns)
		child_poll(&ready, 1, deadline_ns);
	/* Once more: the child may have written and ended since. */
	return poll(&ready, 1, 0) > 0 && (ready.revents & POLLIN) &&
	       read(fd, &byte, 1) == 1;
}

static void start(struct antagonist *antagonist, const struct step *step,
		  uint64_t seed, int ready[2], struct outcome *outcome)
{
	struct probe *probe = &antagonist->probe;
	uint64_t deadline_ns = clock_mono_ns() + step->timeout_s * NS_PER_S;
	bool up;

	if (!probe_start(probe, step, seed, ready[1], outcome))
		return;
	close(ready[1]); /* else its end would not be seen on the pipe */
	ready[1] = -1;
	up = wait_ready(probe, ready[0], deadline_ns);
	if (up) {
		antagonist->state = STATE_RUNNING;
		outcome_pass(outcome);
		return;
	}
	probe_end(probe, deadline_ns, outcome);
	if (outcome->result == RESULT_PASS)
		outcome_set(outcome, RESULT_FAIL, CAUSE_PROTOCOL,
			    "ended before its load was up");
}

void antagonist_start(size_t index, const struct step *step, uint64_t seed,
		      struct outcome *outcome)
{
	struct antagonist *antagonist = &antagonists[index];
	int ready[2];

	antagonist->state = STATE_FAILED;
	antagonist->probe.step = step;
	antagonist->oom_kills = oom_kills();
	if (pipe2(ready, O_CLOEXEC) < 0) {
		outcome_set(outcome, RESULT_FAIL, CAUSE_OTHER,
			    "make a pipe: %s", strerror(errno));
		return;
	}
	ready[0] = file_raise_fd(ready[0]);
	ready[1] = file_raise_fd(ready[1]);
	start(antagonist, step, seed, ready, outcome);
	close(ready[0]);
	if (ready[1] >= 0)
		close(ready[1]);
}

/* One that ended before its stop: what it left must not run on. */
static void bury(struct antagonist *antagonist)
{
	struct child *child = &antagonist->probe.child;

	child_kill(child);
	antagonist->state = STATE_DEAD;
	antagonist->oom = WIFSIGNALED(child->status) &&
			  WTERMSIG(child->status) == SIGKILL &&
			  oom_kills() > antagonist->oom_kills;
}

const char *antagonist_missing(void)
{
	const char *missing = NULL;

	child_poll(NULL, 0, 0);
	for (size_t i = RECORD_STEPS_MAX; i-- > 0;) {
		struct antagonist *antagonist = &antagonists[i];

		if (antagonist->state == STATE_RUNNING &&
		    antagonist->probe.child.ended)
			bury(antagonist);
		if (antagonist->state == STATE_DEAD ||
		    antagonist->state == STATE_FAILED)
			missing = antagonist->probe.step->name;
	}
	return missing;
}

void antagonist_stop(const struct step *step, struct outcome *outcome)
{
	struct antagonist *antagonist = &antagonists[step->start];
	struct probe *probe = &antagonist->probe;

	antagonist_missing();
	switch (antagonist->state) {
	case STATE_RUNNING:
		kill(probe->child.pid, SIGTERM);
		probe->step = step;
		probe_end(probe, clock_mono_ns() + step->timeout_s * NS_PER_S,
			  outcome);
		break;
	case STATE_DEAD:
		probe->step = step;
		probe_end(probe, 0, outcome);
		if (antagonist->oom)
			oom_outcome(outcome);
		else if (outcome->result == RESULT_PASS)
			outcome_set(outcome, RESULT_FAIL, CAUSE_OTHER,
				    "ended before its stop");
		break;
	default:
		outcome_set(outcome, RESULT_SKIP, CAUSE_ANTAGONIST,
			    "%s was not started", step->name);
	}
	antagonist->state = STATE_NONE;
}
