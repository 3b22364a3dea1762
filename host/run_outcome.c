// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * run_outcome.c - what one boot comes to: an exit status and a message
 *
 * The table of docs/exit-status.md as one pure function, so that every row can
 * be tested without a boot.  The rules are tried from top to bottom, and the
 * first that says something wins: what is ours or the host's fault goes before
 * what is the kernel's, because no kernel may be blamed for a broken host.
 */
#include "run_outcome.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Sets the outcome; returns true so that a rule can end with it. */
static __printf(3, 4) bool set(struct outcome *out, enum status status,
			       const char *fmt, ...)
{
	va_list args;

	out->status = status;
	out->exit_status = (int)status;
	va_start(args, fmt);
	vsnprintf(out->message, sizeof(out->message), fmt, args);
	va_end(args);
	return true;
}

static const char *mark(const struct outcome_input *in, enum console_mark kind)
{
	return in->console->count[kind] ? in->console->first[kind] : NULL;
}

static const char *why(const struct outcome_step *step)
{
	return step->reason && step->reason[0] ? step->reason
					       : "no reason given";
}

/* The step that runs, or NULL between steps. */
static const struct outcome_step *current(const struct outcome_input *in)
{
	const struct outcome_step *last;

	if (in->step_count == 0)
		return NULL;
	last = &in->steps[in->step_count - 1];
	return last->result == RESULT_NONE ? last : NULL;
}

/* "in step readiness", "after step readiness", "before the first step" */
static const char *place(const struct outcome_input *in, char *text,
			 size_t size)
{
	const struct outcome_step *step = current(in);

	if (step)
		snprintf(text, size, "in step %s", step->name);
	else if (in->phase == PHASE_END)
		snprintf(text, size, "after the last step");
	else if (in->step_count > 0)
		snprintf(text, size, "after step %s",
			 in->steps[in->step_count - 1].name);
	else
		snprintf(text, size, "before the first step");
	return text;
}

/*
 * An oops kills whoever made the call; one that is nobody's may be of any time
 * up to now, for the console has no steps.
 */
static void oops_place(const struct outcome_input *in, char *text, size_t size)
{
	const struct outcome_step *step = current(in);

	for (size_t i = 0; i < in->step_count; i++)
		if (in->steps[i].result == RESULT_CRASH) {
			snprintf(text, size, "in step %s", in->steps[i].name);
			return;
		}
	if (mark(in, MARK_PANIC) || in->step_count == 0)
		place(in, text, size);
	else if (step)
		snprintf(text, size, "in or before step %s", step->name);
	else
		snprintf(text, size, "during the run");
}

static bool ours(struct outcome *out, const struct outcome_input *in)
{
	if (in->stop == STOP_SIGNAL)
		return set(out, STATUS_INTERRUPTED,
			   "interrupted: what had arrived is kept");
	if (in->complete)
		return false; /* what came later took nothing away */
	if (in->disk_full)
		return set(out, STATUS_HOST,
			   "no room is left for the files of the run: free "
			   "some, or choose another folder with --out");
	if (in->stop == STOP_QEMU)
		return set(out, STATUS_HOST, "%s", in->detail);
	if (in->stop == STOP_HOST)
		return set(out, STATUS_HOST, "%s", in->detail);
	if (in->fatal)
		return set(out, STATUS_HOST, "/init could not go on: %s",
			   in->fatal);
	return false;
}

static bool no_init(struct outcome *out, const struct outcome_input *in)
{
	const char *last = in->console->last;

	if (in->phase != PHASE_BOOT)
		return false;
	if (mark(in, MARK_MEMORY))
		return set(out, STATUS_CANNOT_TELL,
			   OUTCOME_MEMORY "before /init (%s): give it more "
					  "with --mem",
			   mark(in, MARK_MEMORY));
	if (mark(in, MARK_UNPACK))
		return set(out, STATUS_CANNOT_TELL,
			   OUTCOME_UNPACK
			   "(%s): give the guest more memory with --mem, or "
			   "build the kernel with CONFIG_BLK_DEV_INITRD",
			   mark(in, MARK_UNPACK));
	if (!strncmp(last, "{\"type\":", 8))
		return set(
			out, STATUS_CANNOT_TELL,
			"the records came out of the console's serial port: "
			"this kernel has room for one port only, and gave it "
			"to the second (8250.nr_uarts=, "
			"CONFIG_SERIAL_8250_RUNTIME_UARTS)");
	if (in->console->init)
		return set(
			out, STATUS_CANNOT_TELL,
			"no record arrived, although /init was reached: this "
			"kernel has no second serial port "
			"(CONFIG_SERIAL_8250_NR_UARTS, 8250.nr_uarts=), and "
			"the results disk was not written; the last line: "
			"%s",
			mark(in, MARK_PANIC) ? mark(in, MARK_PANIC) : last);
	if (mark(in, MARK_PANIC) && strstr(mark(in, MARK_PANIC), "root fs"))
		return set(out, STATUS_CANNOT_TELL,
			   "the kernel took no initramfs (%s): build it with "
			   "CONFIG_BLK_DEV_INITRD",
			   mark(in, MARK_PANIC));
	if (mark(in, MARK_PANIC))
		return set(out, STATUS_CANNOT_TELL,
			   "the kernel did not reach /init: %s; see "
			   "console.log",
			   mark(in, MARK_PANIC));
	if (in->stop == STOP_FLOOD)
		return set(out, STATUS_CANNOT_TELL,
			   "the kernel flooded the console before /init; see "
			   "the first and last MiB in console.log");
	if (in->stop == STOP_GUEST)
		return set(out, STATUS_CANNOT_TELL,
			   "the kernel restarted before /init, without a "
			   "panic; its last line: %s",
			   last[0] ? last : "(none)");
	if (!last[0])
		return set(out, STATUS_CANNOT_TELL,
			   "the kernel wrote nothing in %" PRIu64
			   " s: it hangs at once, or lacks "
			   "CONFIG_SERIAL_8250_CONSOLE; --append "
			   "earlyprintk=ttyS0 may show more",
			   in->limit_s);
	return set(out, STATUS_CANNOT_TELL,
		   "the kernel did not reach /init within %" PRIu64
		   " s; its last line: %s; --boot-timeout waits longer",
		   in->limit_s, last);
}

static bool left(struct outcome *out, const struct outcome_input *in)
{
	return in->interactive && set(out, STATUS_GOOD, "the guest has ended");
}

static bool command_done(struct outcome *out, const struct outcome_input *in)
{
	const struct outcome_step *step;

	if (!in->command || in->command_status < 0 || !in->step_count ||
	    !in->complete)
		return false;
	step = &in->steps[in->step_count - 1];
	if (step->cause == CAUSE_PROTOCOL)
		return set(out, STATUS_HOST,
			   "the command's output is incomplete: %s; let it "
			   "write less",
			   why(step));
	/* 137 and its like say nothing of the kernel then. */
	if (step->cause == CAUSE_OOM && in->command_status > 124)
		return set(out, STATUS_CANNOT_TELL, "the command: %s",
			   why(step));
	set(out, STATUS_GOOD, "the command ended with %" PRId64,
	    in->command_status);
	/* 125 and above are ours: see docs/exit-status.md. */
	out->exit_status =
		in->command_status > 124 ? 124 : (int)in->command_status;
	return true;
}

static bool kernel_broke(struct outcome *out, const struct outcome_input *in)
{
	const char *oops = mark(in, MARK_OOPS);
	char where[96];

	place(in, where, sizeof(where));
	if (mark(in, MARK_MEMORY))
		return set(out, STATUS_CANNOT_TELL,
			   OUTCOME_MEMORY "%s (%s): give it more with --mem",
			   where, mark(in, MARK_MEMORY));
	if (oops)
		oops_place(in, where, sizeof(where));
	if (oops || mark(in, MARK_PANIC))
		return set(out, STATUS_BAD,
			   "the kernel broke %s: %s; see console.log", where,
			   oops ? oops : mark(in, MARK_PANIC));
	return false;
}

static bool timed_out(struct outcome *out, const struct outcome_input *in)
{
	bool slow_host = !in->kvm && in->progress;
	char where[96];

	if (in->stop == STOP_TIMEOUT && in->complete)
		return false;
	place(in, where, sizeof(where));
	if (in->stop == STOP_SILENCE && mark(in, MARK_STALL))
		return set(out, STATUS_BAD,
			   "the kernel hung %s: no record for %" PRIu64
			   " s; it said: %s; see console.log",
			   where, in->limit_s, mark(in, MARK_STALL));
	if (in->stop == STOP_SILENCE)
		return set(out, STATUS_BAD,
			   "the kernel hung %s: nothing for %" PRIu64
			   " s; its last line: %s",
			   where, in->limit_s, in->console->last);
	if (in->stop == STOP_TIMEOUT && slow_host)
		return set(out, STATUS_CANNOT_TELL,
			   "too slow here: %" PRIu64 " s passed %s while the "
			   "guest still made progress; --timeout waits longer",
			   in->limit_s, where);
	if (in->stop == STOP_TIMEOUT)
		return set(out, STATUS_BAD,
			   "the run did not end within %" PRIu64
			   " s, it was %s; --timeout waits longer",
			   in->limit_s, where);
	return false;
}

static bool incomplete(struct outcome *out, const struct outcome_input *in)
{
	char where[96];

	if (in->complete)
		return false;
	place(in, where, sizeof(where));
	if (in->stop == STOP_FLOOD)
		return set(out, STATUS_BAD,
			   "the console was flooded %s: the run was ended; "
			   "see the first and last MiB in console.log",
			   where);
	if (in->phase == PHASE_END)
		return set(out, STATUS_CANNOT_TELL,
			   "the records arrived damaged (%s): boot again",
			   in->damage ? in->damage : "no valid end");
	return set(out, STATUS_BAD,
		   "the guest restarted %s, without a panic; see console.log",
		   where);
}

static const char *cause_advice(enum step_cause cause)
{
	switch (cause) {
	case CAUSE_OPTION:
		return "build the kernel with it, give its modules with "
		       "--modules, or leave the step out";
	case CAUSE_MEMORY:
	case CAUSE_OOM:
		return "give the guest more memory with --mem";
	case CAUSE_ANTAGONIST:
		return "see why the antagonist did not start";
	default:
		return "see console.log";
	}
}

static bool step_broke(struct outcome *out, const struct outcome_input *in)
{
	static const char *const words[] = {
		[RESULT_FAIL] = "failed",
		[RESULT_TIMEOUT] = "did not end in time",
		[RESULT_CRASH] = "crashed",
	};
	const struct outcome_step *slow = NULL;
	bool hogged = false;

	for (size_t i = 0; i < in->step_count; i++) {
		const struct outcome_step *step = &in->steps[i];

		hogged |= step->verb == VERB_START;
		if (step->result != RESULT_FAIL &&
		    step->result != RESULT_TIMEOUT &&
		    step->result != RESULT_CRASH)
			continue;
		/* Beside a hog even dying takes long. */
		if (step->result == RESULT_TIMEOUT && !in->kvm &&
		    !in->deterministic &&
		    (step->cause != CAUSE_STUCK || hogged)) {
			slow = slow ? slow : step;
			continue;
		}
		return set(out, STATUS_BAD, "step %s %s: %s; see console.log",
			   step->name, words[step->result], why(step));
	}
	if (slow)
		return set(out, STATUS_CANNOT_TELL,
			   "step %s did not end in time: it hangs, or this "
			   "host is too slow; --deterministic tells which, for "
			   "it does not depend on the host",
			   slow->name);
	return false;
}

/**
 * stalled() - did the kernel itself say that it hangs?
 *
 * Without KVM a busy host alone makes a guest in real time report stalls, and
 * an antagonist is there to cause them: then they are notes.
 */
static bool stalled(struct outcome *out, const struct outcome_input *in)
{
	if (!mark(in, MARK_STALL) || (!in->kvm && !in->deterministic))
		return false;
	for (size_t i = 0; i < in->step_count; i++)
		if (in->steps[i].verb == VERB_START)
			return false;
	return set(out, STATUS_BAD,
		   "the kernel reported a hang: %s; see "
		   "console.log",
		   mark(in, MARK_STALL));
}

static bool step_skipped(struct outcome *out, const struct outcome_input *in)
{
	for (size_t i = 0; i < in->step_count; i++) {
		const struct outcome_step *step = &in->steps[i];

		if (step->result != RESULT_SKIP)
			continue;
		/* A step without its antagonist is skipped for the option
		 * that the antagonist lacked.
		 */
		if (in->may_skip && (step->cause == CAUSE_OPTION ||
				     step->cause == CAUSE_ANTAGONIST))
			continue;
		return set(out, STATUS_CANNOT_TELL,
			   "step %s was skipped: %s; %s", step->name, why(step),
			   cause_advice(step->cause));
	}
	return false;
}

static bool not_enough(struct outcome *out, const struct outcome_input *in)
{
	bool has_probe = false;
	uint64_t ended = 0;

	for (size_t i = 0; i < in->step_count; i++) {
		has_probe |= in->steps[i].verb == VERB_PROBE;
		ended += in->steps[i].result != RESULT_NONE;
	}
	if (in->command)
		return set(out, STATUS_CANNOT_TELL,
			   "the guest ended without running the command; see "
			   "console.log");
	if (ended < in->asked_steps)
		return set(out, STATUS_CANNOT_TELL,
			   "only %" PRIu64 " of %" PRIu64
			   " steps ended; see console.log",
			   ended, in->asked_steps);
	if (has_probe && in->measured == 0)
		return set(out, STATUS_CANNOT_TELL,
			   "nothing was measured: no step took a sample; see "
			   "summary.txt");
	return false;
}

void outcome_decide(struct outcome *out, const struct outcome_input *in)
{
	size_t skipped = 0;

	if (ours(out, in) || no_init(out, in) || left(out, in) ||
	    command_done(out, in) || kernel_broke(out, in) ||
	    timed_out(out, in) || incomplete(out, in) || step_broke(out, in) ||
	    stalled(out, in) || step_skipped(out, in) || not_enough(out, in))
		return;
	for (size_t i = 0; i < in->step_count; i++)
		skipped += in->steps[i].result == RESULT_SKIP;
	if (skipped)
		set(out, STATUS_GOOD,
		    "complete: %zu step%s, %zu of them skipped, %" PRIu64
		    " sample%s",
		    in->step_count, in->step_count == 1 ? "" : "s", skipped,
		    in->samples, in->samples == 1 ? "" : "s");
	else
		set(out, STATUS_GOOD,
		    "complete: %zu step%s, %" PRIu64 " sample%s",
		    in->step_count, in->step_count == 1 ? "" : "s", in->samples,
		    in->samples == 1 ? "" : "s");
}

/* How early a status comes in the order of outcome_worse(). */
static int rank(int status)
{
	switch (status) {
	case STATUS_INTERRUPTED:
		return 0;
	case STATUS_BAD:
		return 2;
	case STATUS_CANNOT_TELL:
		return 3;
	case STATUS_GOOD:
		return 4;
	default:
		return 1;
	}
}

enum status outcome_worse(int a, int b)
{
	static const enum status by_rank[] = {
		STATUS_INTERRUPTED, STATUS_HOST, STATUS_BAD,
		STATUS_CANNOT_TELL, STATUS_GOOD,
	};

	return by_rank[rank(a) < rank(b) ? rank(a) : rank(b)];
}
