#!/usr/bin/env bash
# demo.sh: from a fresh Debian 12 to first commands.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

prx=build/release/prx

# show SENTENCE STATUS COMMAND…: runs a command that must end with STATUS.
show() {
  local sentence=$1 wanted=$2 status=0
  shift 2
  printf '\n# %s\n$ %s\n' "$sentence" "$(command_line "$@")"
  "$@" || status=$?
  [[ $status == "$wanted" ]] || die "that ended with $status, not $wanted"
  [[ $status == 0 ]] || printf '(exit status %s)\n' "$status"
}

# The command as one would type it: quotes only where a shell needs them.
command_line() {
  local word line=
  for word in "$@"; do
    [[ $word =~ ^[A-Za-z0-9_./=:-]+$ ]] || word="'${word//\'/\'\\\'\'}'"
    line+="${line:+ }$word"
  done
  printf '%s' "$line"
}

tools/build.sh release prx_cli

first_commands() {
  show 'A program, started directly: its arguments stay as they are.' 0 \
    "$prx" run -- ls -la
  show 'A shell line: pipes and variables work.' 0 \
    "$prx" run -c 'echo "six times seven is $((6 * 7))" | tr a-z A-Z'
  export DEMO_SECRET='of this terminal only'
  show 'A command sees the variables that the configuration lets through, and no other of this terminal.' 0 \
    "$prx" run -c 'echo "the secret: ${DEMO_SECRET:-not here}"'
  show 'The deadline ends the whole tree, not only the first process. What was printed is kept.' 124 \
    "$prx" run --timeout 1s -c 'echo before; sleep 300 | cat'
  show 'The same as one JSON object: how it ended, what it used, what was left out.' 3 \
    "$prx" run --json -c 'echo out; echo err >&2; exit 3'
  show 'A mistake comes with the step that failed and with something to do about it.' 127 \
    "$prx" run 'ls -la'
  show 'What would be done, and which line or default is behind it.' 0 \
    "$prx" explain -- ls -la
  show 'What works on this machine, what does not, and what to do.' 0 \
    "$prx" doctor
}

first_commands
printf '\nThe program is %s. Next: README.md, and %s --help.\n' "$prx" "$prx"
