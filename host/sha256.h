/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sha256.h - what sha256sum(1) says of a file
 */
#ifndef SHA256_H
#define SHA256_H

#define SHA256_SIZE 65 /* of the text with its NUL */

/**
 * sha256_fd() - the hash of an open file
 * @sum:	where to store it in hex; empty on failure
 * @fd:		read from its start
 * Return: 0, or a negative errno; -ENOENT also where sha256sum is missing.
 */
int sha256_fd(char sum[SHA256_SIZE], int fd);

/**
 * sha256_file() - the hash of a file
 * @sum:	where to store it in hex; empty on failure
 * @path:	the file
 * Return: as for sha256_fd().
 */
int sha256_file(char sum[SHA256_SIZE], const char *path);

#endif
