/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * file.h - small files of the kernel, and descriptors out of the way
 */
#ifndef FILE_H
#define FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/**
 * file_read() - read a small file whole
 * @path:	the file
 * @text:	where to put it; NUL-terminated, empty on failure
 * @size:	bytes of @text, at least 1; what does not fit is left out
 * Return: how many bytes were read, or a negative errno.
 */
ssize_t file_read(const char *path, char *text, size_t size);

/**
 * file_read_line() - read the first line of a small file
 * @path:	the file
 * @text:	where to put it, without blanks and line feeds at its end
 * @size:	bytes of @text, at least 1
 * Return: whether the file could be read.
 */
bool file_read_line(const char *path, char *text, size_t size);

/**
 * file_write() - write a text into a file of the kernel, in one write
 * @path:	the file, which must exist
 * @text:	what to write
 * Return: 0, or a negative errno.
 */
int file_write(const char *path, const char *text);

/**
 * file_raise_fd() - move a descriptor above those that children get
 * @fd:		the descriptor, closed here; negative: nothing happens
 *
 * Children are given descriptors 0 to 4.  Ours are all above, so that putting
 * one in place never overwrites another.
 *
 * Return: the new descriptor, close-on-exec, or -1 with errno.
 */
int file_raise_fd(int fd);

#endif
