# The two commands of the README are `make demo` and `make test`; the others are for contributors.
PRESET ?= release
JOBS   ?= $(shell nproc)
PREFIX ?= /usr/local
BUILD  := build/$(PRESET)
# Passed on to cmake and to the fuzz targets.
FUZZ_SECONDS ?= 10
export FUZZ_SECONDS

PRESETS := dev release asan tsan tidy fuzz
ifeq ($(filter $(PRESET),$(PRESETS)),)
$(error there is no preset '$(PRESET)'; the presets are: $(PRESETS))
endif

.PHONY: help program demo test build configure install check check-all format fuzz fuzz-readers asan tsan bench bench-serve eval train train-smoke clean

help:
	@echo "make demo      install what is missing, build, ask the sample company four questions"
	@echo "make test      install what is missing, build, run every test"
	@echo
	@echo "make build     build everything of a preset: PRESET=$(PRESET), one of $(PRESETS)"
	@echo "make install   copy the program to \$$(DESTDIR)\$$(PREFIX)/bin: PREFIX=$(PREFIX)"
	@echo "make check     formatting, layering, documents, headers that stand alone, clang-tidy over what changed lately"
	@echo "make check-all the same with clang-tidy over every source;  make format: format the code"
	@echo "make fuzz      every fuzz target for FUZZ_SECONDS=$(FUZZ_SECONDS) seconds"
	@echo "make fuzz-readers  the targets that need no agent: half the build"
	@echo "make asan      all tests under AddressSanitizer and UBSan;  make tsan: under ThreadSanitizer"
	@echo "make bench     the benches, on a quiet machine;  make bench-serve: the server under load, beside FastAPI and LangGraph"
	@echo "make eval      retrieval quality on the sample company"
	@echo "make train     train adapters/ from train/data; make train-smoke: a minute of it, nothing kept"
	@echo "make clean     remove build/"

# The program alone. Whatever a build tree was configured with before stays: after `make test`, its tests stay.
program:
	@scripts/install-packages build
	@[ -f build/release/build.ninja ] || $(MAKE) --no-print-directory configure PRESET=release \
	  CMAKE_FLAGS="-DPRECEDENT_BUILD_TESTS=OFF -DPRECEDENT_BUILD_BENCHES=OFF"
	@cmake --build --preset release -j $(JOBS) --target precedent

demo: program
	@scripts/fetch-model || echo "Going on without the embedding model: searching by words only." >&2
	@scripts/demo build/release/precedent

test:
	@scripts/install-packages build test
	@$(MAKE) --no-print-directory build
	@scripts/fetch-model
	@scripts/compat-clients >/dev/null || echo "Going on without the tests with clients of other projects." >&2
	@ctest --preset $(PRESET) -LE fuzz

build: CMAKE_FLAGS ?= $(if $(filter $(PRESET),fuzz),,-DPRECEDENT_BUILD_TESTS=ON -DPRECEDENT_BUILD_BENCHES=ON)
build: configure
	@cmake --build --preset $(PRESET) -j $(JOBS) $(if $(filter $(PRESET),fuzz),--target fuzz_targets)

# Configuring again costs a second and keeps the build true to its files.
configure:
	@mkdir -p build
	@cmake --preset $(PRESET) $(CMAKE_FLAGS) > build/$(PRESET).configure.log 2>&1 || { cat build/$(PRESET).configure.log; exit 1; }

install:
	@[ -x build/release/precedent ] || { echo "build/release/precedent is not built yet; run make demo first" >&2; exit 1; }
	install -D -m 755 build/release/precedent "$(DESTDIR)$(PREFIX)/bin/precedent"

check:
	@scripts/install-packages build test check
	@scripts/check-format
	@scripts/check-layers
	@scripts/check-docs
	@scripts/check-tidy

check-all: check
	@scripts/check-tidy --all

format:
	@scripts/check-format --fix

fuzz fuzz-readers:
	@scripts/install-packages build test check
	@$(MAKE) --no-print-directory build PRESET=fuzz CMAKE_FLAGS=-DPRECEDENT_FUZZ_WHOLE=$(if $(filter fuzz,$@),ON,OFF)
	@ctest --preset fuzz

asan tsan:
	@$(MAKE) --no-print-directory test PRESET=$@

bench:
	@scripts/install-packages build test
	@$(MAKE) --no-print-directory build
	@bench/run $(BUILD)

bench-serve:
	@scripts/install-packages build test
	@$(MAKE) --no-print-directory configure
	@cmake --build --preset $(PRESET) -j $(JOBS) --target precedent serve_bench
	@bench/serve/run --build $(BUILD)

eval: program
	@scripts/fetch-model
	@eval/run build/release/precedent

train:
	@train/run

train-smoke:
	@train/run --smoke

clean:
	rm -rf build
