// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * markup.c - texts of a guest inside XML and HTML
 */
#include "markup.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "units.h"

/* Paths of the host need not be UTF-8; jansson knows what is. */
static void make_utf8(char *text)
{
	json_t *json = json_string(text);

	for (char *c = text; !json && *c; c++)
		if ((unsigned char)*c >= 0x80)
			*c = '?';
	json_decref(json);
}

/* U+FFFE and U+FFFF: UTF-8 has them, XML has not. */
static void drop_noncharacters(char *text)
{
	char *c = text;

	while ((c = strstr(c, "\xef\xbf"))) {
		if (c[2] == '\xbe' || c[2] == '\xbf')
			memcpy(c, "???", 3);
		c++;
	}
}

char *markup_utf8(const char *text)
{
	char *copy = xprintf("%s", text);

	make_utf8(copy);
	drop_noncharacters(copy);
	text_clean(copy);
	return copy;
}

void markup_text(FILE *out, const char *text)
{
	char *copy = markup_utf8(text);

	for (const char *c = copy; *c; c++) {
		switch (*c) {
		case '&':
			fputs("&amp;", out);
			break;
		case '<':
			fputs("&lt;", out);
			break;
		case '>':
			fputs("&gt;", out);
			break;
		case '"':
			fputs("&quot;", out);
			break;
		case '\'':
			fputs("&#39;", out);
			break;
		default:
			fputc(*c, out);
		}
	}
	free(copy);
}

void markup_printf(FILE *out, const char *fmt, ...)
{
	va_list args;
	char *text;

	va_start(args, fmt);
	text = xvprintf(fmt, args);
	va_end(args);
	markup_text(out, text);
	free(text);
}
