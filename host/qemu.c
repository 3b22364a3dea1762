// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * qemu.c - one QEMU, from its start to its end
 *
 * QEMU's working directory is the run directory, so that no path with a comma,
 * a blank or 200 bytes ever gets into an option that QEMU would take apart.
 */
#include "qemu.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "die.h"
#include "process.h"
#include "record.h"

#define SEED_WORD      "@SEED@"
#define QMP_TIMEOUT_MS 20000
#define END_GRACE_MS   1000
#define HELD_LOOKS     10
#define HELD_US	       100000
#define STRINGIFY(x)   #x
#define NUMBER_TEXT(x) STRINGIFY(x)

static char *with_seed(const char *word, const char *seed)
{
	char *text = xprintf("%s", word), *at;

	while ((at = strstr(text, SEED_WORD))) {
		char *longer = xprintf("%.*s%s%s", (int)(at - text), text, seed,
				       at + strlen(SEED_WORD));

		free(text);
		text = longer;
	}
	return text;
}

char **qemu_argv(char *const *words, uint64_t seed, bool qmp)
{
	static const char *const channel[] = {
		"-chardev",
		"socket,id=qmp,fd=" NUMBER_TEXT(PROCESS_PASS_FD),
		"-mon",
		"chardev=qmp,mode=control",
	};
	const size_t extra = sizeof(channel) / sizeof(channel[0]);
	size_t count = 0;
	char number[24], **argv;

	snprintf(number, sizeof(number), "%" PRIu64, seed);
	while (words[count])
		count++;
	argv = xalloc(count + extra + 1, sizeof(*argv));
	for (size_t i = 0; i < count; i++)
		argv[i] = with_seed(words[i], number);
	for (size_t i = 0; qmp && i < extra; i++)
		argv[count + i] = xprintf("%s", channel[i]);
	return argv;
}

void qemu_argv_free(char **argv)
{
	for (size_t i = 0; argv && argv[i]; i++)
		free(argv[i]);
	free(argv);
}

int qemu_start(struct qemu *q, char **argv, const char *dir, bool terminal,
	       const char *preload)
{
	struct process_setup setup = {
		.argv = argv,
		.cwd = dir,
		.in = terminal ? STDIN_FILENO : -1,
		.out = terminal ? STDOUT_FILENO : -1,
		.err = STDERR_FILENO,
		.own_group = !terminal,
		.preload = preload,
	};
	int pair[2], err;

	memset(q, 0, sizeof(*q));
	q->argv = argv;
	q->qmp.fd = -1;
	q->errors_fd = -1;
	if (!terminal) {
		q->errors_fd = memfd_create("qemu-stderr", MFD_CLOEXEC);
		if (q->errors_fd < 0)
			return -errno;
		setup.err = q->errors_fd;
	}
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
		return -errno;
	setup.pass_fd = pair[1];
	err = process_start(&setup, &q->pid);
	close(pair[1]);
	qmp_begin(&q->qmp, pair[0]);
	return err;
}

bool qemu_has_mapped(const struct qemu *q, const char *name)
{
	char path[64], line[4352];
	bool found = false;
	FILE *maps;

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)q->pid);
	maps = fopen(path, "re");
	while (maps && !found && fgets(line, sizeof(line), maps)) {
		const char *file = strrchr(line, '/');

		found = file && strncmp(file + 1, name, strlen(name)) == 0;
	}
	if (maps)
		fclose(maps);
	return found;
}

bool qemu_check(struct qemu *q)
{
	if (!q->ended)
		q->ended = process_wait(q->pid, 0, &q->status);
	qmp_drain(&q->qmp); /* after the look, so that its last words count */
	return q->ended;
}

bool qemu_plug_disk(struct qemu *q, const char *file, char *why, size_t size)
{
	json_t *drive = json_pack("{s:s, s:s, s:{s:s, s:s}}", "driver", "raw",
				  "node-name", "results", "file", "driver",
				  "file", "filename", file);
	/* Errors go to the guest: QEMU would stop it when the host's disk is
	 * full, and the mirror has the records anyway.
	 */
	json_t *device =
		json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s}", "driver",
			  "virtio-blk-pci", "bus", "pci.0", "drive", "results",
			  "id", "results-disk", "serial", RESULTS_DISK_SERIAL,
			  "werror", "report", "rerror", "report");

	if (!qmp_execute(&q->qmp, "blockdev-add", drive, QMP_TIMEOUT_MS, why,
			 size)) {
		json_decref(device);
		return false;
	}
	return qmp_execute(&q->qmp, "device_add", device, QMP_TIMEOUT_MS, why,
			   size);
}

void qemu_end(struct qemu *q)
{
	if (q->pid > 0 && !q->ended)
		q->ended = process_end(q->pid, END_GRACE_MS, &q->status);
}

bool qemu_fault(const struct qemu *q, char *text, size_t size)
{
	char said[400] = "";

	if (q->errors_fd >= 0)
		process_tail(q->errors_fd, said, sizeof(said));
	if (WIFSIGNALED(q->status)) {
		snprintf(text, size,
			 "QEMU was ended by signal %d from outside: run again",
			 WTERMSIG(q->status));
		return true;
	}
	if (q->qmp.shutdown == QMP_SHUTDOWN_HOST) {
		snprintf(text, size,
			 "QEMU was told from outside to end (%s): run again",
			 said[0] ? said : "it does not say by whom");
		return true;
	}
	if (WEXITSTATUS(q->status) != 0) {
		snprintf(text, size, "%s ended with status %d: %s", q->argv[0],
			 WEXITSTATUS(q->status),
			 said[0] ? said : "it does not say why");
		return true;
	}
	return false;
}

bool qemu_held(const struct qemu *q, char *text, size_t size)
{
	char state = process_state(q->pid);

	if (state == 'T' || state == 't') {
		snprintf(text, size,
			 "QEMU (process %d) is stopped, by a signal or a "
			 "debugger: run again",
			 (int)q->pid);
		return true;
	}
	/* A short wait for a disk is nothing. */
	for (int i = 0; i < HELD_LOOKS && state == 'D'; i++) {
		usleep(HELD_US);
		state = process_state(q->pid);
	}
	if (state != 'D')
		return false;
	snprintf(text, size,
		 "QEMU (process %d) waits for the host's disk and does not "
		 "come back: see to the folder of --out, and run again",
		 (int)q->pid);
	return true;
}

void qemu_free(struct qemu *q)
{
	qmp_close(&q->qmp);
	if (q->errors_fd >= 0)
		close(q->errors_fd);
	q->errors_fd = -1;
	qemu_argv_free(q->argv);
	q->argv = NULL;
}
