// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_crash.c - a negative control: a probe that ends by SIGSEGV
 */
#include <signal.h>

#include "probe.h"

static enum probe_result test_crash_run(struct probe_ctx *ctx)
{
	(void)ctx;
	raise(SIGSEGV);
	return PROBE_PASS;
}

const struct probe probe_test_crash = {
	.name = "test_crash",
	.summary = "end by SIGSEGV",
	.run = test_crash_run,
};
