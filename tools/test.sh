#!/usr/bin/env bash
# test.sh: the whole suite on the release build.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

tools/install-packages.sh test
tools/build.sh release
tools/run-tests.sh release
