// SPDX-License-Identifier: GPL-2.0-or-later
// sources: host/cpio_entry.c
/*
 * test_cpio.c - lines of an archive's list, and the headers they become
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cpio_entry.h"

/* A copy, since parsing writes into the line and the entry points there. */
static char line[16384];

static const char *parse(struct cpio_entry *entry, const char *text)
{
	assert_true(strlen(text) < sizeof(line));
	strcpy(line, text);
	return cpio_parse(entry, line);
}

static void cpio_parse__takes_a_file(void **state)
{
	struct cpio_entry entry;

	(void)state;
	assert_null(parse(&entry, "file /bin/probe /tmp/probe 755 1 2"));
	assert_string_equal(entry.name, "bin/probe");
	assert_string_equal(entry.source, "/tmp/probe");
	assert_int_equal(entry.mode, S_IFREG | 0755);
	assert_int_equal(entry.uid, 1);
	assert_int_equal(entry.gid, 2);
}

static void cpio_parse__keeps_blanks_within_a_location(void **state)
{
	struct cpio_entry entry;

	(void)state;
	assert_null(parse(&entry, "file\ta  /my  own/pro be \t644 0 0 "));
	assert_string_equal(entry.name, "a");
	assert_string_equal(entry.source, "/my  own/pro be");
}

static void cpio_parse__takes_directories_links_and_nodes(void **state)
{
	struct cpio_entry entry;

	(void)state;
	assert_null(parse(&entry, "dir /tmp 1777 0 0"));
	assert_int_equal(entry.mode, S_IFDIR | 01777);
	assert_null(entry.source);

	assert_null(parse(&entry, "slink /bin/sh /bin/busybox 777 0 0"));
	assert_int_equal(entry.mode, S_IFLNK | 0777);
	assert_string_equal(entry.source, "/bin/busybox");

	assert_null(parse(&entry, "nod /dev/console 600 0 5 c 5 1"));
	assert_int_equal(entry.mode, S_IFCHR | 0600);
	assert_int_equal(entry.gid, 5);
	assert_int_equal(entry.major, 5);
	assert_int_equal(entry.minor, 1);

	assert_null(parse(&entry, "nod /dev/vda 600 0 0 b 254 1048575"));
	assert_int_equal(entry.mode, S_IFBLK | 0600);
}

static void cpio_parse__refuses_what_is_not_in_the_format(void **state)
{
	static const char *const bad[] = {
		"",
		"file",
		"link /a /b 755 0 0",
		"files /a /b 755 0 0",
		"file /a 755 0 0",
		"file /a /b 755 0 0 /hardlink",
		"file /a /b 855 0 0",
		"file /a /b 0x1 0 0",
		"file /a /b 17777 0 0",
		"file /a /b 755 -1 0",
		"file /a /b 755 0 4294967296",
		"file /a /b 755 root root",
		"dir /a b 755 0 0",
		"dir /a 755 0",
		"dir / 755 0 0",
		"dir /a/ 755 0 0",
		"dir /a//b 755 0 0",
		"dir /a/../b 755 0 0",
		"dir ./a 755 0 0",
		"dir TRAILER!!! 755 0 0",
		"nod /a 600 0 0 c 5",
		"nod /a 600 0 0 p 5 1",
		"nod /a 600 0 0 c 4096 1",
		"nod /a 600 0 0 c 5 1048576",
		"nod /a b 600 0 0 c 5 1",
	};
	struct cpio_entry entry;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (!parse(&entry, bad[i]))
			fail_msg("taken: %s", bad[i]);
}

static void cpio_parse__refuses_more_words_than_it_counts(void **state)
{
	struct cpio_entry entry;
	char text[4096] = "file /a ";

	(void)state;
	for (int i = 0; i < 500; i++)
		strcat(text, "b ");
	strcat(text, "755 0 0");
	assert_non_null(parse(&entry, text));
}

static void cpio_parse__refuses_a_name_longer_than_a_path(void **state)
{
	struct cpio_entry entry;
	char text[8192] = "dir ";

	(void)state;
	memset(text + 4, 'n', 4096);
	strcpy(text + 4 + 4095, " 755 0 0");
	assert_null(parse(&entry, text));
	strcpy(text + 4 + 4096, " 755 0 0");
	text[4 + 4095] = 'n';
	assert_non_null(parse(&entry, text));
}

static void cpio_header__has_nothing_of_the_host(void **state)
{
	const struct cpio_entry entry = { .name = "init",
					  .mode = S_IFREG | 0755 };
	char text[CPIO_HEADER_SIZE + 1];

	(void)state;
	cpio_header(text, &entry, 19, 0xabcd);
	/* initramfs-buffer-format.rst of the kernel; c_namesize has the NUL */
	assert_string_equal(text, "070701"
				  "00000013"
				  "000081ED"
				  "00000000"
				  "00000000"
				  "00000001"
				  "00000000"
				  "0000ABCD"
				  "00000000"
				  "00000000"
				  "00000000"
				  "00000000"
				  "00000005"
				  "00000000");
}

static void cpio_header__gives_directories_two_links(void **state)
{
	const struct cpio_entry entry = { .name = "d", .mode = S_IFDIR | 0755 };
	char text[CPIO_HEADER_SIZE + 1];

	(void)state;
	cpio_header(text, &entry, 1, 0);
	assert_memory_equal(text + 6 + 4 * 8, "00000002", 8);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(cpio_parse__takes_a_file),
		cmocka_unit_test(cpio_parse__keeps_blanks_within_a_location),
		cmocka_unit_test(cpio_parse__takes_directories_links_and_nodes),
		cmocka_unit_test(cpio_parse__refuses_what_is_not_in_the_format),
		cmocka_unit_test(cpio_parse__refuses_more_words_than_it_counts),
		cmocka_unit_test(cpio_parse__refuses_a_name_longer_than_a_path),
		cmocka_unit_test(cpio_header__has_nothing_of_the_host),
		cmocka_unit_test(cpio_header__gives_directories_two_links),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
