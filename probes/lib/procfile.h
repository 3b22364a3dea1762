/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * procfile.h - one value in one file of /proc or /sys
 */
#ifndef PROCFILE_H
#define PROCFILE_H

#include <stdint.h>

/**
 * procfile_read() - read a number
 * @path:	the file
 * @value:	where to store it; untouched on failure
 * Return: 0, -EINVAL if it holds no number, or a negative errno.
 */
int procfile_read(const char *path, int64_t *value);

/**
 * procfile_write() - write a number
 * @path:	the file; it must exist
 * @value:	what to write
 * Return: 0 or a negative errno.
 */
int procfile_write(const char *path, int64_t value);

/**
 * procfile_swap() - write a number, and remember what to put back
 * @path:	the file
 * @value:	what to write
 * @old:	where to store what was there; untouched on failure
 * Return: 0 or a negative errno.
 */
int procfile_swap(const char *path, int64_t value, int64_t *old);

/**
 * procfile_meminfo_kib() - a line of /proc/meminfo
 * @key:	"MemAvailable", for one
 * @kib:	where to store it; untouched on failure
 * Return: 0, -ENOENT if there is no such line, or a negative errno.
 */
int procfile_meminfo_kib(const char *key, uint64_t *kib);

#endif
