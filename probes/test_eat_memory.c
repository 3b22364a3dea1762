// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_eat_memory.c - a negative control: a probe that the OOM killer ends
 */
#include <string.h>
#include <sys/mman.h>

#include "probe.h"

#define CHUNK (4u << 20)

static _Noreturn enum probe_result test_eat_memory_run(struct probe_ctx *ctx)
{
	(void)ctx;
	for (;;) {
		char *chunk = mmap(NULL, CHUNK, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (chunk != MAP_FAILED)
			memset(chunk, 1, CHUNK);
	}
}

const struct probe probe_test_eat_memory = {
	.name = "test_eat_memory",
	.summary = "take all memory until it is killed",
	.run = test_eat_memory_run,
};
