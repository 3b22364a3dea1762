// SPDX-License-Identifier: GPL-2.0-or-later
// sources: host/run_base64.c host/run_console.c host/follow.c host/process.c host/qemu_disk.c host/die.c tests/unit/boots.c
/*
 * test_run_parts.c - the small parts of `kverdict run`, without a QEMU
 */
#include "boots.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "follow.h"
#include "process.h"
#include "qemu_disk.h"
#include "run_base64.h"
#include "run_console.h"

static int dir_fd;
static char seen[8][FOLLOW_LINE_MAX + 1];
static size_t seen_count;

static void base64_decode__knows_the_vectors_of_rfc_4648(void **state)
{
	static const char *const codes[] = {
		"", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"
	};
	unsigned char bytes[8];

	(void)state;
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		assert_int_equal(base64_decode(bytes, 8, codes[i]), (long)i);
		assert_memory_equal(bytes, "foobar", i);
	}
}

static void base64_decode__refuses_everything_else(void **state)
{
	static const char *const bad[] = {
		"Z",	"Zg=",	"Zg",	 "Zg==Zg==",
		"Z=g=", "====", "Zm9\n", "Zm9vYmFy"
	};
	unsigned char bytes[5];

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(base64_decode(bytes, 5, bad[i]), -1);
}

static void note_line(void *context, char *line, size_t len)
{
	(void)context;
	assert_int_equal(strlen(line), len);
	strcpy(seen[seen_count++ % 8], line);
}

static void append(const char *name, const char *bytes, size_t len)
{
	int fd = openat(dir_fd, name, O_WRONLY | O_APPEND | O_CREAT, 0666);

	assert_int_equal(write(fd, bytes, len), (ssize_t)len);
	close(fd);
}

static void follow__joins_a_line_that_comes_in_pieces(void **state)
{
	struct follow f;

	(void)state;
	seen_count = 0;
	assert_int_equal(follow_create(&f, dir_fd, "pieces"), 0);
	append("pieces", "one\ntw", 6);
	assert_int_equal(follow_lines(&f, note_line, NULL), 6);
	assert_int_equal(seen_count, 1);
	append("pieces", "o\nthree", 7);
	assert_int_equal(follow_lines(&f, note_line, NULL), 7);
	assert_int_equal(follow_lines(&f, note_line, NULL), 0);
	assert_int_equal(seen_count, 2);
	assert_string_equal(seen[1], "two");
	follow_close(&f, note_line, NULL);
	assert_string_equal(seen[2], "three");
	assert_int_equal(f.bytes, 13);
	assert_int_equal(follow_create(&f, dir_fd, "pieces"), -EEXIST);
}

static void follow__cuts_a_line_without_an_end(void **state)
{
	static char bytes[2 * FOLLOW_LINE_MAX + 2];
	struct follow f;

	(void)state;
	seen_count = 0;
	memset(bytes, 'x', sizeof(bytes));
	assert_int_equal(follow_create(&f, dir_fd, "long"), 0);
	append("long", bytes, sizeof(bytes));
	follow_lines(&f, note_line, NULL);
	assert_int_equal(seen_count, 2);
	assert_int_equal(strlen(seen[0]), FOLLOW_LINE_MAX);
	follow_close(&f, note_line, NULL);
	assert_string_equal(seen[2], "xx");
}

static void follow_open__follows_no_link(void **state)
{
	struct follow f;

	(void)state;
	assert_int_equal(symlinkat("/etc/passwd", dir_fd, "link"), 0);
	assert_int_equal(follow_open(&f, dir_fd, "link"), -ELOOP);
}

static void console_trim__keeps_both_ends(void **state)
{
	const size_t mib = 1 << 20;
	char *bytes = malloc(4 * mib), tail[2];
	struct stat st;
	int fd;

	(void)state;
	memset(bytes, 'm', 4 * mib);
	bytes[0] = 'a';
	bytes[4 * mib - 1] = 'z';
	append("console", bytes, 4 * mib);
	free(bytes);
	assert_int_equal(console_trim(dir_fd, "console"), 0);
	fd = openat(dir_fd, "console", O_RDONLY);
	assert_int_equal(fstat(fd, &st), 0);
	assert_in_range(st.st_size, 2 * mib + 20, 2 * mib + 60);
	assert_int_equal(pread(fd, tail, 1, 0), 1);
	assert_int_equal(pread(fd, tail + 1, 1, st.st_size - 1), 1);
	assert_memory_equal(tail, "az", 2);
	close(fd);
}

static void console_line__cuts_what_a_terminal_would_obey(void **state)
{
	struct console c = { 0 };
	const char line[] = "[ 1.0] Kernel panic - not syncing: \033[2J\r";

	(void)state;
	console_line(&c, line, strlen(line));
	assert_string_equal(c.first[MARK_PANIC],
			    "Kernel panic - not syncing:  [2J");
}

static void process_run__says_how_it_ended(void **state)
{
	char *fails[] = { (char *)"sh", (char *)"-c",
			  (char *)"echo first >&2; echo last >&2; exit 7",
			  NULL };
	char *dies[] = { (char *)"sh", (char *)"-c", (char *)"kill -9 $$",
			 NULL };
	char *missing[] = { (char *)"/nonexistent", NULL };
	char text[6];

	(void)state;
	assert_int_equal(process_run(fails, text, sizeof(text)), 7);
	assert_string_equal(text, "last");
	assert_int_equal(process_run(dies, text, sizeof(text)), 128 + 9);
	assert_int_equal(process_run(missing, text, sizeof(text)), -ENOENT);
}

static void process_state__sees_what_is_stopped(void **state)
{
	/* A name with a bracket and a blank in it. */
	char *argv[] = {
		(char *)"sh", (char *)"-c",
		(char *)"printf 'a) R' >/proc/self/comm; kill -STOP $$", NULL
	};
	const struct process_setup setup = {
		.argv = argv, .in = -1, .out = -1, .err = -1, .pass_fd = -1
	};
	int status;
	pid_t pid;

	(void)state;
	assert_int_equal(process_start(&setup, &pid), 0);
	assert_int_equal(waitpid(pid, &status, WUNTRACED), pid);
	assert_true(WIFSTOPPED(status));
	assert_int_equal(process_state(pid), 'T');
	assert_true(process_end(pid, 0, &status));
	assert_int_equal(process_state(pid), '?');
}

static void process_end__ends_what_ignores_a_signal(void **state)
{
	char *argv[] = { (char *)"sh", (char *)"-c",
			 (char *)"trap '' TERM; sleep 100 & wait; wait", NULL };
	const struct process_setup setup = { .argv = argv,
					     .in = -1,
					     .out = -1,
					     .err = -1,
					     .pass_fd = -1,
					     .own_group = true };
	int status;
	pid_t pid;

	(void)state;
	assert_int_equal(process_start(&setup, &pid), 0);
	assert_false(process_wait(pid, 100, &status));
	assert_true(process_end(pid, 100, &status));
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGKILL);
	/* The sleep is gone too, as soon as init has reaped it. */
	for (int i = 0; i < 500 && kill(-pid, 0) == 0; i++)
		usleep(10000);
	assert_int_equal(kill(-pid, 0), -1);
}

static void qemu_disk_copy__copies_bytes_and_holes(void **state)
{
	char *path = boots_path("template");
	struct stat st;
	char bytes[4];
	int fd;

	(void)state;
	fd = open(path, O_RDWR | O_CREAT, 0666);
	assert_int_equal(ftruncate(fd, 64 << 20), 0);
	assert_int_equal(pwrite(fd, "one", 3, 1024), 3);
	assert_int_equal(pwrite(fd, "two", 3, 32 << 20), 3);
	close(fd);

	assert_int_equal(qemu_disk_copy(path, dir_fd, "copy"), 0);
	fd = openat(dir_fd, "copy", O_RDONLY);
	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(st.st_size, 64 << 20);
	assert_true(st.st_blocks * 512 < 1 << 20);
	assert_int_equal(pread(fd, bytes, 3, 32 << 20), 3);
	assert_memory_equal(bytes, "two", 3);
	close(fd);
	assert_int_equal(qemu_disk_copy(path, dir_fd, "copy"), -EEXIST);
	assert_int_equal(qemu_disk_copy("/nonexistent", dir_fd, "x"), -ENOENT);
	free(path);
}

static int begin(void **state)
{
	if (boots_begin(state))
		return -1;
	dir_fd = open(boots_dir, O_RDONLY | O_DIRECTORY);
	return dir_fd < 0;
}

static int end(void **state)
{
	close(dir_fd);
	return boots_end(state);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(base64_decode__knows_the_vectors_of_rfc_4648),
		cmocka_unit_test(base64_decode__refuses_everything_else),
		cmocka_unit_test(follow__joins_a_line_that_comes_in_pieces),
		cmocka_unit_test(follow__cuts_a_line_without_an_end),
		cmocka_unit_test(follow_open__follows_no_link),
		cmocka_unit_test(console_trim__keeps_both_ends),
		cmocka_unit_test(console_line__cuts_what_a_terminal_would_obey),
		cmocka_unit_test(process_run__says_how_it_ended),
		cmocka_unit_test(process_state__sees_what_is_stopped),
		cmocka_unit_test(process_end__ends_what_ignores_a_signal),
		cmocka_unit_test(qemu_disk_copy__copies_bytes_and_holes),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
