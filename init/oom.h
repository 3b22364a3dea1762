/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * oom.h - did the OOM killer run?
 */
#ifndef OOM_H
#define OOM_H

#include <stdint.h>

struct outcome;

/**
 * oom_kills() - how many processes the OOM killer has taken since the boot
 * Return: the number; always 0 where the kernel does not tell.
 */
uint64_t oom_kills(void);

/**
 * oom_outcome() - what a step ends with during which the OOM killer ran
 * @outcome:	where to store it
 */
void oom_outcome(struct outcome *outcome);

#endif
