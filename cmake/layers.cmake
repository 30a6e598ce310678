# prx_add_layer(NAME SOURCES … [LIBS target …]): one target for one folder of src/, whose objects go into libprx.
# Which folder may include which is held by tools/check_layers.py.
function(prx_add_layer name)
  cmake_parse_arguments(arg "" "" "SOURCES;LIBS" ${ARGN})
  set(target prx_${name})
  add_library(${target} OBJECT ${arg_SOURCES})
  target_include_directories(${target} PUBLIC
    ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${target} PRIVATE prx_build_flags ${arg_LIBS})
  # A library runs no code before main, and destroys nothing after it: threads of the host may still be there.
  target_compile_options(${target} PRIVATE
    $<$<CXX_COMPILER_ID:Clang>:-Wglobal-constructors -Wexit-time-destructors>)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  set_property(GLOBAL APPEND PROPERTY PRX_LAYER_TARGETS ${target})
endfunction()
