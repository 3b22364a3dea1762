/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * payload.h - the vmlinux inside a bzImage
 */
#ifndef PAYLOAD_H
#define PAYLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct payload {
	const uint8_t *bytes; /* the packed kernel, with its size behind it */
	size_t size;
};

/**
 * payload_unpack() - write the ELF kernel of a bzImage to a file
 * @payload:	where it is; may be hostile
 * @path:	the file to write, made whole or not at all
 * @damaged:	where to store whether the kernel could not unpack it either
 *
 * Calls the program that unpacks this format.  What that writes is bounded by
 * the size which the kernel build left behind the payload, and must be of
 * exactly this size and an x86-64 ELF with a PVH entry point.
 *
 * Return: NULL, or why there is no such file, on the heap.
 */
char *payload_unpack(const struct payload *payload, const char *path,
		     bool *damaged);

#endif
