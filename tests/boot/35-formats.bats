#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What other programs are to read, read by programs that are not ours.  No
# kernel is booted: the records are those of tests/data/streams.

bats_require_minimum_version 1.5.0
load common

setup() {
	RUN=$BATS_TEST_TMPDIR
}

# run_of NAME: a run directory with the records NAME of tests/data/streams.
run_of() {
	mkdir -p "$RUN/$1"
	cp "$TOP/tests/data/streams/$1.jsonl" "$RUN/$1/records.jsonl"
}

# summary STATUS FORMAT RUN...: into $RUN/out
summary() {
	local wanted=$1 format=$2 status=0
	shift 2
	"$KVERDICT" summary --format "$format" "${@/#/$RUN/}" >"$RUN/out" || status=$?
	[ "$status" -eq "$wanted" ] || { echo "status $status"; cat "$RUN/out"; false; }
}

# hostile: a run whose guest wrote what could be read as markup or as TAP.
hostile() {
	mkdir -p "$RUN/hostile"
	python3 - "$TOP/tests/data/streams/good.jsonl" "$RUN/hostile/records.jsonl" <<-'EOF'
		import json, sys, zlib
		evil = "</error>]]><script>alert(1)</script>&amp;\"' # TODO\nnot ok 1 \x1b[2J \uffff"
		lines = open(sys.argv[1]).read().splitlines()
		out = b""
		for line in lines[:-1]:
		    record = json.loads(line)
		    if record["type"] == "run":
		        record["kernel"] = evil
		    if "reason" in record:
		        record["reason"] = evil
		    out += json.dumps(record, separators=(",", ":")).encode() + b"\n"
		end = {"type": "end", "records": len(lines) - 1, "crc32": "%08x" % zlib.crc32(out)}
		out += json.dumps(end, separators=(",", ":")).encode() + b"\n"
		open(sys.argv[2], "wb").write(out)
	EOF
}

# tap: the counts of Perl's TAP::Parser.
tap() {
	perl -MTAP::Parser -e 'my $p = TAP::Parser->new({ tap => join "", <STDIN> }); $p->run;
		printf "%d tests, %d failed, %d skipped, %d todo, %d errors\n", $p->tests_run, scalar $p->failed,
			scalar $p->skipped, scalar $p->todo, scalar $p->parse_errors' <"$RUN/out"
}

# xml EXPRESSION: of the element tree root, as Python reads it.
xml() {
	python3 -c 'import sys, xml.etree.ElementTree as t; root = t.parse(sys.argv[1]).getroot(); print(eval(sys.argv[2]))' \
		"$RUN/out" "$1"
}

# json EXPRESSION: of the object, as Python reads it.
json() {
	python3 -c 'import json, sys; o = json.load(open(sys.argv[1])); print(eval(sys.argv[2]))' "$RUN/out" "$1"
}

# is EXPECTED ACTUAL
is() {
	[ "$1" = "$2" ] || { printf 'expected %s\ngot      %s\n' "$1" "$2"; cat "$RUN/out"; false; }
}

@test "KTAP: the steps of one run are tests" {
	run_of good
	summary 0 ktap good
	is 'KTAP version 1' "$(head -n 1 "$RUN/out")"
	is '6 tests, 1 failed, 1 skipped, 0 todo, 0 errors' "$(tap)"
	grep -qx 'not ok 5 netns_churn # TIMEOUT its deadline of 60 s passed' "$RUN/out"
}

@test "KTAP: several runs are tests with subtests" {
	run_of good
	run_of truncated
	run_of no-run
	summary 125 ktap good truncated no-run
	is '3 tests, 3 failed, 0 skipped, 0 todo, 0 errors' "$(tap)"
	# A subtest by itself is KTAP too, two blanks to the right.
	is 3 "$(grep -c '^  KTAP version 1$' "$RUN/out")"
	sed -n 's/^  //p' "$RUN/out" | awk '/^KTAP/ { n++ } n == 1' >"$RUN/sub"
	mv "$RUN/sub" "$RUN/out"
	is '6 tests, 1 failed, 1 skipped, 0 todo, 0 errors' "$(tap)"
}

@test "KTAP: a guest cannot pass itself off as anything" {
	run_of good
	hostile
	summary 0 ktap hostile
	is '6 tests, 1 failed, 1 skipped, 0 todo, 0 errors' "$(tap)"
	summary 0 ktap hostile good
	is '2 tests, 2 failed, 0 skipped, 0 todo, 0 errors' "$(tap)"
	[ "$(LC_ALL=C tr -d '\n\040-\176\200-\377' <"$RUN/out" | wc -c)" -eq 0 ]
}

@test "JUnit: a run is a suite, a step a case" {
	run_of good
	run_of truncated
	summary 125 junit good truncated
	is testsuites "$(xml root.tag)"
	is '9 0 4 1' "$(xml '" ".join(root.get(k) for k in ("tests", "failures", "errors", "skipped"))')"
	is "['6', '3']" "$(xml '[s.get("tests") for s in root]')"
	is '9' "$(xml 'len(root.findall("testsuite/testcase"))')"
	is "['timeout', 'crash', 'not-ended', 'not-ended']" "$(xml '[e.get("type") for e in root.iter("error")]')"
	is 'CONFIG_IPV6_ROUTER_PREF is off' "$(xml 'root.find(".//skipped").get("message")')"
	xml 'root.find(".//testcase[@name=\"readiness\"]/system-out").text' | grep -q 'readiness.ready_ns: n 11, p50 90.0 us'
}

@test "JUnit: what a guest wrote is text, and valid" {
	hostile
	summary 0 junit hostile
	xml 'root.find(".//error").get("message")' | grep -qF '</error>]]><script>alert(1)</script>&amp;"'
	is 0 "$(xml 'len(root.findall(".//script"))')"
}

@test "JSON: all of a summary" {
	run_of good
	run_of truncated
	summary 125 json good truncated
	is '2 [True, False]' "$(json '"%d %s" % (len(o["runs"]), [r["complete"] for r in o["runs"]])')"
	is None "$(json 'o["pooled"]')" # without run.json nobody knows
	is '6.12.117 timeout' "$(json 'o["runs"][0]["kernel"] + " " + [s["result"] for s in o["runs"][0]["steps"] if s["step"] == "netns_churn"][0]')"
	# Of the 11 values that are no warm-up the sixth.
	python3 -c '
import json, sys
rows = [json.loads(line) for line in open(sys.argv[1])]
print(sorted(r["ready_ns"] for r in rows if r["type"] == "sample" and r["step"] == "readiness" and not r["warmup"])[5])' \
		"$RUN/good/records.jsonl" >"$RUN/median"
	is "$(cat "$RUN/median")" "$(json 'int([m["p50"] for m in o["runs"][0]["metrics"] if m["metric"] == "ready_ns"][0])')"
	hostile
	run_of traces
	summary 0 json traces
	is '174000000 False' "$(json '"%d %s" % (o["runs"][0]["traces"][2]["delay_p90_ns"], "delay_p90_ns" in o["runs"][0]["traces"][3])')"

	summary 0 json hostile
	json 'o["runs"][0]["kernel"]' | grep -qF '<script>alert(1)</script>'
}

@test "another format is wrong usage, and nothing is drawn but on a terminal" {
	run_of good
	run -129 "$KVERDICT" summary --format yaml "$RUN/good"
	run -0 "$KVERDICT" summary "$RUN/good"
	[[ $output != *'us |'* ]]
	run -0 script -qec "LC_ALL=C '$KVERDICT' summary '$RUN/good'" /dev/null
	[[ $output == *'readiness.ready_ns '*' us |'*'|'*'175 ms'* ]]
}
