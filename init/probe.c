// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * probe.c - the process of a probe or an antagonist
 *
 * Its records go to a file in memory, not through a pipe: nobody has to read
 * while it measures.
 */
#include "probe.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clock.h"
#include "fd3.h"
#include "file.h"
#include "outcome.h"
#include "records.h"
#include "results.h"
#include "scenario.h"

#define PROBE_PATH     "/bin/probe"
#define FILE_BYTES_MAX (16u << 20)

/* NAME, a word for each two bytes of a line at most, seed=N, NULL. */
#define ARGUMENTS_MAX (SCENARIO_LINE_MAX / 2 + 4)

/* Return: a file without a name in memory, or -1 with errno. */
static int open_records(void)
{
	static const char *const paths[] = { "/run/descriptor-3",
					     "/descriptor-3" };
	int fd = -1;

	for (size_t i = 0; fd < 0 && i < sizeof(paths) / sizeof(paths[0]);
	     i++) {
		fd = file_raise_fd(open(paths[i],
					O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC,
					0600));
		if (fd >= 0)
			unlink(paths[i]);
	}
	return fd;
}

static int start(struct probe *probe, uint64_t seed, int ready)
{
	char params[SCENARIO_LINE_MAX + 1], seed_word[32];
	char *argv[ARGUMENTS_MAX], *save, *word;
	struct child_spec spec = {
		.path = PROBE_PATH,
		.argv = argv,
		.out = -1,
		.err = -1,
		.records = probe->records,
		.ready = ready,
		.file_bytes_max = FILE_BYTES_MAX,
	};
	size_t argc = 0;

	strcpy(params, probe->step->params);
	snprintf(seed_word, sizeof(seed_word), "seed=%" PRIu64, seed);
	argv[argc++] = (char *)"probe";
	argv[argc++] = (char *)probe->step->probe;
	for (word = strtok_r(params, " ", &save); word;
	     word = strtok_r(NULL, " ", &save))
		argv[argc++] = word;
	argv[argc++] = seed_word;
	argv[argc] = NULL;
	return child_start(&probe->child, &spec);
}

bool probe_start(struct probe *probe, const struct step *step, uint64_t seed,
		 int ready, struct outcome *outcome)
{
	int err;

	*probe = (struct probe){ .step = step };
	probe->records = open_records();
	if (probe->records < 0) {
		outcome_set(outcome, RESULT_FAIL, CAUSE_OTHER,
			    "make the file of descriptor 3: %s",
			    strerror(errno));
		return false;
	}
	probe->begin_ns = clock_mono_ns();
	err = start(probe, seed, ready);
	if (!err)
		return true;
	outcome_set(outcome, err == -ENOMEM ? RESULT_SKIP : RESULT_FAIL,
		    err == -ENOMEM ? CAUSE_MEMORY : CAUSE_OTHER,
		    "start a process: %s", strerror(-err));
	close(probe->records);
	return false;
}

static bool sink(void *arg, const char *line, size_t len)
{
	(void)arg;
	return results_add(line, len);
}

/* Reads rather than maps the file: a process that could not be killed may
 * still cut it, and PID 1 must not fault.
 */
static size_t read_file(int fd, char *text, size_t size)
{
	size_t len = 0;

	while (len < size) {
		ssize_t got = pread(fd, text + len, size - len, (off_t)len);

		if (got <= 0)
			break;
		len += (size_t)got;
	}
	return len;
}

/* Return: NULL, or why records are missing. */
static const char *take_records(const struct probe *probe,
				struct statement *said)
{
	const struct fd3_step step = {
		.step = probe->step->name,
		.probe = probe->step->probe,
		.begin_ns = probe->begin_ns,
		.sink = sink,
	};
	struct stat info;
	size_t size;
	char *text;
	bool whole;

	*said = (struct statement){ .result = RESULT_PASS };
	if (fstat(probe->records, &info) < 0)
		return strerror(errno);
	if (info.st_size <= 0)
		return NULL;
	size = (size_t)info.st_size;
	text = mmap(NULL, size, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (text == MAP_FAILED)
		return strerror(errno);
	whole = fd3_parse(&step, text, read_file(probe->records, text, size),
			  said);
	munmap(text, size);
	return whole ? NULL : "the record stream is full";
}

void probe_end(struct probe *probe, uint64_t deadline_ns,
	       struct outcome *outcome)
{
	bool in_time = child_wait(&probe->child, deadline_ns);
	bool gone = child_kill(&probe->child);
	/* Too large for the stack beside a line's buffers. */
	static struct statement said;
	const char *missing = take_records(probe, &said);

	close(probe->records);
	if (in_time)
		outcome_decide(outcome, probe->child.status, &said);
	else
		outcome_set(outcome, RESULT_TIMEOUT,
			    gone ? CAUSE_OTHER : CAUSE_STUCK,
			    gone ? "killed after %u s"
				 : "could not be killed after %u s",
			    (unsigned int)probe->step->timeout_s);
	if (in_time && !gone)
		records_note(probe->step->name,
			     "a process of this step could not be killed");
	if (missing && outcome->result == RESULT_PASS)
		outcome_set(outcome, RESULT_FAIL, CAUSE_OTHER,
			    "records of this step are missing: %s", missing);
}
