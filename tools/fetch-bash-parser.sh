#!/usr/bin/env bash
# fetch-bash-parser.sh: lays out the grammar of bash for tree-sitter in build/parsers: the generated parser of its
# package, checked. Does nothing where it is there already.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

version=0.23.3 # the last one of the ABI that Debian 12's libtree-sitter has
sha256=10f4d67f56e07bc6cc34c49afb34e232269c1e0a19933880dfdb5dd738a8fc7d
root=$PWD/build/parsers/tree-sitter-bash-$version

if [[ -e $root/src/parser.c && -e $root/src/scanner.c ]]; then exit 0; fi
without() {
  say "tree-sitter-bash: $1; building without it (run $0 again)"
  exit 0
}
command -v npm >/dev/null || without 'npm is missing'

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
say "fetching tree-sitter-bash $version"
(cd "$work" && npm pack --silent "tree-sitter-bash@$version" >/dev/null) || without 'its package cannot be had'
package=$work/tree-sitter-bash-$version.tgz
echo "$sha256  $package" | sha256sum --check --quiet - || die "$package is not the file it should be"
tar -xzf "$package" -C "$work"
mkdir -p "$(dirname "$root")"
rm -rf "$root"
mv "$work/package" "$root"
