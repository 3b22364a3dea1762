/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * console.h - lines for people on the first serial port
 *
 * Nothing is ever parsed out of them.
 */
#ifndef CONSOLE_H
#define CONSOLE_H

/**
 * console_open() - put descriptors 0 to 2 on the console
 *
 * On a kernel without a console they lead to /dev/null; they are valid in any
 * case, so that no other file ever becomes one of them.
 */
void console_open(void);

/**
 * console_say() - write a line
 * @fmt:	the line, as for printf(), without its LF
 */
__attribute__((format(printf, 1, 2))) void console_say(const char *fmt, ...);

/**
 * console_drain() - wait until the console's last byte has left the port
 *
 * What is still under way would otherwise interrupt the next step.
 */
void console_drain(void);

#endif
