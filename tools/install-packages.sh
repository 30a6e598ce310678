#!/usr/bin/env bash
# install-packages.sh PURPOSE…: installs the Debian packages of each purpose that are missing.
# Asks for root only when something is missing.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

packages_for() {
  case $1 in
    make) echo make ;;
    build)
      echo g++ cmake ninja-build ccache \
        libboost1.81-dev libtomlplusplus-dev libcli11-dev libfmt-dev libvalijson-dev
      ;;
    test)
      packages_for build
      # Beside the test framework: what the tests look at prx with (ps, an ssh agent, shells for the completion
      # scripts, man pages) and what checks the scripts of this folder.
      echo libgtest-dev python3 procps git openssh-client zsh fish man-db groff shellcheck
      # A C compiler and library for WebAssembly, for the programs that the WASM backend is tried with.
      echo clang-14 lld-14 wasi-libc libclang-rt-14-dev-wasm32
      ;;
    bench)
      packages_for build
      # Hosts to compare with, the peers of the sandbox, and what is worked with in it.
      echo python3 python3-pip python3-venv bubblewrap firejail util-linux git nodejs
      ;;
    lint)
      packages_for test
      echo clang-19 clang-tidy-19 clang-format-19
      ;;
    deep)
      packages_for lint
      echo libclang-rt-19-dev llvm-19 gcovr g++-aarch64-linux-gnu
      ;;
    *) die "no such purpose: $1 (make, build, test, bench, lint, deep)" ;;
  esac
}

is_installed() {
  [[ $(dpkg-query --show --showformat='${Status}' "$1" 2>/dev/null) == 'install ok installed' ]]
}

missing_packages() {
  local package
  for package in "$@"; do
    is_installed "$package" || echo "$package"
  done
}

as_root() {
  if [[ $(id -u) == 0 ]]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    die "these packages are missing and need root or sudo to install: ${missing[*]}"
  fi
}

apt() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 "$@"
}

[[ $# -gt 0 ]] || die 'which purpose? (make, build, test, bench, lint, deep)'
if ! command -v dpkg-query >/dev/null; then
  echo 'not a Debian system: tools/install-packages.sh lists what must be installed by hand' >&2
  exit 0
fi

wanted=()
for purpose in "$@"; do
  list=$(packages_for "$purpose")
  read -r -a names <<<"${list//$'\n'/ }"
  wanted+=("${names[@]}")
done
mapfile -t missing < <(missing_packages "${wanted[@]}" | sort -u)
[[ ${#missing[@]} -gt 0 ]] || exit 0

say "installing: ${missing[*]}"
apt update
apt install -y --no-install-recommends "${missing[@]}" >/dev/null
