/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run_outcome.h - what one boot comes to: an exit status and a message
 */
#ifndef RUN_OUTCOME_H
#define RUN_OUTCOME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "die.h"
#include "flat.h"
#include "run_console.h"

/* How far the guest came. */
enum run_phase {
	PHASE_BOOT,  /* no `run` record yet: /init was not reached */
	PHASE_STEPS, /* the `run` record is there */
	PHASE_END,   /* so is the `end` record */
};

/* What ended the boot. */
enum run_stop {
	STOP_GUEST,	   /* the guest restarted */
	STOP_PANIC,	   /* a panic on the console; QEMU was ended */
	STOP_BOOT_TIMEOUT, /* /init was not reached in time */
	STOP_SILENCE,	   /* no sign of life for too long */
	STOP_TIMEOUT,	   /* the whole run took too long */
	STOP_FLOOD,	   /* too much on the console */
	STOP_SIGNAL,	   /* we were interrupted */
	STOP_QEMU,	   /* QEMU failed, or was ended from outside */
	STOP_HOST,	   /* something of ours failed */
};

/* One step of the scenario, as its records say. */
struct outcome_step {
	char *name;
	enum step_verb verb;
	enum step_result result; /* RESULT_NONE: began and did not end */
	enum step_cause cause;
	char *reason;
};

/* All that the outcome depends on, and nothing else. */
struct outcome_input {
	enum run_phase phase;
	enum run_stop stop;
	bool kvm;	      /* real time with KVM */
	bool deterministic;   /* virtual time */
	bool command;	      /* a COMMAND was asked for, not a scenario */
	bool interactive;     /* somebody uses a shell or gdb, and ends it */
	bool complete;	      /* the records are whole, up to a valid `end` */
	bool progress;	      /* at STOP_TIMEOUT: the guest was not silent */
	bool disk_full;	      /* no room is left for a run's files */
	bool may_skip;	      /* from the `run` record */
	uint64_t limit_s;     /* the time that passed, for a timeout */
	uint64_t asked_steps; /* from the `run` record */
	uint64_t samples;
	uint64_t measured;		  /* of them: not by an antagonist */
	int64_t command_status;		  /* -1: it never ended */
	const struct outcome_step *steps; /* in their order */
	size_t step_count;
	const struct console *console;
	const char *detail; /* STOP_QEMU, STOP_HOST: what went wrong */
	const char *damage; /* why the records are not complete, or NULL */
	const char *fatal;  /* why /init could not go on, or NULL */
};

/* How these messages begin: a guest that was too small is no crash. */
#define OUTCOME_MEMORY "the guest ran out of memory "
#define OUTCOME_UNPACK "the kernel could not unpack the image "

struct outcome {
	enum status status; /* by the table of docs/exit-status.md */
	int exit_status;    /* the same, or the command's own, mapped */
	char message[1024]; /* what happened, to what, and what to do next */
};

/**
 * outcome_decide() - judge how a boot went, not what it measured
 * @out:	where to store it
 * @in:		the facts
 *
 * Pure: reads no clock, no file and no environment.
 */
void outcome_decide(struct outcome *out, const struct outcome_input *in);

/**
 * outcome_worse() - which of two statuses stands for both
 * @a:		an exit status
 * @b:		another
 * Return: the one that comes first in 130, 128, 1, 125, 0; any other counts
 *	   as 128.
 */
enum status outcome_worse(int a, int b);

#endif
