#!/usr/bin/env bash
# tidy.sh with a cmake and a run-clang-tidy that only say what they are told to: a finding fails it.
set -euo pipefail
tools=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/bin"
printf '#!/bin/sh\n' >"$folder/bin/cmake"
printf '#!/bin/sh\nprintf "%%b" "$SAYS"\nexit "$ENDS"\n' >"$folder/bin/run-clang-tidy-19"
chmod +x "$folder"/bin/*

# expect STATUS ENDS SAYS LINES: clang-tidy ends so and says that; tidy.sh ends with STATUS and prints LINES lines.
expect() {
  local status=0
  PATH=$folder/bin:$PATH ENDS=$2 SAYS=$3 "$tools/tidy.sh" >"$folder/output" 2>&1 || status=$?
  if [[ $status != "$1" || $(wc -l <"$folder/output") != "$4" ]]; then
    printf 'FAILED: clang-tidy ends with %s saying %s: status %s, output:\n' "$2" "$3" "$status"
    cat "$folder/output"
    exit 1
  fi
}
expect 0 0 '' 0
expect 0 0 '[1/2] file\n7 warnings generated.\n' 0
expect 1 1 '[1/2] file\na.cpp:1:1: error: x\n' 1
expect 1 1 '' 0
