// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_protocol.c - a negative control: a probe that writes a malformed line
 */
#include <stdio.h>

#include "probe.h"

static enum probe_result test_protocol_run(struct probe_ctx *ctx)
{
	(void)ctx;
	dprintf(probe_output_fd(),
		"sample repetition=0 time_ns=1 answer_ns=42\n"
		"sample repetition=1 time_ns=ten\n");
	return PROBE_PASS;
}

const struct probe probe_test_protocol = {
	.name = "test_protocol",
	.summary = "write a good and a malformed line",
	.run = test_protocol_run,
};
