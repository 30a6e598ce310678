#!/usr/bin/env bash
# Builds prx as a part of another project, without optimization: what is proven is that it can be built.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

cd "$folder"
"$CMAKE" -S "$SOURCE/tests/install/parent" -B build -G Ninja -DPRX_SOURCE="$SOURCE" >configure.log 2>&1 ||
  fail 'the parent configures' configure.log
"$CMAKE" --build build --parallel "$(nproc)" >build.log 2>&1 || fail 'the parent builds' build.log
runs_a_command build/consumer
if [[ -e build/prx/prx || -d build/prx/tests ]]; then
  fail 'a parent gets the library, not the program and its tests'
fi
