/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes PNG through libpng. libpng's errors return by longjmp to png_image, whose variables do not change
 * after setjmp. Warnings are dropped; nothing is printed. */
#include <argand/io.h>

#include <errno.h>
#include <png.h>
#include <stdio.h>
#include <string.h>
#include "base/files/file.h"

enum { LONGEST_SIDE = 1 << 20 };

typedef struct failure {
    int number; /* errno when the error was found */
    char reason[128];
} failure;

static void on_error(png_structp png, png_const_charp reason)
{
    failure *why = png_get_error_ptr(png);
    why->number = errno;
    snprintf(why->reason, sizeof why->reason, "%s", reason);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp reason)
{
    (void)png, (void)reason;
}

/* Returns false after an error, which is in png_get_error_ptr(png). */
static bool write_image(png_structp png, png_infop info, FILE *stream, int width, int height,
                        const uint8_t *pixels, int channels)
{
    if (setjmp(png_jmpbuf(png))) return false;
    png_init_io(png, stream);
    png_set_IHDR(png, info, (png_uint_32)width, (png_uint_32)height, 8,
                 channels == 1 ? PNG_COLOR_TYPE_GRAY : PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    for (int row = 0; row < height; row++)
        png_write_row(png, pixels + (size_t)row * (size_t)width * (size_t)channels);
    png_write_end(png, NULL);
    return true;
}

static argand_status write_draft(file_draft *draft, int width, int height, const uint8_t *pixels,
                                 int channels)
{
    failure why = {0};
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &why, on_error, on_warning);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    const bool made = info;
    const bool good = made && write_image(png, info, draft->stream, width, height, pixels, channels);
    png_destroy_write_struct(png ? &png : NULL, info ? &info : NULL);
    CHECK(made, ARGAND_MEMORY, "%s: no memory to write it", draft->target);
    return good ? ARGAND_OK : file_failed(draft, why.number, why.reason);
}

argand_status argand_png_write(const char *path, int width, int height, const uint8_t *pixels, int channels)
{
    CHECK(path && pixels, ARGAND_ARGUMENT, "PNG: %s",
          path ? "no pixels to write" : "no file name to write to");
    CHECK(width >= 1 && height >= 1 && width <= LONGEST_SIDE && height <= LONGEST_SIDE, ARGAND_ARGUMENT,
          "%s: a picture of %d x %d pixels cannot be written; each side must be 1 to %d", path, width, height,
          LONGEST_SIDE);
    CHECK(channels == 1 || channels == 3, ARGAND_ARGUMENT,
          "%s: %d channels; PNG is written with 1 (grey) or 3 (colour)", path, channels);
    file_draft draft = {0};
    TRY(file_begin(&draft, path));
    errno = 0;
    const argand_status status = write_draft(&draft, width, height, pixels, channels);
    if (status == ARGAND_OK) return file_finish(&draft);
    file_abandon(&draft);
    return status;
}
