// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cpio_entry.c - one line of an archive's list, and the header it becomes
 */
#include "cpio_entry.h"

#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "parse.h"

#define WORDS_MAX 128u

struct word {
	char *start, *end;
};

/* The four kinds of entry; a NOD has type and numbers behind its owner. */
static const struct kind {
	const char *word;
	uint32_t mode;
	size_t tail;	 /* words behind the name, less the source's */
	bool has_source; /* at least one word between name and tail */
} kinds[] = {
	{ "file", S_IFREG, 3, true },
	{ "dir", S_IFDIR, 3, false },
	{ "nod", 0, 6, false },
	{ "slink", S_IFLNK, 3, true },
};

/* Return: how many words @line has; those beyond WORDS_MAX are only counted. */
static size_t split(struct word words[WORDS_MAX], char *line)
{
	size_t count = 0;

	for (char *at = line + strspn(line, " \t"); *at; count++) {
		char *end = at + strcspn(at, " \t");

		if (count < WORDS_MAX)
			words[count] = (struct word){ at, end };
		at = end + strspn(end, " \t");
	}
	return count;
}

static bool parse_mode(uint32_t *mode, const char *text)
{
	if (!*text || strlen(text) > 4 ||
	    strspn(text, "01234567") != strlen(text))
		return false;
	*mode |= (uint32_t)strtoul(text, NULL, 8);
	return true;
}

static bool parse_u32(uint32_t *value, const char *text, uint32_t max)
{
	uint64_t wide;

	if (!parse_u64(&wide, text, 0, max))
		return false;
	*value = (uint32_t)wide;
	return true;
}

/* Linux unpacks a name as a path from its root, and leaves out what is odd. */
static const char *check_name(const char *name)
{
	if (strlen(name) >= PATH_MAX)
		return "the name is too long";
	if (!strcmp(name, CPIO_TRAILER))
		return "this name ends an archive";
	for (const char *at = name;; at = strchr(at, '/') + 1) {
		size_t len = strcspn(at, "/");

		if (len == 0 || (len == 1 && at[0] == '.') ||
		    (len == 2 && at[0] == '.' && at[1] == '.'))
			return "a name has no empty, . or .. part";
		if (!at[len])
			return NULL;
	}
}

static const char *parse_node(struct cpio_entry *entry,
			      const struct word words[3])
{
	if (!strcmp(words[0].start, "c"))
		entry->mode |= S_IFCHR;
	else if (!strcmp(words[0].start, "b"))
		entry->mode |= S_IFBLK;
	else
		return "the type of a node is c or b";
	/* The kernel's dev_t has 12 bits for the major, 20 for the minor. */
	if (!parse_u32(&entry->major, words[1].start, 0xfff) ||
	    !parse_u32(&entry->minor, words[2].start, 0xfffff))
		return "a device number is not a number or out of range";
	return NULL;
}

static const struct kind *find_kind(const struct word *word)
{
	size_t len = (size_t)(word->end - word->start);

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strlen(kinds[i].word) == len &&
		    !memcmp(kinds[i].word, word->start, len))
			return &kinds[i];
	return NULL;
}

const char *cpio_parse(struct cpio_entry *entry, char *line)
{
	struct word words[WORDS_MAX];
	const struct kind *kind;
	size_t count = split(words, line), tail;

	kind = count ? find_kind(&words[0]) : NULL;
	if (!kind)
		return "a line starts with file, dir, nod or slink";
	if (count > WORDS_MAX || count < 2 + kind->tail + kind->has_source)
		return "too few or too many words";
	tail = count - kind->tail;
	if (!kind->has_source && tail != 2)
		return "too few or too many words";

	*words[1].end = *words[tail - 1].end = '\0';
	for (size_t i = tail; i < count; i++)
		*words[i].end = '\0';
	*entry = (struct cpio_entry){
		.name = words[1].start + (words[1].start[0] == '/'),
		.source = kind->has_source ? words[2].start : NULL,
		.mode = kind->mode,
	};
	if (!parse_mode(&entry->mode, words[tail].start))
		return "the mode is not an octal number up to 7777";
	if (!parse_u32(&entry->uid, words[tail + 1].start, UINT32_MAX) ||
	    !parse_u32(&entry->gid, words[tail + 2].start, UINT32_MAX))
		return "an owner is not a number or out of range";
	if (!kind->mode) {
		const char *why = parse_node(entry, &words[tail + 3]);

		if (why)
			return why;
	}
	return check_name(entry->name);
}

void cpio_header(char text[CPIO_HEADER_SIZE + 1],
		 const struct cpio_entry *entry, uint32_t ino, uint32_t size)
{
	uint32_t links = S_ISDIR(entry->mode) ? 2 : 1;

	/* ino mode uid gid links mtime size device's-device own-device name */
	snprintf(text, CPIO_HEADER_SIZE + 1,
		 "070701%08" PRIX32 "%08" PRIX32 "%08" PRIX32 "%08" PRIX32
		 "%08" PRIX32 "%08X%08" PRIX32 "%08X%08X%08" PRIX32 "%08" PRIX32
		 "%08X%08X",
		 ino, entry->mode, entry->uid, entry->gid, links, 0u, size, 0u,
		 0u, entry->major, entry->minor,
		 (unsigned int)strlen(entry->name) + 1, 0u);
}
