# SPDX-License-Identifier: BSD-3-Clause
# Cross-compiles for macOS with Zig (PyPI's ziglang), without Apple's SDK: tools/cross_macos.sh calls CMake with it.
#   -DARGAND_ZIG=<the program zig>  -DARGAND_MACOS_PROCESSOR=arm64 or x86_64  -DARGAND_MACOS_STUBS=<folder of headers and stubs>
set(CMAKE_SYSTEM_NAME Darwin)
set(CMAKE_SYSTEM_VERSION 22) # of macOS 13; CMake gives no run path to what it takes for an older system
set(CMAKE_SYSTEM_PROCESSOR ${ARGAND_MACOS_PROCESSOR})
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES ARGAND_ZIG ARGAND_MACOS_PROCESSOR ARGAND_MACOS_STUBS)
set(target x86_64-macos.13.0)
if(ARGAND_MACOS_PROCESSOR STREQUAL arm64)
  set(target aarch64-macos.13.0)
endif()
set(CMAKE_C_COMPILER ${ARGAND_ZIG} cc -target ${target})
set(CMAKE_C_FLAGS_INIT -fno-sanitize=undefined) # which Zig adds to code that is not optimised
set(CMAKE_AR ${ARGAND_MACOS_STUBS}/bin/ar)
set(CMAKE_RANLIB ${ARGAND_MACOS_STUBS}/bin/ranlib)
set(CMAKE_OSX_SYSROOT "" CACHE STRING "")
find_program(CMAKE_INSTALL_NAME_TOOL NAMES llvm-install-name-tool llvm-install-name-tool-14 llvm-install-name-tool-19 REQUIRED)

# OpenMP as Homebrew's libomp gives it to Apple's Clang.
set(OpenMP_C_FLAGS "-fopenmp -I${ARGAND_MACOS_STUBS}/include" CACHE STRING "")
set(OpenMP_C_LIB_NAMES omp CACHE STRING "")
set(OpenMP_omp_LIBRARY ${ARGAND_MACOS_STUBS}/lib/libomp.tbd CACHE STRING "")

set(ENV{PKG_CONFIG_LIBDIR} ${ARGAND_MACOS_STUBS}/lib/pkgconfig)
set(CMAKE_FIND_ROOT_PATH ${ARGAND_MACOS_STUBS})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
