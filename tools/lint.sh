#!/usr/bin/env bash
# lint.sh: everything that is found by reading: formatting, shell scripts, layers, clang-tidy.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

tools/install-packages.sh lint
say 'formatting'
tools/format.sh
say 'shell scripts'
tools/shellcheck.sh
say 'layers and house rules'
tools/check_layers.py
say 'clang-tidy'
tools/tidy.sh
