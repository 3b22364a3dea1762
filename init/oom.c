// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * oom.c - did the OOM killer run?
 */
#include "oom.h"

#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>

#include "file.h"
#include "outcome.h"

uint64_t oom_kills(void)
{
	static const char key[] = "\noom_kill ";
	static char vmstat[16384];
	const char *line;

	if (file_read("/proc/vmstat", vmstat, sizeof(vmstat)) < 0)
		return 0;
	line = strstr(vmstat, key);
	return line ? strtoull(line + strlen(key), NULL, 10) : 0;
}

void oom_outcome(struct outcome *outcome)
{
	struct sysinfo info;
	unsigned long long mib = 0;

	if (!sysinfo(&info))
		mib = (unsigned long long)info.totalram * info.mem_unit >> 20;
	outcome_set(outcome, RESULT_SKIP, CAUSE_OOM,
		    "the OOM killer ran: %llu MiB of memory are too few, give "
		    "the guest more with --mem",
		    mib);
}
