# shellcheck shell=bash
# Sourced by the tests of this folder: $folder is fresh and goes away with the test.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# fail WHAT [FILE]: ends the test, with the last lines of FILE.
fail() {
  printf 'FAILED: %s\n' "$1"
  [[ $# -lt 2 ]] || tail -n 40 "$2"
  exit 1
}

# runs_a_command PROGRAM [ARG…]: the consumer prints the version it was compiled with and the output of a command.
runs_a_command() {
  "$@" >"$folder/run.log" 2>&1 || fail 'the consumer runs' "$folder/run.log"
  printf '%s\n' "prx $VERSION" 'exited 7: hello from a consumer' | cmp -s - "$folder/run.log" ||
    fail 'the consumer runs a command' "$folder/run.log"
}
