// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_hang.c - a negative control: a probe that only SIGKILL ends
 */
#include <signal.h>
#include <unistd.h>

#include "probe.h"

static _Noreturn enum probe_result test_hang_run(struct probe_ctx *ctx)
{
	sigset_t all;

	(void)ctx;
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	for (;;)
		pause();
}

const struct probe probe_test_hang = {
	.name = "test_hang",
	.summary = "hang until it is killed",
	.run = test_hang_run,
};
