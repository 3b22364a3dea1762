/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * identify.h - is this file a kernel, and if not, what is it?
 */
#ifndef IDENTIFY_H
#define IDENTIFY_H

#include <stddef.h>
#include <stdint.h>

#include "bzimage.h"

enum kernel_type {
	KERNEL_NONE, /* cannot be booted; struct kernel_info says why */
	KERNEL_BZIMAGE,
	KERNEL_VMLINUX,
};

struct kernel_info {
	enum kernel_type type;
	struct bzimage image;	       /* of a bzImage */
	char release[RELEASE_MAX + 1]; /* "" if the file does not say */
	char problem[256];	       /* what it is instead, and what to do */
};

/**
 * kernel_identify() - say what a file is
 * @info:	where to store it
 * @bytes:	the whole file; may be hostile
 * @size:	bytes of it
 */
void kernel_identify(struct kernel_info *info, const uint8_t *bytes,
		     size_t size);

#endif
