# SPDX-License-Identifier: BSD-3-Clause
# make install: library, headers, tool, find_package(argand) and pkg-config files.
# What is installed may be moved as a whole: nothing in it names the prefix.
include(CMakePackageConfigHelpers)
get_property(package_prefixes GLOBAL PROPERTY ARGAND_PACKAGE_PREFIXES)
get_property(package_modules GLOBAL PROPERTY ARGAND_PACKAGE_MODULES)

file(RELATIVE_PATH bin_to_lib ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
set(beside_itself "$ORIGIN") # as the loader calls the folder of a program
if(APPLE)
  set(beside_itself "@loader_path")
endif()
set_target_properties(argand_cli PROPERTIES INSTALL_RPATH "${beside_itself}/${bin_to_lib}")

set(pc_library -largand)
if(ARGAND_ONE_FILE) # in a wheel, which has no symbolic links: Python.cmake
  set(library_links NAMELINK_SKIP)
  set(pc_library -l:libargand.so.${PROJECT_VERSION_MAJOR})
  if(APPLE)
    set(pc_library -largand.${PROJECT_VERSION_MAJOR})
  endif()
endif()
install(TARGETS argand_lib EXPORT argand-targets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ${library_links} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
# Kernels for GPUs, compiled where NVRTC is, with or without a GPU: cmake --build . --target kernels; what is there is installed.
set(ARGAND_KERNELS_FOR h200 a100 b200 rtx5090 CACHE STRING "Chips for which the target kernels compiles: h200 h100 a100 b200 rtx5090")
set(kernels_folder ${PROJECT_BINARY_DIR}/share/argand/kernels)
separate_arguments(kernels_chips UNIX_COMMAND "${ARGAND_KERNELS_FOR}")
add_custom_target(kernels COMMAND python3 -B ${PROJECT_SOURCE_DIR}/tools/kernels.py $<TARGET_FILE:argand_cli> ${kernels_folder} ${kernels_chips}
                  DEPENDS argand_cli VERBATIM USES_TERMINAL COMMENT "Compiling kernels for ${ARGAND_KERNELS_FOR}")
install(DIRECTORY ${kernels_folder} DESTINATION ${CMAKE_INSTALL_DATADIR}/argand OPTIONAL)

# The licence of the embedded typeface goes where the library goes.
install(FILES src/io/picture/typeface-licence.txt DESTINATION ${CMAKE_INSTALL_DATADIR}/argand)
install(DIRECTORY share/workflows DESTINATION ${CMAKE_INSTALL_DATADIR}/argand USE_SOURCE_PERMISSIONS PATTERN README.md EXCLUDE)
install(TARGETS argand_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
# Manual pages and completions, from the tables of options: the tool prints them, under an emulator if it is another machine's.
if(NOT CMAKE_CROSSCOMPILING OR CMAKE_CROSSCOMPILING_EMULATOR)
  set(tool ${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:argand_cli>)
  set(pages ${PROJECT_BINARY_DIR}/share)
  add_custom_command(OUTPUT ${pages}/man/man1/argand.1 DEPENDS argand_cli ${PROJECT_SOURCE_DIR}/cmake/ManPages.cmake VERBATIM
                     COMMAND ${CMAKE_COMMAND} "-DTOOL=${tool}" -DOUT=${pages} -P ${PROJECT_SOURCE_DIR}/cmake/ManPages.cmake)
  add_custom_target(argand_pages ALL DEPENDS ${pages}/man/man1/argand.1)
  install(DIRECTORY ${pages}/man ${pages}/bash-completion ${pages}/zsh DESTINATION ${ARGAND_PAGES_DESTINATION} OPTIONAL)
endif()
install(DIRECTORY include/argand DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/argand)
install(EXPORT argand-targets NAMESPACE argand:: DESTINATION ${config_dir})
configure_package_config_file(cmake/argand-config.cmake.in argand-config.cmake INSTALL_DESTINATION ${config_dir})
write_basic_package_version_file(argand-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/argand-config.cmake ${PROJECT_BINARY_DIR}/argand-config-version.cmake
        DESTINATION ${config_dir})
file(RELATIVE_PATH pc_to_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" pc_to_prefix ${pc_to_prefix})
# A static library needs what it was built with on every link line, in whatever form that is installed; a shared one brings it along,
# and asks for no package of those: pkg-config --static finds the plain flags, for a libargand.a beside it.
set(pc_libs " -lm ${ARGAND_THREADS_LIBS}")
if(ARGAND_CXX_RUNTIME)
  string(APPEND pc_libs " -l${ARGAND_CXX_RUNTIME}")
endif()
if(BUILD_SHARED_LIBS)
  set(flags)
  foreach(prefix IN LISTS package_prefixes)
    list(APPEND flags ${${prefix}_STATIC_LDFLAGS})
  endforeach()
  list(REMOVE_DUPLICATES flags)
  list(JOIN flags " " flags)
  set(pc_private "Libs.private: ${flags}${pc_libs}")
  set(pc_libs)
else()
  list(JOIN package_modules " " pc_requires)
  string(PREPEND pc_requires "Requires: ")
endif()
configure_file(cmake/argand.pc.in argand.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/argand.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
