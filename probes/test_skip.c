// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_skip.c - a negative control: a probe that no kernel can run
 */
#include "probe.h"

static enum probe_result test_skip_run(struct probe_ctx *ctx)
{
	return probe_skip(ctx, CAUSE_OPTION,
			  "CONFIG_THAT_NO_KERNEL_HAS is off");
}

const struct probe probe_test_skip = {
	.name = "test_skip",
	.summary = "skip for a missing kernel option",
	.run = test_skip_run,
};
