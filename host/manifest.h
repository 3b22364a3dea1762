/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * manifest.h - what an export says of its run
 *
 * docs/export.md lists the keys.  No path of the exporting host is among them.
 */
#ifndef MANIFEST_H
#define MANIFEST_H

#include <jansson.h>

#define MANIFEST_VERSION 1

/**
 * manifest_make() - the manifest of a run
 * @run:	its run.json
 * @files:	from bundle_describe()
 * @why:	where to store the reason on failure; the caller frees it
 * Return: the manifest, or NULL if such a run cannot be exported.
 */
json_t *manifest_make(const json_t *run, json_t *files, char **why);

/**
 * manifest_read() - read a manifest and check all that is used of it
 * @path:	the file, untrusted
 * @why:	where to store the reason on failure; the caller frees it
 * Return: the manifest, or NULL.
 */
json_t *manifest_read(const char *path, char **why);

/**
 * manifest_text() - a text of a manifest, harmless for a terminal
 * @manifest:	from manifest_read()
 * @key:	its key
 * Return: the text, empty if there is none; the caller frees it.
 */
char *manifest_text(const json_t *manifest, const char *key);

#endif
