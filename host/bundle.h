/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bundle.h - the archive of `kverdict export`: a tar of known files, zstd
 *
 * libarchive knows the format; here is what may be in it.  An archive may come
 * from anywhere, so only these names are ever taken, each once, and a regular
 * file within its limit.
 */
#ifndef BUNDLE_H
#define BUNDLE_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

enum bundle_part {
	BUNDLE_MANIFEST, /* the first: what the others are */
	BUNDLE_KERNEL,	 /* what QEMU boots */
	BUNDLE_INITRD,
	BUNDLE_DISK,	 /* an empty results disk; may be missing */
	BUNDLE_SCENARIO, /* its text; may be missing */
	BUNDLE_RECORDS,
	BUNDLE_PARTS,
};

/**
 * bundle_name() - the name of a part in the archive
 * @part:	the part
 * Return: the name, without any slash.
 */
const char *bundle_name(enum bundle_part part);

/**
 * bundle_write() - make an archive, the same bytes for the same parts
 * @path:	the file to make, which must not exist
 * @sources:	files by enum bundle_part; NULL leaves one out
 * @manifest:	the text of the manifest
 * Return: NULL, or why it was not made; the caller frees it.
 */
char *bundle_write(const char *path, const char *const sources[BUNDLE_PARTS],
		   const char *manifest);

/**
 * bundle_unpack() - take the parts out of an archive
 * @path:	the archive, untrusted
 * @dir:	a fresh folder, into which all is written
 * Return: NULL, or why it was refused; what is in @dir is of no use then, and
 *	   the caller frees the text.
 */
char *bundle_unpack(const char *path, const char *dir);

/**
 * bundle_describe() - sizes and hashes of the parts
 * @sources:	as for bundle_write(), but for the manifest
 * @why:	where to store the reason on failure; the caller frees it
 * Return: an object with an object for each part, or NULL.
 */
json_t *bundle_describe(const char *const sources[BUNDLE_PARTS], char **why);

/**
 * bundle_verify() - are the unpacked parts those that were described?
 * @dir:	where bundle_unpack() put them
 * @files:	what bundle_describe() said, untrusted
 * Return: NULL, or which is not; the caller frees it.
 */
char *bundle_verify(const char *dir, const json_t *files);

#endif
