/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run_base64.h - bytes out of a text
 */
#ifndef RUN_BASE64_H
#define RUN_BASE64_H

#include <stddef.h>

/**
 * base64_decode() - decode RFC 4648 base 64 with its padding
 * @bytes:	where to store the result
 * @size:	of @bytes
 * @text:	nothing but the code: no newline, no blank
 * Return: how many bytes, or -1 if @text is no such code or does not fit.
 */
long base64_decode(unsigned char *bytes, size_t size, const char *text);

#endif
