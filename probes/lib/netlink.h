/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * netlink.h - the few rtnetlink requests that probes need
 *
 * busybox ip knows neither permanent neighbours nor addresses without
 * duplicate detection, and a probe must not fork a tool while it measures.
 * Each function sends one request, waits for its acknowledgement and returns
 * 0 or the kernel's answer as a negative errno.  @nl is from netlink_open();
 * it stays in the namespace it was opened in.
 */
#ifndef NETLINK_H
#define NETLINK_H

#include <stdint.h>

/* An address of either family, in network byte order. */
struct inet_addr {
	unsigned char family; /* AF_INET or AF_INET6 */
	unsigned char prefix; /* bits of the network */
	unsigned char bytes[16];
};

/**
 * netlink_open() - a socket for requests in the present network namespace
 * Return: a descriptor, to be closed, or a negative errno.
 */
int netlink_open(void);

/**
 * netlink_link_add() - create a device
 * @nl:		the socket
 * @name:	its name
 * @kind:	"dummy", "bridge", ...
 */
int netlink_link_add(int nl, const char *name, const char *kind);

/**
 * netlink_veth_add() - create a pair of devices
 * @nl:		the socket
 * @name:	the name of one end
 * @peer:	the name of the other
 */
int netlink_veth_add(int nl, const char *name, const char *peer);

/**
 * netlink_link_delete() - delete a device by its name
 * @nl:		the socket
 * @name:	its name; -ENODEV if there is none
 */
int netlink_link_delete(int nl, const char *name);

/**
 * netlink_link_flags() - change interface flags
 * @nl:		the socket
 * @index:	the device
 * @flags:	their values, IFF_UP for one
 * @mask:	which of them to change
 */
int netlink_link_flags(int nl, unsigned int index, unsigned int flags,
		       unsigned int mask);

/**
 * netlink_link_master() - make a device a port of a bridge
 * @nl:		the socket
 * @index:	the device
 * @master:	the bridge
 */
int netlink_link_master(int nl, unsigned int index, unsigned int master);

/**
 * netlink_addr_add() - give a device an address, without duplicate detection
 * @nl:		the socket
 * @index:	the device
 * @addr:	the address and its prefix
 */
int netlink_addr_add(int nl, unsigned int index, const struct inet_addr *addr);

/**
 * netlink_route_add() - add a route to the main table
 * @nl:		the socket
 * @index:	the device it leaves by
 * @to:		the destination; a prefix of 0 is the default route
 * @gateway:	the next hop
 */
int netlink_route_add(int nl, unsigned int index, const struct inet_addr *to,
		      const struct inet_addr *gateway);

/**
 * netlink_neigh_add() - add a neighbour that never expires (NUD_PERMANENT)
 * @nl:		the socket
 * @index:	the device
 * @addr:	the neighbour's address
 * @mac:	its hardware address
 */
int netlink_neigh_add(int nl, unsigned int index, const struct inet_addr *addr,
		      const unsigned char mac[6]);

#endif
