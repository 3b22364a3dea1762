// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * help.c - `kverdict help TOPIC`: the pages of docs/
 */
#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "die.h"
#include "slurp.h"
#include "tree.h"

#define PAGE_MAX (1u << 20)

/* Words that people look for and no page is called. */
static const struct {
	const char *word, *page;
} aliases[] = {
	{ "add", "your-own-test" },
	{ "exec", "your-own-test" },
	{ "replay", "export" },
	{ "images", "bisect" },
	{ "scenario", "scenario-format" },
	{ "records", "record-format" },
	{ "status", "exit-status" },
	{ "seed", "deterministic" },
	{ "simulate", "judge" },
	{ "probe", "writing-a-probe" },
};

/* Beside the program as it was built, else where it was built from. */
static char *find_docs(void)
{
	char *beside = tree_built("../docs");
	char *dir = realpath(beside, NULL);

	free(beside);
	if (!dir)
		dir = tree_source("docs");
	if (access(dir, R_OK) < 0)
		die_errno(STATUS_HOST, "read the pages in %s", dir);
	return dir;
}

static bool ends_with(const char *name, const char *end)
{
	size_t len = strlen(name), end_len = strlen(end);

	return len > end_len && !strcmp(name + len - end_len, end);
}

static int is_page(const struct dirent *entry)
{
	return entry->d_name[0] != '.' && (ends_with(entry->d_name, ".md") ||
					   ends_with(entry->d_name, ".1"));
}

/* The first line says what a page is about; that of a manual page does not. */
static void print_title(const char *dir, const char *name)
{
	char *path = xprintf("%s/%s", dir, name), line[256] = "";
	FILE *file = fopen(path, "re");
	int len = (int)(strrchr(name, '.') - name);

	if (file) {
		if (!fgets(line, sizeof(line), file))
			line[0] = '\0';
		fclose(file);
	}
	line[strcspn(line, "\n")] = '\0';
	printf("  %-20.*s %s\n", len, name,
	       line[0] == '#' ? line + 2 : "its manual page");
	free(path);
}

static int list(const char *dir)
{
	struct dirent **entries;
	int count = scandir(dir, &entries, is_page, alphasort);

	if (count < 0)
		die_errno(STATUS_HOST, "list %s", dir);
	printf("Usage: kverdict help TOPIC\n\n");
	for (int i = 0; i < count; i++) {
		print_title(dir, entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	printf("\nThe pages are in %s; `kverdict --help` lists the commands.\n",
	       dir);
	return STATUS_GOOD;
}

static bool print_page(const char *path)
{
	char *bytes;
	size_t len;
	int err = slurp(path, PAGE_MAX, &bytes, &len);

	if (err == -ENOENT)
		return false;
	if (err)
		die(STATUS_HOST, "read %s: %s", path, slurp_reason(err));
	fwrite(bytes, 1, len, stdout);
	free(bytes);
	return true;
}

static int show(const char *dir, const char *topic)
{
	char *page, *manual;

	for (size_t i = 0; i < sizeof(aliases) / sizeof(aliases[0]); i++)
		if (!strcmp(topic, aliases[i].word))
			topic = aliases[i].page;
	page = xprintf("%s/%s.md", dir, topic);
	manual = xprintf("%s/%s.1", dir, topic);
	if (print_page(page))
		return STATUS_GOOD;
	if (access(manual, R_OK) == 0) {
		execlp("man", "man", manual, (char *)NULL);
		print_page(manual); /* no man here: as it is */
		return STATUS_GOOD;
	}
	die(STATUS_USAGE, "no page is named %.64s: kverdict help lists them",
	    topic);
}

int help_main(int argc, char **argv)
{
	static const char good[] = "abcdefghijklmnopqrstuvwxyz0123456789-";
	const char *topic = argc == 2 ? argv[1] : NULL;

	if (argc > 2)
		die(STATUS_USAGE, "help takes one TOPIC: kverdict help lists "
				  "them");
	if (!topic || !strcmp(topic, "--help"))
		return list(find_docs());
	if (ends_with(topic, ".sh")) /* run-qemu.sh */
		argv[1][strlen(topic) - 3] = '\0';
	if (!topic[0] || strspn(topic, good) != strlen(topic))
		die(STATUS_USAGE, "no page is named so: kverdict help lists "
				  "them");
	return show(find_docs(), topic);
}
