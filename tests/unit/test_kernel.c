// SPDX-License-Identifier: GPL-2.0-or-later
// sources: host/identify.c host/bzimage.c host/elf.c
/*
 * test_kernel.c - which files are kernels, and what the others are called
 *
 * Images are made here: a header with the fields of boot.rst, an ELF file with
 * one note, so that each field can be wrong by itself.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "bzimage.h"
#include "elf.h"
#include "identify.h"

#define IMAGE_SIZE 4096u /* setup of 3 sectors, 2,560 bytes behind it */

static uint8_t image[IMAGE_SIZE];
static struct kernel_info info;

static void put16(size_t at, unsigned int value)
{
	image[at] = (uint8_t)value;
	image[at + 1] = (uint8_t)(value >> 8);
}

static void put32(size_t at, unsigned int value)
{
	put16(at, value & 0xffff);
	put16(at + 2, value >> 16);
}

/* A sound 64-bit bzImage of protocol 2.15 with 512 bytes of payload. */
static int make_image(void **state)
{
	(void)state;
	memset(image, 0, sizeof(image));
	image[0x1f1] = 2;			/* setup_sects */
	put32(0x1f4, (IMAGE_SIZE - 1536) / 16); /* syssize */
	put16(0x1fe, 0xaa55);
	memcpy(image + 0x202, "HdrS", 4);
	put16(0x206, 0x020f);
	put16(0x20e, 0x400 - 0x200); /* kernel_version */
	image[0x211] = 1;	     /* LOADED_HIGH */
	put16(0x236, 1);	     /* XLF_KERNEL_64 */
	put32(0x248, 64);	     /* payload_offset */
	put32(0x24c, 512);	     /* payload_length */
	strcpy((char *)image + 0x400, "6.1.0-57-amd64 (me@here) #1 SMP");
	return 0;
}

struct fake_elf {
	Elf64_Ehdr header;
	Elf64_Phdr load, note;
	char banner[64];
	Elf64_Nhdr other_head;
	char other[8];
	Elf64_Nhdr xen_head;
	char xen[12];
};

/* A sound vmlinux: the PVH note is the second one. */
static struct fake_elf make_elf(void)
{
	struct fake_elf elf = {
		.header = {
			.e_type = ET_EXEC,
			.e_machine = EM_X86_64,
			.e_phoff = offsetof(struct fake_elf, load),
			.e_phentsize = sizeof(Elf64_Phdr),
			.e_phnum = 2,
		},
		.load = {
			.p_type = PT_LOAD,
			.p_filesz = sizeof(struct fake_elf),
		},
		.note = {
			.p_type = PT_NOTE,
			.p_offset = offsetof(struct fake_elf, other_head),
			.p_filesz = sizeof(struct fake_elf) -
				    offsetof(struct fake_elf, other_head),
		},
		.banner = "Linux version %s\0Linux version 6.12.117 (me)",
		.other_head = { .n_namesz = 4, .n_descsz = 3, .n_type = 18 },
		.other = "GNU\0abc",
		.xen_head = { .n_namesz = 4, .n_descsz = 8, .n_type = 18 },
		.xen = "Xen\0\0\0\0\1",
	};

	memcpy(elf.header.e_ident, ELFMAG, SELFMAG);
	elf.header.e_ident[EI_CLASS] = ELFCLASS64;
	elf.header.e_ident[EI_DATA] = ELFDATA2LSB;
	return elf;
}

/* A copy of exactly @size bytes, so that a read beyond them is seen. */
static void identify(const void *bytes, size_t size)
{
	uint8_t *copy = malloc(size ? size : 1);

	assert_non_null(copy);
	memcpy(copy, bytes, size);
	kernel_identify(&info, copy, size);
	free(copy);
}

static void is_refused_as(const void *bytes, size_t size, const char *what)
{
	identify(bytes, size);
	assert_int_equal(info.type, KERNEL_NONE);
	if (!strstr(info.problem, what))
		fail_msg("\"%s\" does not say %s", info.problem, what);
}

static void kernel_identify__takes_a_bzimage(void **state)
{
	(void)state;
	identify(image, sizeof(image));
	assert_int_equal(info.type, KERNEL_BZIMAGE);
	assert_string_equal(info.release, "6.1.0-57-amd64");
	assert_int_equal(info.image.payload, 1536 + 64);
	assert_int_equal(info.image.payload_size, 512);
}

static void kernel_identify__takes_0_setup_sectors_for_4(void **state)
{
	(void)state;
	image[0x1f1] = 0;
	put32(0x1f4, (IMAGE_SIZE - 2560) / 16);
	identify(image, sizeof(image));
	assert_int_equal(info.type, KERNEL_BZIMAGE);
	assert_int_equal(info.image.payload, 2560 + 64);
}

static void kernel_identify__names_a_truncated_bzimage(void **state)
{
	(void)state;
	is_refused_as(image, sizeof(image) - 1, "truncated bzImage");
	is_refused_as(image, 0x268, "truncated bzImage");
	image[0] = 'M';
	image[1] = 'Z';
	is_refused_as(image, 0x200, "truncated");
}

static void kernel_identify__refuses_old_and_32_bit_images(void **state)
{
	(void)state;
	put16(0x236, 0);
	is_refused_as(image, sizeof(image), "32-bit");
	put16(0x206, 0x020b); /* cannot know */
	identify(image, sizeof(image));
	assert_int_equal(info.type, KERNEL_BZIMAGE);
	image[0x211] = 0;
	is_refused_as(image, sizeof(image), "zImage");
}

static void bzimage_parse__gives_no_payload_outside_the_file(void **state)
{
	static const struct {
		unsigned int offset, size;
	} bad[] = {
		{ 64, 2561 },	   { 2561, 1 }, { 64, 0xffffffff },
		{ 0xffffffff, 8 }, { 64, 4 }, /* only the size field */
	};
	struct bzimage parsed;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		put32(0x248, bad[i].offset);
		put32(0x24c, bad[i].size);
		assert_true(bzimage_parse(&parsed, image, sizeof(image)));
		assert_int_equal(parsed.payload, 0);
	}
}

static void bzimage_parse__takes_no_strange_release(void **state)
{
	struct bzimage parsed;

	(void)state;
	put16(0x20e, 0xffff);
	assert_true(bzimage_parse(&parsed, image, sizeof(image)));
	assert_string_equal(parsed.release, "");

	make_image(NULL);
	image[0x401] = '\n';
	assert_true(bzimage_parse(&parsed, image, sizeof(image)));
	assert_string_equal(parsed.release, "");

	make_image(NULL);
	memset(image + 0x400, '6', 0x200);
	assert_true(bzimage_parse(&parsed, image, sizeof(image)));
	assert_string_equal(parsed.release, "");
}

static void kernel_identify__takes_a_vmlinux_with_pvh(void **state)
{
	struct fake_elf elf = make_elf();

	(void)state;
	identify(&elf, sizeof(elf));
	assert_string_equal(info.problem, "");
	assert_int_equal(info.type, KERNEL_VMLINUX);
	assert_string_equal(info.release, "6.12.117");
}

static void kernel_identify__refuses_a_vmlinux_without_pvh(void **state)
{
	struct fake_elf elf = make_elf();

	(void)state;
	elf.xen_head.n_type = 17;
	is_refused_as(&elf, sizeof(elf), "PVH");
	elf = make_elf();
	elf.other_head.n_descsz = 0xfffffffc;
	is_refused_as(&elf, sizeof(elf), "PVH");
	elf = make_elf();
	elf.other_head.n_namesz = 0xffffffff;
	is_refused_as(&elf, sizeof(elf), "PVH");
}

static void kernel_identify__names_other_elf_files(void **state)
{
	struct fake_elf elf = make_elf();

	(void)state;
	is_refused_as(&elf, sizeof(elf) - 1, "truncated ELF");
	is_refused_as(&elf, 20, "truncated ELF");

	elf.header.e_machine = EM_AARCH64;
	is_refused_as(&elf, sizeof(elf), "arm64");
	elf = make_elf();
	elf.header.e_machine = EM_386;
	elf.header.e_ident[EI_CLASS] = ELFCLASS32;
	is_refused_as(&elf, sizeof(elf), "32-bit x86");
	elf = make_elf();
	elf.header.e_machine = 0x1600; /* EM_S390, the other way round */
	elf.header.e_ident[EI_DATA] = ELFDATA2MSB;
	is_refused_as(&elf, sizeof(elf), "s390");
	elf = make_elf();
	elf.header.e_type = ET_REL;
	is_refused_as(&elf, sizeof(elf), "module");
	elf = make_elf();
	elf.load.p_type = PT_INTERP;
	is_refused_as(&elf, sizeof(elf), "a program");
	elf = make_elf();
	elf.banner[40] = '\0';
	memset(elf.banner, 'x', 40);
	is_refused_as(&elf, sizeof(elf), "not a Linux kernel");
}

static void kernel_identify__names_what_people_pass(void **state)
{
	(void)state;
	is_refused_as("", 0, "empty");
	is_refused_as("#!/bin/sh\necho\n", 15, "a text file");
	is_refused_as("\x1f\x8b\x08\x00", 4, "gzip");
	is_refused_as("\xfd"
		      "7zXZ\0",
		      6, "xz");
	is_refused_as("\x28\xb5\x2f\xfd", 4, "zstd");
	is_refused_as("070701000000", 12, "initramfs");
	is_refused_as("!<arch>\ndebian-binary", 21, "Debian package");
	is_refused_as("\0\1\2\3", 4, "no kind that is known");
}

static void kernel_identify__names_images_of_other_machines(void **state)
{
	uint8_t bytes[512] = { 0 };

	(void)state;
	memcpy(bytes + 0x38, "ARM\x64", 4);
	is_refused_as(bytes, sizeof(bytes), "arm64");
	memset(bytes, 0, sizeof(bytes));
	memcpy(bytes, "MZ\0\0zimg", 8);
	is_refused_as(bytes, sizeof(bytes), "zboot");
}

static void kernel_identify__names_a_unified_image(void **state)
{
	uint8_t bytes[512] = "MZ";

	(void)state;
	bytes[0x3c] = 0x80;
	memcpy(bytes + 0x80, "PE\0\0", 4);
	bytes[0x86] = 2; /* sections */
	memcpy(bytes + 0x80 + 24 + 40, ".linux\0\0", 8);
	is_refused_as(bytes, sizeof(bytes), "unified");
	is_refused_as(bytes, 0x80 + 24 + 40, "EFI");
	bytes[0x3f] = 0xff;
	is_refused_as(bytes, sizeof(bytes), "EFI");
}

int main(void)
{
#define CASE(function) cmocka_unit_test_setup(function, make_image)
	static const struct CMUnitTest tests[] = {
		CASE(kernel_identify__takes_a_bzimage),
		CASE(kernel_identify__takes_0_setup_sectors_for_4),
		CASE(kernel_identify__names_a_truncated_bzimage),
		CASE(kernel_identify__refuses_old_and_32_bit_images),
		CASE(bzimage_parse__gives_no_payload_outside_the_file),
		CASE(bzimage_parse__takes_no_strange_release),
		CASE(kernel_identify__takes_a_vmlinux_with_pvh),
		CASE(kernel_identify__refuses_a_vmlinux_without_pvh),
		CASE(kernel_identify__names_other_elf_files),
		CASE(kernel_identify__names_what_people_pass),
		CASE(kernel_identify__names_images_of_other_machines),
		CASE(kernel_identify__names_a_unified_image),
	};
#undef CASE

	return cmocka_run_group_tests(tests, NULL, NULL);
}
