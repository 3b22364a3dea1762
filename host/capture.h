/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capture.h - what a program writes to its standard output
 */
#ifndef CAPTURE_H
#define CAPTURE_H

#include <stddef.h>

/**
 * capture() - run a program and keep what it writes
 * @argv:	its words; the program is found in PATH
 * @in:		its standard input; -1 stands for /dev/null
 * @max:	most bytes that are kept
 * @text:	where to store them, with a NUL behind; the caller frees it;
 *		untouched on failure
 * Return: 0, or a negative errno; -ECHILD if it did not end with status 0.
 */
int capture(char *const *argv, int in, size_t max, char **text);

#endif
