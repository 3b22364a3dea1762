/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * modules.h - the kernel modules of the image
 */
#ifndef MODULES_H
#define MODULES_H

struct scenario;

/**
 * modules_load() - load the modules that /modules/order names, in its order
 * @scenario:	load those that its probes need; NULL: all
 *
 * One that does not load is named on the console and in a note; whether that
 * matters is for the probe that needs it.
 */
void modules_load(const struct scenario *scenario);

#endif
