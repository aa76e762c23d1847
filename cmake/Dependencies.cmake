# SPDX-License-Identifier: BSD-3-Clause
# What Argand is built with. Needed ones stop the configuration with the package's name; optional ones say what is lost.

find_package(OpenMP REQUIRED COMPONENTS C)
find_package(PkgConfig REQUIRED)

# argand_needs(prefix pkg-config-module debian-package): remembered for the package files, see Install.cmake
function(argand_needs prefix module package)
  pkg_check_modules(${prefix} QUIET IMPORTED_TARGET GLOBAL ${module})
  if(NOT ${prefix}_FOUND)
    message(FATAL_ERROR "${module} was not found. Install ${package} (tools/bootstrap.sh does it).")
  endif()
  set_property(GLOBAL APPEND PROPERTY ARGAND_PACKAGE_PREFIXES ${prefix})
  set_property(GLOBAL APPEND PROPERTY ARGAND_PACKAGE_MODULES ${module})
endfunction()

# FFTW computes lines beside our own transforms where it is found: AUTO, or ON (the configuration stops without it), or OFF.
set(ARGAND_FFTW AUTO CACHE STRING "FFTW as one more way to compute lines: AUTO, ON or OFF")
set_property(CACHE ARGAND_FFTW PROPERTY STRINGS AUTO ON OFF)
set(ARGAND_FFTW_LIBRARIES "")
if(ARGAND_FFTW)
  if(NOT ARGAND_FFTW STREQUAL AUTO)
    set(needed REQUIRED)
  endif()
  pkg_check_modules(FFTW ${needed} QUIET IMPORTED_TARGET GLOBAL fftw3)
  pkg_check_modules(FFTWF ${needed} QUIET IMPORTED_TARGET GLOBAL fftw3f)
  if(FFTW_FOUND AND FFTWF_FOUND)
    set(ARGAND_FFTW_LIBRARIES PkgConfig::FFTW PkgConfig::FFTWF)
    set_property(GLOBAL APPEND PROPERTY ARGAND_PACKAGE_PREFIXES FFTW FFTWF)
    set_property(GLOBAL APPEND PROPERTY ARGAND_PACKAGE_MODULES fftw3 fftw3f)
  else()
    message(STATUS "FFTW was not found (Debian: libfftw3-dev): transforms are Argand's own alone")
  endif()
endif()

argand_needs(HDF5 hdf5 libhdf5-dev)
argand_needs(PNG libpng libpng-dev)
argand_needs(ZLIB zlib zlib1g-dev)
argand_needs(LIBXML2 libxml-2.0 libxml2-dev)
