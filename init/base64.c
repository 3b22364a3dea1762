// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * base64.c - any bytes as text, for `output` records
 */
#include "base64.h"

#include <stdint.h>

static const char alphabet[] =
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void base64_encode(char *text, const unsigned char *bytes, size_t len)
{
	while (len > 0) {
		size_t take = len < 3 ? len : 3;
		uint32_t group = 0;

		for (size_t i = 0; i < 3; i++)
			group = group << 8 | (i < take ? bytes[i] : 0);
		for (size_t i = 0; i < 4; i++)
			*text++ =
				i > take ? '='
					 : alphabet[group >> (18 - 6 * i) & 63];
		bytes += take;
		len -= take;
	}
	*text = '\0';
}
