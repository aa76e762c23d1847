/* SPDX-License-Identifier: BSD-3-Clause */
/* Collects the noise acquisitions of a scan in one array. */
#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "io/ismrmrd/scan.h"

static argand_status check_noise(const argand_scan *scan, int64_t *samples)
{
    CHECK(scan->noise_count > 0, ARGAND_FORMAT,
          "%s: has no noise acquisitions; converters keep a noise scan as a file of its own", scan->path);
    *samples = 0;
    for (int64_t i = 0; i < scan->noise_count; i++) {
        const argand_acquisition *a = &scan->noise[i];
        const double first = scan->noise[0].sample_time;
        CHECK(a->channels == scan->noise[0].channels, ARGAND_FORMAT,
              "%s: noise acquisition %lld has %d channels, the first one has %d", scan->path, (long long)i,
              a->channels, scan->noise[0].channels);
        CHECK(
            fabs(a->sample_time - first) <= 1e-3 * first, ARGAND_FORMAT,
            "%s: noise acquisition %lld has %g us between its samples, the first one %g us. Noise of several "
            "bandwidths cannot be used together",
            scan->path, (long long)i, a->sample_time * 1e6, first * 1e6);
        *samples += a->samples;
    }
    return ARGAND_OK;
}

static void gather(float *to, int64_t total, const argand_scan *scan)
{
    int64_t place = 0;
    for (int64_t i = 0; i < scan->noise_count; i++) {
        const argand_acquisition *a = &scan->noise[i];
        for (int64_t c = 0; c < a->channels; c++)
            memcpy(to + 2 * (place + c * total), a->data + 2 * c * a->samples,
                   2 * (size_t)a->samples * sizeof *to);
        place += a->samples;
    }
}

argand_status argand_scan_noise(argand_array **noise, double *sample_time, const argand_scan *scan,
                                argand_device *device)
{
    int64_t total = 0;
    float *numbers;
    if (noise) *noise = NULL;
    CHECK(noise && scan && device, ARGAND_ARGUMENT, "argand_scan_noise: a pointer is NULL");
    TRY(check_noise(scan, &total));
    const int64_t dims[2] = {total, scan->noise[0].channels};
    TRY(memory_new(&numbers, (size_t)total, 2 * sizeof(float) * (size_t)dims[1]));
    gather(numbers, total, scan);
    argand_status status = argand_array_create(noise, device, ARGAND_C32, 2, dims);
    if (status == ARGAND_OK) status = argand_array_upload(*noise, numbers);
    if (status != ARGAND_OK) {
        argand_array_destroy(*noise);
        *noise = NULL;
    }
    memory_free(numbers);
    if (sample_time) *sample_time = scan->noise[0].sample_time;
    return status;
}
