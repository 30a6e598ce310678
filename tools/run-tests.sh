#!/usr/bin/env bash
# run-tests.sh PRESET [CTEST OPTION…]: runs the tests of a built preset, then says what could not be proven
# on this machine (tests/support/not_proven.hpp). ctest's own closing lines come last.
# With CI=true, something unproven that tests/expected-not-proven.txt does not name is a failure.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

[[ $# -gt 0 ]] || die 'which preset?'
build=build/$1
shift
list=$build/not-proven.txt
summary=$build/test-summary.txt

# Lets everything through but the closing lines, which go to a file.
hold_back_summary() {
  awk -v summary="$summary" '
    /^[0-9]+% tests passed, [0-9]+ tests failed out of [0-9]+$/ { closing = 1 }
    closing { print > summary; next }
    { print; fflush() }'
}

mkdir -p "$build"
: >"$list"
: >"$summary"
say "testing $build"
status=0
ctest --test-dir "$build" --parallel "$(nproc)" --output-on-failure --no-tests=error "$@" |
  hold_back_summary || status=$?

tools/report-not-proven.sh "$list" tests/expected-not-proven.txt || status=1
echo
cat "$summary"
exit "$status"
