// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_fail.c - a negative control: a probe that fails, after one good sample
 */
#include "clock.h"
#include "probe.h"

static enum probe_result test_fail_run(struct probe_ctx *ctx)
{
	probe_reserve(ctx, 1);
	probe_metric(ctx, "answer_ns", "lower", NULL, NULL);
	probe_sample(ctx, false, clock_mono_ns());
	probe_value(ctx, "answer_ns", 42);
	return probe_fail(ctx, CAUSE_OTHER, "it was asked to fail");
}

const struct probe probe_test_fail = {
	.name = "test_fail",
	.summary = "fail after one sample",
	.run = test_fail_run,
};
