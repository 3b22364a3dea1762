/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * disk.h - the results disk, which comes after the last step
 */
#ifndef DISK_H
#define DISK_H

#include <stdbool.h>

/**
 * disk_possible() - can this guest take a disk that is plugged in late?
 * Return: whether it has PCI, virtio_blk, and ext2 or ext4.
 */
bool disk_possible(void);

/**
 * disk_write_results() - wait for the results disk and write the stream to it
 *
 * Gives up after 20 s without one.  The mirror has the same bytes.
 */
void disk_write_results(void);

#endif
