// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * record.c - the grammar of names in a record
 */
#include "record.h"

#include <string.h>

bool record_name_valid(const char *name)
{
	static const char first[] = "abcdefghijklmnopqrstuvwxyz";
	static const char all[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
	size_t len = strlen(name);

	return len > 0 && len <= RECORD_NAME_MAX && strchr(first, name[0]) &&
	       strspn(name, all) == len;
}
