/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * command.h - a user's command, or a shell, in place of a scenario
 */
#ifndef COMMAND_H
#define COMMAND_H

/**
 * command_run() - run `/bin/sh /kv/command` as the one step of a run
 *
 * What it writes goes into `output` records as it comes.
 */
void command_run(void);

/**
 * shell_run() - run an interactive shell on the console until it ends
 */
void shell_run(void);

#endif
