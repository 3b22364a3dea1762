/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * qemu_facts.h - which QEMU this host has
 */
#ifndef QEMU_FACTS_H
#define QEMU_FACTS_H

/* As run-qemu.sh writes them into run.json. */
struct qemu_facts {
	char *path;	/* of the program */
	char *version;	/* "10.0.2 (Debian ...)" */
	char *firmware; /* the hash of the guest code that QEMU loads first */
};

/**
 * qemu_facts_find() - find QEMU as run-qemu.sh does, and ask it
 * @facts:	where to store them; free with qemu_facts_free()
 *
 * Ends the program where there is none.
 */
void qemu_facts_find(struct qemu_facts *facts);

/**
 * qemu_facts_free() - free what qemu_facts_find() stored
 * @facts:	from it
 */
void qemu_facts_free(struct qemu_facts *facts);

#endif
