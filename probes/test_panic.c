// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_panic.c - a negative control: a probe that breaks the kernel
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "probe.h"

#define SYSRQ "/proc/sysrq-trigger"
#define LKDTM "/sys/kernel/debug/provoke-crash/DIRECT"

static const char *const ways[] = {
	"panic", "oops", "bug", "warn", "soft_lockup", "hung_task", NULL,
};

/* What LKDTM calls them; a panic needs no LKDTM. */
static const char *const lkdtm_words[] = {
	NULL, "EXCEPTION", "BUG", "WARNING", "SOFTLOCKUP", "HUNG_TASK",
};

static const struct param params[] = {
	PARAM_WORD("how", 0, ways, "what shall happen to the kernel"),
	PARAM_END,
};

static enum probe_result test_panic_run(struct probe_ctx *ctx)
{
	const char *word = lkdtm_words[probe_param(ctx, "how")];
	const char *path = word ? LKDTM : SYSRQ;
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (!word)
		word = "c";
	if (fd < 0)
		return probe_skip(ctx, CAUSE_OPTION, "%s is off: %s: %s",
				  path[1] == 'p' ? "CONFIG_MAGIC_SYSRQ"
						 : "CONFIG_LKDTM",
				  path, strerror(errno));
	if (write(fd, word, strlen(word)) < 0)
		return probe_fail(ctx, CAUSE_OTHER, "%s: %s", path,
				  strerror(errno));
	if (probe_param(ctx, "how"))
		return PROBE_PASS;
	return probe_fail(ctx, CAUSE_KERNEL, "it survived its own panic");
}

const struct probe probe_test_panic = {
	.name = "test_panic",
	.summary = "panic the kernel, or make it stumble",
	.params = params,
	.run = test_panic_run,
};
