#!/usr/bin/env bash
# test-deep.sh [STEP…]: what is too slow for every change. Runs every step, or those named, also after one
# has failed, and ends with a table.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

all_steps=(lint clang asan tsan no-wasm fuzz coverage aarch64)
fuzz_seconds=${PRX_FUZZ_SECONDS:-60}
coverage_floor=80 # percent of the lines of src/

build_and_test() {
  tools/build.sh "$1" && tools/run-tests.sh "$1"
}

# Each fuzzer starts from its corpus in the tree; what it finds stays in build/fuzz.
fuzz() {
  local fuzzer name found
  tools/build.sh fuzz fuzzers || return 1
  for fuzzer in build/fuzz/fuzz/*_fuzz; do
    name=$(basename "$fuzzer" _fuzz)
    found=build/fuzz/corpus/$name
    mkdir -p "$found" "build/fuzz/crashes/$name"
    say "fuzzing $name for $fuzz_seconds s"
    "$fuzzer" -max_total_time="$fuzz_seconds" -timeout=10 -rss_limit_mb=2048 -verbosity=0 -print_final_stats=1 \
      -artifact_prefix="build/fuzz/crashes/$name/" "$found" "fuzz/corpus/$name" || return 1
  done
}

# Counts only what the tests of this run have executed.
coverage() {
  tools/build.sh coverage || return 1
  find build/coverage -name '*.gcda' -delete
  tools/run-tests.sh coverage || return 1
  gcovr --root . --filter src/ --object-directory build/coverage --exclude-unreachable-branches \
    --txt build/coverage/coverage.txt --html-details build/coverage/coverage.html \
    --print-summary --fail-under-line "$coverage_floor" build/coverage
}

# What goes into containers and onto other machines: prx-init and the protocol.
aarch64() {
  tools/build.sh aarch64 || return 1
  aarch64-linux-gnu-readelf --file-header build/aarch64/prx-init | grep -E '^ *Machine: +AArch64$'
}

# Without an engine everything but the modules works; what knows of them is tried.
no_wasm() {
  tools/build.sh no-wasm && tools/run-tests.sh no-wasm --label-regex '^(unit|cli|house)$'
}

run_step() {
  case $1 in
    lint) tools/lint.sh ;;
    clang | asan | tsan) build_and_test "$1" ;;
    no-wasm) no_wasm ;;
    fuzz) fuzz ;;
    coverage) coverage ;;
    aarch64) aarch64 ;;
    *) die "no such step: $1 (${all_steps[*]})" ;;
  esac
}

[[ $# -gt 0 ]] || set -- "${all_steps[@]}"
tools/install-packages.sh test deep

failed=0
table=
for step in "$@"; do
  say "$step"
  SECONDS=0
  verdict=passed
  run_step "$step" || verdict=FAILED
  [[ $verdict == passed ]] || failed=1
  table+=$(printf '  %-10s %-7s %5d s' "$step" "$verdict" "$SECONDS")$'\n'
done
printf '\ntest-deep:\n%s' "$table"
exit "$failed"
