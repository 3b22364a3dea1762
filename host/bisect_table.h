/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bisect_table.h - the table of a bisect's kernels
 */
#ifndef BISECT_TABLE_H
#define BISECT_TABLE_H

#include <jansson.h>
#include <stdio.h>

/**
 * bisect_table_print() - one line for each kernel that has a verdict
 * @kernels:	"kernels" of state.json
 * @out:	where to
 */
void bisect_table_print(json_t *kernels, FILE *out);

#endif
