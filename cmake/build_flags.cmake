# One interface target with what every target of ours is built with; consumers never see it. prx-init and the
# probes of the tests have flags of their own: they are never instrumented.
set(gcc $<CXX_COMPILER_ID:GNU>)
set(clang $<CXX_COMPILER_ID:Clang>)
set(optimized $<CONFIG:RelWithDebInfo,Release>)

add_library(prx_build_flags INTERFACE)
target_compile_options(prx_build_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast
  -Wnon-virtual-dtor -Woverloaded-virtual -Wundef -Wimplicit-fallthrough -Wvla
  # {.name = value} leaves the other fields at their default on purpose: that is how options are written.
  -Wno-missing-field-initializers
  # Not -Wnull-dereference: with the optimizer on g++ reports Asio's inlined code and CMSG_FIRSTHDR.
  $<${gcc}:-Wduplicated-cond -Wlogical-op>
  $<${clang}:-Wthread-safety -Wdocumentation>
  # The second: libstdc++ 12's std::stable_sort calls what libstdc++ 12 marks as deprecated.
  $<${clang}:-Wno-missing-designated-field-initializers -Wno-deprecated-declarations>
  $<$<BOOL:${PRX_WERROR}>:-Werror>)

# Hardening of optimized builds: fortified calls, stack canaries, no writable relocations; and no path of the
# build machine in the result, so that two builds of one source are the same.
target_compile_options(prx_build_flags INTERFACE $<${optimized}:-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=>)
if(NOT PRX_SANITIZE)
  target_compile_options(prx_build_flags INTERFACE
    $<${optimized}:-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3 -fstack-protector-strong -fstack-clash-protection>
    $<$<AND:${optimized},$<STREQUAL:${CMAKE_SYSTEM_PROCESSOR},x86_64>>:-fcf-protection>)
  target_link_options(prx_build_flags INTERFACE $<${optimized}:-Wl,-z,relro,-z,now -Wl,-z,noexecstack>)
endif()

if(PRX_SANITIZE)
  # -Wno-tsan: Asio's fences are not seen by the thread sanitizer; the locks beside them are.
  target_compile_options(prx_build_flags INTERFACE $<${gcc}:-Wno-tsan>)
  set(sanitize -fsanitize=${PRX_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_compile_options(prx_build_flags INTERFACE ${sanitize})
  target_link_options(prx_build_flags INTERFACE ${sanitize})
elseif(PRX_COVERAGE)
  target_compile_options(prx_build_flags INTERFACE --coverage -fprofile-update=atomic)
  target_link_options(prx_build_flags INTERFACE --coverage)
else()
  # A dynamic C++ start costs 0.75 ms (docs/architecture.md): libstdc++ is linked statically.
  target_link_options(prx_build_flags INTERFACE -static-libstdc++ -static-libgcc)
endif()
