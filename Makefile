# SPDX-License-Identifier: GPL-2.0
#
# The project's own commands.  The kernel's Makefile comes from the base and is in the trees
# below build/.

# Do not pass variables and options of this make to the kernel build.
MAKEFLAGS =
MAKEOVERRIDES =
unexport ARCH

# The names after boot- in tools/configs.
ARCHITECTURES = arm64 s390x riscv64 i386

help:
	@echo "make quick    test what an edit of a few lines can break, in about three minutes:"
	@echo "              files changed since the branch left origin/main, or since SINCE=COMMIT"
	@echo "make lint     checkpatch, sparse, shellcheck, flake8"
	@echo "make run      set up, build, boot, run a demo and then a shell; with CMD='...',"
	@echo "              run CMD in the guest instead, for TIMEOUT=600 seconds at most"
	@echo "make test     run everything that CI runs; counts 'N passed, N failed' at the end"
	@echo "make configs  link kernels of other configurations (see tools/configs), and"
	@echo "              50 with random options, the large ones of which are only compiled"
	@echo "              (hours); with ONLY=TEXT, only those with TEXT in their names"
	@echo "make test-configs   boot and test kernels of other configurations (hours); with"
	@echo "              ONLY=TEXT, only those with TEXT in their names"
	@echo "make test-arch ARCH=arm64   boot and test the kernel of an architecture"
	@echo "              ($(ARCHITECTURES)); takes about an hour the first time"
	@echo "make test-bpf run the base's BPF self-tests of users of kprobes, uprobes and"
	@echo "              fprobe; with ONLY=TEXT, only tests with TEXT in their names"
	@echo "make test-same   run commands for dynamic events on the stock kernel and on ours,"
	@echo "              and compare; with ONLY=TEXT, only kinds with TEXT in their names;"
	@echo "              with SEED=N, other commands"
	@echo "make deb      build Debian packages of a kernel with the series and the options"
	@echo "              of Debian's cloud kernel, in build/deb (an hour the first time)"
	@echo "make deb-test install these packages in a Debian system and test it"
	@echo "make stress   probe every instruction of the kernel (hours); with ONLY=TEXT,"
	@echo "              only in slices with TEXT in their names (such as jump-7)"
	@echo "make bench    compare the cost of probes in the stock kernel and in ours; with"
	@echo "              ARCH=arm64, compare instructions per hit in kernels for arm64"
	@echo "make series   write the patches, by topic, with cover letters, to build/series"
	@echo "make kernel   build both kernels: build/kernel (ours), build/stock"
	@echo
	@echo "make ours | stock | kernel-debug     build only one kernel"
	@echo "make test-debug                      run the tests on the debug kernel"
	@echo "make series-check                    compile after each patch, boot each topic"
	@echo "make clean                           remove build/, but not the cache"

# setup also installs Python, which the other scripts need.
kernel:
	@tools/build/setup build && exec tools/build/build ours stock
ours stock:
	@tools/build/setup build && exec tools/build/build $@
kernel-debug:
	@tools/build/setup build && exec tools/build/build debug

# Pass CMD to the shell as typed, not expanded by make.
override CMD := $(value CMD)
export CMD

run:
	@tools/vm/show

quick:
	@tools/build/ready test ours && exec tools/ci/run $(if $(SINCE),--since '$(SINCE)') quick
lint:
	@tools/build/ready test ours && exec tools/ci/run lint
test:
	@tools/build/ready test ours && exec tools/ci/run
test-configs:
	@tools/build/ready test && exec tools/ci/run $(if $(ONLY),--only '$(ONLY)') boots
test-arch:
	$(if $(filter-out $(ARCHITECTURES),$(ARCH))$(word 2,$(ARCH)),\
		$(error ARCH=$(ARCH): choose one of $(ARCHITECTURES)))
	@tools/build/ready test && exec tools/ci/run --only 'boot-$(or $(ARCH),arm64)' boots
test-bpf:
	@tools/build/ready test ours && exec tools/ci/run $(if $(ONLY),--only '$(ONLY)') bpf
test-same:
	@tools/build/ready test ours stock && exec tools/ci/run $(if $(ONLY),--only '$(ONLY)') \
		$(if $(SEED),--seed '$(SEED)') same
test-debug:
	@tools/build/ready test debug && exec tools/ci/run --debug
configs:
	@tools/build/ready test && exec tools/ci/run $(if $(ONLY),--only '$(ONLY)') link
deb:
	@tools/build/setup build && exec tools/build/build deb
deb-test:
	@tools/build/ready test && exec tools/ci/run deb
stress:
	@tools/build/ready test ours stock && exec tools/ci/run $(if $(ONLY),--only '$(ONLY)') --full stress
bench:
	@tools/build/ready bench $(if $(ARCH),,ours stock) && \
		exec tools/bench/run $(if $(ARCH),--arch '$(ARCH)')

series:
	@tools/build/setup build && exec series/series
series-check:
	@tools/build/setup build && exec series/series --check

clean:
	rm -rf build

.PHONY: help quick lint kernel ours stock kernel-debug run test test-arch test-debug \
	test-configs test-bpf test-same configs deb deb-test stress bench series series-check \
	clean
