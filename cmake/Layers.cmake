# SPDX-License-Identifier: BSD-3-Clause
# One object library per folder of src/. A layer sees only the headers of the layers that it may use: its include
# path is a folder of links to exactly those, so that a wrong #include does not compile.

set(ARGAND_LAYER_DIR ${PROJECT_BINARY_DIR}/layers)

# argand_layer(name USES layer... SOURCES file... LIBRARIES target...)
function(argand_layer name)
  cmake_parse_arguments(arg "" "" "USES;SOURCES;LIBRARIES" ${ARGN})
  set(view ${ARGAND_LAYER_DIR}/${name})
  file(REMOVE_RECURSE ${view})
  file(MAKE_DIRECTORY ${view})
  foreach(used ${name} ${arg_USES})
    file(CREATE_LINK ${PROJECT_SOURCE_DIR}/src/${used} ${view}/${used} SYMBOLIC)
  endforeach()
  add_library(argand_${name} OBJECT ${arg_SOURCES})
  target_include_directories(argand_${name} PRIVATE ${view} ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include)
  target_link_libraries(argand_${name} PRIVATE argand_compiler argand_levels argand_threads ${arg_LIBRARIES})
  target_compile_definitions(argand_${name} PRIVATE ARGAND_BUILDING)
  set_property(GLOBAL APPEND PROPERTY ARGAND_OBJECTS $<TARGET_OBJECTS:argand_${name}>)
  set_property(GLOBAL APPEND PROPERTY ARGAND_LIBRARIES ${arg_LIBRARIES})
endfunction()
