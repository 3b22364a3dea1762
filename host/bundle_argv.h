/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bundle_argv.h - QEMU's words in an export, and which may be in one
 *
 * QEMU reads and writes whatever file its command line names.  So an export
 * from elsewhere may only have the words that run-qemu.sh writes.
 */
#ifndef BUNDLE_ARGV_H
#define BUNDLE_ARGV_H

#include <jansson.h>

/* Stand for the files that differ from host to host. */
#define BUNDLE_ARGV_QEMU   "@QEMU@"
#define BUNDLE_ARGV_KERNEL "@KERNEL@"
#define BUNDLE_ARGV_INITRD "@INITRD@"

/**
 * bundle_argv_general() - a run's words without the files of its host
 * @argv:	`qemu_argv` of its run.json
 * @why:	where to store the reason on failure; the caller frees it
 * Return: an array that bundle_argv_fault() finds nothing in, or NULL.
 */
json_t *bundle_argv_general(const json_t *argv, char **why);

/**
 * bundle_argv_fault() - may these words be run?
 * @argv:	from an export, untrusted
 * Return: NULL if they may, else which may not; the caller frees it.
 */
char *bundle_argv_fault(const json_t *argv);

/**
 * bundle_argv_local() - the words with the files of this host
 * @argv:	that bundle_argv_fault() found nothing in; must live on
 * @qemu:	replaces BUNDLE_ARGV_QEMU, and so on
 * @kernel:	replaces BUNDLE_ARGV_KERNEL
 * @initrd:	replaces BUNDLE_ARGV_INITRD
 * Return: the words, ended by NULL; the caller frees the array.
 */
char **bundle_argv_local(const json_t *argv, const char *qemu,
			 const char *kernel, const char *initrd);

#endif
