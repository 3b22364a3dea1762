/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bzimage.h - the header of an x86 kernel image, and where its payload is
 *
 * Layout: Documentation/arch/x86/boot.rst of the kernel.
 */
#ifndef BZIMAGE_H
#define BZIMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RELEASE_MAX 64u /* bytes of `uname -r`, as struct utsname has it */

struct bzimage {
	uint16_t protocol; /* 0x020f is 2.15 */
	bool big;	   /* a bzImage; else a zImage of long ago */
	bool known32;	   /* the header says that it is not 64-bit */
	uint64_t size;	   /* bytes that the file must have */
	uint64_t payload;  /* offset of the packed vmlinux; 0 if unknown */
	uint64_t payload_size;
	char release[RELEASE_MAX + 1]; /* "" if it does not say */
};

/**
 * bzimage_parse() - read the setup header
 * @image:	where to store it
 * @bytes:	the file, or its beginning; may be hostile
 * @size:	bytes of it
 *
 * A payload that the file has not in full is not given; @image->size then
 * exceeds @size, or the header is damaged.
 *
 * Return: whether @bytes has the header of an x86 kernel image.
 */
bool bzimage_parse(struct bzimage *image, const uint8_t *bytes, size_t size);

/**
 * release_copy() - take a kernel release out of a text, strictly
 * @release:	where to store it; "" if there is none
 * @text:	the release, ended by a blank, a NUL or the end
 * @size:	bytes of @text
 */
void release_copy(char release[RELEASE_MAX + 1], const uint8_t *text,
		  size_t size);

#endif
