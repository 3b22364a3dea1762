/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * netns.h - named network namespaces, and whether the dead ones are gone
 */
#ifndef NETNS_H
#define NETNS_H

#include <stdint.h>

/**
 * netns_dir_make() - a private mount namespace with a folder for names
 * @dir:	the folder, of an existing file system; an empty tmpfs hides it
 *
 * Nobody else sees the names, and they vanish with the process, whatever
 * ends it.
 *
 * Return: 0 or a negative errno.
 */
int netns_dir_make(const char *dir);

/**
 * netns_add() - create a namespace and name it, as `ip netns add` does
 * @path:	its name, in the folder of netns_dir_make()
 *
 * The caller is in the new namespace afterwards.
 *
 * Return: 0 or a negative errno.
 */
int netns_add(const char *path);

/**
 * netns_delete() - delete a name, as `ip netns delete` does
 * @path:	the name
 *
 * The kernel destroys the namespace later, in a worker of its own.
 *
 * Return: 0 or a negative errno.
 */
int netns_delete(const char *path);

/**
 * netns_enter() - go into a namespace
 * @path:	its name
 * Return: 0 or a negative errno.
 */
int netns_enter(const char *path);

/**
 * netns_limit_swap() - change how many namespaces a user may have
 * @limit:	the new limit
 * @old:	where to store the one before; may be NULL
 * Return: 0 or a negative errno.
 */
int netns_limit_swap(unsigned int limit, int64_t *old);

/**
 * netns_try() - find out whether at least so many namespaces exist
 * @count:	1 or more
 *
 * Those whose destruction has not ended count, and the caller's user alone.
 * The limit is set to @count and a new one asked for.  While @count exist,
 * the kernel refuses at once, before it takes any lock that creation or
 * destruction needs.
 *
 * Return: 1 if at least @count exist; 0 if fewer, and then the caller is in a
 *	   new namespace; or a negative errno.
 */
int netns_try(unsigned int count);

#endif
