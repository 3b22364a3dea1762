// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * netlink.c - the few rtnetlink requests that probes need
 *
 * A request is built in one buffer that is larger than the largest of them;
 * one that did not fit would be a mistake in this file, so it aborts.
 */
#include "netlink.h"

#include <errno.h>
#include <linux/if_addr.h>
#include <linux/if_link.h>
#include <linux/neighbour.h>
#include <linux/rtnetlink.h>
#include <linux/veth.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#define REQUEST_MAX 512

struct request {
	_Alignas(NLMSG_ALIGNTO) char bytes[REQUEST_MAX];
};

static struct nlmsghdr *header(struct request *r)
{
	return (struct nlmsghdr *)r->bytes;
}

/* Add @len bytes, padded; return where they went. */
static void *append(struct request *r, const void *bytes, size_t len)
{
	struct nlmsghdr *h = header(r);
	char *at = r->bytes + NLMSG_ALIGN(h->nlmsg_len);

	if (NLMSG_ALIGN(h->nlmsg_len) + NLMSG_ALIGN(len) > REQUEST_MAX)
		abort();
	if (len)
		memcpy(at, bytes, len);
	h->nlmsg_len = (uint32_t)(NLMSG_ALIGN(h->nlmsg_len) + NLMSG_ALIGN(len));
	return at;
}

static void begin(struct request *r, uint16_t type, uint16_t flags,
		  const void *fixed, size_t len)
{
	memset(r, 0, sizeof(*r));
	header(r)->nlmsg_len = NLMSG_HDRLEN;
	header(r)->nlmsg_type = type;
	header(r)->nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK | flags;
	append(r, fixed, len);
}

static struct rtattr *attr(struct request *r, uint16_t type, const void *bytes,
			   size_t len)
{
	struct rtattr head = { (uint16_t)RTA_LENGTH(len), type };
	struct rtattr *at = append(r, &head, sizeof(head));

	append(r, bytes, len);
	return at;
}

static void attr_text(struct request *r, uint16_t type, const char *text)
{
	attr(r, type, text, strlen(text) + 1);
}

static void attr_u32(struct request *r, uint16_t type, uint32_t value)
{
	attr(r, type, &value, sizeof(value));
}

static void attr_addr(struct request *r, uint16_t type,
		      const struct inet_addr *addr)
{
	attr(r, type, addr->bytes, addr->family == AF_INET ? 4 : 16);
}

/* Everything from the attribute @nest to the end becomes its content. */
static void nest_end(struct request *r, struct rtattr *nest)
{
	nest->rta_len =
		(uint16_t)(r->bytes + header(r)->nlmsg_len - (char *)nest);
}

int netlink_open(void)
{
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);

	return fd < 0 ? -errno : fd;
}

static int talk(int nl, struct request *r)
{
	char answer[1024];
	const struct nlmsghdr *h = (const struct nlmsghdr *)answer;
	const struct nlmsgerr *ack = NLMSG_DATA(h);
	ssize_t len;

	if (send(nl, r->bytes, header(r)->nlmsg_len, 0) < 0)
		return -errno;
	do {
		len = recv(nl, answer, sizeof(answer), 0);
	} while (len < 0 && errno == EINTR);
	if (len < 0)
		return -errno;
	if ((size_t)len < NLMSG_LENGTH(sizeof(*ack)) ||
	    h->nlmsg_type != NLMSG_ERROR)
		return -EPROTO;
	return ack->error;
}

static void begin_link(struct request *r, uint16_t type, uint16_t flags,
		       unsigned int index)
{
	struct ifinfomsg info = { .ifi_index = (int)index };

	begin(r, type, flags, &info, sizeof(info));
}

int netlink_link_add(int nl, const char *name, const char *kind)
{
	struct request r;
	struct rtattr *info;

	begin_link(&r, RTM_NEWLINK, NLM_F_CREATE | NLM_F_EXCL, 0);
	attr_text(&r, IFLA_IFNAME, name);
	info = attr(&r, IFLA_LINKINFO, NULL, 0);
	attr_text(&r, IFLA_INFO_KIND, kind);
	nest_end(&r, info);
	return talk(nl, &r);
}

int netlink_veth_add(int nl, const char *name, const char *peer)
{
	struct ifinfomsg empty = { 0 };
	struct request r;
	struct rtattr *info, *data, *other;

	begin_link(&r, RTM_NEWLINK, NLM_F_CREATE | NLM_F_EXCL, 0);
	attr_text(&r, IFLA_IFNAME, name);
	info = attr(&r, IFLA_LINKINFO, NULL, 0);
	attr_text(&r, IFLA_INFO_KIND, "veth");
	data = attr(&r, IFLA_INFO_DATA, NULL, 0);
	other = attr(&r, VETH_INFO_PEER, &empty, sizeof(empty));
	attr_text(&r, IFLA_IFNAME, peer);
	nest_end(&r, other);
	nest_end(&r, data);
	nest_end(&r, info);
	return talk(nl, &r);
}

int netlink_link_delete(int nl, const char *name)
{
	struct request r;

	begin_link(&r, RTM_DELLINK, 0, 0);
	attr_text(&r, IFLA_IFNAME, name);
	return talk(nl, &r);
}

int netlink_link_flags(int nl, unsigned int index, unsigned int flags,
		       unsigned int mask)
{
	struct ifinfomsg info = {
		.ifi_index = (int)index,
		.ifi_flags = flags,
		.ifi_change = mask,
	};
	struct request r;

	begin(&r, RTM_NEWLINK, 0, &info, sizeof(info));
	return talk(nl, &r);
}

int netlink_link_master(int nl, unsigned int index, unsigned int master)
{
	struct request r;

	begin_link(&r, RTM_NEWLINK, 0, index);
	attr_u32(&r, IFLA_MASTER, master);
	return talk(nl, &r);
}

int netlink_addr_add(int nl, unsigned int index, const struct inet_addr *addr)
{
	struct ifaddrmsg info = {
		.ifa_family = addr->family,
		.ifa_prefixlen = addr->prefix,
		.ifa_flags = addr->family == AF_INET6 ? IFA_F_NODAD : 0,
		.ifa_index = index,
	};
	struct request r;

	begin(&r, RTM_NEWADDR, NLM_F_CREATE | NLM_F_EXCL, &info, sizeof(info));
	attr_addr(&r, IFA_LOCAL, addr);
	attr_addr(&r, IFA_ADDRESS, addr);
	return talk(nl, &r);
}

int netlink_route_add(int nl, unsigned int index, const struct inet_addr *to,
		      const struct inet_addr *gateway)
{
	struct rtmsg info = {
		.rtm_family = to->family,
		.rtm_dst_len = to->prefix,
		.rtm_table = RT_TABLE_MAIN,
		.rtm_protocol = RTPROT_BOOT,
		.rtm_scope = RT_SCOPE_UNIVERSE,
		.rtm_type = RTN_UNICAST,
	};
	struct request r;

	begin(&r, RTM_NEWROUTE, NLM_F_CREATE | NLM_F_EXCL, &info, sizeof(info));
	if (to->prefix)
		attr_addr(&r, RTA_DST, to);
	attr_addr(&r, RTA_GATEWAY, gateway);
	attr_u32(&r, RTA_OIF, index);
	return talk(nl, &r);
}

int netlink_neigh_add(int nl, unsigned int index, const struct inet_addr *addr,
		      const unsigned char mac[6])
{
	struct ndmsg info = {
		.ndm_family = addr->family,
		.ndm_ifindex = (int)index,
		.ndm_state = NUD_PERMANENT,
	};
	struct request r;

	begin(&r, RTM_NEWNEIGH, NLM_F_CREATE | NLM_F_REPLACE, &info,
	      sizeof(info));
	attr_addr(&r, NDA_DST, addr);
	attr(&r, NDA_LLADDR, mac, 6);
	return talk(nl, &r);
}
