// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cmdline.c - what the host asks for, from the kernel command line
 *
 * The parameters carry a dot because the kernel drops unknown dotted ones,
 * while others land in the environment of PID 1.
 */
#include "cmdline.h"

#include <stdio.h>
#include <string.h>

#include "parse.h"

#define PREFIX	 "kv."
#define WORD_MAX 256u /* bytes of a kv.* word: far more than any needs */

static const char *const task_names[] = {
	[TASK_SCENARIO] = "scenario",
	[TASK_COMMAND] = "command",
	[TASK_SHELL] = "shell",
	NULL,
};

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

bool scenario_name_valid(const char *name)
{
	static const char all[] = "abcdefghijklmnopqrstuvwxyz0123456789_-";
	size_t len = strlen(name);

	return len > 0 && len <= SCENARIO_NAME_MAX && name[0] != '_' &&
	       name[0] != '-' && strspn(name, all) == len;
}

static bool set_scenario(struct options *options, const char *value)
{
	if (!scenario_name_valid(value))
		return false;
	strcpy(options->scenario, value);
	return true;
}

static bool set_seed(struct options *options, const char *value)
{
	return parse_u64(&options->seed, value, 0, INT64_MAX);
}

static bool set_mode(struct options *options, const char *value)
{
	int mode = record_word(record_modes, value);

	if (mode < 0)
		return false;
	options->mode = (enum run_mode)mode;
	return true;
}

static bool set_task(struct options *options, const char *value)
{
	int task = record_word(task_names, value);

	if (task < 0)
		return false;
	options->task = (enum task)task;
	return true;
}

static bool set_disk(struct options *options, const char *value)
{
	uint64_t disk;

	if (!parse_u64(&disk, value, 0, 1))
		return false;
	options->disk = disk;
	return true;
}

static const struct {
	const char *key;
	bool (*set)(struct options *options, const char *value);
	const char *values;
} parameters[] = {
	{ "kv.scenario", set_scenario, "[a-z0-9][a-z0-9_-]*" },
	{ "kv.seed", set_seed, "0..9223372036854775807" },
	{ "kv.mode", set_mode, "realtime or deterministic" },
	{ "kv.task", set_task, "scenario, command or shell" },
	{ "kv.disk", set_disk, "0 or 1" },
};

static bool take_word(struct options *options, char *word, char *error,
		      size_t size)
{
	char *value = strchr(word, '=');

	if (value)
		*value++ = '\0';
	for (size_t i = 0; i < ARRAY_SIZE(parameters); i++) {
		if (strcmp(word, parameters[i].key) != 0)
			continue;
		if (value && parameters[i].set(options, value))
			return true;
		snprintf(error, size, "%s=%s: not %s", word, value ? value : "",
			 parameters[i].values);
		return false;
	}
	snprintf(error, size, "%s: no parameter has this name", word);
	return false;
}

/* Return: how many bytes the word at @text has, quotes as in the kernel. */
static size_t word_length(const char *text)
{
	bool quoted = false;
	size_t len = 0;

	for (; text[len]; len++) {
		if (text[len] == '"')
			quoted = !quoted;
		else if (!quoted && strchr(" \t\r\n", text[len]))
			break;
	}
	return len;
}

void cmdline_defaults(struct options *options)
{
	*options = (struct options){
		.scenario = "default",
		.seed = 1,
		.mode = MODE_REALTIME,
		.task = TASK_SCENARIO,
		.disk = true,
	};
}

bool cmdline_parse(struct options *options, const char *text, char *error,
		   size_t size)
{
	char word[WORD_MAX + 1];
	size_t len;

	for (; *text; text += len) {
		text += strspn(text, " \t\r\n");
		len = word_length(text);
		if (strncmp(text, PREFIX, strlen(PREFIX)) != 0)
			continue;
		if (len > WORD_MAX) {
			snprintf(error, size, "%.32s...: longer than %u bytes",
				 text, WORD_MAX);
			return false;
		}
		memcpy(word, text, len);
		word[len] = '\0';
		if (!take_word(options, word, error, size))
			return false;
	}
	return true;
}
