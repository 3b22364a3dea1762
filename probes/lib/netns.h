/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * netns.h - named network namespaces
 */
#ifndef NETNS_H
#define NETNS_H

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

#endif
