#!/usr/bin/env bash
# tidy.sh [FILE…]: clang-tidy 19 with .clang-tidy on the sources, or on the files named.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

command -v run-clang-tidy-19 >/dev/null || tools/install-packages.sh lint
# The compile commands of clang itself: g++'s have warnings that clang does not know. Generated headers
# are made by the configuration, so nothing has to be built.
cmake --preset clang --log-level=NOTICE
root=$PWD
patterns=("$root/src/.*[.]cpp\$" "$root/tests/.*[.]cpp\$")
[[ $# == 0 ]] || patterns=("$@")
status=0
run-clang-tidy-19 -quiet -p build/clang -j "$(nproc)" "${patterns[@]}" 2>&1 |
  { grep -vE '^(\[|[0-9]+ warnings generated)' || true; } || status=$?
exit "$status"
