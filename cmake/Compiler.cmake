# SPDX-License-Identifier: BSD-3-Clause
# Warnings, sanitizers, and the instruction sets that hot files are compiled for.

add_library(argand_compiler INTERFACE)
target_compile_options(argand_compiler INTERFACE -Wall -Wextra -Wconversion -Wshadow $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes>
                                                 $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes> -fno-math-errno)
target_compile_definitions(argand_compiler INTERFACE _GNU_SOURCE)
if(APPLE) # constants are enumerators here, also in sums of floating-point numbers
  target_compile_options(argand_compiler INTERFACE -Wno-enum-float-conversion -Wno-missing-field-initializers)
endif()
if(ARGAND_SANITIZE)
  target_compile_options(argand_compiler INTERFACE -fsanitize=${ARGAND_SANITIZE} -fno-omit-frame-pointer
                                                   -fno-sanitize-recover=all)
  target_link_options(argand_compiler INTERFACE -fsanitize=${ARGAND_SANITIZE})
endif()

# GCC 12 for aarch64 stops with an internal error where it vectorises a maximum of converted numbers (fixed in 13). Hot files are free
# of these, and keep the instruction.
if(CMAKE_C_COMPILER_ID STREQUAL GNU AND CMAKE_C_COMPILER_VERSION VERSION_LESS 13 AND CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
  target_compile_options(argand_compiler INTERFACE $<$<NOT:$<BOOL:$<TARGET_PROPERTY:ARGAND_VARIANT>>>:-fno-builtin-fmax;-fno-builtin-fmin>)
endif()

include(${CMAKE_CURRENT_LIST_DIR}/Levels.cmake)
set(ARGAND_FLAGS_baseline -Wno-psabi) # notes on vectors as parameters, which inlined functions alone have
set(ARGAND_FLAGS_avx2 -mavx2 -mfma)
set(ARGAND_FLAGS_avx512 -mavx512f -mavx512dq -mavx512vl -mavx512bw -mfma -mprefer-vector-width=512)

# Sanitized code takes minutes to optimise and gains nothing from it; nor from debug information beyond functions and lines, or
# from checks of what the address sanitizer sees where it is used. Fuzzers read files, which no variant does.
set(ARGAND_VARIANT_OPTIMISATION -O3 CACHE STRING "Optimisation of hot files, for example -O1 to build quickly what need not be fast")
set(ARGAND_VARIANT_UNCHECKED null,alignment,object-size,pointer-overflow)
if(ARGAND_SANITIZE)
  set(ARGAND_VARIANT_OPTIMISATION -O1 -g1)
endif()
if(ARGAND_FUZZ)
  set(ARGAND_VARIANT_UNCHECKED all)
endif()

# argand_variants(layer file): compiles one C file of a layer for both precisions and for each instruction set.
# The file sees REAL (float or double), REAL_BITS (32 or 64), LEVEL (baseline, avx2, avx512) and VARIANT(name),
# which makes name_f32_avx2 and so on; base/cpu.h chooses among them when the program runs. Levels: Levels.cmake.
# -fno-trapping-math: without it GCC vectorises no loop with a comparison below AVX-512.
function(argand_variants layer file)
  string(REGEX REPLACE "\\.c$" "" stem ${file})
  string(REPLACE "/" "_" stem ${stem})
  if(ARGAND_SANITIZE) # a source's options come after those of a target, which ask for all checks
    set_property(SOURCE ${file} APPEND PROPERTY COMPILE_OPTIONS -fno-sanitize=${ARGAND_VARIANT_UNCHECKED})
  endif()
  foreach(level ${ARGAND_BUILT_LEVELS})
    foreach(bits 32 64)
      set(target argand_${layer}_${stem}_f${bits}_${level})
      add_library(${target} OBJECT ${file})
      set_target_properties(${target} PROPERTIES ARGAND_VARIANT ON)
      target_include_directories(${target} PRIVATE ${ARGAND_LAYER_DIR}/${layer} ${PROJECT_SOURCE_DIR}/include)
      target_link_libraries(${target} PRIVATE argand_compiler argand_threads)
      target_compile_options(${target} PRIVATE ${ARGAND_VARIANT_OPTIMISATION} ${ARGAND_FLAGS_${level}} -ffp-contract=fast
                                                    -fno-trapping-math)
      target_compile_definitions(${target} PRIVATE ARGAND_BUILDING LEVEL=${level} REAL_BITS=${bits}
                                                   REAL=$<IF:$<EQUAL:${bits},32>,float,double>)
      set_property(GLOBAL APPEND PROPERTY ARGAND_OBJECTS $<TARGET_OBJECTS:${target}>)
    endforeach()
  endforeach()
endfunction()
