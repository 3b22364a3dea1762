/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * netdev.h - network devices by descriptor and ioctl
 */
#ifndef NETDEV_H
#define NETDEV_H

/**
 * netdev_tap_available() - has the kernel a TUN/TAP driver?
 * Return: 0, or the negative errno of opening it.
 */
int netdev_tap_available(void);

/**
 * netdev_tap_open() - create a TAP device
 * @name:	its name, shorter than IFNAMSIZ
 *
 * Its MAC address is random until netdev_set_mac().  Closing the descriptor
 * deletes the device before close() returns.
 *
 * Return: the descriptor or a negative errno.
 */
int netdev_tap_open(const char *name);

/**
 * netdev_set_mac() - give a device a hardware address
 * @sock:	any socket
 * @name:	the device; it must be down
 * @mac:	the address
 * Return: 0 or a negative errno.
 */
int netdev_set_mac(int sock, const char *name, const unsigned char mac[6]);

/**
 * netdev_up() - bring a device up that has no other flag set
 * @sock:	any socket
 * @name:	the device
 *
 * One ioctl, so that it can be timed.
 *
 * Return: 0 or a negative errno.
 */
int netdev_up(int sock, const char *name);

#endif
