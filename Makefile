# SPDX-License-Identifier: GPL-2.0-or-later
#
# kverdict: build, set up, run and check.  `make help` lists the targets.

# Set these on the command line or in the environment.
CC	?= cc
GUESTCC	?= musl-gcc
BUILD	?= build
# One name for each file, however the folder was named: else what make knows of
# headers would be about other targets.
override BUILD := $(abspath $(BUILD))
WERROR	?= -Werror
DEPS	?=
KERNEL	?=
MODULES	?=
KVER	?=
SCENARIO ?= default
HISTORY ?= full
N	?= 200
SEED	?= 1
export BUILD

WARNINGS := -Wall -Wextra -Wshadow -Wvla -Wundef -Wformat=2 -Wwrite-strings \
	    -Wpointer-arith -Wstrict-prototypes -Wmissing-prototypes
ALLFLAGS := -std=c11 -D_GNU_SOURCE -MMD -MP $(WARNINGS) $(WERROR)
HOSTFLAGS := $(ALLFLAGS) -O2 -g
# Reproducible and small: no build paths, no unwind tables, unused code dropped,
# no pages only to be made read-only.
GUESTFLAGS := $(ALLFLAGS) -Os -fno-pie -fno-asynchronous-unwind-tables \
	      -ffunction-sections -fdata-sections -isystem $(BUILD)/uapi
GUESTLDFLAGS := -static -no-pie -s -Wl,--gc-sections,--build-id=none,-z,noseparate-code,-z,norelro
HOSTLIBS := -larchive -ljansson -lgsl -lgslcblas -lz -lm

# This path is the architecture: a file sees its own folder and what is named
# here, so an #include across the border of guest and host does not compile.
INCLUDES := -iquote record
$(BUILD)/obj/guest/probes/%.o: INCLUDES += -iquote probes/lib
$(BUILD)/obj/guest/probes/lib/%.o: INCLUDES := -iquote record

ifneq ($(V),1)
Q   := @
say  = @printf '  %-8s%s\n' '$(1)' '$(patsubst $(CURDIR)/%,%,$(2))'
endif

# objs(SIDE,FOLDERS): the objects of every C file in FOLDERS
objs = $(patsubst %.c,$(BUILD)/obj/$(1)/%.o,$(sort $(wildcard $(2:%=%/*.c))))

all: guest host		## build the guest's and the host's programs
guest: $(BUILD)/guest/init $(BUILD)/guest/probe
host: $(BUILD)/host/kverdict $(BUILD)/host/lockstep.so

$(BUILD)/guest/init: $(call objs,guest,init record)
$(BUILD)/guest/probe: $(call objs,guest,probes probes/lib record)
# Where a debugger finds the marks of probes/lib/mark.c.
$(BUILD)/guest/probe: GUESTLDFLAGS += -Wl,--section-start=.kv_marks=0x10000000
$(BUILD)/guest/init $(BUILD)/guest/probe:
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(GUESTCC) $(GUESTLDFLAGS) -o $@.new $^ && mv $@.new $@

$(BUILD)/host/kverdict: $(call objs,host,host record)
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -o $@.new $^ $(HOSTLIBS) && mv $@.new $@

$(BUILD)/host/lockstep.so: host/preload/lockstep.c Makefile
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(filter-out -MMD -MP,$(HOSTFLAGS)) -fPIC -shared -o $@.new $< && mv $@.new $@

$(BUILD)/obj/guest/%.o: %.c Makefile | $(BUILD)/uapi
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(GUESTCC) $(GUESTFLAGS) $(INCLUDES) -c -o $@ $<

$(BUILD)/obj/host/%.o: %.c Makefile
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(HOSTFLAGS) $(INCLUDES) -c -o $@ $<

# Where help finds the pages of docs/.
$(BUILD)/obj/host/host/tree.o: HOSTFLAGS += -DTREE_SOURCE='"$(CURDIR)"'

# The kernel's UAPI headers for musl, which must not see glibc's beside them.
$(BUILD)/uapi:
	$(Q)mkdir -p $@.tmp
	$(Q)for dir in linux asm-generic; do ln -sfn /usr/include/$$dir $@.tmp/$$dir; done
	$(Q)if [ -d /usr/include/x86_64-linux-gnu/asm ]; then ln -sfn /usr/include/x86_64-linux-gnu/asm $@.tmp/asm; \
	else ln -sfn /usr/include/asm $@.tmp/asm; fi
	$(Q)mv $@.tmp $@

deps:			## install what is missing (DEPS=show: only print it)
	$(Q)BUILD='$(BUILD)' DEPS='$(DEPS)' host/deps.sh

run:			## boot a kernel, run a scenario, print the summary
	$(Q)BUILD='$(BUILD)' DEPS='$(DEPS)' host/deps.sh run
	$(Q)$(MAKE) -s --no-print-directory all
	$(Q)BUILD='$(BUILD)' KERNEL='$(KERNEL)' MODULES='$(MODULES)' KVER='$(KVER)' host/make-run.sh '$(SCENARIO)'

# Each test file names the sources it needs in a line "// sources: ...".
TESTFLAGS := $(HOSTFLAGS) -fsanitize=address,undefined -fno-sanitize-recover=undefined -iquote record -iquote host -iquote init -iquote probes/lib
UNITSHARED := $(filter-out tests/unit/test_%,$(wildcard tests/unit/*.[ch]))
$(BUILD)/tests/%: tests/unit/%.c $(UNITSHARED) $(wildcard host/*.[ch] init/*.[ch] record/*.[ch] probes/lib/wqtrace.[ch])
	$(call say,TEST,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(TESTFLAGS) -o $@ $< $$(sed -n 's|^// sources:||p' $<) $(wildcard record/*.c) -lcmocka $(HOSTLIBS)

$(BUILD)/tests/%.so: tests/preload/%.c Makefile
	$(call say,TEST,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(filter-out -MMD -MP,$(HOSTFLAGS)) -fPIC -shared -o $@.new $< && mv $@.new $@

$(BUILD)/fuzz/%: tests/fuzz/%.c $(wildcard host/*.[ch] init/*.[ch] record/*.[ch] probes/lib/wqtrace.[ch])
	$(call say,FUZZ,$@)
	$(Q)mkdir -p $(@D)
	$(Q)clang $(filter-out -MMD -MP,$(HOSTFLAGS)) -fsanitize=fuzzer,address,undefined -iquote record -iquote host -iquote init -iquote probes/lib \
		-o $@ $< $$(sed -n 's|^// sources:||p' $<) $(wildcard record/*.c) $(HOSTLIBS)

unit: $(patsubst tests/unit/%.c,$(BUILD)/tests/%,$(wildcard tests/unit/test_*.c)) \
      $(patsubst tests/preload/%.c,$(BUILD)/tests/%.so,$(wildcard tests/preload/*.c))
fuzzers: $(patsubst tests/fuzz/%.c,$(BUILD)/fuzz/%,$(wildcard tests/fuzz/fuzz_*.c))

check: | deps		## set up, build, and run every test
	$(Q)$(MAKE) -s --no-print-directory all unit fuzzers
	$(Q)BUILD='$(BUILD)' tests/run.sh

check-full: | deps	## what needs kernels of its own or takes long (SOURCE=/path/linux)
	$(Q)$(MAKE) -s --no-print-directory all
	$(Q)BUILD='$(BUILD)' tests/check-full.sh

soak: | deps		## N=200 boots that meet random faults, SEED=1
	$(Q)$(MAKE) -s --no-print-directory all
	$(Q)BUILD='$(BUILD)' KERNEL='$(KERNEL)' tests/soak.sh '$(N)' '$(SEED)'

check-bisect: | deps	## bisect histories of real kernels (HISTORY=small: only one)
	$(Q)$(MAKE) -s --no-print-directory all
	$(Q)BUILD='$(BUILD)' HISTORY='$(HISTORY)' tests/check-bisect.sh

bench: | deps		## time boots side by side (OWN=bzImage: a kernel of yours too)
	$(Q)$(MAKE) -s --no-print-directory all
	$(Q)BUILD='$(BUILD)' tests/bench.sh

format:			## let clang-format rewrite what differs from the style
	$(Q)clang-format -i $$(git ls-files '*.c' '*.h')

clean:			## remove what was built; kernels, tools and results stay
	$(Q)rm -rf $(BUILD)/obj $(BUILD)/guest $(BUILD)/host $(BUILD)/uapi $(BUILD)/images

help:			## show the targets and the variables
	@sed -n 's/^\([a-z-]*\):.*## /  \1\t/p' Makefile | expand -t 16
	@echo '  now: CC=$(CC) GUESTCC=$(GUESTCC) BUILD=$(BUILD) KERNEL=$(KERNEL) MODULES=$(MODULES) KVER=$(KVER) SCENARIO=$(SCENARIO) HISTORY=$(HISTORY) N=$(N) SEED=$(SEED)'

.PHONY: all guest host deps run unit fuzzers check check-full soak check-bisect bench format clean help
.DELETE_ON_ERROR:
-include $(shell find $(BUILD)/obj -name '*.d' 2>/dev/null)
