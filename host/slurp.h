/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slurp.h - whole files, of which nothing is trusted but that they are files;
 * and how to write one
 */
#ifndef SLURP_H
#define SLURP_H

#include <stdbool.h>
#include <stddef.h>

/**
 * slurp() - read a regular file as a whole
 * @path:	the file; a link as its last part is refused, so that a run
 *		directory from elsewhere cannot name files outside itself
 * @max:	most bytes it may have
 * @bytes:	where to store its bytes, with a NUL behind them; the caller
 *		frees them; untouched on failure
 * @len:	where to store how many; untouched on failure
 * Return: 0, or a negative errno that slurp_reason() puts into words.
 */
int slurp(const char *path, size_t max, char **bytes, size_t *len);

/**
 * slurp_fd() - as slurp(), from the start of an open file that is closed by
 *		the caller
 * @fd:		readable
 * @max:	most bytes it may have
 * @bytes:	where to store its bytes
 * @len:	where to store how many
 * Return: 0 or a negative errno.
 */
int slurp_fd(int fd, size_t max, char **bytes, size_t *len);

/**
 * slurp_reason() - why slurp() did not read a file
 * @err:	what it returned
 * Return: a text that follows the file's name and a colon.
 */
const char *slurp_reason(int err);

/**
 * write_all() - as write(), until nothing is left
 * @fd:		writable, and it blocks
 * @bytes:	what to write
 * @len:	how many bytes
 * Return: whether all were written; else errno says why not.
 */
bool write_all(int fd, const void *bytes, size_t len);

#endif
