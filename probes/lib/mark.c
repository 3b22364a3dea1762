// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * mark.c - an address of its own for each repetition
 *
 * MARKS return instructions in a section that the linker puts at 0x10000000
 * (GUESTLDFLAGS): nothing else in the guest has code there, so a breakpoint on
 * that virtual address needs no process and no symbols.
 */
#include "mark.h"

__asm__(".pushsection .kv_marks, \"ax\", @progbits\n"
	"mark_returns:\n"
	"	.fill 2048, 1, 0xc3\n"
	".popsection\n");

extern const char mark_returns[MARKS];

static void pass(uint64_t mark)
{
	((void (*)(void))(uintptr_t)&mark_returns[mark % MARKS])();
}

void mark_begin(uint64_t repetition)
{
	pass(2 * repetition);
}

void mark_end(uint64_t repetition)
{
	pass(2 * repetition + 1);
}
