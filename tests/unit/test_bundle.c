// SPDX-License-Identifier: GPL-2.0-or-later
// sources: host/bundle.c host/bundle_write.c host/bundle_unpack.c host/bundle_argv.c host/manifest.c host/sha256.c host/capture.c host/process.c host/slurp.c host/units.c host/die.c tests/unit/boots.c
/*
 * test_bundle.c - exports: what may be in one, and what must not
 */
#include "boots.h"

#include <archive.h>
#include <archive_entry.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bundle.h"
#include "bundle_argv.h"
#include "die.h"
#include "manifest.h"

static char *export_path; /* of the archive that a test makes */
static char *into;	  /* where it is unpacked */

static int begin(void **state)
{
	if (boots_begin(state))
		return -1;
	export_path = boots_path("export");
	into = boots_path("into");
	return mkdir(into, 0700);
}

static int end(void **state)
{
	free(export_path);
	free(into);
	return boots_end(state);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, begin, end)

/* One entry of an archive that is not of ours. */
struct odd {
	const char *name;
	int type;
	const char *link; /* target of a hard link */
	int64_t size;	  /* that its header says */
};

static void put(struct archive *a, const struct odd *odd)
{
	struct archive_entry *entry = archive_entry_new();

	archive_entry_set_pathname(entry, odd->name);
	archive_entry_set_filetype(entry, (unsigned int)odd->type);
	archive_entry_set_perm(entry, 0644);
	archive_entry_set_size(entry, odd->size);
	if (odd->type == AE_IFLNK)
		archive_entry_set_symlink(entry, "/etc/passwd");
	else if (odd->link)
		archive_entry_set_hardlink(entry, odd->link);
	archive_write_header(a, entry);
	if (odd->type == AE_IFREG && odd->size > 0 && odd->size < 64)
		archive_write_data(a,
				   "0123456789012345678901234567890123456789"
				   "012345678901234567890123",
				   (size_t)odd->size);
	archive_entry_free(entry);
}

/* The manifest, then @odd. */
static void write_odd(const struct odd *odd, bool manifest)
{
	static const struct odd first = { "manifest.json", AE_IFREG, NULL, 2 };
	struct archive *a = archive_write_new();

	archive_write_set_format_pax_restricted(a);
	archive_write_add_filter_zstd(a);
	archive_write_open_filename(a, export_path);
	if (manifest)
		put(a, &first);
	put(a, odd);
	archive_write_close(a); /* too short an entry is what is tested */
	archive_write_free(a);
}

static void assert_refused(const char *part)
{
	char *why = bundle_unpack(export_path, into);

	assert_non_null(why);
	if (!strstr(why, part))
		fail_msg("\"%s\" is not in: %s", part, why);
	free(why);
}

static void bundle_unpack__refuses_what_is_no_part(void **state)
{
	static const struct {
		struct odd odd;
		const char *why;
	} odds[] = {
		{ { "/etc/cron.d/x", AE_IFREG, NULL, 5 }, "no part" },
		{ { "../kernel", AE_IFREG, NULL, 5 }, "no part" },
		{ { "./kernel", AE_IFREG, NULL, 5 }, "no part" },
		{ { "kernel/../../x", AE_IFREG, NULL, 5 }, "no part" },
		{ { "kernel2", AE_IFREG, NULL, 5 }, "no part" },
		{ { "\033[31mred", AE_IFREG, NULL, 5 }, "'?[31mred'" },
		{ { "kernel", AE_IFDIR, NULL, 0 }, "is no file" },
		{ { "kernel", AE_IFLNK, NULL, 0 }, "is no file" },
		{ { "kernel", AE_IFREG, "/etc/passwd", 0 }, "is no file" },
		{ { "kernel", AE_IFCHR, NULL, 0 }, "is no file" },
		{ { "kernel", AE_IFBLK, NULL, 0 }, "is no file" },
		{ { "kernel", AE_IFIFO, NULL, 0 }, "is no file" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(odds) / sizeof(odds[0]); i++) {
		write_odd(&odds[i].odd, true);
		assert_refused(odds[i].why);
		/* Nothing but the manifest was written. */
		assert_int_equal(rmdir(into), -1);
		end(NULL);
		assert_int_equal(begin(NULL), 0);
	}
}

/* A tar whose one entry after the manifest says that it has @octal bytes. */
static void write_size(const char *name, const char *octal)
{
	char block[512] = { 0 };
	unsigned int sum = 0;
	FILE *file = fopen(export_path, "we");

	assert_non_null(file);
	for (int i = 0; i < 2; i++) {
		memset(block, 0, sizeof(block));
		sprintf(block, "%s", i ? name : "manifest.json");
		sprintf(block + 100, "0000644");
		sprintf(block + 124, "%s", i ? octal : "00000000000");
		sprintf(block + 257, "ustar");
		memcpy(block + 263, "00", 2);
		block[156] = '0';
		memset(block + 148, ' ', 8);
		sum = 0;
		for (size_t at = 0; at < sizeof(block); at++)
			sum += (unsigned char)block[at];
		sprintf(block + 148, "%06o", sum);
		fwrite(block, 1, sizeof(block), file);
	}
	fclose(file);
}

static void bundle_unpack__refuses_sizes_beyond_the_limits(void **state)
{
	(void)state;
	write_size("kernel", "10000000001");
	assert_refused("too large");
	end(NULL);
	begin(NULL);
	write_size("scenario", "00000200001");
	assert_refused("too large");
	end(NULL);
	begin(NULL);
	/* Within the limit, and not there. */
	write_size("kernel", "10000000000");
	assert_refused("cut short");
}

static void bundle_unpack__refuses_parts_twice_or_out_of_order(void **state)
{
	static const struct odd kernel = { "kernel", AE_IFREG, NULL, 5 };
	static const struct odd manifest = { "manifest.json", AE_IFREG, NULL,
					     5 };

	(void)state;
	write_odd(&manifest, true);
	assert_refused("twice");
	end(NULL);
	begin(NULL);
	write_odd(&kernel, false);
	assert_refused("before the manifest");
	write_odd(&kernel, true);
	assert_refused("initrd is missing");
}

static void write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "we");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static void bundle_unpack__refuses_what_is_no_archive(void **state)
{
	(void)state;
	write_file(export_path, "no archive");
	assert_refused("no export");
	write_file(export_path, "");
	assert_refused("");
	unlink(export_path);
	assert_refused("no export");
}

/* A small export of ours, with a disk that is mostly a hole. */
static json_t *write_export(void)
{
	static const char *const names[] = { "k", "i", "d", "s", "r" };
	const char *sources[BUNDLE_PARTS] = { NULL };
	char *paths[5], *why = NULL;
	json_t *files;

	for (int i = 0; i < 5; i++) {
		paths[i] = boots_path(names[i]);
		write_file(paths[i], names[i]);
		sources[BUNDLE_KERNEL + i] = paths[i];
	}
	assert_int_equal(truncate(paths[2], 300000), 0);
	files = bundle_describe(sources, &why);
	assert_non_null(files);
	unlink(export_path);
	assert_null(bundle_write(export_path, sources, "{}"));
	for (int i = 0; i < 5; i++)
		free(paths[i]);
	return files;
}

static void bundle_unpack__brings_back_what_went_in(void **state)
{
	json_t *files = write_export();
	char *disk = xprintf("%s/results-disk.img", into);
	struct stat file;

	(void)state;
	assert_null(bundle_unpack(export_path, into));
	assert_null(bundle_verify(into, files));
	assert_int_equal(stat(disk, &file), 0);
	assert_int_equal(file.st_size, 300000);
	free(disk);
	json_decref(files);
}

static void bundle_write__makes_the_same_bytes(void **state)
{
	char *command = xprintf("cmp -s %s %s/first", export_path, boots_dir);
	char *first = boots_path("first");

	(void)state;
	json_decref(write_export());
	assert_int_equal(rename(export_path, first), 0);
	json_decref(write_export());
	assert_int_equal(system(command), 0);
	free(command);
	free(first);
}

static void bundle_verify__sees_what_was_changed(void **state)
{
	json_t *files = write_export();
	char *kernel = xprintf("%s/kernel", into), *why;

	(void)state;
	assert_null(bundle_unpack(export_path, into));
	write_file(kernel, "K");
	why = bundle_verify(into, files);
	assert_non_null(why);
	assert_non_null(strstr(why, "kernel has other bytes"));
	free(why);
	unlink(kernel);
	why = bundle_verify(into, files);
	assert_non_null(strstr(why, "kernel is missing"));
	free(why);
	write_file(kernel, "k");
	json_object_del(files, "kernel");
	why = bundle_verify(into, files);
	assert_non_null(strstr(why, "kernel is not in"));
	free(why);
	free(kernel);
	json_decref(files);
}

static void bundle_unpack__refuses_a_damaged_one(void **state)
{
	char *why;

	(void)state;
	json_decref(write_export());
	assert_int_equal(truncate(export_path, 150), 0);
	why = bundle_unpack(export_path, into);
	assert_non_null(why);
	free(why);
}

static const char good_argv[] =
	"[\"/usr/bin/qemu-system-x86_64\", \"-machine\", \"pc\", "
	"\"-nodefaults\", \"-no-user-config\", \"-display\", \"none\", "
	"\"-no-reboot\", \"-accel\", \"tcg,thread=single\", \"-icount\", "
	"\"shift=2,sleep=off\", \"-rtc\", \"base=2020-01-01,clock=vm\", "
	"\"-cpu\", \"max,-rdrand,-rdseed\", \"-seed\", \"7\", \"-smp\", \"2\", "
	"\"-m\", \"512\", \"-kernel\", \"/home/me/vmlinux\", \"-initrd\", "
	"\"/home/me/initrd\", \"-append\", \"console=ttyS0 kv.seed=7\", "
	"\"-serial\", \"file:console.log\", \"-serial\", "
	"\"file:mirror.jsonl\", \"-chardev\", \"socket,id=qmp,fd=3\", "
	"\"-mon\", \"chardev=qmp,mode=control\"]";

static void bundle_argv__loses_the_files_of_the_host(void **state)
{
	json_t *argv = json_loads(good_argv, 0, NULL), *general;
	char *why = NULL, *text, **local;

	(void)state;
	general = bundle_argv_general(argv, &why);
	assert_null(why);
	text = json_dumps(general, 0);
	assert_null(strstr(text, "/home/me"));
	assert_null(strstr(text, "/usr/bin"));
	local = bundle_argv_local(general, "Q", "K", "I");
	assert_string_equal(local[0], "Q");
	assert_string_equal(local[23], "K");
	assert_string_equal(local[25], "I");
	assert_string_equal(local[31], "file:mirror.jsonl");
	assert_null(local[32]);
	free(local);
	free(text);
	json_decref(general);
	json_decref(argv);
}

static void bundle_argv__refuses_what_reaches_the_host(void **state)
{
	static const char *const bad[] = {
		"[]",
		"[\"/bin/sh\"]",
		"{\"0\": \"@QEMU@\"}",
		"[\"@QEMU@\", \"-drive\", \"file=/etc/shadow\"]",
		"[\"@QEMU@\", \"-serial\", \"file:/home/me/.profile\"]",
		"[\"@QEMU@\", \"-serial\", \"file:../x\"]",
		"[\"@QEMU@\", \"-kernel\", \"/etc/shadow\"]",
		"[\"@QEMU@\", \"-initrd\", \"@KERNEL@\"]",
		"[\"@QEMU@\", \"-chardev\", \"socket\"]",
		"[\"@QEMU@\", \"-machine\", \"pc,dumpdtb=/tmp/x\"]",
		"[\"@QEMU@\", \"-accel\", \"tcg,x=y\"]",
		"[\"@QEMU@\", \"-smp\", \"65\"]",
		"[\"@QEMU@\", \"-m\", \"65537\"]",
		"[\"@QEMU@\", \"-m\", \"512,maxmem=1T\"]",
		"[\"@QEMU@\", \"-append\"]",
		"[\"@QEMU@\", \"-append\", 5]",
		"[\"@QEMU@\", \"-gdb\", \"tcp:0.0.0.0:1234\"]",
		"[\"@QEMU@\", \"-readconfig\", \"/tmp/x\"]",
		"[\"@QEMU@\", \"x\"]",
		"[\"@QEMU@\", \"-nodefaults\", \"@KERNEL@\"]",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		json_t *argv = json_loads(bad[i], 0, NULL);
		char *why = bundle_argv_fault(argv);

		if (!why)
			fail_msg("taken: %s", bad[i]);
		free(why);
		json_decref(argv);
	}
}

/* A run.json with what an export needs of it. */
static json_t *run_json(void)
{
	return json_pack(
		"{s:s, s:s, s:I, s:I, s:I, s:s, s:s, s:s, s:s, s:s, s:s, s:s, "
		"s:{s:i, s:s}, s:{s:i}, s:o}",
		"mode", "deterministic", "accelerator", "tcg", "seed",
		(json_int_t)7, "smp", (json_int_t)2, "mem_mib", (json_int_t)512,
		"scenario", "empty", "kernel_release", "6.12", "kernel_sha256",
		"a", "image_sha256", "b", "qemu_version", "10.0.2",
		"firmware_sha256", "c", "kernel_path", "/home/me/k", "outcome",
		"exit_status", 0, "message", "complete", "timeouts", "total_s",
		600, "qemu_argv", json_loads(good_argv, 0, NULL));
}

/* What manifest_read() says of a manifest; the caller frees it. */
static char *read_fault(const json_t *manifest)
{
	char *path = boots_path("manifest.json"), *why = NULL;
	json_t *again;

	json_dump_file(manifest, path, 0);
	again = manifest_read(path, &why);
	json_decref(again);
	free(path);
	return why;
}

static void manifest__comes_back_without_a_path_of_the_host(void **state)
{
	json_t *run = run_json(), *files = json_object(), *manifest;
	char *why = NULL, *text;

	(void)state;
	manifest = manifest_make(run, files, &why);
	assert_null(why);
	text = json_dumps(manifest, 0);
	assert_null(strstr(text, "/home"));
	free(text);
	why = read_fault(manifest);
	if (why)
		fail_msg("%s", why);
	json_decref(manifest);
	json_decref(files);
	json_decref(run);
}

static void manifest_read__refuses_what_is_wrong(void **state)
{
	static const struct {
		const char *key, *json;
	} wrong[] = {
		{ "export_version", "2" },
		{ "export_version", "\"1\"" },
		{ "seed", "-1" },
		{ "seed", "\"1\"" },
		{ "smp", "65" },
		{ "mem_mib", "65537" },
		{ "mode", "5" },
		{ "qemu_version", "null" },
		{ "total_s", "0" },
		{ "total_s", "99999999" },
		{ "qemu_argv", "[\"sh\"]" },
		{ "qemu_argv", "null" },
		{ "command", "{}" },
		{ "commit", "[]" },
	};
	json_t *run = run_json(), *files = json_object();

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		char *why = NULL;
		json_t *m = manifest_make(run, files, &why);

		json_object_set_new(
			m, wrong[i].key,
			json_loads(wrong[i].json, JSON_DECODE_ANY, NULL));
		why = read_fault(m);
		if (!why)
			fail_msg("taken: %s %s", wrong[i].key, wrong[i].json);
		free(why);
		json_decref(m);
	}
	json_decref(files);
	json_decref(run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(bundle_unpack__refuses_what_is_no_part),
		CASE(bundle_unpack__refuses_sizes_beyond_the_limits),
		CASE(bundle_unpack__refuses_parts_twice_or_out_of_order),
		CASE(bundle_unpack__refuses_what_is_no_archive),
		CASE(bundle_unpack__brings_back_what_went_in),
		CASE(bundle_write__makes_the_same_bytes),
		CASE(bundle_verify__sees_what_was_changed),
		CASE(bundle_unpack__refuses_a_damaged_one),
		cmocka_unit_test(bundle_argv__loses_the_files_of_the_host),
		cmocka_unit_test(bundle_argv__refuses_what_reaches_the_host),
		CASE(manifest__comes_back_without_a_path_of_the_host),
		CASE(manifest_read__refuses_what_is_wrong),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
