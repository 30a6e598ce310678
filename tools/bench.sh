#!/usr/bin/env bash
# bench.sh [GROUP…]: builds the release preset with its benchmarks and runs them (docs/benchmarks.md). The
# figures are printed and written to build/release/benchmarks.json.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

tools/install-packages.sh bench
tools/install-peers.sh
say 'building the benchmarks'
cmake --preset release --log-level=NOTICE -DPRX_BUILD_BENCHMARKS=ON
cmake --build --preset release --parallel "$(nproc)" --target prx_bench
say 'running the benchmarks'
build/release/bench/prx_bench --json build/release/benchmarks.json "$@"
