// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * qemu_facts.c - which QEMU this host has, found as run-qemu.sh finds it
 */
#include "qemu_facts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "capture.h"
#include "die.h"
#include "sha256.h"
#include "tree.h"

#define TEXT_MAX (64u << 10)
#define NAME	 "qemu-system-x86_64"

/* The one of QEMU=, else that of make deps, else that of the host. */
static char *find(void)
{
	const char *named = getenv("QEMU");
	char *unpacked;

	if (named && named[0])
		return xprintf("%s", named);
	unpacked = tree_built("tools/" NAME);
	if (access(unpacked, X_OK) == 0)
		return unpacked;
	free(unpacked);
	return xprintf(NAME);
}

static char *ask(const char *qemu, const char *first, const char *second)
{
	char *argv[] = { (char *)qemu, (char *)first, (char *)second, NULL };
	char *text;
	int err = capture(argv, -1, TEXT_MAX, &text);

	if (err == -ENOENT)
		die(STATUS_HOST,
		    "there is no %s: run make deps, or name a QEMU with QEMU=",
		    qemu);
	if (err)
		die(STATUS_HOST, "%s %s: %s", qemu, first, strerror(-err));
	return text;
}

static char *version(const char *qemu)
{
	static const char words[] = "QEMU emulator version ";
	char *text = ask(qemu, "--version", NULL), *result;

	text[strcspn(text, "\n")] = '\0';
	if (strncmp(text, words, strlen(words)) != 0)
		die(STATUS_HOST, "%s is no QEMU: it says \"%s\"", qemu, text);
	result = xprintf("%s", text + strlen(words));
	free(text);
	return result;
}

/* Append the file, if it is there, to @out. */
static bool append(const char *dir, const char *name, int out)
{
	char *path = xprintf("%s/%s", dir, name), buffer[65536];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got;

	free(path);
	if (fd < 0)
		return false;
	while ((got = read(fd, buffer, sizeof(buffer))) > 0)
		if (write(out, buffer, (size_t)got) != got)
			die_errno(STATUS_HOST, "copy %s", name);
	close(fd);
	return true;
}

/* The files and their order are those of firmware() in run-qemu.sh. */
static char *firmware(const char *qemu)
{
	static const char *const names[] = { "bios-256k.bin", "pvh.bin",
					     "linuxboot_dma.bin",
					     "kvmvapic.bin" };
	char *dirs = ask(qemu, "-L", "help"), sum[SHA256_SIZE];
	int out = memfd_create("firmware", MFD_CLOEXEC), err;

	if (out < 0)
		die_errno(STATUS_HOST, "read QEMU's firmware");
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char *copy = xprintf("%s", dirs), *save, *dir;

		for (dir = strtok_r(copy, "\n", &save); dir;
		     dir = strtok_r(NULL, "\n", &save))
			if (append(dir, names[i], out))
				break;
		free(copy);
	}
	err = sha256_fd(sum, out);
	if (err)
		die(STATUS_HOST, "sha256sum: %s", strerror(-err));
	close(out);
	free(dirs);
	return xprintf("%s", sum);
}

void qemu_facts_find(struct qemu_facts *facts)
{
	facts->path = find();
	facts->version = version(facts->path);
	facts->firmware = firmware(facts->path);
}

void qemu_facts_free(struct qemu_facts *facts)
{
	free(facts->path);
	free(facts->version);
	free(facts->firmware);
}
