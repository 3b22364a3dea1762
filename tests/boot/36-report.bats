#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The page of `kverdict report`, as an XML parser that is not ours reads it:
# the page is HTML that is XML too.  No kernel is booted; the boots are made up.

bats_require_minimum_version 1.5.0
load common

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# boots KERNEL FACTOR FIRST LAST: runs KERNEL/seed-N, FACTOR times as slow.
boots() {
	python3 - "$@" <<-'EOF'
		import json, os, sys, zlib
		kernel, factor, first, last = sys.argv[1], float(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
		label = os.environ.get("LABEL", "6.12.0-" + kernel)
		reason = os.environ.get("REASON", "it broke")

		def step(name, probe, metric, better, samples, rate=None, result="pass"):
		    both = {"type": "step", "step": name, "verb": "probe", "probe": probe}
		    yield {**both, "event": "begin", "params": "", "timeout_s": 60, "time_ns": 1}
		    yield {"type": "metric", "step": name, "probe": probe, "metric": metric, "better": better, **(rate or {})}
		    for n, sample in enumerate(samples):
		        yield {"type": "sample", "step": name, "probe": probe, "repetition": n, "time_ns": n, **sample}
		    why = {} if result == "pass" else {"cause": "other", "reason": reason}
		    yield {**both, "event": "end", "result": result, "duration_ns": 1, **why}

		for seed in range(first, last + 1):
		    records = [{"type": "run", "record_version": 1, "kernel": label, "scenario": "made-up", "mode": "deterministic",
		        "seed": seed, "cpus": 2, "mem_kib": 1000000, "clocksource": "tsc", "steps": 4, "may_skip": 0, "disk": 1,
		        "cmdline": "quiet kv.seed=%d extra=1" % seed}]
		    records += step("ready", "readiness", "ready_ns", "lower",
		        [{"ready_ns": int(factor * (20000 + 1000 * n + 100 * seed)), "capped": int(n == 11)} for n in range(12)])
		    records += step("churn", "netns_churn", "rate_per_s", "higher",
		        [{"created": 10, "create_window_ns": int(factor * 1e7 * (n + 1) + 1000 * seed), "existing": 10 * n} for n in range(5)],
		        {"count": "created", "window": "create_window_ns"})
		    records += step("sends", "rt6_probe", "sender_sends_per_s", "higher",
		        [{"sends": 1000 + n + seed % 3, "window_ns": 1000000000, "sender": n} for n in range(4)],
		        {"count": "sends", "window": "window_ns"})
		    if "TRACE" in os.environ:
		        queue = {"type": "trace", "step": "sends", "function": "f", "queued": 2, "waiting": 0, "lost_events": 0}
		        records[-1:-1] = [{**queue, "workqueue": os.environ["TRACE"], "cpu": 0, "executed": 2, "delay_sum_ns": 2,
		            "delay_p50_ns": 20000, "delay_p90_ns": 30000, "delay_p99_ns": 30000, "delay_max_ns": 30000 * seed},
		            {**queue, "workqueue": "events_unbound", "cpu": -1, "executed": 0}]
		    records += step("broken", "readiness", "ready_ns", "lower", [], result="fail")
		    text = "".join(json.dumps(r, separators=(",", ":")) + "\n" for r in records).encode()
		    end = {"type": "end", "records": len(records), "crc32": "%08x" % zlib.crc32(text)}
		    os.makedirs("%s/seed-%d" % (kernel, seed))
		    with open("%s/seed-%d/records.jsonl" % (kernel, seed), "wb") as file:
		        file.write(text + json.dumps(end, separators=(",", ":")).encode() + b"\n")
		    with open("%s/seed-%d/run.json" % (kernel, seed), "w") as file:
		        json.dump({"kernel_path": "/boot/a b$(x)'" + kernel, "kernel_sha256": kernel, "kernel_release": label,
		            "image_sha256": "1", "modules": "", "commit": "c", "qemu_version": "10", "accelerator": "tcg",
		            "mode": "deterministic", "scenario": "made-up", "scenario_text": "probe readiness\n", "smp": 2,
		            "mem_mib": int(os.environ.get("MEM", 1024)), "seed": seed,
		            "qemu_argv": ["qemu", "-append", "quiet kv.seed=%d extra=1" % seed]}, file)
	EOF
}

# page EXPRESSION: of the tree of report.html; texts(PATH) are those of elements.
page() {
	python3 -c 'import sys, xml.etree.ElementTree as t
H, S = "{http://www.w3.org/1999/xhtml}", "{http://www.w3.org/2000/svg}"
root = t.parse("report.html").getroot()
def all(tag): return list(root.iter(H + tag))
def texts(tag): return ["".join(e.itertext()) for e in all(tag)]
print(eval(sys.argv[1]))' "$1"
}

# is EXPECTED EXPRESSION
is() {
	local got
	got=$(page "$2")
	[ "$got" = "$1" ] || { printf '%s\nexpected %s\ngot      %s\n' "$2" "$1" "$got"; false; }
}

@test "two kernels: plots, the table of changes, how to repeat it" {
	boots aaaa 1 1 4
	boots bbbb 20 1 4
	run -0 --separate-stderr "$KVERDICT" report aaaa bbbb
	[ -z "$output$stderr" ]
	is 3 'len(list(root.iter(S + "svg")))'
	is "['ready.ready_ns: share of values up to x', 'churn: made a second, against the number that exist', 'sends: sends a second of each sender']" \
		'[t for t in texts("h3") if ":" in t]'
	page 'texts("p")' | grep -q 'worse: 3 of 4 quantiles, 0 better'
	page 'texts("figcaption")[0]' | grep -q '8 values ran into their cap'
	page 'texts("li")' | grep -q 'seed 1: broken: fail: it broke'
	page 'texts("pre")[0]' | grep -qFx "./run-qemu.sh --deterministic --scenario made-up --smp 2 --mem 1024 --append extra=1 --seeds 1-4 '/boot/a b\$(x)'\\''aaaa' "
	page 'texts("code")[0]' | grep -qFx "sh $PWD/aaaa/seed-1/qemu-cmd "
	# The same numbers as compare has.
	"$KVERDICT" compare aaaa bbbb >text || [ $? -eq 1 ]
	grep -oE 'ready.ready_ns .*worse' text | head -n 1 | grep -oE '\+[0-9.]+ us' | head -n 1 >change
	page 'texts("td")' | grep -qF "$(cat change)"
}

@test "the page needs nothing but itself, and its ids are its own" {
	boots aaaa 1 1 2
	boots bbbb 2 1 2
	run -0 "$KVERDICT" report --out report.html aaaa bbbb
	is True 'len(set(e.get("id") for e in root.iter() if e.get("id"))) == len([e for e in root.iter() if e.get("id")])'
	is '[]' '[v for e in root.iter() for k, v in e.attrib.items() if k.split("}")[-1] in ("href", "src") and not v.startswith("#")]'
	is '[]' '[v for e in root.iter() for k, v in e.attrib.items() if k.split("}")[-1] == "href" and not [1 for x in root.iter() if x.get("id") == v[1:]]]'
	is '[]' '[e.tag for e in root.iter() if e.tag.split("}")[-1] in ("script", "link", "img", "iframe", "image", "foreignObject")]'
	page 'texts("p")' | grep -q 'cannot tell: an interval needs 3 boots a side'
}

@test "what a guest wrote is text" {
	export LABEL='</title><script>alert(1)</script><svg onload="x">`touch evil`$(touch evil)'
	export TRACE="x' ; system('touch evil') #\`touch evil\` <script>"
	export REASON=$'"\'><img src=x onerror=alert(1)>\x1b[2J'
	boots aaaa 1 1 3
	LABEL="$LABEL system('touch evil')"
	boots bbbb 20 1 3
	run -0 "$KVERDICT" report aaaa bbbb
	is '[]' '[e.tag for e in root.iter() if e.tag.split("}")[-1] in ("script", "img") or "onload" in e.attrib]'
	page 'texts("title")[0]' | grep -qF '</title><script>alert(1)</script>'
	page 'texts("li")' | grep -qF '<img src=x onerror=alert(1)>?[2J'
	[ ! -e evil ]
	# Of all that only a workqueue's name reaches gnuplot, without a sting.
	is "['x? ? system??touch evi, CPU 0']" '[t for t in ("".join(e.itertext()).strip() for e in root.iter(S + "text")) if "evi" in t]'
}

@test "several conditions, named, and what may not be compared says so" {
	boots aaaa 1 1 3
	boots bbbb 2 1 3
	MEM=2048 boots cccc 3 1 3
	run -0 "$KVERDICT" report off=aaaa all=bbbb "two GiB"=cccc
	is "['A off', 'B all', 'C two GiB']" '[" ".join(t.split()) for t in texts("li")][:3]'
	page 'texts("p")' | grep -q 'not compared: the memory in MiB differs'
	is 3 'len(list(root.iter(S + "svg")))'
	run -0 "$KVERDICT" report --force off=aaaa all=bbbb big=cccc
	page 'texts("p")' | grep -q 'compared by force: the memory in MiB differs'
	# Without names the runs of one kernel are one side.
	run -0 "$KVERDICT" report aaaa/seed-1 bbbb/seed-1 aaaa/seed-2 aaaa/seed-3
	is "['A', 'B']" '[t.split()[0] for t in texts("li")][:2]'
	page 'texts("p")' | grep -q '3 boots, seeds 1-3'
}

@test "a trace: how long the work of each queue waited" {
	TRACE=ipv6_addrconf boots aaaa 1 1 3
	boots bbbb 1 1 3
	run -0 "$KVERDICT" report aaaa bbbb
	is "['sends: how long queued work waited']" '[t for t in texts("h3") if "waited" in t]'
	# A queue of which nothing was begun has no row.
	is "['ipv6_addrconf, CPU 0']" '[t for t in ("".join(e.itertext()).strip() for e in list(root.iter(S + "svg"))[-1].iter(S + "text")) if "CPU" in t or "unbound" in t]'
}

@test "what cannot be shown or drawn has its status" {
	boots aaaa 1 1 3
	run -129 "$KVERDICT" report
	run -129 "$KVERDICT" report none
	run -128 "$KVERDICT" report --out no/such/folder/report.html aaaa
	[ ! -e report.html ]
	# A torn run is named and shows no values.
	head -n 5 aaaa/seed-3/records.jsonl >torn
	mv torn aaaa/seed-3/records.jsonl
	run -125 "$KVERDICT" report aaaa/seed-3
	page 'texts("li")' | grep -q 'seed-3 is incomplete and left out'
	is 0 'len(list(root.iter(S + "svg")))'
	mkdir empty
	run -128 env PATH="$PWD/empty" "$KVERDICT" report aaaa
	[[ $output == *'gnuplot'*'make deps'* ]]
	is 0 'len(list(root.iter(S + "svg")))'
}
