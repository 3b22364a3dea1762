// SPDX-License-Identifier: GPL-2.0-or-later
// sources: host/collect.c host/disk.c host/process.c host/stream.c host/take.c host/flat.c host/slurp.c host/units.c host/die.c tests/unit/boots.c
/*
 * test_collect.c - which copy of the records is taken, and what is said of it
 *
 * Real ext2 images, made by mke2fs from a folder; without it the tests that
 * need one are skipped.
 */
#include "boots.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect.h"
#include "disk.h"

#define DATA "$TOP/tests/data/streams"

/* Run a line of shell in the run directory; the tests are trusted. */
static bool shell(const char *line)
{
	char *text = xprintf("cd %s && { %s; } >log.txt 2>&1; status=$?; "
			     "rm -f log.txt; exit $status",
			     boots_dir, line);
	int status = system(text);

	free(text);
	return status == 0;
}

static void need(bool done)
{
	if (!done)
		skip();
}

/* results.img with one of the golden streams on it */
static void make_image(const char *stream)
{
	char *line = xprintf("mkdir root && cp " DATA "/%s root/records.jsonl "
			     "&& mke2fs -q -t ext2 -d root results.img 1M; "
			     "rm -r root; test -f results.img",
			     stream);

	need(shell(line));
	free(line);
}

static void make_mirror(const char *stream)
{
	char *line = xprintf("cp " DATA "/%s mirror.jsonl", stream);

	assert_true(shell(line));
	free(line);
}

static void assert_files(const char *expected)
{
	struct dirent **names;
	char found[512] = "";
	int count = scandir(boots_dir, &names, NULL, alphasort);

	for (int i = 0; i < count; i++) {
		if (strcmp(names[i]->d_name, ".") &&
		    strcmp(names[i]->d_name, "..")) {
			strcat(found, names[i]->d_name);
			strcat(found, " ");
		}
		free(names[i]);
	}
	free(names);
	assert_string_equal(found, expected);
}

static void assert_says(const char *text, const char *part)
{
	assert_non_null(text);
	if (!strstr(text, part))
		fail_msg("\"%s\" does not say \"%s\"", text, part);
}

static int begin(void **state)
{
	unsetenv("DEBUGFS");
	return boots_begin(state);
}

static void collect_run__takes_the_disk_if_both_are_the_same(void **state)
{
	struct collect_result result;

	(void)state;
	make_image("good.jsonl");
	make_mirror("good.jsonl");
	assert_int_equal(collect_run(boots_dir, &result), STATUS_GOOD);
	assert_int_equal(result.from, COLLECT_FROM_DISK);
	assert_true(result.complete && result.spent);
	assert_int_equal(result.records, 34);
	assert_null(result.disk_note);
	assert_true(shell("cmp records.jsonl mirror.jsonl"));
	assert_files("mirror.jsonl records.jsonl results.img ");
	collect_free(&result);
}

static void collect_run__takes_the_disk_if_the_mirror_is_torn(void **state)
{
	struct collect_result result;

	(void)state;
	make_image("good.jsonl");
	make_mirror("torn-last-line.jsonl");
	assert_int_equal(collect_run(boots_dir, &result), STATUS_GOOD);
	assert_int_equal(result.from, COLLECT_FROM_DISK);
	assert_says(result.message, "the mirror: line 34: is torn");
	collect_free(&result);
}

static void collect_run__takes_the_mirror_without_a_disk(void **state)
{
	struct collect_result result;

	(void)state;
	make_mirror("good.jsonl");
	assert_int_equal(collect_run(boots_dir, &result), STATUS_GOOD);
	assert_int_equal(result.from, COLLECT_FROM_MIRROR);
	assert_says(result.disk_note, "there is no results.img");
	assert_files("mirror.jsonl records.jsonl ");
	collect_free(&result);
}

static void collect_run__takes_the_mirror_of_a_broken_disk(void **state)
{
	static const char *const images[] = {
		"head -c 300000 /dev/urandom >results.img",
		": >results.img",
		/* no file on it */
		"mkdir root && mke2fs -q -t ext2 -d root results.img 1M; "
		"rmdir root",
		/* a folder of that name, and a link out of it */
		"mkdir -p root/records.jsonl && "
		"mke2fs -q -t ext2 -d root results.img 1M; rm -r root",
		"mkdir root && ln -s /etc/passwd root/records.jsonl && "
		"mke2fs -q -t ext2 -d root results.img 1M; rm -r root",
		/* 80 MiB of holes */
		"mkdir root && truncate -s 80M root/records.jsonl && "
		"mke2fs -q -t ext2 -d root results.img 8M; rm -r root",
		/* torn to pieces behind the super block */
		"mkdir root && cp " DATA "/good.jsonl root/records.jsonl && "
		"mke2fs -q -t ext2 -d root results.img 1M; rm -r root; "
		"dd if=/dev/urandom of=results.img bs=1k seek=2 count=900 "
		"conv=notrunc",
		"ln -s /dev/zero results.img",
		"mkfifo results.img",
		"mkdir results.img",
	};

	(void)state;
	make_mirror("good.jsonl");
	for (size_t i = 0; i < sizeof(images) / sizeof(images[0]); i++) {
		struct collect_result result;

		need(shell(images[i]));
		assert_int_equal(collect_run(boots_dir, &result), STATUS_GOOD);
		assert_int_equal(result.from, COLLECT_FROM_MIRROR);
		assert_non_null(result.disk_note);
		assert_files("mirror.jsonl records.jsonl results.img ");
		collect_free(&result);
		assert_true(shell("rm -rf results.img records.jsonl"));
	}
}

static void collect_run__says_that_debugfs_is_missing(void **state)
{
	struct collect_result result;

	(void)state;
	setenv("DEBUGFS", "/nonexistent/debugfs", 1);
	make_image("good.jsonl");
	make_mirror("good.jsonl");
	assert_int_equal(collect_run(boots_dir, &result), STATUS_GOOD);
	assert_int_equal(result.from, COLLECT_FROM_MIRROR);
	assert_says(result.disk_note, "e2fsprogs");
	collect_free(&result);
}

static void collect_run__keeps_the_longer_prefix(void **state)
{
	struct collect_result result;

	(void)state;
	make_image("wrong-crc.jsonl");
	make_mirror("truncated.jsonl");
	assert_int_equal(collect_run(boots_dir, &result), STATUS_CANNOT_TELL);
	assert_int_equal(result.from, COLLECT_FROM_DISK);
	assert_false(result.complete || result.spent);
	assert_int_equal(result.records, 33);
	assert_says(result.message, "the disk: line 34: the CRC-32");
	assert_says(result.message, "the mirror: it stops after line 9");
	assert_true(shell("test $(wc -l <records.jsonl) -eq 33"));
	assert_files("mirror.jsonl records.jsonl results.img ");
	collect_free(&result);
}

static void collect_run__does_not_make_a_forged_end_complete(void **state)
{
	struct collect_result result;

	(void)state;
	make_mirror("second-end.jsonl");
	assert_int_equal(collect_run(boots_dir, &result), STATUS_CANNOT_TELL);
	assert_true(shell("! grep -q '\"end\",\"records' records.jsonl"));
	collect_free(&result);
}

static void collect_run__makes_no_file_of_nothing(void **state)
{
	struct collect_result result;

	(void)state;
	make_mirror("empty.jsonl");
	assert_int_equal(collect_run(boots_dir, &result), STATUS_CANNOT_TELL);
	assert_int_equal(result.from, COLLECT_FROM_NONE);
	assert_says(result.message, "no valid record;");
	assert_files("mirror.jsonl ");
	collect_free(&result);
}

static void collect_run__obeys_the_umask(void **state)
{
	static const mode_t masks[] = { 0077, 0022, 0 };
	char *path = boots_path("records.jsonl");
	struct collect_result result;
	struct stat file;

	(void)state;
	for (size_t i = 0; i < sizeof(masks) / sizeof(masks[0]); i++) {
		mode_t before = umask(masks[i]);

		make_mirror("good.jsonl");
		assert_int_equal(collect_run(boots_dir, &result), STATUS_GOOD);
		umask(before);
		collect_free(&result);
		assert_int_equal(stat(path, &file), 0);
		assert_int_equal(file.st_mode & 0777, 0666 & ~masks[i]);
	}
	free(path);
}

static void collect_run__keeps_both_if_they_differ(void **state)
{
	struct collect_result result;

	(void)state;
	make_image("good.jsonl");
	make_mirror("only-run.jsonl");
	assert_int_equal(collect_run(boots_dir, &result), STATUS_HOST);
	assert_false(result.complete || result.spent);
	assert_says(result.message, "differ");
	assert_files("mirror.jsonl records.disk.jsonl results.img ");
	collect_free(&result);
}

static void collect_run__looks_at_what_was_collected_before(void **state)
{
	struct collect_result result;

	(void)state;
	assert_true(shell("cp " DATA "/good.jsonl records.jsonl"));
	assert_int_equal(collect_run(boots_dir, &result), STATUS_GOOD);
	assert_int_equal(result.from, COLLECT_FROM_KEPT);
	assert_int_equal(result.records, 34);
	collect_free(&result);

	assert_true(shell("cp " DATA "/truncated.jsonl records.jsonl"));
	assert_int_equal(collect_run(boots_dir, &result), STATUS_CANNOT_TELL);
	collect_free(&result);
}

static void collect_run__wants_a_directory(void **state)
{
	struct collect_result result;

	(void)state;
	assert_int_equal(collect_run("/nonexistent", &result), STATUS_USAGE);
	collect_free(&result);
}

static void collect_run__does_not_follow_a_link_of_the_mirror(void **state)
{
	struct collect_result result;

	(void)state;
	assert_true(shell("ln -s " DATA "/good.jsonl mirror.jsonl"));
	assert_int_equal(collect_run(boots_dir, &result), STATUS_CANNOT_TELL);
	assert_says(result.message, "is a link");
	collect_free(&result);
}

static void disk_read__ends_a_debugfs_that_hangs(void **state)
{
	char *program = boots_path("hang"), *why, *bytes;
	char *image = boots_path("results.img");
	size_t len;

	(void)state;
	assert_true(shell("printf '#!/bin/sh\\nexec sleep 100\\n' >hang && "
			  "chmod +x hang && echo x >results.img"));
	setenv("DEBUGFS", program, 1);
	why = disk_read(image, 200, &bytes, &len);
	assert_says(why, "did not end within 1 s");
	free(why);
	free(image);
	free(program);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, begin, boots_end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(collect_run__takes_the_disk_if_both_are_the_same),
		CASE(collect_run__takes_the_disk_if_the_mirror_is_torn),
		CASE(collect_run__takes_the_mirror_without_a_disk),
		CASE(collect_run__takes_the_mirror_of_a_broken_disk),
		CASE(collect_run__says_that_debugfs_is_missing),
		CASE(collect_run__keeps_the_longer_prefix),
		CASE(collect_run__does_not_make_a_forged_end_complete),
		CASE(collect_run__makes_no_file_of_nothing),
		CASE(collect_run__obeys_the_umask),
		CASE(collect_run__keeps_both_if_they_differ),
		CASE(collect_run__looks_at_what_was_collected_before),
		CASE(collect_run__wants_a_directory),
		CASE(collect_run__does_not_follow_a_link_of_the_mirror),
		CASE(disk_read__ends_a_debugfs_that_hangs),
	};
	char *path = xprintf("%s:/usr/sbin:/sbin", getenv("PATH"));
	char *top = realpath(".", NULL);
	int failed;

	setenv("PATH", path, 1);
	setenv("TOP", top, 1);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	free(path);
	free(top);
	return failed;
}
