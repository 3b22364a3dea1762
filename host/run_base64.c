// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * run_base64.c - bytes out of a text
 *
 * What a command in the guest wrote may be any bytes, and a record is UTF-8.
 */
#include "run_base64.h"

#include <stdint.h>
#include <string.h>

static int digit(char c)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "abcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *at = c ? strchr(digits, c) : NULL;

	return at ? (int)(at - digits) : -1;
}

/* Three bytes of four digits; a padded group has fewer.  -1: no such group. */
static int decode_group(unsigned char bytes[3], const char text[4])
{
	int padding = (text[3] == '=') + (text[2] == '=' && text[3] == '=');
	uint32_t bits = 0;

	for (int i = 0; i < 4; i++) {
		int value = i >= 4 - padding ? 0 : digit(text[i]);

		if (value < 0)
			return -1;
		bits = bits << 6 | (uint32_t)value;
	}
	for (int i = 0; i < 3; i++)
		bytes[i] = (unsigned char)(bits >> (16 - 8 * i));
	return 3 - padding;
}

long base64_decode(unsigned char *bytes, size_t size, const char *text)
{
	size_t len = strlen(text), used = 0;

	if (len % 4)
		return -1;
	for (size_t i = 0; i < len; i += 4) {
		unsigned char group[3];
		int count = decode_group(group, text + i);

		if (count < 0 || (count < 3 && i + 4 < len) ||
		    used + (size_t)count > size)
			return -1;
		memcpy(bytes + used, group, (size_t)count);
		used += (size_t)count;
	}
	return (long)used;
}
