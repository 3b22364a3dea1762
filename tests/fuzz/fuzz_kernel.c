// SPDX-License-Identifier: GPL-2.0-or-later
// sources: host/identify.c host/bzimage.c host/elf.c host/cpio_entry.c
/*
 * fuzz_kernel.c - no bytes may make the reader of kernel files misbehave
 *
 * The first byte chooses what follows it: a kernel file, or a line of a cpio
 * list.  What holds for every input is asserted.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cpio_entry.h"
#include "identify.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds)
{
	if (!holds)
		abort();
}

static void try_kernel(const uint8_t *bytes, size_t size)
{
	struct kernel_info info;

	kernel_identify(&info, bytes, size);
	check((info.type == KERNEL_NONE) == (info.problem[0] != '\0'));
	check(strlen(info.release) <= RELEASE_MAX);
	if (info.type != KERNEL_BZIMAGE)
		return;
	check(info.image.size <= size);
	check(info.image.payload_size <= size &&
	      info.image.payload <= size - info.image.payload_size);
}

static void try_line(const uint8_t *bytes, size_t size)
{
	char *line = malloc(size + 1), text[CPIO_HEADER_SIZE + 1];
	struct cpio_entry entry;

	check(line);
	memcpy(line, bytes, size);
	line[size] = '\0';
	if (!cpio_parse(&entry, line)) {
		check(entry.name[0] && entry.name[0] != '/');
		cpio_header(text, &entry, 1, 0);
		check(strlen(text) == CPIO_HEADER_SIZE);
	}
	free(line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0)
		return 0;
	if (data[0] == 'L')
		try_line(data + 1, size - 1);
	else
		try_kernel(data + 1, size - 1);
	return 0;
}
