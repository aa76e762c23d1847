/* SPDX-License-Identifier: BSD-3-Clause */
/* Examines names of files without opening them. The library knows the formats of arrays. */
#include "common/path.h"

#include <argand/io.h>
#include <string.h>
#include <strings.h>

bool has_ending(const char *path, const char *ending)
{
    const size_t length = strlen(path), tail = strlen(ending);
    return length > tail && !strcmp(path + length - tail, ending);
}

bool has_ending_any_case(const char *path, const char *ending)
{
    const size_t length = strlen(path), tail = strlen(ending);
    return length > tail && !strcasecmp(path + length - tail, ending);
}

bool path_is_tiff(const char *path)
{
    return has_ending_any_case(path, ".tif") || has_ending_any_case(path, ".tiff");
}

bool path_is_nifti(const char *path)
{
    return has_ending(path, ".nii") || has_ending(path, ".nii.gz");
}

bool path_is_dicom(const char *path)
{
    return has_ending(path, ".dcm");
}

/* Returns true if the first characters of the path are the name of a scan. */
static bool is_scan(const char *path, size_t length)
{
    static const char *const endings[] = {PATH_SCANS};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        const size_t tail = strlen(endings[i]);
        if (length > tail && !strncmp(path + length - tail, endings[i], tail)) return true;
    }
    return false;
}

bool path_is_scan(const char *path)
{
    return is_scan(path, strlen(path));
}

const char *path_scan_array(const char *path)
{
    const char *colon = strrchr(path, ':');
    return colon && is_scan(path, (size_t)(colon - path)) ? colon : NULL;
}

bool path_is_array(const char *path)
{
    const char *ending = argand_array_ending(path);
    return ending && ending > path;
}

size_t path_stem(const char *path)
{
    if (path_is_array(path)) return (size_t)(argand_array_ending(path) - path);
    static const char *const others[] = {".h5", ".dcm"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (has_ending(path, others[i])) return strlen(path) - strlen(others[i]);
    return strlen(path);
}
