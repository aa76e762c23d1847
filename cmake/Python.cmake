# SPDX-License-Identifier: BSD-3-Clause
# What `pip install .` puts into the Python package beside its modules (pyproject.toml): the library, and the declarations of
# include/argand/*.h as cffi keeps them. A build for C needs none of this.
set(ARGAND_LIBRARY "" CACHE STRING "Of the Python package: a libargand that is there already, instead of compiling one; `none`: the system's")
find_package(Python REQUIRED COMPONENTS Interpreter)
set(binding ${PROJECT_BINARY_DIR}/_binding.py)
file(GLOB headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/argand/*.h)
set(extractor ${PROJECT_SOURCE_DIR}/python/argand/_declarations.py)
add_custom_command(OUTPUT ${binding} VERBATIM DEPENDS ${headers} ${extractor}
                   COMMAND ${Python_EXECUTABLE} ${extractor} ${PROJECT_SOURCE_DIR}/include/argand ${binding} ${PROJECT_VERSION}
                   COMMENT "Reading the headers for Python")
add_custom_target(argand_python ALL DEPENDS ${binding})
install(FILES ${binding} DESTINATION . COMPONENT python)

# A wheel has no symbolic links: the file itself, under one name.
set(name libargand${CMAKE_SHARED_LIBRARY_SUFFIX})
if(NOT ARGAND_LIBRARY)
  set(CMAKE_BUILD_WITH_INSTALL_RPATH ON)
  set(CMAKE_INSTALL_RPATH "$ORIGIN")
  add_dependencies(argand_python argand_lib)
  install(FILES $<TARGET_FILE:argand_lib> DESTINATION lib RENAME ${name} COMPONENT python)
elseif(NOT ARGAND_LIBRARY STREQUAL "none")
  file(REAL_PATH ${ARGAND_LIBRARY} library)
  install(FILES ${library} DESTINATION lib RENAME ${name} COMPONENT python)
endif()
if(NOT ARGAND_LIBRARY STREQUAL "none")
  install(FILES ${PROJECT_SOURCE_DIR}/src/io/picture/typeface-licence.txt DESTINATION lib COMPONENT python)
endif()
