#!/usr/bin/env bash
# build.sh PRESET [TARGET…]: configures and builds a preset with every core.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

[[ $# -gt 0 ]] || die 'which preset? (see cmake --list-presets)'
preset=$1
shift
tools/install-packages.sh build
tools/fetch-wasmtime.sh
tools/fetch-bash-parser.sh

say "building $preset"
cmake --preset "$preset" --log-level=NOTICE
cmake --build --preset "$preset" --parallel "$(nproc)" ${1:+--target "$@"}
