// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tty.c - writing to a terminal without ever hanging in it
 *
 * A signal every second takes write(2) and tcdrain(3) out of the kernel, so a
 * port that takes nothing is noticed.  O_NONBLOCK would not do: tcdrain()
 * ignores it, and it would belong to everybody who has the terminal open.
 */
#include "tty.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <sys/time.h>
#include <termios.h>
#include <unistd.h>

#include "clock.h"
#include "file.h"

#define PATIENCE_NS (10 * NS_PER_S)

static void on_alarm(int signal)
{
	(void)signal;
}

/* Seconds between two signals; 0 ends them. */
static void set_ticks(int seconds)
{
	struct sigaction wake = { .sa_handler = on_alarm };
	struct itimerval ticks = {
		.it_interval = { .tv_sec = seconds },
		.it_value = { .tv_sec = seconds },
	};

	/* Neither can fail with these arguments. */
	sigaction(SIGALRM, &wake, NULL);
	setitimer(ITIMER_REAL, &ticks, NULL);
}

int tty_open_raw(const char *path)
{
	struct termios raw;
	int fd = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);

	fd = file_raise_fd(fd);
	if (fd < 0)
		return -1;
	if (tcgetattr(fd, &raw) < 0)
		goto close_fd;
	cfmakeraw(&raw);
	cfsetspeed(&raw, B115200);
	raw.c_cflag |= CLOCAL | CREAD;
	raw.c_cflag &= ~(tcflag_t)(CRTSCTS | HUPCL);
	if (tcsetattr(fd, TCSANOW, &raw) < 0 || fcntl(fd, F_SETFL, O_RDWR) < 0)
		goto close_fd;
	return fd;

close_fd:
	close(fd);
	return -1;
}

bool tty_write(int fd, const char *bytes, size_t len)
{
	uint64_t deadline_ns = clock_mono_ns() + PATIENCE_NS;
	bool good = true;

	set_ticks(1);
	while (len > 0 && good) {
		ssize_t took = write(fd, bytes, len);

		if (took > 0) {
			bytes += took;
			len -= (size_t)took;
			deadline_ns = clock_mono_ns() + PATIENCE_NS;
		} else {
			good = took < 0 && errno == EINTR &&
			       clock_mono_ns() < deadline_ns;
		}
	}
	set_ticks(0);
	return good;
}

bool tty_drain(int fd)
{
	uint64_t deadline_ns = clock_mono_ns() + PATIENCE_NS;
	bool good = true;

	set_ticks(1);
	while (good && tcdrain(fd) < 0 && errno == EINTR)
		good = clock_mono_ns() < deadline_ns;
	set_ticks(0);
	return good;
}
