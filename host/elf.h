/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * elf.h - what an ELF file is, as far as booting it goes
 */
#ifndef ELF_H
#define ELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct elf_info {
	bool bits64;	  /* ELFCLASS64 */
	bool little;	  /* ELFDATA2LSB */
	bool program;	  /* asks for a dynamic linker: a program */
	bool pvh;	  /* has the note with the PVH entry point */
	uint16_t type;	  /* ET_REL, ET_EXEC, ET_DYN, ET_CORE */
	uint16_t machine; /* EM_X86_64 and others */
	uint64_t end;	  /* bytes the file must have for its segments */
};

/**
 * elf_parse() - read an ELF header, its program headers and notes
 * @info:	where to store it
 * @bytes:	the file, or its beginning; may be hostile
 * @size:	bytes of it
 *
 * Program headers are read of 64-bit little-endian files only.
 *
 * Return: whether @bytes starts as an ELF file does.
 */
bool elf_parse(struct elf_info *info, const uint8_t *bytes, size_t size);

/**
 * elf_machine_name() - an architecture by its e_machine
 * @machine:	any value
 * Return: a name people know, or "unknown".
 */
const char *elf_machine_name(uint16_t machine);

#endif
