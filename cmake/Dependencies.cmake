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

argand_needs(FFTW fftw3 libfftw3-dev)
argand_needs(FFTWF fftw3f libfftw3-dev)
argand_needs(HDF5 hdf5 libhdf5-dev)
argand_needs(PNG libpng libpng-dev)
argand_needs(ZLIB zlib zlib1g-dev)
argand_needs(LIBXML2 libxml-2.0 libxml2-dev)
