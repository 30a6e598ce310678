#!/usr/bin/env bash
# Installs the build into an empty folder, then builds and runs a program that knows only that folder.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

stage=$folder/stage
"$CMAKE" --install "$BUILD" --prefix "$stage" >"$folder/install.log"

installed_files() {
  echo include/prx/{prx,config,error,output,request,result,runtime,runtimes,units,version}.hpp
  echo lib*/libprx.a libexec/prx/prx-init share/doc/prx/{LICENSE,README.md}
  if [[ -e $BUILD/prx ]]; then
    echo bin/prx bin/prx-sh share/man/man1/prx.1 share/man/man1/prx-run.1
    echo share/bash-completion/completions/prx share/zsh/site-functions/_prx share/fish/vendor_completions.d/prx.fish
  fi
}
cd "$stage"
for file in $(installed_files); do
  [[ -s $file ]] || fail "not installed, or empty: $file"
done

# The same source gives the same files wherever it is built.
if grep -rlF --null -- "$SOURCE/" . | tr '\0' '\n' | grep .; then
  fail "these installed files name the folder they were built in"
fi

cd "$folder"
# The first indented block below "As a library", as a file.
awk '/^## As a library/ { on = 1 } on && /^    / { block = 1; print substr($0, 5); next }
     block && /^[^ ]/ { exit } block { print }' "$SOURCE/README.md" >readme_example.cpp
grep -q create_runtime readme_example.cpp || fail 'README.md has an example of the library' readme_example.cpp

# consumer VERSION: configures the consumer with a wish for a version.
consumer() {
  "$CMAKE" -S "$SOURCE/tests/install/consumer" -B "consumer-$1" -G Ninja -DWANTED_VERSION="$1" \
    -DREADME_EXAMPLE="$folder/readme_example.cpp" \
    -DCMAKE_PREFIX_PATH="$stage" -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF >"consumer-$1.log" 2>&1
}
consumer "$VERSION" || fail "find_package(prx $VERSION)" "consumer-$VERSION.log"
grep -q "prx from $stage" "consumer-$VERSION.log" || fail 'another prx was found' "consumer-$VERSION.log"
! consumer 99.0 || fail 'version 99.0 was found'
grep -q 'with requested version "99.0"' consumer-99.0.log || fail 'not for its version' consumer-99.0.log

"$CMAKE" --build "consumer-$VERSION" >build.log 2>&1 || fail 'the consumer builds' build.log
runs_a_command "consumer-$VERSION/consumer"
[[ $("consumer-$VERSION/readme_example") == Linux ]] || fail 'the example of README.md runs'
# All of the archive, not only what this consumer happens to call.
"consumer-$VERSION/consumer_of_everything" >/dev/null || fail 'with the whole archive it runs'

if [[ -e $stage/bin/prx ]]; then
  [[ $("$stage/bin/prx" --version) == "prx $VERSION" ]] || fail 'prx --version' <("$stage/bin/prx" --version)
  [[ $("$stage/bin/prx" run -c 'echo installed') == installed ]] || fail 'the installed prx runs a command'
fi
