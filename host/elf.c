// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * elf.c - what an ELF file is, as far as booting it goes
 *
 * QEMU starts an ELF kernel at the entry point that a Xen note of type 18
 * names (PVH).  libelf would read the same, but kernel files come from
 * anywhere, and these few fields can be read with every bound in sight.
 */
#include "elf.h"

#include <elf.h>
#include <string.h>

#define NOTE_XEN_PHYS32_ENTRY 18u /* the PVH entry, Xen's elfnote.h */

static const struct {
	uint16_t machine;
	const char *name;
} machines[] = {
	{ EM_386, "32-bit x86" },
	{ EM_X86_64, "x86-64" },
	{ EM_ARM, "32-bit Arm" },
	{ EM_AARCH64, "arm64" },
	{ EM_RISCV, "RISC-V" },
	{ EM_PPC, "32-bit PowerPC" },
	{ EM_PPC64, "PowerPC" },
	{ EM_S390, "s390" },
	{ EM_MIPS, "MIPS" },
	{ EM_SPARCV9, "SPARC" },
	{ EM_ALPHA, "Alpha" },
	{ EM_PARISC, "PA-RISC" },
	{ EM_IA_64, "Itanium" },
	{ EM_68K, "m68k" },
	{ EM_SH, "SuperH" },
	{ 258, "LoongArch" },
	{ EM_MICROBLAZE, "MicroBlaze" },
};

const char *elf_machine_name(uint16_t machine)
{
	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++)
		if (machines[i].machine == machine)
			return machines[i].name;
	return "unknown";
}

/* A note is a header, a name and a description, each padded to 4 bytes. */
static bool find_pvh_note(const uint8_t *notes, uint64_t size)
{
	uint64_t at = 0;
	Elf64_Nhdr note;

	while (size - at >= sizeof(note)) {
		uint64_t name = at + sizeof(note), desc, next;

		memcpy(&note, notes + at, sizeof(note));
		desc = name + ((uint64_t)note.n_namesz + 3) / 4 * 4;
		next = desc + ((uint64_t)note.n_descsz + 3) / 4 * 4;
		if (desc > size || note.n_descsz > size - desc)
			return false;
		if (note.n_type == NOTE_XEN_PHYS32_ENTRY &&
		    note.n_namesz == sizeof("Xen") && note.n_descsz >= 4 &&
		    !memcmp(notes + name, "Xen", sizeof("Xen")))
			return true;
		if (next > size)
			return false;
		at = next;
	}
	return false;
}

static void read_segment(struct elf_info *info, const uint8_t *bytes,
			 size_t size, const Elf64_Phdr *segment)
{
	uint64_t end;

	if (segment->p_type == PT_INTERP)
		info->program = true;
	if (segment->p_type != PT_LOAD && segment->p_type != PT_NOTE)
		return;
	if (__builtin_add_overflow(segment->p_offset, segment->p_filesz, &end))
		end = UINT64_MAX;
	if (end > info->end)
		info->end = end;
	if (segment->p_type == PT_NOTE && end <= size)
		info->pvh |= find_pvh_note(bytes + segment->p_offset,
					   segment->p_filesz);
}

bool elf_parse(struct elf_info *info, const uint8_t *bytes, size_t size)
{
	Elf64_Ehdr header;

	memset(info, 0, sizeof(*info));
	if (size < EI_NIDENT + 4 || memcmp(bytes, ELFMAG, SELFMAG))
		return false;
	info->bits64 = bytes[EI_CLASS] == ELFCLASS64;
	info->little = bytes[EI_DATA] == ELFDATA2LSB;

	/* The first fields are at the same place in 32 and 64 bits. */
	info->type = (uint16_t)(bytes[16] | bytes[17] << 8);
	info->machine = (uint16_t)(bytes[18] | bytes[19] << 8);
	if (!info->little) {
		info->type = (uint16_t)(bytes[16] << 8 | bytes[17]);
		info->machine = (uint16_t)(bytes[18] << 8 | bytes[19]);
	}
	if (!info->bits64 || !info->little)
		return true;

	info->end = sizeof(header);
	if (size < sizeof(header))
		return true;
	memcpy(&header, bytes, sizeof(header));
	for (size_t i = 0; i < header.e_phnum; i++) {
		uint64_t at = i * sizeof(Elf64_Phdr);
		Elf64_Phdr segment;

		if (header.e_phentsize != sizeof(segment) ||
		    header.e_phoff > size ||
		    size - header.e_phoff < at + sizeof(segment))
			break;
		memcpy(&segment, bytes + header.e_phoff + at, sizeof(segment));
		read_segment(info, bytes, size, &segment);
	}
	return true;
}
