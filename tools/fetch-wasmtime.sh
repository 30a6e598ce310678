#!/usr/bin/env bash
# fetch-wasmtime.sh: lays out the engine wasmtime in build/engines: the library of its Python package and the headers
# of its crate, both of one version and checked. Nothing is compiled. Does nothing where it is there already.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

version=50.0.1
wheel_sha256=cc14c3a17654e0394e0225b11813532ef0cd7bd1e222a0c5494cdedaabeddac4
crate_sha256=3c24d3970786b4baecb5b6aff31759b4f361879e8d99dbd5dc36a9524a0db6e6
root=$PWD/build/engines/wasmtime-$version

if [[ -e $root/lib/libwasmtime.so && -e $root/include/wasmtime.h ]]; then exit 0; fi
[[ $(uname -m) == x86_64 ]] || {
  say 'wasmtime: no library for this machine is known; building without it'
  exit 0
}
without() {
  say "wasmtime: $1; building without it (run $0 again)"
  exit 0
}
# Where rustup puts it, for a shell that has not been told.
export HOME=${HOME:-$(getent passwd "$(id -u)" | cut -d: -f6)}
PATH=$PATH:${CARGO_HOME:-$HOME/.cargo}/bin
for client in cargo cmake pip3; do
  command -v "$client" >/dev/null || without "$client is missing"
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

check() { # FILE SHA256
  echo "$2  $1" | sha256sum --check --quiet - || die "$1 is not the file it should be"
}

say "fetching wasmtime $version"
pip3 download --quiet --no-deps --only-binary :all: --platform manylinux1_x86_64 \
  --dest "$work" "wasmtime==$version" || without 'its package cannot be had'
wheel=$(echo "$work"/wasmtime-*.whl)
check "$wheel" "$wheel_sha256"
python3 -m zipfile -e "$wheel" "$work/wheel"

# A crate that needs the other is how cargo is made to fetch it.
mkdir -p "$work/stub/src"
touch "$work/stub/src/lib.rs"
cat >"$work/stub/Cargo.toml" <<TOML
[package]
name = "stub"
version = "0.0.0"
edition = "2021"
[dependencies]
wasmtime-c-api-impl = "=$version"
TOML
(cd "$work/stub" && cargo fetch --quiet) || without 'its crate cannot be had'
crate=$(find "${CARGO_HOME:-$HOME/.cargo}/registry/cache" -name "wasmtime-c-api-impl-$version.crate" -print -quit)
check "$crate" "$crate_sha256"
tar -xzf "$crate" -C "$work"
cmake "-DCMAKE_INSTALL_PREFIX=$work/root" -P "$work/wasmtime-c-api-impl-$version/cmake/install-headers.cmake" >/dev/null
install -D -m 755 "$work/wheel/wasmtime/linux-x86_64/_libwasmtime.so" "$work/root/lib/libwasmtime.so"
mkdir -p "$(dirname "$root")"
rm -rf "$root"
mv "$work/root" "$root"
