/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cpio_entry.h - one line of an archive's list, and the header it becomes
 *
 * The list is in the format of the kernel's gen_init_cpio, with one addition:
 * a file's place on the host and a link's target may contain blanks, since
 * all that follows them has a fixed number of words.
 *
 *	file NAME LOCATION MODE UID GID
 *	dir NAME MODE UID GID
 *	nod NAME MODE UID GID c|b MAJOR MINOR
 *	slink NAME TARGET MODE UID GID
 */
#ifndef CPIO_ENTRY_H
#define CPIO_ENTRY_H

#include <stddef.h>
#include <stdint.h>

#define CPIO_HEADER_SIZE 110u
#define CPIO_TRAILER	 "TRAILER!!!" /* names the entry that ends an archive */

struct cpio_entry {
	const char *name;   /* in the archive, without a slash at its start */
	const char *source; /* a file's place, a link's target, or NULL */
	uint32_t mode;	    /* type and permissions, as in struct stat */
	uint32_t uid, gid;
	uint32_t major, minor; /* of a node; 0 for the others */
};

/**
 * cpio_parse() - understand one line of the list
 * @entry:	where to store it; its texts point into @line
 * @line:	the line without its newline; is changed
 * Return: NULL, or why this is no valid line.
 */
const char *cpio_parse(struct cpio_entry *entry, char *line);

/**
 * cpio_header() - the fixed part of an entry in the archive
 * @text:	where to store the header and a NUL
 * @entry:	the entry; only its @name is needed, all else may be 0
 * @ino:	inode number, from 1
 * @size:	bytes that follow the name
 *
 * What the host knows about a file beyond its contents (inode, links, times,
 * device) stays out, so the archive is a function of list and contents.
 */
void cpio_header(char text[CPIO_HEADER_SIZE + 1],
		 const struct cpio_entry *entry, uint32_t ino, uint32_t size);

#endif
