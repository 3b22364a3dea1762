// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lockstep.c - QEMU's main loop runs only while the guest's CPUs wait
 *
 * Preloaded into a QEMU with -icount sleep=off.  Its main loop moves the clock
 * to the next timer when it finds all CPUs of the guest halted.  It is woken
 * after every timer, though, and a CPU counts as halted a moment before the
 * instructions that it has just executed are added to the clock.  A main loop
 * that comes in that moment moves the clock too far, by those instructions
 * (seen in QEMU 7.2 and 10.0: icount_start_warp_timer() against
 * icount_process_data()).  Whether it does is up to the host.
 *
 * So what comes out of ppoll() in the main thread is held until the thread of
 * the CPUs is in pthread_cond_wait(), which it enters when all are halted and
 * accounted for, and which QEMU ends by a broadcast.  The two threads then
 * take turns, in an order that is the guest's alone.
 *
 * A guest that never halts must not lock out what main has to do for it, a
 * restart or an answer: each HELD_CPU_NS that it computes main gets one turn.
 * A thread that is blocked in anything else, and a signal, let it through too.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define HELD_CPU_NS 2000000000 /* far longer than a guest that works computes */
#define LOOK_NS	    50000000

int pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex);
int pthread_cond_broadcast(pthread_cond_t *cond);
int ppoll(struct pollfd *fds, nfds_t count, const struct timespec *timeout,
	  const sigset_t *mask);

static struct {
	int (*wait)(pthread_cond_t *, pthread_mutex_t *);
	int (*broadcast)(pthread_cond_t *);
	int (*ppoll)(struct pollfd *, nfds_t, const struct timespec *,
		     const sigset_t *);
} real;

/*
 * The thread of the CPUs is the first other than main that waits for a
 * condition: for the machine to start.
 */
static atomic_int cpus_tid;	 /* 0: not seen yet */
static clockid_t cpus_clock;	 /* how long it computed */
static atomic_uint cpus_waiting; /* 1: main's turn */
static _Atomic(pthread_cond_t *) cpus_cond;

/*
 * glibc has two pthread_cond_wait(), and may give the one of before 2.3.2 to
 * who asks for none.
 */
static void *next(const char *name)
{
	void *symbol = dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2");

	return symbol ? symbol : dlsym(RTLD_NEXT, name);
}

/* ISO C has no conversion from an object's pointer to a function's. */
__attribute__((constructor)) static void find_real(void)
{
	void *symbol[] = { next("pthread_cond_wait"),
			   next("pthread_cond_broadcast"), next("ppoll") };

	memcpy(&real.wait, &symbol[0], sizeof(symbol[0]));
	memcpy(&real.broadcast, &symbol[1], sizeof(symbol[1]));
	memcpy(&real.ppoll, &symbol[2], sizeof(symbol[2]));
}

static bool in_main(void)
{
	static _Thread_local int tid;

	if (!tid)
		tid = (int)syscall(SYS_gettid);
	return tid == getpid();
}

static bool is_cpus(void)
{
	static _Thread_local int mine; /* 1: yes, -1: no */
	int nobody = 0;

	if (!mine) {
		clockid_t clock;

		mine = -1;
		if (!in_main() &&
		    pthread_getcpuclockid(pthread_self(), &clock) == 0 &&
		    !atomic_load(&cpus_tid)) {
			cpus_clock = clock;
			if (atomic_compare_exchange_strong(
				    &cpus_tid, &nobody,
				    (int)syscall(SYS_gettid)))
				mine = 1;
		}
	}
	return mine > 0;
}

int pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex)
{
	int err;

	if (!is_cpus())
		return real.wait(cond, mutex);
	atomic_store(&cpus_cond, cond);
	atomic_store(&cpus_waiting, 1);
	syscall(SYS_futex, &cpus_waiting, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	err = real.wait(cond, mutex);
	atomic_store(&cpus_waiting, 0);
	return err;
}

/*
 * Main's turn ends here and not when the thread has woken up, else a second
 * round of main could still begin beside it.
 */
int pthread_cond_broadcast(pthread_cond_t *cond)
{
	if (cond == atomic_load(&cpus_cond))
		atomic_store(&cpus_waiting, 0);
	return real.broadcast(cond);
}

static uint64_t computed_ns(void)
{
	struct timespec now;

	if (clock_gettime(cpus_clock, &now) < 0)
		return 0;
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Does it sleep?  What the host does not let run has R, however long. */
static bool cpus_blocked(void)
{
	char path[64], text[256];
	const char *end;
	ssize_t len;
	int fd;

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat",
		 atomic_load(&cpus_tid));
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return true;
	len = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[len > 0 ? len : 0] = '\0';
	end = strrchr(text, ')');
	return !end || end[1] != ' ' || (end[2] != 'R' && end[2] != 'D');
}

static void hold(void)
{
	const struct timespec look = { .tv_nsec = LOOK_NS };
	uint64_t begin_ns = computed_ns(), last_ns = begin_ns;

	while (!atomic_load(&cpus_waiting)) {
		uint64_t now_ns;

		if (syscall(SYS_futex, &cpus_waiting, FUTEX_WAIT_PRIVATE, 0,
			    &look, NULL, 0) == 0 ||
		    errno == EAGAIN)
			continue;
		if (errno != ETIMEDOUT)
			return; /* a signal is main's to handle */
		now_ns = computed_ns();
		if (now_ns - begin_ns > HELD_CPU_NS ||
		    (now_ns == last_ns && cpus_blocked()))
			return;
		last_ns = now_ns;
	}
}

int ppoll(struct pollfd *fds, nfds_t count, const struct timespec *timeout,
	  const sigset_t *mask)
{
	int ready = real.ppoll(fds, count, timeout, mask), err = errno;

	if (ready >= 0 && atomic_load(&cpus_tid) && in_main())
		hold();
	errno = err;
	return ready;
}
