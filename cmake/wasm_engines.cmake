# The engines of the WASM backend, each a library with its headers that tools/fetch-wasmtime.sh lays out. AUTO: used
# where it is there; ON: an error where it is not.
set(PRX_WASM_RUNTIME AUTO CACHE STRING "The WASM backend's engines: ON, OFF or AUTO")
set(PRX_WASMTIME AUTO CACHE STRING "The engine wasmtime: ON, OFF or AUTO")
set_property(CACHE PRX_WASM_RUNTIME PRX_WASMTIME PROPERTY STRINGS ON OFF AUTO)
set(PRX_WASMTIME_VERSION 50.0.1)
set(PRX_WASMTIME_ROOT ${PROJECT_SOURCE_DIR}/build/engines/wasmtime-${PRX_WASMTIME_VERSION}
  CACHE PATH "Where wasmtime's include and lib folders are")

set(PRX_HAVE_WASMTIME OFF)
if(PRX_WASM_RUNTIME AND PRX_WASMTIME AND NOT PRX_ONLY_SLOT)
  find_file(PRX_WASMTIME_LIBRARY libwasmtime.so PATHS ${PRX_WASMTIME_ROOT}/lib NO_DEFAULT_PATH)
  find_path(PRX_WASMTIME_INCLUDE wasmtime.h PATHS ${PRX_WASMTIME_ROOT}/include NO_DEFAULT_PATH)
  if(PRX_WASMTIME_LIBRARY AND PRX_WASMTIME_INCLUDE)
    file(STRINGS ${PRX_WASMTIME_INCLUDE}/wasmtime.h version_line REGEX "define WASMTIME_VERSION \"")
    if(NOT version_line MATCHES "\"${PRX_WASMTIME_VERSION}\"")
      message(FATAL_ERROR "wasmtime's headers in ${PRX_WASMTIME_INCLUDE} are not of version ${PRX_WASMTIME_VERSION}")
    endif()
    # It has no SONAME: linked by its path it would be looked for at that path for ever.
    add_library(prx_wasmtime SHARED IMPORTED GLOBAL)
    set_target_properties(prx_wasmtime PROPERTIES
      IMPORTED_LOCATION ${PRX_WASMTIME_LIBRARY} IMPORTED_NO_SONAME ON)
    target_include_directories(prx_wasmtime SYSTEM INTERFACE ${PRX_WASMTIME_INCLUDE})
    set(PRX_HAVE_WASMTIME ON)
  elseif(PRX_WASMTIME STREQUAL "ON" OR PRX_WASM_RUNTIME STREQUAL "ON")
    message(FATAL_ERROR "wasmtime is wanted and not in ${PRX_WASMTIME_ROOT}: run tools/fetch-wasmtime.sh, or set PRX_WASMTIME_ROOT")
  endif()
endif()
