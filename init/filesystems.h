/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * filesystems.h - the kernel's file systems and the device nodes
 */
#ifndef FILESYSTEMS_H
#define FILESYSTEMS_H

/**
 * filesystems_mount() - mount what this kernel has, make the nodes it lacks
 *
 * Nothing of it is required: what needs a missing one says so itself.
 */
void filesystems_mount(void);

/**
 * settings_write() - the kernel settings that every run has
 *
 * PID 1 is out of the OOM killer's reach; namespaces are not limited to what
 * the memory suggests; addresses are not random, so that a run repeats.
 */
void settings_write(void);

#endif
