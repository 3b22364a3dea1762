/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * crc32.h - the checksum of a record stream
 */
#ifndef CRC32_H
#define CRC32_H

#include <stddef.h>
#include <stdint.h>

/**
 * record_crc32() - continue a CRC-32 over more bytes
 * @crc:	0 at first, then what the previous call returned
 * @bytes:	the next bytes
 * @len:	how many
 *
 * IEEE 802.3, reflected, polynomial 0xedb88320: the CRC of zlib's crc32(),
 * gzip and PNG.  The check value of "123456789" is 0xcbf43926.
 *
 * Return: the CRC of all bytes so far.
 */
uint32_t record_crc32(uint32_t crc, const void *bytes, size_t len);

#endif
