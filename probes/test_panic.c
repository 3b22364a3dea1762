// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_panic.c - a negative control: a probe that panics the kernel
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "probe.h"

#define TRIGGER "/proc/sysrq-trigger"

static enum probe_result test_panic_run(struct probe_ctx *ctx)
{
	int fd = open(TRIGGER, O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return probe_skip(ctx, CAUSE_OPTION,
				  "CONFIG_MAGIC_SYSRQ is off: %s: %s", TRIGGER,
				  strerror(errno));
	if (write(fd, "c", 1) < 0)
		return probe_fail(ctx, CAUSE_OTHER, "%s: %s", TRIGGER,
				  strerror(errno));
	return probe_fail(ctx, CAUSE_KERNEL, "it survived its own panic");
}

const struct probe probe_test_panic = {
	.name = "test_panic",
	.summary = "panic the kernel",
	.run = test_panic_run,
};
