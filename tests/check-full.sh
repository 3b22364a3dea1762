#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The tests of `make check-full`: what needs a kernel of its own, or takes long.
#
# SOURCE names an unpacked kernel tree; default: Debian's linux-source-6.12, which
# is fetched if `make check-bisect` did not yet.  The first call builds two
# kernels, some six minutes each; later ones do not.
#
# Exit status: 0 if nothing failed, else 1; 128 no source or no kernel; 130
# interrupted.

set -eu

top=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
cd "$top"
BUILD=$(realpath -m -- "${BUILD:-build}")
export BUILD
SOURCE=${SOURCE:-$(tests/kernel-source.sh)} || exit
export SOURCE

[ -f "$SOURCE/Kbuild" ] || {
	echo "check-full.sh: there is no kernel tree $SOURCE: name one with SOURCE=" >&2
	exit 128
}
for name in bare noisy; do
	begin=$SECONDS
	tests/full/kernel.sh "$name" >/dev/null || exit
	echo "# kernel $name: $((SECONDS - begin)) s"
done
FULL=yes exec tests/run.sh full/
