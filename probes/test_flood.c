// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_flood.c - a negative control: a probe that writes without end
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "probe.h"

#define FLOOD_BYTES (32u << 20) /* twice what /init takes */

static enum probe_result test_flood_run(struct probe_ctx *ctx)
{
	/* Not a line that is passed on: the mirror would take minutes for it. */
	static char line[] = "A LINE THAT IS WRITTEN AGAIN AND AGAIN\n";
	int fd = probe_output_fd();

	for (size_t done = 0; done < FLOOD_BYTES; done += sizeof(line) - 1)
		if (write(fd, line, sizeof(line) - 1) < 0)
			return probe_fail(ctx, CAUSE_OTHER, "write: %s",
					  strerror(errno));
	return PROBE_PASS;
}

const struct probe probe_test_flood = {
	.name = "test_flood",
	.summary = "write more than /init takes",
	.run = test_flood_run,
};
