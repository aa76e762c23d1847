/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and writes arrays in the format that the ending of the file name selects. */
#include <argand/io.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "base/files/file.h"
#include "io/arrays/cfl.h"
#include "io/arrays/npy.h"

#define KNOWN "known are .npy, .cfl (with its .hdr), .nii and .nii.gz"

enum { PATH_SIZE = 4096 };

static argand_status read_nifti(argand_array **array, const char *path, argand_device *device)
{
    return argand_nifti_read(array, path, device, NULL);
}

static argand_status write_nifti(const char *path, const argand_array *array)
{
    return argand_nifti_write(path, array, NULL, 0);
}

typedef struct array_format {
    const char *ending;
    argand_status (*read)(argand_array **array, const char *path, argand_device *device);
    argand_status (*write)(const char *path, const argand_array *array);
} array_format;

static const array_format formats[] = {
    {".nii.gz", read_nifti, write_nifti},
    {".nii", read_nifti, write_nifti},
    {".npy", npy_read, npy_write},
    {".cfl", cfl_read, cfl_write},
};
enum { FORMATS = sizeof formats / sizeof *formats };

const char *argand_array_format(int index)
{
    return index >= 0 && index < FORMATS ? formats[index].ending : NULL;
}

static const array_format *format_of(const char *path)
{
    for (int i = 0; i < FORMATS; i++)
        if (file_ends_with(path, formats[i].ending)) return &formats[i];
    return NULL;
}

const char *argand_array_ending(const char *path)
{
    const array_format *format = path ? format_of(path) : NULL;
    return format ? path + strlen(path) - strlen(format->ending) : NULL;
}

/* Returns true if the name is that of an .img, or of a .hdr next to one. */
static bool is_of_pair(const char *path)
{
    char image[PATH_SIZE];
    const size_t length = strlen(path);
    if (!file_ends_with(path, ".hdr")) return file_ends_with(path, ".img");
    if (length >= sizeof image) return false;
    snprintf(image, sizeof image, "%.*s.img", (int)(length - strlen(".hdr")), path);
    return !access(image, F_OK);
}

static argand_status find(const array_format **format, const char *path)
{
    *format = format_of(path);
    if (*format) return ARGAND_OK;
    CHECK(!is_of_pair(path), ARGAND_ARGUMENT,
          "%s: is of a .hdr/.img pair of NIfTI or Analyze; make it one file (nifti_tool -copy_image, or "
          "nibabel); " KNOWN,
          path);
    CHECK(!file_ends_with(path, ".hdr"), ARGAND_ARGUMENT, "%s: give the name of the .cfl next to it; " KNOWN,
          path);
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    return dot ? status_set(ARGAND_ARGUMENT, "%s: unknown ending %s; " KNOWN, path, dot)
               : status_set(ARGAND_ARGUMENT, "%s: the name has no ending; " KNOWN, path);
}

/* Returns true if a name without ending denotes BART's pair of files. */
static bool is_pair(const char *path, char *cfl, size_t capacity)
{
    char header[PATH_SIZE];
    const char *slash = strrchr(path, '/');
    if (strchr(slash ? slash : path, '.') || strlen(path) + sizeof ".hdr" > sizeof header) return false;
    snprintf(header, sizeof header, "%s.hdr", path);
    snprintf(cfl, capacity, "%s.cfl", path);
    return !access(header, F_OK) && !access(cfl, F_OK);
}

argand_status argand_array_read(argand_array **array, const char *path, argand_device *device)
{
    if (array) *array = NULL;
    CHECK(array && path && device, ARGAND_ARGUMENT, "%s",
          !path    ? "no file name to read from"
          : !array ? "nowhere to put the array"
                   : "no device");
    const array_format *format;
    char pair[PATH_SIZE];
    if (is_pair(path, pair, sizeof pair)) return cfl_read(array, pair, device);
    TRY(find(&format, path));
    return format->read(array, path, device);
}

argand_status argand_array_write(const char *path, const argand_array *array)
{
    CHECK(path && array, ARGAND_ARGUMENT, "%s", path ? "no array to write" : "no file name to write to");
    const array_format *format;
    TRY(find(&format, path));
    return format->write(path, array);
}
