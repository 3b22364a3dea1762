// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * console.c - lines for people on the first serial port
 */
#include "console.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "tty.h"

#define LINE_MAX_BYTES 1024

static bool broken; /* it took nothing for a long time: leave it alone */

static int open_first(void)
{
	static const char *const paths[] = { "/dev/console", "/dev/ttyS0",
					     "/dev/null" };
	int fd = -1;

	for (size_t i = 0; fd < 0 && i < sizeof(paths) / sizeof(paths[0]); i++)
		fd = open(paths[i], O_RDWR | O_NOCTTY);
	/* The last resort takes no byte, but keeps the number. */
	return fd < 0 ? open("/", O_RDONLY | O_DIRECTORY) : fd;
}

void console_open(void)
{
	int fd = open_first();

	for (int target = 0; target <= 2; target++)
		if (fd != target)
			dup2(fd, target);
	if (fd > 2)
		close(fd);
}

void console_say(const char *fmt, ...)
{
	char line[LINE_MAX_BYTES];
	va_list args;
	int len;

	va_start(args, fmt);
	len = vsnprintf(line, sizeof(line) - 1, fmt, args);
	va_end(args);
	if (len < 0 || broken)
		return;
	if ((size_t)len > sizeof(line) - 2)
		len = sizeof(line) - 2;
	line[len++] = '\n';
	broken = !tty_write(STDOUT_FILENO, line, (size_t)len);
}

void console_drain(void)
{
	if (!broken)
		broken = !tty_drain(STDOUT_FILENO);
}
