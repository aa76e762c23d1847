/* SPDX-License-Identifier: BSD-3-Clause */
/* The formats that need a library: a table of functions each, or what this build lacks. */
#include "io/raster/png.h"
#include "io/raster/raster.h"

#ifdef ARGAND_HAVE_OPENEXR
#include "io/raster/exr.h"
#endif
#ifdef ARGAND_HAVE_TIFF
#include "io/raster/tiff.h"
#endif
#ifdef ARGAND_HAVE_JPEG
#include "io/raster/jpeg.h"
#endif

const raster_format raster_exr = {
    .endings = {".exr"},
#ifdef ARGAND_HAVE_OPENEXR
    .whole_numbers = true,
    .open = raster_exr_open,
    .decode = raster_exr_decode,
    .read_row = raster_exr_read,
    .create = raster_exr_create,
    .write_row = raster_exr_write,
    .finish = raster_exr_complete,
    .close = raster_exr_close,
#else
    .lacks = "Argand was built without OpenEXR (Debian: libopenexr-dev and g++); install it and build again",
#endif
};

const raster_format raster_png = {
    .endings = {".png"},
    .open = raster_png_open,
    .decode = raster_png_decode,
    .read_row = raster_png_read,
    .create = raster_png_create,
    .write_row = raster_png_write,
    .finish = raster_png_finish,
    .close = raster_png_close,
};

const raster_format raster_tiff = {
    .endings = {".tif", ".tiff"},
#ifdef ARGAND_HAVE_TIFF
    .open = raster_tiff_open,
    .decode = raster_tiff_decode,
    .read_row = raster_tiff_read,
    .create = raster_tiff_create,
    .write_row = raster_tiff_write,
    .finish = raster_tiff_complete,
    .close = raster_tiff_close,
#else
    .lacks = "Argand was built without libtiff 4.5 (Debian: libtiff-dev); install it and build again",
#endif
};

const raster_format raster_jpeg = {
    .endings = {".jpg", ".jpeg"},
#ifdef ARGAND_HAVE_JPEG
    .open = raster_jpeg_open,
    .decode = raster_jpeg_decode,
    .read_row = raster_jpeg_read,
    .close = raster_jpeg_close,
#else
    .lacks = "Argand was built without libjpeg (Debian: libjpeg-dev); install it and build again",
#endif
};
