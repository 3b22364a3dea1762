// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_spin.c - a control: a probe that computes for a known time
 */
#include "clock.h"
#include "probe.h"

static const struct param params[] = {
	PARAM("ms", 100, 1, 600000, "how long a repetition takes"),
	PARAM("repetitions", 1, 1, 1000, "how many"),
	PARAM_END,
};

static enum probe_result test_spin_run(struct probe_ctx *ctx)
{
	uint64_t spin_ns = (uint64_t)probe_param(ctx, "ms") * NS_PER_MS;
	int64_t repetitions = probe_param(ctx, "repetitions");

	probe_reserve(ctx, (size_t)repetitions);
	probe_metric(ctx, "spun_ns", "lower", NULL, NULL);
	for (int64_t i = 0; i < repetitions; i++) {
		uint64_t start_ns = clock_mono_ns(), now_ns;

		do {
			now_ns = clock_mono_ns();
		} while (now_ns - start_ns < spin_ns);
		probe_sample(ctx, false, start_ns);
		probe_value(ctx, "spun_ns", now_ns - start_ns);
	}
	return PROBE_PASS;
}

const struct probe probe_test_spin = {
	.name = "test_spin",
	.summary = "compute for a known time",
	.params = params,
	.run = test_spin_run,
};
