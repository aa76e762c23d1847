/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/path.h"

#include <string.h>

bool has_ending(const char *path, const char *ending)
{
    const size_t length = strlen(path), tail = strlen(ending);
    return length > tail && !strcmp(path + length - tail, ending);
}

bool path_is_nifti(const char *path)
{
    return has_ending(path, ".nii") || has_ending(path, ".nii.gz");
}

bool path_is_scan(const char *path)
{
    return has_ending(path, ".h5") || has_ending(path, ".hdf5") || has_ending(path, ".mrd");
}

size_t path_stem(const char *path)
{
    static const char *const endings[] = {".nii.gz", ".nii", ".npy", ".cfl", ".h5"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (has_ending(path, endings[i])) return strlen(path) - strlen(endings[i]);
    return strlen(path);
}
