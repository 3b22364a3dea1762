/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tty.h - writing to a terminal without ever hanging in it
 */
#ifndef TTY_H
#define TTY_H

#include <stdbool.h>
#include <stddef.h>

/**
 * tty_open_raw() - open a serial port for bytes as they are
 * @path:	the device
 * Return: a descriptor that blocks, or -1 with errno.
 */
int tty_open_raw(const char *path);

/**
 * tty_write() - write bytes, and give up on a terminal that takes none
 * @fd:		the terminal, or any other file
 * @bytes:	what to write
 * @len:	bytes of @bytes
 *
 * It is one write(2) unless a second has passed.  Gives up after 10 s in which
 * not one byte was taken.
 *
 * Return: whether all was taken.
 */
bool tty_write(int fd, const char *bytes, size_t len);

/**
 * tty_drain() - wait until the last byte has left the port
 * @fd:		the terminal; other files are drained at once
 * Return: false if it did not happen within 10 s.
 */
bool tty_drain(int fd);

#endif
