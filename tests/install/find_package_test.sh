#!/usr/bin/env bash
# Installs the build into an empty folder, then builds and runs a program that knows only that folder.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

stage=$folder/stage
"$CMAKE" --install "$BUILD" --prefix "$stage" >"$folder/install.log"

installed_files() {
  echo include/prx/{prx,config,error,output,request,result,runtime,runtimes,units,version}.hpp
  echo lib*/libprx.a libexec/prx/prx-init share/doc/prx/{LICENSE,README.md,docs/library.md}
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
# The program of docs/library.md: the indented block from its first #include on.
awk '/^    #include/ { block = 1 } block && /^[^ ]/ { exit } block { print substr($0, 5) }' \
  "$SOURCE/docs/library.md" >library_example.cpp
grep -q create_runtime library_example.cpp || fail 'docs/library.md has a program' library_example.cpp

# consumer VERSION: configures the consumer with a wish for a version.
consumer() {
  "$CMAKE" -S "$SOURCE/tests/install/consumer" -B "consumer-$1" -G Ninja -DWANTED_VERSION="$1" \
    -DREADME_EXAMPLE="$folder/readme_example.cpp" -DLIBRARY_EXAMPLE="$folder/library_example.cpp" \
    -DCMAKE_PREFIX_PATH="$stage" -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF >"consumer-$1.log" 2>&1
}
consumer "$VERSION" || fail "find_package(prx $VERSION)" "consumer-$VERSION.log"
grep -q "prx from $stage" "consumer-$VERSION.log" || fail 'another prx was found' "consumer-$VERSION.log"
! consumer 99.0 || fail 'version 99.0 was found'
grep -q 'with requested version "99.0"' consumer-99.0.log || fail 'not for its version' consumer-99.0.log

"$CMAKE" --build "consumer-$VERSION" >build.log 2>&1 || fail 'the consumer builds' build.log
runs_a_command "consumer-$VERSION/consumer"
[[ $("consumer-$VERSION/readme_example") == Linux ]] || fail 'the example of README.md runs'
printf '%s\n' one 'server: cancelled, 130' 'cat: hello' >expected.out
"consumer-$VERSION/library_example" 2>example.err | cmp -s - expected.out ||
  fail 'the program of docs/library.md runs' example.err
[[ $(<example.err) == two ]] || fail 'the program of docs/library.md streams stderr' example.err
# All of the archive, not only what this consumer happens to call.
"consumer-$VERSION/consumer_of_everything" >/dev/null || fail 'with the whole archive it runs'


# Where memory files may not be executed, the installed prx-init is found wherever the installation was put: by
# --prefix, by DESTDIR, or as a library of a program that lies elsewhere.
DESTDIR=$folder/image "$CMAKE" --install "$BUILD" >"$folder/install.log"
moved=$folder/image$PREFIX
[[ -s $moved/libexec/prx/prx-init ]] || fail "DESTDIR is not honoured" "$folder/install.log"
cp "consumer-$VERSION/consumer" "$stage/bin/consumer"
mkdir "$stage/plugins"
cp "consumer-$VERSION/libplugin.so" "$stage/plugins/"
cp "$stage/libexec/prx/prx-init" "$stage/plugins/"
forbidden=$BUILD/probes/without_memfd
runs_a_command "$forbidden" "$stage/bin/consumer"
LD_LIBRARY_PATH=$stage/plugins runs_a_command "$forbidden" "$PWD/consumer-$VERSION/plugin_host"
if [[ -e $moved/bin/prx ]]; then
  [[ $("$forbidden" "$moved/bin/prx" run --set security.sandbox.backend=none -c 'echo moved') == moved ]] || fail 'prx below DESTDIR runs a command'
fi
# The other way round: without that file there is none.
if [[ -e $PREFIX/libexec/prx/prx-init ]]; then
  printf 'install.moved\t%s is installed here and may have been used instead\n' "$PREFIX/libexec/prx/prx-init" >>"$NOT_PROVEN"
else
  rm "$stage/libexec/prx/prx-init" "$stage/plugins/prx-init"
  ! "$forbidden" "$stage/bin/consumer" >denied.log 2>&1 || fail 'it runs a command without prx-init' denied.log
  grep -q 'install prx-init' denied.log || fail 'the message says what to do' denied.log
  ! LD_LIBRARY_PATH=$stage/plugins "$forbidden" "consumer-$VERSION/plugin_host" >denied.log 2>&1 ||
    fail 'a plugin runs a command without prx-init' denied.log
fi

if [[ -e $stage/bin/prx ]]; then
  [[ $("$stage/bin/prx" --version) == "prx $VERSION" ]] || fail 'prx --version' <("$stage/bin/prx" --version)
  [[ $("$stage/bin/prx" run -c 'echo installed') == installed ]] || fail 'the installed prx runs a command'
fi
