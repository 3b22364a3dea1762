/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * disk.h - the file on a results disk, read without mounting it
 */
#ifndef DISK_H
#define DISK_H

#include <stddef.h>

/**
 * disk_read() - get records.jsonl out of the image of a results disk
 * @image:	an ext2 file system that a guest wrote: it may be corrupt, or
 *		made to hurt
 * @deadline_ms: how long debugfs may take for each of its two requests
 * @bytes:	where to store the file's bytes; the caller frees them
 * @len:	where to store how many
 *
 * debugfs does the reading, in a process of its own that may write no more
 * than RECORD_STREAM_MAX bytes.  It is the one that DEBUGFS in the environment
 * names, else the one of PATH, /usr/sbin or /sbin.
 *
 * Return: NULL, or why there is nothing to be had; the caller frees it, and
 *	   @bytes and @len are untouched.
 */
char *disk_read(const char *image, int deadline_ms, char **bytes, size_t *len);

#endif
