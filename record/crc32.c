// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * crc32.c - the checksum of a record stream
 *
 * The guest links nothing but musl, so it brings its own.  Sixteen entries
 * instead of 256: a stream is checked once, and the code must stay small.
 */
#include "crc32.h"

static const uint32_t table[16] = {
	0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
	0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
	0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
};

uint32_t record_crc32(uint32_t crc, const void *bytes, size_t len)
{
	const unsigned char *c = bytes;

	crc = ~crc;
	while (len--) {
		crc ^= *c++;
		crc = (crc >> 4) ^ table[crc & 15];
		crc = (crc >> 4) ^ table[crc & 15];
	}
	return ~crc;
}
