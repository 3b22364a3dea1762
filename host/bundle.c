// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * bundle.c - the archive of `kverdict export`: its parts, sizes and hashes
 */
#include "bundle.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bundle_parts.h"
#include "die.h"
#include "record.h"
#include "sha256.h"

const struct bundle_rule bundle_rules[BUNDLE_PARTS] = {
	[BUNDLE_MANIFEST] = { "manifest.json", 1u << 20, true },
	[BUNDLE_KERNEL] = { "kernel", 1u << 30, true },
	[BUNDLE_INITRD] = { "initrd", 1u << 30, true },
	[BUNDLE_DISK] = { "results-disk.img", 1u << 30, false },
	[BUNDLE_SCENARIO] = { "scenario", 64u << 10, false },
	[BUNDLE_RECORDS] = { "records.jsonl", RECORD_STREAM_MAX, true },
};

const char *bundle_name(enum bundle_part part)
{
	return bundle_rules[part].name;
}

static json_t *describe(const char *path, char **why)
{
	char sum[SHA256_SIZE];
	struct stat file;
	int err = stat(path, &file) < 0 ? -errno : sha256_file(sum, path);

	if (!err)
		return json_pack("{s:I, s:s}", "bytes",
				 (json_int_t)file.st_size, "sha256", sum);
	*why = xprintf("read %s: %s", path, strerror(-err));
	return NULL;
}

json_t *bundle_describe(const char *const sources[BUNDLE_PARTS], char **why)
{
	json_t *files = json_object();

	for (int i = BUNDLE_MANIFEST + 1; i < BUNDLE_PARTS; i++) {
		json_t *one;

		if (!sources[i])
			continue;
		one = describe(sources[i], why);
		if (!one) {
			json_decref(files);
			return NULL;
		}
		json_object_set_new(files, bundle_rules[i].name, one);
	}
	return files;
}

static char *verify(const char *dir, const struct bundle_rule *rule,
		    const json_t *promised)
{
	char *path = xprintf("%s/%s", dir, rule->name), *why = NULL;
	struct stat file;
	bool there = lstat(path, &file) == 0;
	json_t *found = there ? describe(path, &why) : NULL;

	if (!why && there != json_is_object(promised))
		why = xprintf("%s is %s the manifest", rule->name,
			      there ? "not in" : "missing, but for");
	else if (!why && there && !json_equal(found, promised))
		why = xprintf("%s has other bytes than its manifest says: it "
			      "was damaged or changed",
			      rule->name);
	json_decref(found);
	free(path);
	return why;
}

char *bundle_verify(const char *dir, const json_t *files)
{
	char *why = NULL;

	for (int i = BUNDLE_MANIFEST + 1; i < BUNDLE_PARTS && !why; i++)
		why = verify(dir, &bundle_rules[i],
			     json_object_get(files, bundle_rules[i].name));
	return why;
}
