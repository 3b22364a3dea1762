/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * base64.h - any bytes as text, for `output` records
 */
#ifndef BASE64_H
#define BASE64_H

#include <stddef.h>

/* Bytes of the text of @len bytes, with its NUL. */
#define BASE64_SIZE(len) (((len) + 2) / 3 * 4 + 1)

/**
 * base64_encode() - RFC 4648 section 4, with padding
 * @text:	where to put the text; BASE64_SIZE(@len) bytes
 * @bytes:	what to encode
 * @len:	bytes of @bytes
 */
void base64_encode(char *text, const unsigned char *bytes, size_t len);

#endif
