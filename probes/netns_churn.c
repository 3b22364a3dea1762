// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * netns_churn.c - how do network namespaces get slower as there are more?
 *
 * Creates named network namespaces one after the other and keeps them, as a
 * host full of virtual routers does; then deletes all of them, and waits
 * until the kernel has destroyed the last one, which it does later, in a
 * worker of its own.
 *
 * mode=add bind-mounts the namespace on a name, as `ip netns add` does;
 * add_exec also runs a program in it, as `ip netns exec` does; router also
 * gives it a bridge with a veth port, addresses and a default route.
 *
 * Samples:	rate_per_s	one sample per `every` created: created in
 *				create_window_ns
 *		deleted_per_s	the same for the deletion of the names
 *		drained_per_s	one sample: drained in drain_window_ns, from
 *				the first deletion to the end of the last
 *				destruction, or to drain_timeout_s (capped)
 *		existing	how many there were when a sample began; a fact
 *		left		how many were not destroyed in time; a fact
 * Needs:	CONFIG_NET_NS, for mode=router CONFIG_VETH, CONFIG_BRIDGE and
 *		CONFIG_IPV6; CAP_SYS_ADMIN
 * See:		net/core/net_namespace.c, copy_net_ns(), cleanup_net()
 */
#include <errno.h>
#include <inttypes.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "clock.h"
#include "mark.h"
#include "netlink.h"
#include "netns.h"
#include "netns_meter.h"
#include "probe.h"
#include "process.h"
#include "procfile.h"

#define COUNT_MAX    100000
#define NAMES_DIR    "/run"
#define NAMES_FORMAT NAMES_DIR "/kv%u"
#define SPARE_KIB    (32 * 1024) /* for everything else in the guest */
#define SETTLE_NS    (2 * NS_PER_S)

static const char *const needs[] = { "CONFIG_NET_NS", "and for mode=router",
				     "CONFIG_VETH",   "CONFIG_BRIDGE",
				     "CONFIG_IPV6",   NULL };

enum { MODE_ADD, MODE_ADD_EXEC, MODE_ROUTER };
static const char *const modes[] = { "add", "add_exec", "router", NULL };

static const struct param params[] = {
	PARAM("count", 4000, 1, COUNT_MAX, "namespaces to create"),
	PARAM("every", 100, 1, COUNT_MAX, "namespaces in one sample"),
	PARAM_WORD("mode", MODE_ADD, modes, "what each of them gets"),
	PARAM("drain_timeout_s", 60, 1, 86400,
	      "how long to wait for their destruction"),
	PARAM_END,
};

/* What one namespace takes, measured on 6.1 and 6.12 and rounded up. */
static const struct {
	uint64_t base_kib, cpu_kib; /* once, and for each CPU */
} costs[] = {
	[MODE_ADD] = { 200, 10 },
	[MODE_ADD_EXEC] = { 200, 10 },
	[MODE_ROUTER] = { 320, 40 },
};

/* The network of a fake router; all addresses are for documentation. */
static const struct inet_addr lan4 = { AF_INET, 24, { 192, 0, 2, 1 } };
static const struct inet_addr wan4 = { AF_INET, 24, { 198, 51, 100, 2 } };
static const struct inet_addr gateway4 = { AF_INET, 32, { 198, 51, 100, 1 } };
static const struct inet_addr any4 = { AF_INET, 0, { 0 } };
static const struct inet_addr wan6 = { AF_INET6,
				       64,
				       { 0x20, 1, 0x0d, 0xb8, [15] = 2 } };
static const struct inet_addr gateway6 = { AF_INET6,
					   128,
					   { 0x20, 1, 0x0d, 0xb8, [15] = 1 } };
static const struct inet_addr any6 = { AF_INET6, 0, { 0 } };

struct churn {
	unsigned int count, every;
	int64_t mode;
	struct netns_meter meter;
	const char *action; /* what failed */
};

static void format_name(char name[32], unsigned int number)
{
	snprintf(name, 32, NAMES_FORMAT, number);
}

/* As `ip netns exec NAME true`: a process, the namespace, a program. */
static int exec_in(const char *name)
{
	const char *const argv[] = { "probe", "netns_churn", "child", NULL };
	pid_t pid = fork();
	int status;

	if (pid < 0)
		return -errno;
	if (pid == 0) {
		if (netns_enter(name) < 0)
			_exit(1);
		process_exec_self(argv);
	}
	status = process_wait(pid);
	if (status > 0)
		return -ECHILD;
	return status;
}

static int netns_churn_child(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	return 0;
}

/* One failing step is named for the message, the rest is not tried. */
#define TRY(c, what, call)                    \
	do {                                  \
		int try_err = (call);         \
		if (try_err < 0) {            \
			(c)->action = (what); \
			return try_err;       \
		}                             \
	} while (0)

/* The devices of a fake router, in the present namespace. */
static int router_devices(struct churn *c, int nl)
{
	unsigned int bridge, inside, port;

	TRY(c, "create a bridge (CONFIG_BRIDGE)",
	    netlink_link_add(nl, "br0", "bridge"));
	TRY(c, "create a veth pair (CONFIG_VETH)",
	    netlink_veth_add(nl, "veth0", "port0"));
	bridge = if_nametoindex("br0");
	inside = if_nametoindex("veth0");
	port = if_nametoindex("port0");
	TRY(c, "add a port to a bridge", netlink_link_master(nl, port, bridge));
	TRY(c, "bring a bridge up",
	    netlink_link_flags(nl, bridge, IFF_UP, IFF_UP));
	TRY(c, "bring a port up", netlink_link_flags(nl, port, IFF_UP, IFF_UP));
	TRY(c, "bring a veth up",
	    netlink_link_flags(nl, inside, IFF_UP, IFF_UP));
	TRY(c, "add an IPv4 address", netlink_addr_add(nl, bridge, &lan4));
	TRY(c, "add an IPv4 address", netlink_addr_add(nl, inside, &wan4));
	TRY(c, "add an IPv6 address (CONFIG_IPV6)",
	    netlink_addr_add(nl, inside, &wan6));
	TRY(c, "add an IPv4 default route",
	    netlink_route_add(nl, inside, &any4, &gateway4));
	TRY(c, "add an IPv6 default route",
	    netlink_route_add(nl, inside, &any6, &gateway6));
	return 0;
}

static int router_make(struct churn *c)
{
	int nl = netlink_open();
	int err;

	TRY(c, "open a netlink socket", nl);
	err = router_devices(c, nl);
	close(nl);
	return err;
}

/* What `mode` asks for; the caller is back home when it returns. */
static int create_one(struct churn *c, unsigned int number)
{
	char name[32];
	int err = 0;

	format_name(name, number);
	TRY(c, "create a named namespace", netns_add(name));
	if (c->mode == MODE_ROUTER)
		err = router_make(c);
	TRY(c, "return to the first namespace", netns_meter_go_home(&c->meter));
	if (c->mode == MODE_ADD_EXEC)
		TRY(c, "run a program in a namespace", exec_in(name));
	return err;
}

static int delete_one(struct churn *c, unsigned int number)
{
	char name[32];

	format_name(name, number);
	TRY(c, "delete a named namespace", netns_delete(name));
	return 0;
}

/* Do @one for each namespace, with a sample for each `every` of them. */
static int each(struct probe_ctx *ctx, struct churn *c, bool creating)
{
	const char *count_key = creating ? "created" : "deleted";
	const char *window_key =
		creating ? "create_window_ns" : "delete_window_ns";

	for (unsigned int at = 0; at < c->count; at += c->every) {
		unsigned int end = at + c->every;
		uint64_t start_ns, window_ns;
		int err = 0;

		if (end > c->count)
			end = c->count;
		if (creating)
			mark_begin(at / c->every);
		start_ns = clock_mono_ns();
		for (unsigned int i = at; i < end && !err; i++)
			err = creating ? create_one(c, i) : delete_one(c, i);
		window_ns = clock_mono_ns() - start_ns;
		if (creating)
			mark_end(at / c->every);
		if (err)
			return err;

		probe_sample(ctx, false, start_ns);
		probe_value(ctx, count_key, end - at);
		probe_value(ctx, window_key, window_ns);
		probe_value(ctx, "existing", creating ? at : c->count - at);
	}
	return 0;
}

static int drain(struct probe_ctx *ctx, struct churn *c, uint64_t start_ns)
{
	int64_t timeout_s = probe_param(ctx, "drain_timeout_s");
	uint64_t timeout_ns = (uint64_t)timeout_s * NS_PER_S;
	uint64_t window_ns;
	int left = netns_meter_wait(&c->meter, clock_mono_ns() + timeout_ns);

	window_ns = clock_mono_ns() - start_ns;
	TRY(c, "count the namespaces", left);
	probe_sample(ctx, false, start_ns);
	probe_value(ctx, "drained", c->count - (unsigned int)left);
	probe_value(ctx, "drain_window_ns", window_ns);
	probe_value(ctx, "existing", c->count);
	probe_value(ctx, "left", (uint64_t)left);
	probe_value(ctx, "capped", left > 0);
	if (left)
		probe_note(ctx,
			   "%d namespaces were not drained within %" PRId64
			   " s",
			   left, timeout_s);
	return 0;
}

static int churn(struct probe_ctx *ctx, struct churn *c)
{
	uint64_t start_ns;
	int err;

	TRY(c, "make a folder for names", netns_dir_make(NAMES_DIR));
	TRY(c, "count the namespaces", netns_meter_open(&c->meter, SETTLE_NS));
	if (c->meter.base)
		probe_note(ctx, "%u other namespaces exist", c->meter.base);
	TRY(c, "raise " NETNS_LIMIT_FILE,
	    netns_meter_allow(&c->meter, c->count));

	err = each(ctx, c, true);
	start_ns = clock_mono_ns();
	if (!err)
		err = each(ctx, c, false);
	if (!err)
		err = drain(ctx, c, start_ns);
	return err;
}

/* Too little memory would end in the OOM killer, and say nothing. */
static bool memory_suffices(struct probe_ctx *ctx, const struct churn *c)
{
	uint64_t per_kib = costs[c->mode].base_kib +
			   costs[c->mode].cpu_kib * (uint64_t)probe_cpus(ctx);
	uint64_t need_kib = c->count * per_kib + SPARE_KIB;
	uint64_t free_kib, total_kib;

	if (procfile_meminfo_kib("MemAvailable", &free_kib) ||
	    procfile_meminfo_kib("MemTotal", &total_kib) ||
	    free_kib >= need_kib)
		return true;
	probe_skip(ctx, CAUSE_MEMORY,
		   "%u namespaces need %" PRIu64 " MiB and %" PRIu64
		   " MiB are free: give the guest --mem %" PRIu64,
		   c->count, need_kib / 1024, free_kib / 1024,
		   (total_kib + need_kib - free_kib) / 1024 + 128);
	return false;
}

static bool kernel_suffices(struct probe_ctx *ctx)
{
	if (access("/proc/self/ns/net", F_OK) < 0)
		probe_skip(ctx, CAUSE_OPTION,
			   "CONFIG_NET_NS is off: /proc/self/ns/net: %s",
			   strerror(errno));
	else if (access(NETNS_LIMIT_FILE, W_OK) < 0)
		probe_skip(ctx, CAUSE_OPTION, "CONFIG_SYSCTL is off: %s: %s",
			   NETNS_LIMIT_FILE, strerror(errno));
	else
		return true;
	return false;
}

static enum probe_result explain(struct probe_ctx *ctx, const struct churn *c,
				 int err)
{
	const char *why = strerror(-err);

	if (err == -EOPNOTSUPP)
		return probe_skip(ctx, CAUSE_OPTION,
				  "cannot %s: the option is off or its module "
				  "is missing",
				  c->action);
	if (err == -ENOMEM)
		return probe_skip(ctx, CAUSE_MEMORY, "%s: %s", c->action, why);
	return probe_fail(ctx, CAUSE_OTHER, "%s: %s", c->action, why);
}

static enum probe_result netns_churn_run(struct probe_ctx *ctx)
{
	struct churn c = {
		.count = (unsigned int)probe_param(ctx, "count"),
		.every = (unsigned int)probe_param(ctx, "every"),
		.mode = probe_param(ctx, "mode"),
		.meter.home_fd = -1,
	};
	int err;

	probe_reserve(ctx, 2 * ((c.count - 1) / c.every + 1) + 1);
	probe_metric(ctx, "rate_per_s", "higher", "created",
		     "create_window_ns");
	probe_metric(ctx, "deleted_per_s", "higher", "deleted",
		     "delete_window_ns");
	probe_metric(ctx, "drained_per_s", "higher", "drained",
		     "drain_window_ns");
	if (!kernel_suffices(ctx) || !memory_suffices(ctx, &c))
		return PROBE_SKIP;

	/* Names that are left here go with the process. */
	err = churn(ctx, &c);
	netns_meter_close(&c.meter);
	return err ? explain(ctx, &c, err) : PROBE_PASS;
}

const struct probe probe_netns_churn = {
	.name = "netns_churn",
	.summary = "create many network namespaces, delete them, and wait "
		   "until they are destroyed",
	.needs = needs,
	.params = params,
	.run = netns_churn_run,
	.child = netns_churn_child,
};
