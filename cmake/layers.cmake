# prx_add_layer(NAME SOURCES … [DEPENDS layer …] [LIBS target …]): one target for one folder of src/.
# DEPENDS are the folders this one may include; tools/check_layers.py holds the same order against the
# #include lines. The objects of every layer go into libprx.
function(prx_add_layer name)
  cmake_parse_arguments(arg "" "" "SOURCES;DEPENDS;LIBS" ${ARGN})
  set(target prx_${name})
  add_library(${target} OBJECT ${arg_SOURCES})
  target_include_directories(${target} PUBLIC
    ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${target} PRIVATE prx_build_flags ${arg_LIBS})
  # A library runs no code before main.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:Clang>:-Wglobal-constructors>)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  set_property(GLOBAL APPEND PROPERTY PRX_LAYER_TARGETS ${target})
endfunction()
