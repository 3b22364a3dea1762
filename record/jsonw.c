// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * jsonw.c - one flat JSON object on one line
 */
#include "jsonw.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void put_bytes(struct jsonw *w, const char *bytes, size_t len)
{
	if (len > RECORD_LINE_MAX - w->len) {
		w->overflow = true;
		return;
	}
	memcpy(w->line + w->len, bytes, len);
	w->len += len;
}

static void put_text(struct jsonw *w, const char *text)
{
	put_bytes(w, text, strlen(text));
}

/**
 * utf8_length() - how many bytes the character at @text has
 * @text:	NUL-terminated
 *
 * Refuses what RFC 3629 refuses: overlong forms, surrogates, code points
 * above U+10FFFF and stray continuation bytes.
 *
 * Return: 1 to 4, or 0 if the bytes are not valid UTF-8.
 */
static size_t utf8_length(const unsigned char *text)
{
	static const struct {
		unsigned char first, last, second_min, second_max;
		size_t len;
	} forms[] = {
		{ 0x00, 0x7f, 0, 0, 1 },       { 0xc2, 0xdf, 0x80, 0xbf, 2 },
		{ 0xe0, 0xe0, 0xa0, 0xbf, 3 }, { 0xe1, 0xec, 0x80, 0xbf, 3 },
		{ 0xed, 0xed, 0x80, 0x9f, 3 }, { 0xee, 0xef, 0x80, 0xbf, 3 },
		{ 0xf0, 0xf0, 0x90, 0xbf, 4 }, { 0xf1, 0xf3, 0x80, 0xbf, 4 },
		{ 0xf4, 0xf4, 0x80, 0x8f, 4 },
	};

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		if (text[0] < forms[i].first || text[0] > forms[i].last)
			continue;
		if (forms[i].len == 1)
			return 1;
		if (text[1] < forms[i].second_min ||
		    text[1] > forms[i].second_max)
			return 0;
		for (size_t k = 2; k < forms[i].len; k++)
			if ((text[k] & 0xc0) != 0x80)
				return 0;
		return forms[i].len;
	}
	return 0;
}

static void put_quoted(struct jsonw *w, const char *text)
{
	const unsigned char *c = (const unsigned char *)text;
	char escape[8];

	put_text(w, "\"");
	while (*c) {
		size_t len = utf8_length(c);

		if (*c == '"' || *c == '\\') {
			snprintf(escape, sizeof(escape), "\\%c", *c);
			put_text(w, escape);
		} else if (*c < 0x20 || *c == 0x7f) {
			snprintf(escape, sizeof(escape), "\\u%04x", *c);
			put_text(w, escape);
		} else if (len) {
			put_bytes(w, (const char *)c, len);
		} else {
			put_text(w, "?");
		}
		c += len ? len : 1;
	}
	put_text(w, "\"");
}

static void put_key(struct jsonw *w, const char *key)
{
	if (w->len > 1)
		put_text(w, ",");
	put_quoted(w, key);
	put_text(w, ":");
}

void jsonw_begin(struct jsonw *w, const char *type)
{
	w->len = 0;
	w->overflow = false;
	put_text(w, "{");
	jsonw_str(w, "type", type);
}

void jsonw_str(struct jsonw *w, const char *key, const char *text)
{
	put_key(w, key);
	put_quoted(w, text);
}

void jsonw_u64(struct jsonw *w, const char *key, uint64_t value)
{
	char digits[24];

	snprintf(digits, sizeof(digits), "%" PRIu64, value);
	put_key(w, key);
	put_text(w, digits);
}

void jsonw_i64(struct jsonw *w, const char *key, int64_t value)
{
	char digits[24];

	snprintf(digits, sizeof(digits), "%" PRId64, value);
	put_key(w, key);
	put_text(w, digits);
}

bool jsonw_end(struct jsonw *w)
{
	put_text(w, "}\n");
	w->line[w->len] = '\0';
	return !w->overflow;
}
