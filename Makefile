# SPDX-License-Identifier: BSD-3-Clause
# The targets that a person guesses; CMake does the work (see CMakePresets.json for its presets).
#   make PREFIX=/opt/argand install     make JOBS=4 test     make demo SCAN=scan.h5
# `make` compiles hot files for this machine's processor alone; `make install` and `make test-all` for all (LEVELS=all from the start).
#   make demo SCAN=scan.h5 OPTIONS='--field-map b0.nii.gz --iterations 20'   options of argand sense

PREFIX ?= /usr/local
JOBS ?= $(shell nproc 2>/dev/null || sysctl -n hw.ncpu 2>/dev/null || echo 2)
SCAN ?=
OPTIONS ?=
KERNELS_FOR ?= h200 a100 b200 rtx5090
LEVELS ?= native
export PREFIX DESTDIR SCAN
# Threads that wait sleep instead of spinning, so that tests that run side by side do not slow each other down.
test test-all: export OMP_WAIT_POLICY ?= passive

.PHONY: build demo test test-all site fuzz bench kernels wheel install all-levels clean distclean format help
.DEFAULT_GOAL := build
.NOTPARALLEL:

build: packages-build build/release/CMakeCache.txt
	@cmake --build build/release -j $(JOBS)

# Simulates a spiral head scan and reconstructs it, or does the same with a scan of yours: make demo SCAN=file.h5
demo: build
	@if [ -n "$$SCAN" ]; then tools/demo.sh "$$SCAN" $(OPTIONS); else tools/demo.sh; fi

# The first tier (tests/CMakeLists.txt); TESTS='-L fft' are other arguments of ctest, as the shell reads them: a `$$` in them stays.
TESTS ?= -LE more
test: packages-test build/release/CMakeCache.txt
	@cmake build/release -DARGAND_BUILD_TESTS=ON > build/release/configure.log || { cat build/release/configure.log; exit 1; }
	@cmake --build build/release -j $(JOBS)
	@ctest --test-dir build/release --output-on-failure -j $(JOBS) $(value TESTS)

test-all: packages-test all-levels
	@$(MAKE) --no-print-directory test TESTS=

bench: packages-bench build
	@for part in "fft --list short" nufft field segments; do build/release/argand bench $$part || exit 1; done

# The documentation as pages for a browser, from docs/, the headers, the tool's options and the Python package
site: packages-test build
	@python3 -B tools/site/build.py --tool build/release/argand --out build/site

# Every reader on changed files, under sanitizers: SECONDS_EACH=60 for each (tests/fuzz/README.md)
fuzz: packages-test build
	@cmake build/release -DARGAND_BUILD_TESTS=ON > build/release/configure.log || { cat build/release/configure.log; exit 1; }
	@cmake --build build/release -j $(JOBS) --target fuzz

# Kernels that commands ask for by default, for GPUs named by KERNELS_FOR, so that first plans need not compile; installed if there.
kernels: build
	@cmake build/release -DARGAND_KERNELS_FOR="$(KERNELS_FOR)" > /dev/null
	@cmake --build build/release --target kernels

# A Python wheel for all processors and Linux machines, in build/wheel/dist (docs/internals/wheel.md); KERNELS_FOR= leaves out kernels for GPUs.
wheel: LEVELS = all
wheel: packages-wheel
	@python3 -B tools/wheel/build.py --levels '$(LEVELS)' --kernels-for '$(KERNELS_FOR)' $(WHEEL)

install: packages-build all-levels
	@cmake build/release -DCMAKE_INSTALL_PREFIX="$$PREFIX" > /dev/null
	@cmake --build build/release -j $(JOBS)
	@if [ -n "$(KERNELS_FOR)" ]; then \
	    echo 'make install: compiles kernels for GPUs ahead of time ($(KERNELS_FOR)); without: make install KERNELS_FOR='; \
	    $(MAKE) --no-print-directory kernels || echo 'make install: without compiled kernels for GPUs'; fi
	@cmake --install build/release
	@echo "make install: installed $$DESTDIR$$PREFIX/bin/argand, with library, headers and manual pages"

clean:
	rm -rf build/release

distclean:
	rm -rf build out

format:
	@git ls-files '*.c' '*.cc' '*.h' '*.krn' | tr '\n' '\0' | xargs -0 clang-format -i

help:
	@echo 'make            builds the library and the tool in build/release'
	@echo 'make demo       simulates a head scan and reconstructs it, into out/demo'
	@echo 'make demo SCAN=file.h5   the same with your scan (ISMRMRD)'
	@echo 'make test       builds and runs the first tier of tests; make test-all runs all'
	@echo 'make fuzz       changed files of every format under sanitizers, for a minute each'
	@echo 'make site       the documentation for a browser, in build/site/html (Sphinx)'
	@echo 'make bench      prints rates and errors, and those of the peers that are installed'
	@echo 'make kernels    compiles kernels for GPUs ahead (NVRTC, no GPU), as make install does; KERNELS_FOR=h200: for this chip, KERNELS_FOR=: none'
	@echo 'make wheel      a Python wheel for every Linux machine, in build/wheel/dist'
	@echo 'make install    into PREFIX (/usr/local); DESTDIR is honoured'
	@echo 'make format     clang-format (14) over all sources and kernels'
	@echo 'make clean      removes the build; make distclean also removes all results'
	@echo 'JOBS=n          processes at once (all cores)'
	@echo 'LEVELS=all      code for all processors, not for this one alone (when build/ is made)'

# What leaves this machine runs on every processor.
all-levels: build/release/CMakeCache.txt
	@cmake build/release -DARGAND_LEVELS=all > /dev/null

# Missing Debian packages are installed by tools/bootstrap.sh; where all are there it touches nothing.
packages-%:
	@tools/bootstrap.sh $*

# Tests are configured only for `make test`, so that building needs none of their packages.
build/release/CMakeCache.txt:
	@cmake --preset release $$(command -v ninja > /dev/null && echo -G Ninja) -DARGAND_BUILD_TESTS=OFF -DARGAND_LEVELS='$(LEVELS)'
