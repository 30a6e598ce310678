#!/usr/bin/env bash
# report-not-proven.sh LIST EXPECTED: prints LIST ("id<TAB>reason" lines that tests wrote) in order, each
# once. With CI=true it fails on an id that EXPECTED (one id a line, # comments) does not name.
set -euo pipefail
list=$1
expected=$2

if [[ ! -s $list ]]; then
  printf '\nnot proven here: nothing, every test ran\n'
  exit 0
fi

printf '\nnot proven here:\n'
unexpected=()
while IFS=$'\t' read -r id reason; do
  mark=
  if ! sed 's/[[:space:]]*#.*//' "$expected" | grep -Fxq -- "$id"; then
    mark=' [unexpected]'
    unexpected+=("$id")
  fi
  printf '  %s: %s%s\n' "$id" "$reason" "$mark"
done < <(sort -u "$list")

if [[ ${CI:-} == true && ${#unexpected[@]} -gt 0 ]]; then
  printf 'error: not proven and not expected to be (%s): %s\n' "$expected" "${unexpected[*]}" >&2
  exit 1
fi
