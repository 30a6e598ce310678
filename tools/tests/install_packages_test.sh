#!/usr/bin/env bash
# install-packages.sh with a package manager, an id and a sudo that only write down how they are called.
set -euo pipefail
tools=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir bin

fake() {
  printf '#!/bin/bash\n%s\n' "$2" >"bin/$1"
  chmod +x "bin/$1"
}
# Everything is installed but what $MISSING names.
fake dpkg-query '[[ " $MISSING " == *" ${@: -1} "* ]] || printf "install ok installed"'
fake apt-get 'echo "apt-get $*" >>"$CALLS"'
fake id 'echo "$FAKE_ID"'
export CALLS=$folder/calls

# The real sudo must not be found, so nothing but what the script needs is.
for program in bash env dirname sort cat; do
  ln -s "$(command -v "$program")" "bin/$program"
done

# run MISSING ID PURPOSE…: the exit status; the calls in ./calls, the output in ./output.
run() {
  : >calls
  local missing=$1 id=$2
  shift 2
  env PATH="$folder/bin" MISSING="$missing" FAKE_ID="$id" "$tools/install-packages.sh" "$@" >output 2>&1 && echo 0 || echo $?
}
fail() {
  printf 'FAILED: %s\n' "$1"
  cat output calls
  exit 1
}

[[ $(run '' 0 build test) == 0 && ! -s calls ]] || fail 'with nothing missing nothing is called'
[[ $(run '' 1000 deep) == 0 && ! -s calls ]] || fail 'with nothing missing nobody needs to be root'

[[ $(run 'ninja-build ccache' 0 build) == 0 ]] || fail 'root installs'
[[ $(grep -c . calls) == 2 ]] || fail 'one update, one install'
sed -n 1p calls | grep -q ' update$' || fail 'the update comes first'
sed -n 2p calls | grep -q ' ccache ninja-build$' || fail 'only what is missing is installed'

[[ $(run 'ninja-build' 1000 build) != 0 && ! -s calls ]] || fail 'without root and sudo it fails'
grep -q 'need root or sudo to install: ninja-build$' output || fail 'the message names the packages'

fake sudo 'echo "sudo" >>"$CALLS"; exec "$@"'
[[ $(run 'ninja-build' 1000 build) == 0 ]] || fail 'sudo is used'
[[ $(grep -c '^sudo$' calls) == 2 && $(grep -c '^apt-get' calls) == 2 ]] || fail 'for both calls'

[[ $(run '' 0 nonsense) != 0 ]] || fail 'an unknown purpose fails'
grep -q 'no such purpose: nonsense' output || fail 'and is named'
