# What reads shell lines for the tool policy: Debian's libtree-sitter and the generated parser that
# tools/fetch-bash-parser.sh lays out. AUTO: used where both are there; ON: an error where they are not. Without them
# every shell line that a rule could be about is supervised.
set(PRX_BASH_PARSER AUTO CACHE STRING "The parser of shell lines: ON, OFF or AUTO")
set_property(CACHE PRX_BASH_PARSER PROPERTY STRINGS ON OFF AUTO)
set(PRX_BASH_PARSER_ROOT ${PROJECT_SOURCE_DIR}/build/parsers/tree-sitter-bash-0.23.3
  CACHE PATH "Where the package tree-sitter-bash is")

set(PRX_HAVE_BASH_PARSER OFF)
if(PRX_BASH_PARSER AND NOT PRX_ONLY_SLOT)
  find_library(PRX_TREE_SITTER_LIBRARY libtree-sitter.a)
  find_path(PRX_TREE_SITTER_INCLUDE tree_sitter/api.h)
  if(PRX_TREE_SITTER_LIBRARY AND PRX_TREE_SITTER_INCLUDE AND EXISTS ${PRX_BASH_PARSER_ROOT}/src/parser.c)
    enable_language(C)
    add_library(prx_bash_parser OBJECT ${PRX_BASH_PARSER_ROOT}/src/parser.c ${PRX_BASH_PARSER_ROOT}/src/scanner.c)
    target_include_directories(prx_bash_parser PRIVATE ${PRX_BASH_PARSER_ROOT}/src)
    target_compile_options(prx_bash_parser PRIVATE -w -O1 -g0 -ffile-prefix-map=${PROJECT_SOURCE_DIR}/=)
    set_target_properties(prx_bash_parser PROPERTIES POSITION_INDEPENDENT_CODE ON)
    # libprx is one archive: the library's objects go into it.
    set(objects ${PROJECT_BINARY_DIR}/tree-sitter)
    file(MAKE_DIRECTORY ${objects})
    execute_process(COMMAND ${CMAKE_AR} x ${PRX_TREE_SITTER_LIBRARY} WORKING_DIRECTORY ${objects}
      COMMAND_ERROR_IS_FATAL ANY)
    file(GLOB PRX_TREE_SITTER_OBJECTS ${objects}/*.o)
    set(PRX_HAVE_BASH_PARSER ON)
  elseif(PRX_BASH_PARSER STREQUAL "ON")
    message(FATAL_ERROR "the parser of shell lines is wanted and not there: install libtree-sitter-dev and run "
      "tools/fetch-bash-parser.sh, or set PRX_BASH_PARSER_ROOT")
  endif()
endif()
