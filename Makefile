# SPDX-License-Identifier: GPL-2.0
#
# The project's own commands.  The kernel's Makefile is the base's, in the
# trees below build/; nothing here is part of it.

# Variables and options of this make are not the kernel build's.
MAKEFLAGS =
MAKEOVERRIDES =

help:
	@echo "make run      set up, build, boot, show a probe at work, then a shell;"
	@echo "              CMD='...' runs that in the guest instead, for TIMEOUT=600"
	@echo "              seconds at most"
	@echo "make test     everything CI runs; ends with 'N passed, N failed'"
	@echo "make configs  link kernels of tools/configs, those with 'in configs', and 50 with"
	@echo "              random options (hours); ONLY=TEXT takes those with TEXT in their"
	@echo "              names"
	@echo "make test-configs   boot and test kernels of tools/configs, those with 'in boot'"
	@echo "              (hours); ONLY=TEXT takes those with TEXT in their names"
	@echo "make test-arch ARCH=arm64   the kernel of an architecture (arm64, s390x,"
	@echo "              i386), booted and tested; the first time about an hour"
	@echo "make deb      Debian packages of a kernel with the series, in build/deb, with"
	@echo "              the options of Debian's cloud kernel (an hour the first time)"
	@echo "make deb-test install these packages in a Debian system, and use it"
	@echo "make stress   a probe on every instruction of the kernel (hours);"
	@echo "              ONLY=TEXT takes the slices with TEXT in their names (jump-7)"
	@echo "make bench    the stock kernel and ours side by side"
	@echo "make series   the patches, by topic, with cover letters, in build/series"
	@echo "make kernel   build both kernels: build/kernel (ours), build/stock"
	@echo
	@echo "make ours | stock | kernel-debug     one kernel alone"
	@echo "make test-debug                      the tests on a checking kernel"
	@echo "make series-check                    build after each patch, boot each topic"
	@echo "make clean                           remove build/, but not the cache"

kernel:
	@tools/build/build ours stock
ours stock:
	@tools/build/build $@
kernel-debug:
	@tools/build/build debug

# As typed: shell text, not make's.
override CMD := $(value CMD)
export CMD

run:
	@tools/vm/show

test:
	@tools/build/ready test ours && exec tools/ci/run
test-configs:
	@tools/build/ready test && exec tools/ci/run $(if $(ONLY),--only '$(ONLY)') boots
test-arch:
	@tools/build/ready test && exec tools/ci/run --only 'boot-$(or $(ARCH),arm64)' boots
test-debug:
	@tools/build/ready test debug && exec tools/ci/run --debug
configs:
	@tools/build/ready test && exec tools/ci/run $(if $(ONLY),--only '$(ONLY)') link
deb:
	@tools/build/deb
deb-test:
	@tools/build/ready test && exec tools/ci/run deb
stress:
	@tools/build/ready test ours stock && exec tools/ci/run $(if $(ONLY),--only '$(ONLY)') --full stress
bench:
	@tools/build/ready bench ours stock && exec tools/bench/run

series:
	@tools/build/setup build && exec series/series
series-check:
	@tools/build/setup build && exec series/series --check

clean:
	rm -rf build

.PHONY: help kernel ours stock kernel-debug run test test-arch test-debug test-configs \
	configs deb deb-test stress bench series series-check clean
