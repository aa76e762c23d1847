# SPDX-License-Identifier: BSD-3-Clause
# What `pip install .` puts into the Python package beside its modules (pyproject.toml): an installation (bin, lib, include, share) of library,
# tool and headers, and the declarations of include/argand/*.h as cffi keeps them. docs/internals/wheel.md. A build for C needs none of this.
set(ARGAND_LIBRARY "" CACHE STRING "Of the Python package: a libargand that is there already, instead of compiling one; `none`: the system's")
set(ARGAND_INSTALLED "" CACHE PATH "Of the Python package: an installation (its prefix) that goes into it, instead of compiling one")
set(ARGAND_LICENCES "" CACHE PATH "Of the Python package: a folder of licences of libraries that are linked into it")
find_package(Python REQUIRED COMPONENTS Interpreter)
set(binding ${PROJECT_BINARY_DIR}/_binding.py)
file(GLOB headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/argand/*.h)
set(extractor ${PROJECT_SOURCE_DIR}/python/argand/_declarations.py)
add_custom_command(OUTPUT ${binding} VERBATIM DEPENDS ${headers} ${extractor}
                   COMMAND ${Python_EXECUTABLE} ${extractor} ${PROJECT_SOURCE_DIR}/include/argand ${binding} ${PROJECT_VERSION}
                   COMMENT "Reading the headers for Python")
add_custom_target(argand_python ALL DEPENDS ${binding})
install(FILES ${binding} DESTINATION .)
if(ARGAND_LICENCES)
  install(DIRECTORY ${ARGAND_LICENCES}/ DESTINATION ${SKBUILD_METADATA_DIR}/licenses/libraries)
endif()

# Manual pages and completions go where those of Python's programs go (sys.prefix/share); the command `argand` starts the package's tool.
set(ARGAND_PAGES_DESTINATION ${SKBUILD_DATA_DIR}/share)
set(ARGAND_PYTHON_TOOL ${PROJECT_SOURCE_DIR}/python/argand_tool)
function(argand_python_tool)
  install(PROGRAMS ${ARGAND_PYTHON_TOOL} DESTINATION ${SKBUILD_SCRIPTS_DIR} RENAME argand)
endfunction()

set(library)
if(ARGAND_INSTALLED)
  install(PROGRAMS ${ARGAND_INSTALLED}/bin/argand DESTINATION bin)
  install(DIRECTORY ${ARGAND_INSTALLED}/include/argand DESTINATION include)
  install(DIRECTORY ${ARGAND_INSTALLED}/share/argand DESTINATION share)
  install(DIRECTORY ${ARGAND_INSTALLED}/share/man ${ARGAND_INSTALLED}/share/bash-completion ${ARGAND_INSTALLED}/share/zsh
          DESTINATION ${ARGAND_PAGES_DESTINATION})
  argand_python_tool()
  file(GLOB library ${ARGAND_INSTALLED}/lib*/libargand${CMAKE_SHARED_LIBRARY_SUFFIX} ${ARGAND_INSTALLED}/lib/*/libargand${CMAKE_SHARED_LIBRARY_SUFFIX})
elseif(NOT ARGAND_LIBRARY)
  # A wheel has no symbolic links: the library is one file, under the name by which the loader looks for it.
  set(CMAKE_INSTALL_BINDIR bin)
  set(CMAKE_INSTALL_LIBDIR lib)
  set(ARGAND_ONE_FILE ON)
  add_dependencies(argand_python argand_lib argand_cli argand_pages)
  argand_python_tool()
elseif(NOT ARGAND_LIBRARY STREQUAL "none")
  set(library ${ARGAND_LIBRARY})
endif()
if(library)
  file(REAL_PATH ${library} library)
  set(one_name libargand.so.${PROJECT_VERSION_MAJOR})
  if(APPLE)
    set(one_name libargand.${PROJECT_VERSION_MAJOR}.dylib)
  endif()
  install(FILES ${library} DESTINATION lib RENAME ${one_name})
  install(FILES ${PROJECT_SOURCE_DIR}/src/io/picture/typeface-licence.txt DESTINATION share/argand)
  set(ARGAND_LIBRARY ${library}) # nothing is compiled: CMakeLists.txt
endif()
