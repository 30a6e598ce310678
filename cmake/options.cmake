option(PRX_BUILD_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(PRX_BUILD_BENCHMARKS "Build the benchmarks" OFF)
option(PRX_BUILD_FUZZERS "Build the libFuzzer targets (clang only)" OFF)
option(PRX_WERROR "Treat warnings as errors" OFF)
set(PRX_SANITIZE "" CACHE STRING "Sanitizers of everything but prx-init: address,undefined or thread")

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# One interface target with what every target of ours is compiled with; consumers never see it.
add_library(prx_build_flags INTERFACE)
target_compile_options(prx_build_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast
  -Wnon-virtual-dtor -Woverloaded-virtual -Wundef -Wimplicit-fallthrough -Wvla
  # {.name = value} leaves the other fields at their default on purpose: that is how options are written.
  -Wno-missing-field-initializers
  $<$<BOOL:${PRX_WERROR}>:-Werror>)
if(PRX_SANITIZE)
  set(PRX_SANITIZE_FLAGS -fsanitize=${PRX_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_compile_options(prx_build_flags INTERFACE ${PRX_SANITIZE_FLAGS})
  target_link_options(prx_build_flags INTERFACE ${PRX_SANITIZE_FLAGS})
else()
  # A dynamic C++ start costs 0.75 ms (docs/architecture.md): libstdc++ is linked statically.
  target_link_options(prx_build_flags INTERFACE -static-libstdc++ -static-libgcc)
endif()
