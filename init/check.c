// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * check.c - `init --check`: is this scenario one? asked before the boot
 *
 * The same parser reads it in the guest, and the probes themselves are asked
 * about their parameters, so a scenario that passes here runs there.
 */
#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmdline.h"
#include "file.h"
#include "scenario.h"
#include "trace.h"

#define SUFFIX ".scenario"

enum { STATUS_GOOD = 0, STATUS_HOST = 128, STATUS_USAGE = 129 };

static struct scenario scenario;

/* Return: whether the file's name makes a scenario's name, stored in @name. */
static bool name_of(const char *path, char *name, size_t size)
{
	const char *base = strrchr(path, '/');
	size_t len;

	base = base ? base + 1 : path;
	len = strlen(base);
	if (len > strlen(SUFFIX) &&
	    !strcmp(base + len - strlen(SUFFIX), SUFFIX))
		len -= strlen(SUFFIX);
	if (len >= size)
		return false;
	memcpy(name, base, len);
	name[len] = '\0';
	return scenario_name_valid(name);
}

/* The probe beside this program, as both are in the build and in the image. */
static void find_probe(char *path, size_t size)
{
	ssize_t len = readlink("/proc/self/exe", path, size - 1);
	char *slash;

	path[len > 0 ? len : 0] = '\0';
	slash = strrchr(path, '/');
	snprintf(slash ? slash + 1 : path,
		 size - (slash ? (size_t)(slash + 1 - path) : 0), "probe");
}

static void become_probe(const char *binary, const struct step *step, int err)
{
	char params[SCENARIO_LINE_MAX + 1], *save, *word;
	char *argv[SCENARIO_LINE_MAX / 2 + 4];
	size_t argc = 0;

	strcpy(params, step->params);
	argv[argc++] = (char *)"probe";
	argv[argc++] = (char *)"check";
	argv[argc++] = (char *)step->probe;
	for (word = strtok_r(params, " ", &save); word;
	     word = strtok_r(NULL, " ", &save))
		argv[argc++] = word;
	argv[argc] = NULL;
	dup2(err, STDERR_FILENO);
	dup2(err, STDOUT_FILENO);
	execv(binary, argv);
	_exit(127);
}

/* Reads all that is written to @fd into @text, and cuts it to a line. */
static void read_message(int fd, char *text, size_t size)
{
	size_t len = 0;
	ssize_t got;
	char rest[256];

	while (len + 1 < size &&
	       (got = read(fd, text + len, size - 1 - len)) > 0)
		len += (size_t)got;
	while (read(fd, rest, sizeof(rest)) > 0)
		; /* so that the writer does not end by SIGPIPE */
	text[len] = '\0';
	text[strcspn(text, "\n")] = '\0';
}

/* Return: the exit status for this step; what is wrong is on stderr then. */
static int check_step(const char *file, const char *binary,
		      const struct step *step)
{
	char message[1024];
	int err[2], status;
	pid_t pid;

	if (pipe2(err, O_CLOEXEC) < 0 || (pid = fork()) < 0) {
		fprintf(stderr, "init: run %s: %s\n", binary, strerror(errno));
		return STATUS_HOST;
	}
	if (!pid)
		become_probe(binary, step, err[1]);
	close(err[1]);
	read_message(err[0], message, sizeof(message));
	close(err[0]);
	if (waitpid(pid, &status, 0) < 0 || !WIFEXITED(status) ||
	    WEXITSTATUS(status) == 127) {
		fprintf(stderr, "init: run %s check %s: it did not end well\n",
			binary, step->probe);
		return STATUS_HOST;
	}
	if (!WEXITSTATUS(status))
		return STATUS_GOOD;
	fprintf(stderr, "%s:%u: %s\n", file, step->line,
		message[0] ? message : "the probe does not take this");
	return STATUS_USAGE;
}

static int check_steps(const char *file, const char *binary)
{
	int result = STATUS_GOOD;

	for (size_t i = 0; i < scenario.count && !result; i++)
		if (scenario.steps[i].verb != VERB_STOP &&
		    scenario.steps[i].verb != VERB_EXEC)
			result = check_step(file, binary, &scenario.steps[i]);
	return result;
}

static bool read_scenario(const char *file)
{
	/* One byte more than allowed, so that too long a file is seen. */
	static char text[SCENARIO_SIZE_MAX + 2];
	struct scenario_error error;
	ssize_t len = file_read(file, text, sizeof(text));

	if (len < 0) {
		fprintf(stderr, "init: read %s: %s\n", file,
			strerror((int)-len));
		return false;
	}
	if (scenario_parse(&scenario, text, (size_t)len, &error))
		return true;
	fprintf(stderr, "%s:%u: %s\n", file, error.line, error.text);
	return false;
}

static void print_scenario(const char *name)
{
	uint64_t timeout_s = 0;

	for (size_t i = 0; i < scenario.count; i++)
		timeout_s +=
			scenario.steps[i].timeout_s +
			(scenario.steps[i].trace ? 2 * TRACE_TIMEOUT_S : 0);
	printf("name=%s smp=%u mem_mib=%u steps=%zu may_skip=%d "
	       "timeout_s=%" PRIu64,
	       name, (unsigned int)scenario.smp, (unsigned int)scenario.mem_mib,
	       scenario.count, scenario.may_skip, timeout_s);
	/* What has to be brought along. */
	for (size_t i = 0; i < scenario.count; i++)
		if (scenario.steps[i].verb == VERB_EXEC &&
		    !step_command(&scenario.steps[i]))
			printf(" exec=%s", scenario.steps[i].probe);
	putchar('\n');
}

int check_main(int argc, char **argv)
{
	char name[SCENARIO_NAME_MAX + 1], probe[PATH_MAX + 8];
	int result;

	if (argc < 3 || argc > 4 || strcmp(argv[1], "--check") != 0) {
		fprintf(stderr, "Usage: init --check FILE [PROBE_BINARY]\n"
				"(without it, init is PID 1 of a guest)\n");
		return STATUS_USAGE;
	}
	if (!name_of(argv[2], name, sizeof(name))) {
		fprintf(stderr,
			"init: %s: a scenario's file is called NAME" SUFFIX
			", NAME being [a-z0-9][a-z0-9_-]* of at most %u "
			"bytes\n",
			argv[2], SCENARIO_NAME_MAX);
		return STATUS_USAGE;
	}
	if (!read_scenario(argv[2]))
		return STATUS_USAGE;
	if (argc == 4)
		snprintf(probe, sizeof(probe), "%s", argv[3]);
	else
		find_probe(probe, sizeof(probe));
	result = check_steps(argv[2], probe);
	if (!result)
		print_scenario(name);
	return result;
}
