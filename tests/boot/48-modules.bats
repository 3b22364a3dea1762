#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Modules that do not fit, are not whole, or are not let in: the run says which.

bats_require_minimum_version 1.5.0
load common

# tree SERIES: set TREE to a copy, made of links, of that kernel's modules.
tree() {
	kernel "$1"
	TREE=$(echo "${KERNEL%/boot/*}"/lib/modules/*)
	mkdir -p "$BATS_TEST_TMPDIR/modules"
	cp -al "$TREE" "$BATS_TEST_TMPDIR/modules/"
	TREE=$BATS_TEST_TMPDIR/modules/${TREE##*/}
}

@test "modules of another kernel are refused, and with --force named one by one" {
	tree 6.1
	kernel 6.12
	boot 60 --scenario empty --modules "$TREE" "$KERNEL"
	is_status 129
	has "$RUN_DIR.err" "it is not for kernel 6.12"
	boot 120 --scenario r1-three-taps --force --modules "$TREE" "$KERNEL"
	is_status 125
	has "$RUN_DIR.err" 'CONFIG_TUN'
	has "$RUN_DIR.out" 'load module tun.ko: it is for another kernel'
}

@test "a module whose signature is missing is named where signatures are enforced" {
	local tun

	tree 6.12
	tun=$TREE/kernel/drivers/net/tun.ko
	# The last byte of the mark that says a signature follows.
	xz -dc "$tun.xz" | head -c -1 >"$BATS_TEST_TMPDIR/tun.ko"
	rm "$tun.xz"
	mv "$BATS_TEST_TMPDIR/tun.ko" "$tun"
	boot 120 --scenario r1-three-taps --modules "$TREE" --append module.sig_enforce=1 "$KERNEL"
	is_status 125
	has "$RUN_DIR.out" 'load module tun.ko: this kernel refuses its signature'
	has "$RUN_DIR.err" 'CONFIG_TUN'
}

@test "modules that another one needs and that are not there are named" {
	tree 6.1
	find "$TREE" -name 'virtio_ring.ko*' -delete
	boot 120 --scenario empty --modules "$TREE" "$KERNEL"
	is_status 0
	has "$RUN_DIR/run.json" '"records_from": *"mirror"'
	has "$RUN_DIR.out" 'load module virtio.*: it needs a symbol that this kernel lacks'
}
