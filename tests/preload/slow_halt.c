// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * slow_halt.c - a QEMU whose thread of the CPUs is preempted where it hurts
 *
 * A CPU that halts leaves the translated code by siglongjmp(), and its
 * instructions are added to the clock behind that.  One in 16 of these jumps
 * sleeps, as if the host had given the time to somebody else.  Preloaded by
 * the tests of deterministic mode.
 */
#include <dlfcn.h>
#include <setjmp.h>
#include <string.h>
#include <time.h>

#define SLEEP_NS 100000

void siglongjmp(struct __jmp_buf_tag env[1], int value)
	__attribute__((noreturn));
/* What _FORTIFY_SOURCE makes of it. */
void __longjmp_chk(struct __jmp_buf_tag env[1], int value)
	__attribute__((noreturn));

static void jump(const char *name, struct __jmp_buf_tag *env, int value)
{
	static _Thread_local unsigned int jumps;
	const struct timespec moment = { .tv_nsec = SLEEP_NS };
	void *symbol = dlsym(RTLD_NEXT, name);
	void (*real)(struct __jmp_buf_tag *, int);

	memcpy(&real, &symbol, sizeof(symbol));
	if (++jumps % 16 == 0)
		nanosleep(&moment, NULL);
	real(env, value);
}

void siglongjmp(struct __jmp_buf_tag env[1], int value)
{
	jump("siglongjmp", env, value);
	__builtin_unreachable();
}

void __longjmp_chk(struct __jmp_buf_tag env[1], int value)
{
	jump("__longjmp_chk", env, value);
	__builtin_unreachable();
}
