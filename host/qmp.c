// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * qmp.c - the conversation with a running QEMU
 *
 * QEMU's machine protocol over a socket pair: no path, so nothing to clean up
 * and no limit of 107 bytes.  It is needed twice: to plug the results disk, and
 * to learn whether the guest ended or something outside ended QEMU, which its
 * exit status does not tell.
 */
#include "qmp.h"

#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "clock.h"
#include "die.h"

/* Far more than QEMU ever says; a runaway must not take our memory. */
#define TEXT_MAX (1u << 20)

static bool send_text(struct qmp *q, const char *text)
{
	size_t len = strlen(text);

	return q->fd >= 0 &&
	       send(q->fd, text, len, MSG_NOSIGNAL) == (ssize_t)len;
}

void qmp_begin(struct qmp *q, int fd)
{
	memset(q, 0, sizeof(*q));
	q->fd = fd;
	/* If this fails, the first command does. */
	send_text(q, "{\"execute\":\"qmp_capabilities\"}\n");
}

void qmp_close(struct qmp *q)
{
	if (q->fd >= 0)
		close(q->fd);
	q->fd = -1;
	free(q->text);
	q->text = NULL;
	q->len = q->size = 0;
}

static void note_event(struct qmp *q, const json_t *message)
{
	const char *event =
		json_string_value(json_object_get(message, "event"));
	const json_t *data = json_object_get(message, "data");

	if (!event || strcmp(event, "SHUTDOWN") != 0)
		return;
	q->shutdown = json_is_true(json_object_get(data, "guest"))
			      ? QMP_SHUTDOWN_GUEST
			      : QMP_SHUTDOWN_HOST;
}

/**
 * take_message() - the next whole message that was received
 * Return: a JSON object that the caller drops, or NULL if there is none yet.
 */
static json_t *take_message(struct qmp *q)
{
	for (;;) {
		char *lf = q->len ? memchr(q->text, '\n', q->len) : NULL;
		json_t *message;
		size_t used;

		if (!lf)
			return NULL;
		used = (size_t)(lf - q->text) + 1;
		message = json_loadb(q->text, used, 0, NULL);
		memmove(q->text, q->text + used, q->len - used);
		q->len -= used;
		if (message)
			return message;
	}
}

static void receive(struct qmp *q)
{
	while (q->fd >= 0) {
		ssize_t len;

		if (q->size - q->len < 4096) {
			q->size = q->size * 2 + 8192;
			q->text = xgrow(q->text, q->size, 1);
		}
		len = recv(q->fd, q->text + q->len, q->size - q->len,
			   MSG_DONTWAIT);
		if (len < 0 && errno == EINTR)
			continue;
		if (len < 0 && errno == EAGAIN)
			return;
		if (len > 0)
			q->len += (size_t)len;
		if (len <= 0 || q->len > TEXT_MAX) {
			close(q->fd);
			q->fd = -1;
		}
	}
}

void qmp_drain(struct qmp *q)
{
	json_t *message;

	receive(q);
	while ((message = take_message(q))) {
		note_event(q, message);
		json_decref(message);
	}
}

/**
 * answer_of() - is @message the answer to command @id, and what does it say?
 * Return: 1 done, 0 refused with the reason in @text, -1 something else.
 */
static int answer_of(const json_t *message, unsigned int id, char *text,
		     size_t size)
{
	const json_t *error = json_object_get(message, "error");
	const char *reason = json_string_value(json_object_get(error, "desc"));

	if (json_integer_value(json_object_get(message, "id")) != id)
		return -1;
	if (!error)
		return 1;
	snprintf(text, size, "%s", reason ? reason : "no reason given");
	return 0;
}

static int wait_answer(struct qmp *q, unsigned int id, int timeout_ms,
		       char *text, size_t size)
{
	uint64_t deadline_ns =
		clock_mono_ns() + (uint64_t)timeout_ms * NS_PER_MS;

	for (;;) {
		struct pollfd ready = { .fd = q->fd, .events = POLLIN };
		json_t *message;
		int answer;

		receive(q);
		while ((message = take_message(q))) {
			note_event(q, message);
			answer = answer_of(message, id, text, size);
			json_decref(message);
			if (answer >= 0)
				return answer;
		}
		if (q->fd < 0 || clock_mono_ns() >= deadline_ns)
			return -1;
		poll(&ready, 1, 20);
	}
}

bool qmp_execute(struct qmp *q, const char *command, json_t *arguments,
		 int timeout_ms, char *text, size_t size)
{
	unsigned int id = ++q->next_id;
	json_t *message = json_pack("{s:s, s:o, s:i}", "execute", command,
				    "arguments", arguments, "id", (int)id);
	char *line = message ? json_dumps(message, JSON_COMPACT) : NULL;
	int answer = -1;

	if (!line)
		die(STATUS_HOST, "ask QEMU for %s: out of memory", command);
	json_decref(message);
	if (send_text(q, line) && send_text(q, "\n"))
		answer = wait_answer(q, id, timeout_ms, text, size);
	if (answer < 0)
		snprintf(text, size, "%s: no answer from QEMU", command);
	free(line);
	return answer == 1;
}
