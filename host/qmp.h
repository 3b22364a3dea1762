/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * qmp.h - the conversation with a running QEMU
 */
#ifndef QMP_H
#define QMP_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* Why QEMU says that it ends, from its SHUTDOWN event. */
enum qmp_shutdown {
	QMP_SHUTDOWN_NONE,  /* it did not say so */
	QMP_SHUTDOWN_GUEST, /* the guest restarted, or switched itself off */
	QMP_SHUTDOWN_HOST,  /* a signal or a command from outside */
};

struct qmp {
	int fd; /* one end of a socket pair; -1: closed */
	char *text;
	size_t len, size;
	unsigned int next_id;
	enum qmp_shutdown shutdown;
};

/**
 * qmp_begin() - take over a socket and greet
 * @q:		needs no initialisation
 * @fd:		our end of the socket pair; qmp_close() closes it
 *
 * Does not wait for QEMU, which may not have begun yet.
 */
void qmp_begin(struct qmp *q, int fd);

/**
 * qmp_drain() - read what has arrived, without waiting
 * @q:		from qmp_begin()
 *
 * Closes the socket when QEMU has closed its end.
 */
void qmp_drain(struct qmp *q);

/**
 * qmp_execute() - give a command and wait for its answer
 * @q:		from qmp_begin()
 * @command:	its name
 * @arguments:	a JSON object, which is taken over
 * @timeout_ms:	how long to wait for the answer
 * @text:	where to store the reason on failure
 * @size:	of @text
 * Return: whether QEMU did it.
 */
bool qmp_execute(struct qmp *q, const char *command, json_t *arguments,
		 int timeout_ms, char *text, size_t size);

/**
 * qmp_close() - end the conversation
 * @q:		from qmp_begin(); may be closed already
 */
void qmp_close(struct qmp *q);

#endif
