// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * manifest.c - what an export says of its run
 */
#include "manifest.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bundle_argv.h"
#include "die.h"
#include "slurp.h"
#include "units.h"

#define BYTES_MAX     (1u << 20)
#define TIMEOUT_S_MAX (30 * 86400)

/* What is copied from run.json, and what a reader insists on. */
static const struct key {
	const char *name;
	json_type type;
	bool needed;
	int64_t max; /* of an integer */
} keys[] = {
	{ "mode", JSON_STRING, true, 0 },
	{ "accelerator", JSON_STRING, true, 0 },
	{ "seed", JSON_INTEGER, true, INT64_MAX },
	{ "smp", JSON_INTEGER, true, 64 },
	{ "mem_mib", JSON_INTEGER, true, 65536 },
	{ "scenario", JSON_STRING, true, 0 },
	{ "command", JSON_STRING, false, 0 },
	{ "kernel_release", JSON_STRING, true, 0 },
	{ "kernel_sha256", JSON_STRING, true, 0 },
	{ "image_sha256", JSON_STRING, true, 0 },
	{ "added_sha256", JSON_STRING, false, 0 },
	{ "qemu_version", JSON_STRING, true, 0 },
	{ "firmware_sha256", JSON_STRING, true, 0 },
	{ "commit", JSON_STRING, false, 0 },
	{ "host_cpu", JSON_STRING, false, 0 },
	{ "begin", JSON_STRING, false, 0 },
};

#define KEYS (sizeof(keys) / sizeof(keys[0]))

/* Return: NULL, or which key is not as it must be. */
static char *keys_fault(const json_t *object)
{
	for (size_t i = 0; i < KEYS; i++) {
		const json_t *value = json_object_get(object, keys[i].name);

		if (!value || json_is_null(value)) {
			if (keys[i].needed)
				return xprintf("%s is missing", keys[i].name);
			continue;
		}
		if (json_typeof(value) != keys[i].type ||
		    (keys[i].type == JSON_INTEGER &&
		     (json_integer_value(value) < 0 ||
		      json_integer_value(value) > keys[i].max)))
			return xprintf("%s is not as it must be", keys[i].name);
	}
	return NULL;
}

static json_t *outcome_of(const json_t *run)
{
	const json_t *outcome = json_object_get(run, "outcome");
	json_t *copy = json_object();

	json_object_set(copy, "exit_status",
			json_object_get(outcome, "exit_status"));
	json_object_set(copy, "message", json_object_get(outcome, "message"));
	return copy;
}

json_t *manifest_make(const json_t *run, json_t *files, char **why)
{
	json_t *argv =
		bundle_argv_general(json_object_get(run, "qemu_argv"), why);
	json_t *manifest = json_object();

	if (argv)
		*why = keys_fault(run);
	if (*why) {
		json_decref(argv);
		json_decref(manifest);
		return NULL;
	}
	json_object_set_new(manifest, "export_version",
			    json_integer(MANIFEST_VERSION));
	for (size_t i = 0; i < KEYS; i++) {
		json_t *value = json_object_get(run, keys[i].name);

		if (value && !json_is_null(value))
			json_object_set(manifest, keys[i].name, value);
	}
	json_object_set_new(manifest, "qemu_argv", argv);
	json_object_set_new(manifest, "outcome", outcome_of(run));
	json_object_set(
		manifest, "total_s",
		json_object_get(json_object_get(run, "timeouts"), "total_s"));
	json_object_set(manifest, "files", files);
	return manifest;
}

static char *manifest_fault(const json_t *m)
{
	const json_t *version = json_object_get(m, "export_version");
	const json_t *total_s = json_object_get(m, "total_s");
	char *why;

	if (!json_is_integer(version) ||
	    json_integer_value(version) != MANIFEST_VERSION)
		return xprintf("its export_version is not %d: take another "
			       "version of kverdict",
			       MANIFEST_VERSION);
	if (!json_is_integer(total_s) || json_integer_value(total_s) < 1 ||
	    json_integer_value(total_s) > TIMEOUT_S_MAX)
		return xprintf("total_s is not as it must be");
	why = keys_fault(m);
	return why ? why : bundle_argv_fault(json_object_get(m, "qemu_argv"));
}

json_t *manifest_read(const char *path, char **why)
{
	json_error_t error;
	json_t *manifest;
	char *bytes, *fault;
	size_t len;
	int err = slurp(path, BYTES_MAX, &bytes, &len);

	if (err) {
		*why = xprintf("its manifest: %s", slurp_reason(err));
		return NULL;
	}
	manifest = json_loadb(bytes, len, JSON_REJECT_DUPLICATES, &error);
	free(bytes);
	if (!json_is_object(manifest)) {
		json_decref(manifest);
		*why = xprintf("its manifest is no JSON object");
		return NULL;
	}
	fault = manifest_fault(manifest);
	if (!fault)
		return manifest;
	*why = xprintf("its manifest: %s", fault);
	free(fault);
	json_decref(manifest);
	return NULL;
}

char *manifest_text(const json_t *manifest, const char *key)
{
	const char *value = json_string_value(json_object_get(manifest, key));
	char *text = xprintf("%s", value ? value : "");

	text_clean(text);
	return text;
}
