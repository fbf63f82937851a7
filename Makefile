# The two commands of the README are `make demo` and `make test`; the others are for contributors.
PRESET ?= release
JOBS   ?= $(shell nproc)
BUILD  := build/$(PRESET)

.PHONY: help demo test build check format fuzz asan tsan bench eval clean

help:
	@echo "make demo    install what is missing, build, ask the sample company three questions"
	@echo "make test    install what is missing, build, run every test"
	@echo "make build   build the preset (PRESET=$(PRESET); dev release asan tsan tidy fuzz)"
	@echo "make check   formatting, layering, clang-tidy"
	@echo "make fuzz    every fuzz target for FUZZ_SECONDS (10) seconds"
	@echo "make asan    all tests under AddressSanitizer and UBSan;  make tsan: under ThreadSanitizer"
	@echo "make bench   the benches, on a quiet machine;  make eval: the tables of eval/README.md"

demo:
	@scripts/install-packages build
	@$(MAKE) --no-print-directory build PRESET=release CMAKE_FLAGS="$(if $(wildcard build/release/build.ninja),,-DPRECEDENT_BUILD_TESTS=OFF -DPRECEDENT_BUILD_BENCHES=OFF)"
	@scripts/fetch-model
	@scripts/demo build/release/precedent

test:
	@scripts/install-packages build test
	@$(MAKE) --no-print-directory build CMAKE_FLAGS="-DPRECEDENT_BUILD_TESTS=ON -DPRECEDENT_BUILD_BENCHES=ON"
	@scripts/fetch-model
	@ctest --preset $(PRESET) -LE fuzz

# Configuring again costs a second and keeps the build true to its files.
build:
	@mkdir -p build
	@cmake --preset $(PRESET) $(CMAKE_FLAGS) > build/$(PRESET).configure.log 2>&1 || { cat build/$(PRESET).configure.log; exit 1; }
	@cmake --build --preset $(PRESET) -j $(JOBS)

check:
	@scripts/install-packages build test check
	@scripts/check-format
	@scripts/check-layers
	@scripts/check-tidy

format:
	@scripts/check-format --fix

fuzz:
	@scripts/install-packages build test check
	@$(MAKE) --no-print-directory build PRESET=fuzz
	@FUZZ_SECONDS=$${FUZZ_SECONDS:-10} ctest --preset fuzz

asan tsan:
	@scripts/install-packages build test
	@$(MAKE) --no-print-directory test PRESET=$@

bench:
	@$(MAKE) --no-print-directory build CMAKE_FLAGS="-DPRECEDENT_BUILD_BENCHES=ON"
	@bench/run $(BUILD)

eval:
	@$(MAKE) --no-print-directory build
	@eval/run $(BUILD)/precedent

clean:
	rm -rf build
