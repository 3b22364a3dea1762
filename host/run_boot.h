/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run_boot.h - one boot while it goes on
 */
#ifndef RUN_BOOT_H
#define RUN_BOOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "follow.h"
#include "qemu.h"
#include "run.h"
#include "run_console.h"
#include "run_outcome.h"
#include "run_tally.h"

struct boot {
	const struct run_options *o;
	const char *dir;
	int dir_fd;
	bool live;
	struct qemu qemu;
	struct follow mirror, serial;
	struct console console;
	struct tally tally;
	enum run_stop stop;
	char detail[640];  /* of STOP_QEMU and STOP_HOST */
	char no_disk[320]; /* why there is no results disk, or "" */
	bool plugged;
	bool lockstep;			    /* QEMU has loaded RUN_LOCKSTEP */
	uint64_t start_ns, init_ns, end_ns; /* 0: not yet */
	uint64_t news_ns, panic_ns;
	uint64_t stalls; /* how many it had reported at its last record */
	uint64_t tick_ns, asleep_ns; /* last look; how long none could be */
	uint64_t limit_s;	     /* the timeout that passed */
	bool progress;
};

/**
 * boot_watch() - accompany the guest until it ends, or has to be ended
 * @b:		QEMU is started
 *
 * Sets why it ended; QEMU has ended, and all it wrote is read.
 */
void boot_watch(struct boot *b);

/**
 * boot_line() - take in a line of the records, for follow_lines()
 * @tally:	a struct tally
 * @line:	the line
 * @len:	its length
 */
void boot_line(void *tally, char *line, size_t len);

#endif
