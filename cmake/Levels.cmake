# SPDX-License-Identifier: BSD-3-Clause
# The instruction sets that hot files are compiled for: ARGAND_BUILT_LEVELS. Of those that are left out the C code is told
# (base/cpu.h): a processor that has none of the others is refused when the program runs.

set(ARGAND_LEVELS all CACHE STRING "Instruction sets: all (for packages), native (the best of this processor alone), or a list of baseline avx2 avx512")
set(known baseline)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  list(APPEND known avx2 avx512)
endif()

# argand_native_level(variable): the best level that this processor has.
function(argand_native_level variable)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/native_level.c)
  file(WRITE ${source} "#include \"${PROJECT_SOURCE_DIR}/src/base/cpu_hardware.h\"
int main(void) { return cpu_hardware_level(); }\n")
  try_run(level compiled ${CMAKE_CURRENT_BINARY_DIR} SOURCES ${source} NO_CACHE)
  if(NOT compiled OR NOT level MATCHES "^[0-2]$")
    message(FATAL_ERROR "ARGAND_LEVELS=native: what this processor has cannot be found out here. Give the levels, or all.")
  endif()
  list(GET known ${level} name)
  set(${variable} ${name} PARENT_SCOPE)
endfunction()

if(ARGAND_LEVELS STREQUAL "all")
  set(ARGAND_BUILT_LEVELS ${known})
elseif(ARGAND_LEVELS STREQUAL "native")
  argand_native_level(ARGAND_BUILT_LEVELS)
  message(STATUS "Instruction sets: ${ARGAND_BUILT_LEVELS} alone, the best of this processor; it will be refused by lesser ones (-DARGAND_LEVELS=all: for all processors)")
else()
  set(ARGAND_BUILT_LEVELS ${ARGAND_LEVELS})
endif()
foreach(level ${ARGAND_BUILT_LEVELS})
  if(NOT level IN_LIST known)
    message(FATAL_ERROR "ARGAND_LEVELS: ${level} is none of all, native, ${known}")
  endif()
endforeach()
add_library(argand_levels INTERFACE) # what those who choose among variants must know
foreach(level baseline avx2 avx512)
  if(NOT level IN_LIST ARGAND_BUILT_LEVELS)
    string(TOUPPER ${level} word)
    target_compile_definitions(argand_levels INTERFACE ARGAND_WITHOUT_${word})
  endif()
endforeach()
