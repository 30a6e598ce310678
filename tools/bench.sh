#!/usr/bin/env bash
# bench.sh: builds the release preset with its benchmarks and runs them; the results are in
# build/release/bench-results.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

tools/install-packages.sh bench
say 'building the benchmarks'
cmake --preset release --log-level=NOTICE -DPRX_BUILD_BENCHMARKS=ON
cmake --build --preset release --parallel "$(nproc)"
say 'running the benchmarks'
bench/run.sh build/release
