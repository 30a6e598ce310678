# cmake --install: the library with its CMake package, the program, and prx-init, which is also inside the
# library and is installed for hosts that forbid executing memory files.
include(CMakePackageConfigHelpers)
set(prx_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/prx)

install(TARGETS prx EXPORT prxTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES ${PROJECT_BINARY_DIR}/include/prx/version.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/prx)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/prx DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.hpp")

configure_package_config_file(cmake/prxConfig.cmake.in ${PROJECT_BINARY_DIR}/prxConfig.cmake
  INSTALL_DESTINATION ${prx_package_dir})
# Before 1.0 a new minor version may change the API.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/prxConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/prxConfig.cmake ${PROJECT_BINARY_DIR}/prxConfigVersion.cmake
  DESTINATION ${prx_package_dir})
install(EXPORT prxTargets NAMESPACE prx:: DESTINATION ${prx_package_dir})

install(TARGETS prx-init DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/prx)
if(TARGET prx-wasm-wasmtime)
  install(TARGETS prx-wasm-wasmtime DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/prx)
  install(PROGRAMS ${PRX_WASMTIME_LIBRARY} DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/prx)
endif()
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
# Where the README's links lead.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md")

if(TARGET prx_cli)
  install(TARGETS prx_cli DESTINATION ${CMAKE_INSTALL_BINDIR})
  # The same program under another name (src/cli).
  install(PROGRAMS ${PROJECT_BINARY_DIR}/prx-sh DESTINATION ${CMAKE_INSTALL_BINDIR})

  # prx_install_completion(SHELL FOLDER FILE): what `prx completion SHELL` prints, where the shell looks for it.
  set(completions ${PROJECT_BINARY_DIR}/completions)
  file(MAKE_DIRECTORY ${completions})
  function(prx_install_completion shell folder file)
    add_custom_command(OUTPUT ${completions}/${file}
      COMMAND prx_cli completion ${shell} > ${completions}/${file} DEPENDS prx_cli VERBATIM)
    add_custom_target(prx_completion_${shell} ALL DEPENDS ${completions}/${file})
    install(FILES ${completions}/${file} DESTINATION ${CMAKE_INSTALL_DATADIR}/${folder})
  endfunction()
  prx_install_completion(bash bash-completion/completions prx)
  prx_install_completion(zsh zsh/site-functions _prx)
  prx_install_completion(fish fish/vendor_completions.d prx.fish)
endif()
if(TARGET prx_man)
  install(DIRECTORY ${PROJECT_BINARY_DIR}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1
    FILES_MATCHING PATTERN "*.1")
endif()
