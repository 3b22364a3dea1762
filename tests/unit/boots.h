/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * boots.h - a folder for each test, and run directories of one step in it
 */
#ifndef BOOTS_H
#define BOOTS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#define BOOT_VALUES	4 /* of boot_common */
#define BOOT_VALUES_MAX 21
#define BOOT_CASE(name) \
	cmocka_unit_test_setup_teardown(name, boots_begin, boots_end)

/* One boot with one step of one metric. */
struct boot {
	const char *name; /* its folder */
	uint64_t seed;
	const char *kernel, *mode;
	const char *image, *modules, *commit, *qemu;
	uint64_t mem_mib;
	size_t values, warmups; /* how many, the warm-ups first among them */
	uint64_t ready_ns[BOOT_VALUES_MAX];
	bool capped[BOOT_VALUES_MAX];
	const char *result;
	bool torn;
};

/* A boot in deterministic mode whose step passed, without name and seed. */
extern const struct boot boot_common;

/* The folder of this test's boots. */
extern char boots_dir[];

/* What was written to the last file of boots_show() before it was closed. */
extern char *boots_shown;

/**
 * boots_begin() - set up a test: an empty folder
 * @state:	not used
 * Return: 0, or -1 if there is none.
 */
int boots_begin(void **state);

/**
 * boots_end() - remove the folder and all in it
 * @state:	not used
 * Return: 0 if that worked.
 */
int boots_end(void **state);

/**
 * boots_make() - write the run directory of a boot, with run.json
 * @b:		what it shall hold; an existing one is overwritten
 */
void boots_make(struct boot b);

/**
 * boots_make_a() - write boot "a", seed 1
 * Return: boot "b", seed 2, twice as slow, for a test to change and make.
 */
struct boot boots_make_a(void);

/**
 * boots_copy() - make a run directory of a golden stream, without run.json
 * @name:	its folder, which must not exist
 * @stream:	a file of tests/data/streams
 */
void boots_copy(const char *name, const char *stream);

/**
 * boots_path() - where something is
 * @name:	of a boot or of any file, in the folder of this test
 * Return: the path; the caller frees it.
 */
char *boots_path(const char *name);

/**
 * boots_show() - begin to keep what a command shows
 * Return: the file to show it on, for the caller to close.
 */
FILE *boots_show(void);

/**
 * assert_shows() - fail the test unless a text was shown
 * @part:	what must be in boots_shown
 */
void assert_shows(const char *part);

/**
 * boots_open() - begin to write a file
 * @folder:	the name of a boot, or "."
 * @name:	the file's
 * Return: the file.
 */
FILE *boots_open(const char *folder, const char *name);

#endif
