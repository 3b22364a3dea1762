// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * slow_halt.c - a host that gives its time to QEMU's two threads at the worst
 * of moments
 *
 * A CPU that halts leaves the translated code by siglongjmp(), and its
 * instructions are added to the clock behind that.  The main thread, when it
 * has been woken, gets no time until the thread of the CPUs is at such a jump;
 * that one then gets none while main makes its round.  A busy host does so now
 * and then; this happens on an idle one as well, many times in a boot.
 * Preloaded by the tests of deterministic mode.
 */
#include <dlfcn.h>
#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define JUMP_NS	 1000000 /* main waits: CPUs that sleep do not jump */
#define ROUND_NS 100000	 /* the jump waits: main makes its round */
#define ROUNDS	 16	 /* for each time that main is woken: few jumps halt */

static atomic_uint main_waits;

void siglongjmp(struct __jmp_buf_tag env[1], int value)
	__attribute__((noreturn));
/* What _FORTIFY_SOURCE makes of it. */
void __longjmp_chk(struct __jmp_buf_tag env[1], int value)
	__attribute__((noreturn));
int ppoll(struct pollfd *fds, nfds_t count, const struct timespec *timeout,
	  const sigset_t *mask);

static void jump(const char *name, struct __jmp_buf_tag *env, int value)
{
	const struct timespec round = { .tv_nsec = ROUND_NS };
	void *symbol = dlsym(RTLD_NEXT, name);
	void (*real)(struct __jmp_buf_tag *, int);

	memcpy(&real, &symbol, sizeof(symbol));
	if (atomic_exchange(&main_waits, 0)) {
		syscall(SYS_futex, &main_waits, FUTEX_WAKE_PRIVATE, 1, NULL,
			NULL, 0);
		nanosleep(&round, NULL);
	}
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

/* Does a jump come before the limit? */
static bool wait_for_jump(void)
{
	const struct timespec limit = { .tv_nsec = JUMP_NS };

	atomic_store(&main_waits, 1);
	syscall(SYS_futex, &main_waits, FUTEX_WAIT_PRIVATE, 1, &limit, NULL, 0);
	return !atomic_exchange(&main_waits, 0);
}

int ppoll(struct pollfd *fds, nfds_t count, const struct timespec *timeout,
	  const sigset_t *mask)
{
	static const struct timespec at_once;
	static int rounds; /* main's alone */
	void *symbol = dlsym(RTLD_NEXT, "ppoll");
	int (*real)(struct pollfd *, nfds_t, const struct timespec *,
		    const sigset_t *);
	int ready, err;

	memcpy(&real, &symbol, sizeof(symbol));
	if (syscall(SYS_gettid) != getpid())
		return real(fds, count, timeout, mask);
	ready = real(fds, count, rounds > 0 ? &at_once : timeout, mask);
	err = errno;
	rounds = rounds > 0 ? rounds - 1 : ROUNDS;
	if (ready >= 0 && !wait_for_jump())
		rounds = 0;
	errno = err;
	return ready;
}
