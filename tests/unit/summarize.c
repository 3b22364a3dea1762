// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * summarize.c - `kverdict summary` of the boots of a test
 */
#include "summarize.h"

#include <stdlib.h>

#include "boots.h"
#include "summary.h"

int summarize(const char *first, const char *second, bool force)
{
	char *a = boots_path(first), *b = second ? boots_path(second) : NULL;
	const char *dirs[] = { a, b };
	FILE *out = boots_show();
	int status = summary_write(out, dirs, second ? 2 : 1, force);

	fclose(out);
	free(a);
	free(b);
	return status;
}
