/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * die.h - messages for the person at the keyboard, and the exit statuses
 */
#ifndef DIE_H
#define DIE_H

#include <stdarg.h>
#include <stddef.h>
#include <stdnoreturn.h>

/*
 * What every command of kverdict may end with; docs/exit-status.md has the
 * whole table.  The numbers are the contract of git-bisect(1) "run": 0 is
 * good, 1 to 127 bad but for 125, which skips, and above 127 the bisect stops.
 */
enum status {
	STATUS_GOOD = 0, /* good, or the run is complete */
	STATUS_BAD = 1,	 /* bad, or the kernel broke after /init was reached */
	STATUS_CANNOT_TELL = 125, /* this kernel cannot be tested here */
	STATUS_HOST = 128,	  /* our side or the host is broken */
	STATUS_USAGE = 129,	  /* wrong usage, no such file, not a kernel */
	STATUS_INTERRUPTED = 130, /* SIGINT, SIGTERM or SIGHUP */
};

#define __printf(fmt, args) __attribute__((format(printf, fmt, args)))

/**
 * warn() - say something on stderr as "kverdict: ...", and go on
 * @fmt:	action, object, reason and what to do next; no newline
 */
void warn(const char *fmt, ...) __printf(1, 2);

/**
 * warn_errno() - as warn(), with the text of errno appended
 * @fmt:	the action and its object; no newline
 */
void warn_errno(const char *fmt, ...) __printf(1, 2);

/**
 * die() - say what is wrong on stderr and end the program
 * @status:	how to end
 * @fmt:	action, object, reason and what to do next; no newline
 */
noreturn void die(enum status status, const char *fmt, ...) __printf(2, 3);

/**
 * die_errno() - as die(), with the text of errno appended
 * @status:	how to end
 * @fmt:	the action and its object; no newline
 */
noreturn void die_errno(enum status status, const char *fmt, ...)
	__printf(2, 3);

/**
 * xalloc() - zeroed memory, or the end of the program
 * @count:	how many items
 * @size:	bytes of one
 * Return: the memory; the caller frees it.
 */
void *xalloc(size_t count, size_t size);

/**
 * xgrow() - make an array longer, or end the program
 * @array:	from xalloc(), xgrow() or NULL
 * @count:	how many items it shall hold
 * @size:	bytes of one
 * Return: the array; new items are not zeroed.
 */
void *xgrow(void *array, size_t count, size_t size);

/**
 * xprintf() - a formatted string, or the end of the program
 * @fmt:	as for printf()
 * Return: the string; the caller frees it.
 */
char *xprintf(const char *fmt, ...) __printf(1, 2);

/**
 * xvprintf() - as xprintf(), for a function that takes a format itself
 * @fmt:	as for vprintf()
 * @args:	as for vprintf()
 * Return: the string; the caller frees it.
 */
char *xvprintf(const char *fmt, va_list args) __printf(1, 0);

#endif
