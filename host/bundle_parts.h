/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bundle_parts.h - what the files of bundle*.c share
 */
#ifndef BUNDLE_PARTS_H
#define BUNDLE_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "bundle.h"

struct bundle_rule {
	const char *name;
	uint64_t max; /* bytes */
	bool needed;
};

extern const struct bundle_rule bundle_rules[BUNDLE_PARTS];

#endif
