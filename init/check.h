/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * check.h - `init --check`: is this scenario one? asked before the boot
 */
#ifndef CHECK_H
#define CHECK_H

/**
 * check_main() - the program when it is not PID 1
 * @argc:	as of main()
 * @argv:	as of main(): `init --check FILE [PROBE_BINARY]`
 * Return: the exit status: 0, 128 or 129.
 */
int check_main(int argc, char **argv);

#endif
