// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * identify.c - is this file a kernel, and if not, what is it?
 *
 * QEMU says little about a file that it cannot boot, or boots it into
 * silence.  People pass the wrong one often, so each kind that is met in
 * practice is named, with what to do about it.
 */
#include "identify.h"

#include <ctype.h>
#include <elf.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "die.h"
#include "elf.h"

#define TEXT_SIZE 512u /* looked at to tell a text from a binary file */

static const char elsewhere[] = "give an x86-64 kernel's bzImage";
static const char unpack_first[] =
	"unpack it, and give the bzImage or vmlinux in it";
static const char no_initramfs[] =
	"give the kernel; its initramfs comes from mkimage.sh";

/* What else people pass, by the bytes at a fixed place. */
static const struct magic {
	size_t offset;
	const char *bytes;
	size_t len;
	const char *what, *advice;
} magics[] = {
	{ 0x38, "ARM\x64", 4, "an arm64 Image", elsewhere },
	{ 0x38, "RSC\x05", 4, "a RISC-V Image", elsewhere },
	{ 0x24, "\x18\x28\x6f\x01", 4, "a 32-bit Arm zImage", elsewhere },
	{ 4, "zimg", 4, "an EFI zboot image of another architecture",
	  elsewhere },
	{ 0, "\x27\x05\x19\x56", 4, "a U-Boot uImage", elsewhere },
	{ 0, "\xd0\x0d\xfe\xed", 4, "a device tree or FIT image", elsewhere },
	{ 0, "ANDROID!", 8, "an Android boot image", unpack_first },
	{ 0, "070701", 6, "a cpio archive (an initramfs)", no_initramfs },
	{ 0, "070702", 6, "a cpio archive (an initramfs)", no_initramfs },
	{ 0, "070707", 6, "a cpio archive", no_initramfs },
	{ 0, "\x1f\x8b", 2, "packed with gzip", unpack_first },
	{ 0, "\x28\xb5\x2f\xfd", 4, "packed with zstd", unpack_first },
	{ 0,
	  "\xfd"
	  "7zXZ",
	  6, "packed with xz", unpack_first },
	{ 0, "\x5d\0\0", 3, "packed with lzma", unpack_first },
	{ 0, "\x02\x21\x4c\x18", 4, "packed with lz4", unpack_first },
	{ 0, "\x04\x22\x4d\x18", 4, "packed with lz4", unpack_first },
	{ 0, "BZh", 3, "packed with bzip2", unpack_first },
	{ 0, "\x89LZO", 4, "packed with lzop", unpack_first },
	{ 0, "PK\x03\x04", 4, "a zip archive", unpack_first },
	{ 257, "ustar", 5, "a tar archive", unpack_first },
	{ 0, "!<arch>", 7, "a Debian package or an archive",
	  "unpack it with `dpkg -x`, and give the boot/vmlinuz-* in it" },
	{ 0, "\xed\xab\xee\xdb", 4, "an RPM package",
	  "unpack it with rpm2cpio, and give the vmlinuz in it" },
	{ 0, "QFI\xfb", 4, "a qcow2 disk image", elsewhere },
	{ 0x8001, "CD001", 5, "a CD image", elsewhere },
};

static __printf(2, 3) void refuse(struct kernel_info *info, const char *fmt,
				  ...)
{
	va_list args;

	info->type = KERNEL_NONE;
	va_start(args, fmt);
	vsnprintf(info->problem, sizeof(info->problem), fmt, args);
	va_end(args);
}

/* Every Linux kernel carries the text that /proc/version begins with. */
static bool find_release(char release[RELEASE_MAX + 1], const uint8_t *bytes,
			 size_t size)
{
	static const char banner[] = "Linux version ";
	const size_t len = sizeof(banner) - 1;
	const uint8_t *end = bytes + size, *at = bytes;

	while ((at = memmem(at, (size_t)(end - at), banner, len))) {
		at += len;
		if (at < end && isdigit(*at))
			release_copy(release, at, (size_t)(end - at));
		if (release[0])
			return true;
	}
	return false;
}

static void identify_elf(struct kernel_info *info, const struct elf_info *elf,
			 const uint8_t *bytes, size_t size)
{
	if (elf->machine != EM_X86_64)
		refuse(info, "an ELF file for another architecture (%s): %s",
		       elf_machine_name(elf->machine), elsewhere);
	else if (!elf->bits64 || !elf->little)
		refuse(info, "an ELF file, but not a 64-bit one: %s",
		       elsewhere);
	else if (elf->type == ET_REL)
		refuse(info, "a kernel module or an object file: %s",
		       elsewhere);
	else if (elf->type == ET_CORE)
		refuse(info, "a core dump: %s", elsewhere);
	else if (elf->program)
		refuse(info, "a program: %s", elsewhere);
	else if (elf->end > size)
		refuse(info,
		       "a truncated ELF file (%zu of at least %llu bytes): "
		       "copy or build it again",
		       size, (unsigned long long)elf->end);
	else if (!find_release(info->release, bytes, size))
		refuse(info, "an ELF file, but not a Linux kernel: %s",
		       elsewhere);
	else if (!elf->pvh)
		refuse(info, "a vmlinux without the PVH entry point: give the "
			     "bzImage (arch/x86/boot/bzImage), or build with "
			     "CONFIG_PVH=y");
	else
		info->type = KERNEL_VMLINUX;
}

static void identify_image(struct kernel_info *info, size_t size)
{
	const struct bzimage *image = &info->image;

	memcpy(info->release, image->release, sizeof(info->release));
	if (image->size > size)
		refuse(info,
		       "a truncated bzImage (%zu of %llu bytes): copy or "
		       "build it again",
		       size, (unsigned long long)image->size);
	else if (!image->big)
		refuse(info, "a zImage of an ancient kernel: %s", elsewhere);
	else if (image->known32)
		refuse(info, "a 32-bit x86 kernel: %s", elsewhere);
	else
		info->type = KERNEL_BZIMAGE;
}

/* Return: whether @bytes is an EFI program with a section ".linux". */
static bool is_unified_image(const uint8_t *bytes, size_t size)
{
	size_t pe, section, count;

	if (size < 0x40 || memcmp(bytes, "MZ", 2))
		return false;
	pe = (size_t)bytes[0x3c] | (size_t)bytes[0x3d] << 8 |
	     (size_t)bytes[0x3e] << 16 | (size_t)bytes[0x3f] << 24;
	if (pe > size || size - pe < 24 || memcmp(bytes + pe, "PE\0", 4))
		return false;
	count = (size_t)bytes[pe + 6] | (size_t)bytes[pe + 7] << 8;
	section = pe + 24 +
		  ((size_t)bytes[pe + 20] | (size_t)bytes[pe + 21] << 8);
	for (; count > 0 && section + 40 <= size; count--, section += 40)
		if (!memcmp(bytes + section, ".linux", sizeof(".linux")))
			return true;
	return false;
}

static bool is_text(const uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < size && i < TEXT_SIZE; i++)
		if (bytes[i] < 0x20 && !strchr("\t\n\r\f\033", bytes[i]))
			return false;
	return true;
}

static void identify_other(struct kernel_info *info, const uint8_t *bytes,
			   size_t size)
{
	for (size_t i = 0; i < sizeof(magics) / sizeof(magics[0]); i++) {
		const struct magic *magic = &magics[i];

		if (size >= magic->offset + magic->len &&
		    !memcmp(bytes + magic->offset, magic->bytes, magic->len)) {
			refuse(info, "%s: %s", magic->what, magic->advice);
			return;
		}
	}
	if (is_unified_image(bytes, size))
		refuse(info, "a unified kernel image (EFI): take the kernel "
			     "out with `objcopy -O binary "
			     "--only-section=.linux IMAGE KERNEL`");
	else if (size >= 2 && !memcmp(bytes, "MZ", 2))
		refuse(info, "an EFI or DOS program, or the beginning of a "
			     "truncated kernel image: copy or build it again");
	else if (is_text(bytes, size))
		refuse(info, "a text file: %s", elsewhere);
	else
		refuse(info, "of no kind that is known: %s", elsewhere);
}

void kernel_identify(struct kernel_info *info, const uint8_t *bytes,
		     size_t size)
{
	struct elf_info elf;

	memset(info, 0, sizeof(*info));
	if (size == 0)
		refuse(info, "empty: copy or build it again");
	else if (elf_parse(&elf, bytes, size))
		identify_elf(info, &elf, bytes, size);
	else if (bzimage_parse(&info->image, bytes, size))
		identify_image(info, size);
	else
		identify_other(info, bytes, size);
}
