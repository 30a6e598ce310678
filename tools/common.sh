# shellcheck shell=bash
# Sourced first by every script of tools/: strict mode, the project's folder, and how scripts talk.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

say() { printf '\n==> %s\n' "$*"; }
die() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}
