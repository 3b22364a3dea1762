// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * bundle_argv.c - QEMU's words in an export, and which may be in one
 */
#include "bundle_argv.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "die.h"
#include "parse.h"
#include "units.h"

#define VALUES_MAX 3
#define TEXT_MAX   4096 /* bytes of the kernel's command line */

/* An option and what may follow it: a list, a number, or any text. */
static const struct option {
	const char *name;
	const char *values[VALUES_MAX];
	uint64_t max; /* of a number; 0: it is none */
	bool text, alone;
} options[] = {
	{ .name = "-machine", .values = { "pc" } },
	{ .name = "-nodefaults", .alone = true },
	{ .name = "-no-user-config", .alone = true },
	{ .name = "-no-reboot", .alone = true },
	{ .name = "-display", .values = { "none" } },
	{ .name = "-accel", .values = { "kvm", "tcg", "tcg,thread=single" } },
	{ .name = "-icount", .values = { "shift=2,sleep=off" } },
	{ .name = "-rtc", .values = { "base=2020-01-01,clock=vm" } },
	{ .name = "-cpu", .values = { "host", "max", "max,-rdrand,-rdseed" } },
	{ .name = "-seed", .max = INT64_MAX },
	{ .name = "-smp", .max = 64 },
	{ .name = "-m", .max = 65536 },
	{ .name = "-kernel", .values = { BUNDLE_ARGV_KERNEL } },
	{ .name = "-initrd", .values = { BUNDLE_ARGV_INITRD } },
	{ .name = "-append", .text = true },
	{ .name = "-serial",
	  .values = { "file:console.log", "file:mirror.jsonl" } },
};

static const struct option *find(const char *name)
{
	for (size_t i = 0; name && i < sizeof(options) / sizeof(options[0]);
	     i++)
		if (!strcmp(options[i].name, name))
			return &options[i];
	return NULL;
}

static bool value_allowed(const struct option *option, const char *value)
{
	uint64_t number;

	if (!value)
		return false;
	if (option->text)
		return strlen(value) <= TEXT_MAX;
	if (option->max)
		return parse_u64(&number, value, 0, option->max);
	for (size_t i = 0; i < VALUES_MAX && option->values[i]; i++)
		if (!strcmp(option->values[i], value))
			return true;
	return false;
}

static char *word_fault(const char *word)
{
	char *text = xprintf("its QEMU command line has '%.64s', which no boot "
			     "of a scenario or a command has",
			     word ? word : "?");

	text_clean(text);
	return text;
}

static const char *word_at(const json_t *argv, size_t i)
{
	return json_string_value(json_array_get(argv, i));
}

char *bundle_argv_fault(const json_t *argv)
{
	size_t count = json_array_size(argv), i = 1;
	const char *first = word_at(argv, 0);

	if (!first || strcmp(first, BUNDLE_ARGV_QEMU) != 0)
		return word_fault(first);
	while (i < count) {
		const char *name = word_at(argv, i++);
		const struct option *option = find(name);

		if (!option)
			return word_fault(name);
		if (option->alone)
			continue;
		if (!value_allowed(option, word_at(argv, i)))
			return word_fault(i < count ? word_at(argv, i) : name);
		i++;
	}
	return NULL;
}

/* Where the channel begins that `kverdict run` adds itself, at the end. */
static size_t words_before_channel(const json_t *argv)
{
	static const char *const channel[] = { "-chardev", "socket,id=qmp,fd=3",
					       "-mon",
					       "chardev=qmp,mode=control" };
	const size_t extra = sizeof(channel) / sizeof(channel[0]);
	size_t count = json_array_size(argv);

	if (count < extra)
		return count;
	for (size_t i = 0; i < extra; i++) {
		const char *word = word_at(argv, count - extra + i);

		if (!word || strcmp(word, channel[i]) != 0)
			return count;
	}
	return count - extra;
}

json_t *bundle_argv_general(const json_t *argv, char **why)
{
	json_t *general = json_array();
	const char *before = "";
	size_t count = words_before_channel(argv);

	for (size_t i = 0; i < count; i++) {
		const char *text = word_at(argv, i);

		if (i == 0)
			text = BUNDLE_ARGV_QEMU;
		else if (!strcmp(before, "-kernel"))
			text = BUNDLE_ARGV_KERNEL;
		else if (!strcmp(before, "-initrd"))
			text = BUNDLE_ARGV_INITRD;
		json_array_append_new(general, json_string(text ? text : ""));
		before = text ? text : "";
	}
	*why = bundle_argv_fault(general);
	if (!*why)
		return general;
	json_decref(general);
	return NULL;
}

char **bundle_argv_local(const json_t *argv, const char *qemu,
			 const char *kernel, const char *initrd)
{
	size_t count = json_array_size(argv);
	char **words = xalloc(count + 1, sizeof(*words));

	for (size_t i = 0; i < count; i++) {
		const char *word = word_at(argv, i);

		if (!strcmp(word, BUNDLE_ARGV_QEMU))
			word = qemu;
		else if (!strcmp(word, BUNDLE_ARGV_KERNEL))
			word = kernel;
		else if (!strcmp(word, BUNDLE_ARGV_INITRD))
			word = initrd;
		words[i] = (char *)(uintptr_t)word;
	}
	return words;
}
