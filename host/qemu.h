/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * qemu.h - one QEMU, from its start to its end
 */
#ifndef QEMU_H
#define QEMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "qmp.h"

struct qemu {
	pid_t pid;     /* of QEMU, which leads a process group */
	bool ended;    /* it has, and @status is valid */
	int status;    /* its wait status */
	int errors_fd; /* what it wrote to standard error; -1: the terminal */
	char **argv;   /* its words, as started */
	struct qmp qmp;
};

/**
 * qemu_argv() - the words of a QEMU command line for one seed
 * @words:	the words, ended by NULL; "@SEED@" stands for the seed
 * @seed:	the seed
 * @qmp:	whether to add the QMP channel that qemu_start() passes
 * Return: the words; the caller frees them with qemu_argv_free().
 */
char **qemu_argv(char *const *words, uint64_t seed, bool qmp);

/**
 * qemu_argv_free() - free what qemu_argv() made
 * @argv:	the words, or NULL
 */
void qemu_argv_free(char **argv);

/**
 * qemu_start() - start QEMU in a folder
 * @q:		needs no initialisation
 * @argv:	from qemu_argv(), with the QMP channel; taken over
 * @dir:	its working directory
 * @terminal:	whether the terminal is QEMU's, for a shell in the guest
 * @preload:	a library that it loads first, or NULL
 * Return: 0 or a negative errno; qemu_free() is needed in any case.
 */
int qemu_start(struct qemu *q, char **argv, const char *dir, bool terminal,
	       const char *preload);

/**
 * qemu_has_mapped() - has it loaded a library?
 * @q:		started
 * @name:	the file name of the library
 * Return: whether it has; false if that cannot be seen.
 */
bool qemu_has_mapped(const struct qemu *q, const char *name);

/**
 * qemu_check() - has it ended?
 * @q:	started
 *
 * Also reads what QEMU says over QMP.
 *
 * Return: whether it has ended.
 */
bool qemu_check(struct qemu *q);

/**
 * qemu_plug_disk() - add the results disk to the running guest
 * @q:		started
 * @file:	the disk's image, from the working directory of QEMU
 * @why:	where to store the reason on failure
 * @size:	of @why
 * Return: whether the guest can find it now.
 */
bool qemu_plug_disk(struct qemu *q, const char *file, char *why, size_t size);

/**
 * qemu_end() - end it, if it has not ended
 * @q:	started
 */
void qemu_end(struct qemu *q);

/**
 * qemu_fault() - did QEMU itself fail, or did something outside end it?
 * @q:		has ended by itself
 * @text:	where to store what happened, if so
 * @size:	of @text
 * Return: whether it did; otherwise the guest ended it.
 */
bool qemu_fault(const struct qemu *q, char *text, size_t size);

/**
 * qemu_held() - does the host keep QEMU from running?
 * @q:		a QEMU that runs, or should
 * @text:	where to store how
 * @size:	bytes of @text
 *
 * Takes up to a second.
 *
 * Return: whether it is stopped, or waits for a device of the host.
 */
bool qemu_held(const struct qemu *q, char *text, size_t size);

/**
 * qemu_free() - free what a QEMU that has ended holds
 * @q:	from qemu_start()
 */
void qemu_free(struct qemu *q);

#endif
