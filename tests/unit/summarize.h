/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * summarize.h - `kverdict summary` of the boots of a test
 */
#ifndef SUMMARIZE_H
#define SUMMARIZE_H

#include <stdbool.h>

/**
 * summarize() - sum up one boot or two, so that assert_shows() sees it
 * @first:	the name of a boot
 * @second:	that of another, or NULL
 * @force:	pool what differs too
 * Return: the exit status.
 */
int summarize(const char *first, const char *second, bool force);

#endif
