// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tree.c - where the project lies that this program was built in
 *
 * The program is BUILD/host/kverdict; BUILD is elsewhere for some, so where
 * the sources are comes from the Makefile.
 */
#include "tree.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "die.h"

char *tree_source(const char *name)
{
	return xprintf("%s/%s", TREE_SOURCE, name);
}

char *tree_built(const char *name)
{
	char path[PATH_MAX];
	ssize_t len = readlink("/proc/self/exe", path, sizeof(path) - 1);
	char *slash;

	path[len > 0 ? len : 0] = '\0';
	for (int i = 0; i < 2; i++) {
		slash = strrchr(path, '/');
		if (slash)
			*slash = '\0';
	}
	return xprintf("%s/%s", path, name);
}
