# A table of contents: the work is in tools/*.sh. `make help` lists what there is.
.DEFAULT_GOAL := help
.PHONY: help demo test test-deep bench format lint install build clean

help: ## this list
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 20

demo: ## install what is missing, build, and run first commands
	@tools/demo.sh

test: ## install what the tests need, build, and run the whole suite
	@tools/test.sh

test-deep: ## sanitizers, clang, lint, fuzzers, coverage, cross build (STEPS="lint asan" for some)
	@tools/test-deep.sh $(STEPS)

bench: ## build and run the benchmarks
	@tools/bench.sh

format: ## format the sources in place
	@tools/format.sh --fix

lint: ## formatting, shell scripts, layers, clang-tidy
	@tools/lint.sh

build: ## build build/release/prx
	@tools/build.sh release

install: build ## install under PREFIX (default /usr/local), DESTDIR honoured
	@cmake --install build/release $(if $(PREFIX),--prefix "$(PREFIX)")

clean: ## remove every build
	@rm -rf build
