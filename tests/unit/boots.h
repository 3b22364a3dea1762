/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * boots.h - run directories for tests: a few boots of one step
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

#define BOOT_VALUES 4
#define BOOT_CASE(name) \
	cmocka_unit_test_setup_teardown(name, boots_begin, boots_end)

/* One boot with one step of one metric. */
struct boot {
	const char *name; /* its folder */
	uint64_t seed;
	const char *kernel, *mode;
	const char *image, *modules, *commit;
	uint64_t mem_mib;
	uint64_t ready_ns[BOOT_VALUES];
	const char *result;
	bool torn;
};

/* A boot in deterministic mode whose step passed, without name and seed. */
extern const struct boot boot_common;

/* The folder of this test's boots. */
extern char boots_dir[];

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
 * boots_open() - begin to write a file
 * @folder:	the name of a boot, or "."
 * @name:	the file's
 * Return: the file.
 */
FILE *boots_open(const char *folder, const char *name);

#endif
