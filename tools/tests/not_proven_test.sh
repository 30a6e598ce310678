#!/usr/bin/env bash
# report-not-proven.sh and run-tests.sh: what they print, and when they fail.
set -euo pipefail
tools=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# expect STATUS CI TEXT…: the report ends with STATUS and prints each TEXT.
expect() {
  local wanted=$1 ci=$2 status=0 text
  shift 2
  CI=$ci "$tools/report-not-proven.sh" list expected >output 2>&1 || status=$?
  [[ $status == "$wanted" ]] || fail "CI=$ci: status $status, wanted $wanted"
  for text in "$@"; do
    grep -Fqx -- "$text" output || fail "CI=$ci: missing line: $text"
  done
}
fail() {
  printf 'FAILED: %s\n' "$1"
  [[ ! -e output ]] || cat output
  exit 1
}

printf '# comment\nmount.private  # no such device there\n' >expected

: >list
expect 0 true 'not proven here: nothing, every test ran'

printf 'mount.private\tno mount(2)\nmount.private\tno mount(2)\n' >list
expect 0 true 'not proven here:' '  mount.private: no mount(2)'
[[ $(grep -c mount.private output) == 1 ]] || fail 'a repeated line is printed once'

printf 'mount\tno mount(2)\n' >>list
expect 0 '' '  mount: no mount(2) [unexpected]'
expect 0 false
expect 1 true '  mount: no mount(2) [unexpected]' \
  'error: not proven and not expected to be (expected): mount'

# The whole run, on a project whose one test passes and says that something was not proven.
mkdir -p project/build/sample project/tests
cp -r "$tools" project/tools
cp expected project/tests/expected-not-proven.txt
cat >project/build/sample/CTestTestfile.cmake <<'T'
add_test(says "/bin/sh" "-c" "printf 'devices.tty\\tno terminal\\n' >> not-proven.txt; exit $FAIL")
T
# run CI FAIL: the status of run-tests.sh; its output goes to ./output.
run() {
  (cd project && env CI="$1" FAIL="$2" tools/run-tests.sh sample) >output 2>&1 && echo 0 || echo $?
}
[[ $(run '' 0) == 0 ]] || fail 'a run outside CI passes'
grep -q '^  devices.tty: no terminal \[unexpected\]$' output || fail 'the list is in the output'
tail -n 3 output | grep -q '^Total Test time' || fail 'the closing lines come last'
grep -q '^100% tests passed, 0 tests failed out of 1$' output || fail 'the closing lines are the own ones of ctest'
[[ $(run true 0) == 1 ]] || fail 'in CI something unexpected fails the run'
echo devices.tty >>project/tests/expected-not-proven.txt
[[ $(run true 0) == 0 ]] || fail 'in CI something expected passes'
[[ $(run true 3) != 0 ]] || fail 'a failing test fails the run'
grep -q '^0% tests passed, 1 tests failed out of 1$' output || fail 'a failing test is counted'
rm project/build/sample/CTestTestfile.cmake
[[ $(run '' 0) != 0 ]] || fail 'a run without tests fails'
