#!/usr/bin/env bash
# Runs shellcheck on every shell script of the tree, whatever its name.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

mapfile -d '' -t scripts < <(find . \( -path ./build -o -path ./.git \) -prune -o -type f -size -1000k -print0 |
  xargs -0 grep -lZE -m1 '^#!.*[ /](ba)?sh( |$)|^# shellcheck shell=' --)
[[ ${#scripts[@]} -gt 5 ]] || die 'no scripts found'
shellcheck --external-sources --source-path=SCRIPTDIR "${scripts[@]}"
