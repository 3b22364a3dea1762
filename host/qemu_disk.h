/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * qemu_disk.h - the results disk of one boot
 */
#ifndef QEMU_DISK_H
#define QEMU_DISK_H

/**
 * qemu_disk_copy() - copy the empty results disk into a run directory
 * @template:	path of the image that mkimage.sh --disk made
 * @dir_fd:	the run directory
 * @name:	the copy; must not exist
 *
 * The copy is as sparse as the template.
 *
 * Return: 0, or a negative errno, and then no copy is left.
 */
int qemu_disk_copy(const char *template, int dir_fd, const char *name);

#endif
