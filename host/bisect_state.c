// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * bisect_state.c - state.json, the notes of one bisect
 */
#include "bisect_state.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "die.h"

#define DIGITS_MAX 15u /* what any reader of JSON keeps exactly */

json_t *bisect_state_read(const char *path)
{
	json_error_t error;
	json_t *state;

	if (access(path, F_OK) < 0 && errno == ENOENT)
		return json_pack("{s:i, s:{}}", "bisect_version",
				 BISECT_STATE_VERSION, "kernels");
	state = json_load_file(path, 0, &error);
	if (!json_is_object(state) ||
	    !json_is_object(json_object_get(state, "kernels")))
		die(STATUS_HOST,
		    "read %s: %s: move its folder away to start anew", path,
		    state ? "it is not what bisect.sh writes" : error.text);
	if (json_integer_value(json_object_get(state, "bisect_version")) !=
	    BISECT_STATE_VERSION)
		die(STATUS_HOST,
		    "read %s: another version wrote it: move its folder away "
		    "to start anew",
		    path);
	return state;
}

void bisect_state_write(const json_t *state, const char *path)
{
	char *beside = xprintf("%s.tmp", path);
	int fd = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);

	if (fd < 0)
		die_errno(STATUS_HOST, "write %s", beside);
	/* Verdicts took minutes each: they must outlive a power cut. */
	if (json_dumpfd(state, fd, JSON_INDENT(1)) < 0 || fsync(fd) < 0 ||
	    close(fd) < 0 || rename(beside, path) < 0)
		die_errno(STATUS_HOST, "write %s", path);
	free(beside);
}

json_t *bisect_state_kernel(json_t *state, const char *commit, bool make)
{
	json_t *kernels = json_object_get(state, "kernels"), *kernel;

	if (!strcmp(commit, "-"))
		return state;
	kernel = json_object_get(kernels, commit);
	if (!kernel && make) {
		kernel = json_object();
		json_object_set_new(kernels, commit, kernel);
	}
	return kernel;
}

static json_t *value_of(const char *text)
{
	size_t digits = strspn(text, "0123456789");
	json_t *value;
	char *clean;

	/* What begins with 0 would not come back as it was. */
	if (digits && !text[digits] && digits <= DIGITS_MAX &&
	    (*text != '0' || digits == 1))
		return json_integer(strtoll(text, NULL, 10));
	value = json_string(text);
	if (value)
		return value;
	/* Subjects of old commits are not always UTF-8. */
	clean = xprintf("%s", text);
	for (char *c = clean; *c; c++)
		if ((unsigned char)*c >= 0x80)
			*c = '?';
	value = json_string(clean);
	free(clean);
	return value;
}

bool bisect_state_set(json_t *object, const char *pair)
{
	const char *equals = strchr(pair, '=');
	char *key;

	if (!equals || equals == pair)
		return false;
	key = xprintf("%.*s", (int)(equals - pair), pair);
	if (equals[1])
		json_object_set_new(object, key, value_of(equals + 1));
	else
		json_object_del(object, key);
	free(key);
	return true;
}
