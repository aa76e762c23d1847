/* SPDX-License-Identifier: BSD-3-Clause */
/* A scan's samples and trajectory as arrays, in BART's order: SCAN.h5:kspace is {1, samples, acquisitions,
 * coils}, SCAN.h5:trajectory {3, samples, acquisitions} in cycles per field of view, SCAN.h5:times
 * {samples, acquisitions} in seconds. SCAN.h5:noise: {samples, coils} of all noise acquisitions. */
#include "convert/convert.h"

#include <stdlib.h>
#include <string.h>

bool convert_is_samples(const char *name)
{
    static const char *const names[] = {"kspace", "trajectory", "times", "noise"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (name && !strcmp(name, names[i])) return true;
    return false;
}

/* All image data must be alike. */
static argand_status check_alike(const argand_scan *scan)
{
    const argand_acquisition *first = scan->acquisitions;
    if (!scan->acquisition_count)
        return report_error(ARGAND_FORMAT, "%s: no image data to write as k-space", scan->path);
    for (int64_t i = 1; i < scan->acquisition_count; i++) {
        const argand_acquisition *a = &scan->acquisitions[i];
        if (a->samples != first->samples || a->channels != first->channels)
            return report_error(
                ARGAND_FORMAT,
                "%s: acquisition %lld has %lld samples of %d channels, the first has %lld of %d: as one "
                "array they must be alike",
                scan->path, (long long)i, (long long)a->samples, a->channels, (long long)first->samples,
                first->channels);
    }
    return ARGAND_OK;
}

static void gather_samples(float *to, const argand_scan *scan)
{
    const int64_t samples = scan->acquisitions[0].samples, count = scan->acquisition_count;
    for (int64_t i = 0; i < count; i++)
        for (int c = 0; c < scan->acquisitions[0].channels; c++)
            memcpy(to + 2 * samples * (i + count * c), scan->acquisitions[i].data + 2 * samples * c,
                   (size_t)samples * 2 * sizeof *to);
}

/* Complex, as BART stores it. */
static void gather_trajectory(float *to, const argand_scan *scan)
{
    const int64_t samples = scan->acquisitions[0].samples;
    for (int64_t i = 0; i < scan->acquisition_count; i++)
        for (int64_t j = 0; j < samples; j++)
            for (int axis = 0; axis < 3; axis++) {
                const float *k = scan->acquisitions[i].k[axis];
                float *at = to + 2 * (axis + 3 * (j + samples * i));
                at[0] = k ? k[j] : 0;
                at[1] = 0;
            }
}

static argand_status times_of(argand_array **array, const argand_scan *scan, argand_device *device)
{
    const int64_t n = scan->acquisitions->samples, dims[2] = {n, scan->acquisition_count};
    float *values = malloc((size_t)(n * dims[1]) * sizeof *values);
    if (!values) return report_error(ARGAND_MEMORY, "%s: no memory for its times", scan->path);
    for (int64_t i = 0; i < dims[1]; i++)
        memcpy(values + i * n, scan->acquisitions[i].t, (size_t)n * sizeof *values);
    argand_status status = argand_array_create(array, device, ARGAND_R32, 2, dims);
    if (status == ARGAND_OK) status = argand_array_upload(*array, values);
    free(values);
    return status;
}

argand_status convert_samples(argand_array **array, const argand_scan *scan, const char *name,
                              argand_device *device)
{
    const bool kspace = !strcmp(name, "kspace");
    if (!strcmp(name, "noise")) return argand_scan_noise(array, NULL, scan, device);
    argand_status status = check_alike(scan);
    if (status != ARGAND_OK) return status;
    if (!strcmp(name, "times")) return times_of(array, scan, device);
    const argand_acquisition *a = scan->acquisitions;
    const int64_t dims[4] = {kspace ? 1 : 3, a->samples, scan->acquisition_count, kspace ? a->channels : 1};
    float *values = malloc((size_t)(dims[0] * dims[1] * dims[2] * dims[3]) * 2 * sizeof *values);
    if (!values) return report_error(ARGAND_MEMORY, "%s: no memory for its samples", scan->path);
    if (kspace)
        gather_samples(values, scan);
    else
        gather_trajectory(values, scan);
    status = argand_array_create(array, device, ARGAND_C32, kspace ? 4 : 3, dims);
    if (status == ARGAND_OK) status = argand_array_upload(*array, values);
    free(values);
    return status;
}
