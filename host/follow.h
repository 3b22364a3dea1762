/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * follow.h - the lines of a file that is still being written
 */
#ifndef FOLLOW_H
#define FOLLOW_H

#include <stddef.h>
#include <stdint.h>

/* A longer line is handed out in pieces of this many bytes. */
#define FOLLOW_LINE_MAX 4096u

struct follow {
	int fd;		/* -1: not open */
	uint64_t bytes; /* read so far */
	size_t len;	/* bytes of the unfinished line */
	char line[FOLLOW_LINE_MAX + 1];
};

/* Gets a line of @len bytes without its LF, with a NUL after it. */
typedef void follow_fn(void *context, char *line, size_t len);

/**
 * follow_create() - make an empty file and begin to follow it
 * @f:		needs no initialisation
 * @dir_fd:	the folder
 * @name:	must not exist in it
 * Return: 0 or a negative errno.
 */
int follow_create(struct follow *f, int dir_fd, const char *name);

/**
 * follow_open() - begin to read an existing file
 * @f:		needs no initialisation
 * @dir_fd:	the folder
 * @name:	the file, not a link
 * Return: 0 or a negative errno.
 */
int follow_open(struct follow *f, int dir_fd, const char *name);

/**
 * follow_lines() - hand out the lines that were added since the last call
 * @f:		from follow_create() or follow_open()
 * @fn:		called for each finished line
 * @context:	passed to @fn
 *
 * Reads at most 4 MiB, so that a file that grows faster than it is read does
 * not keep the caller from its deadlines.
 *
 * Return: how many bytes were new, or a negative errno.
 */
int64_t follow_lines(struct follow *f, follow_fn *fn, void *context);

/**
 * follow_close() - hand out an unfinished last line, and close
 * @f:		from follow_create() or follow_open()
 * @fn:		called for the last line if there is one; NULL drops it
 * @context:	passed to @fn
 */
void follow_close(struct follow *f, follow_fn *fn, void *context);

#endif
