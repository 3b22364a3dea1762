#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The tests of `make check-full`: what needs a kernel of its own, or takes long.
#
# SOURCE names an unpacked kernel tree; default: Debian's linux-source-6.12 where
# `make check-bisect` has unpacked it.  The first call builds two kernels, some
# six minutes each; later ones do not.
#
# Exit status: 0 if nothing failed, else 1; 128 no source or no kernel.

set -eu

top=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
cd "$top"
BUILD=$(realpath -m -- "${BUILD:-build}")
SOURCE=${SOURCE:-$BUILD/kernels/linux-source-6.12/linux-source-6.12}
export BUILD SOURCE

[ -f "$SOURCE/Kbuild" ] || {
	echo "check-full.sh: there is no kernel tree $SOURCE: name one with SOURCE=" >&2
	exit 128
}
for name in bare noisy; do
	tests/full/kernel.sh "$name" >/dev/null || exit 128
done
FULL=yes exec tests/run.sh full/
