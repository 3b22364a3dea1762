// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * netdev.c - network devices by descriptor and ioctl
 */
#include "netdev.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define TUN_DEVICE "/dev/net/tun"

static struct ifreq request(const char *name)
{
	struct ifreq r;

	memset(&r, 0, sizeof(r));
	strncpy(r.ifr_name, name, sizeof(r.ifr_name) - 1);
	return r;
}

int netdev_tap_available(void)
{
	int fd = open(TUN_DEVICE, O_RDWR | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	close(fd);
	return 0;
}

int netdev_tap_open(const char *name)
{
	struct ifreq r = request(name);
	int fd = open(TUN_DEVICE, O_RDWR | O_CLOEXEC);
	int err;

	if (fd < 0)
		return -errno;
	r.ifr_flags = IFF_TAP | IFF_NO_PI;
	if (ioctl(fd, TUNSETIFF, &r) == 0)
		return fd;

	err = -errno;
	close(fd);
	return err;
}

int netdev_set_mac(int sock, const char *name, const unsigned char mac[6])
{
	struct ifreq r = request(name);

	r.ifr_hwaddr.sa_family = ARPHRD_ETHER;
	memcpy(r.ifr_hwaddr.sa_data, mac, 6);
	return ioctl(sock, SIOCSIFHWADDR, &r) < 0 ? -errno : 0;
}

int netdev_up(int sock, const char *name)
{
	struct ifreq r = request(name);

	r.ifr_flags = IFF_UP;
	return ioctl(sock, SIOCSIFFLAGS, &r) < 0 ? -errno : 0;
}
