#!/usr/bin/env bash
# format.sh [--fix]: checks the C++ sources against .clang-format, or with --fix formats them in place.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

command -v clang-format-19 >/dev/null || tools/install-packages.sh lint
mapfile -d '' -t sources < <(find include src tests bench fuzz examples -name '*.[ch]pp' -print0)
if [[ ${1:-} == --fix ]]; then
  clang-format-19 -i "${sources[@]}"
else
  clang-format-19 --dry-run --Werror "${sources[@]}"
fi
