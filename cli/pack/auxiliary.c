/* SPDX-License-Identifier: BSD-3-Clause */
/* What `argand pack` puts next to the samples: a noise scan, and maps under the names that readers know. */
#include "pack/pack.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_SAMPLES = 65535 };

/* {samples, channels}, with axes of 1 anywhere, as BART has them. */
static argand_status noise_shape(int64_t shape[2], const pack_array *a, const pack_scan *p)
{
    int count = 0;
    shape[0] = shape[1] = 1;
    for (int i = 0; i < a->rank && count < 3; i++)
        if (a->dims[i] > 1 && count++ < 2) shape[count - 1] = a->dims[i];
    if (a->is_complex && count < 3 && shape[1] == p->scan.channels) return ARGAND_OK;
    return report_error(ARGAND_ARGUMENT,
                        "--noise %s: wanted are complex samples of %d channels, [channel, sample] of NumPy",
                        a->path, p->scan.channels);
}

static argand_status fill_noise(pack_scan *p, const pack_array *a, int64_t samples)
{
    const int64_t count = (samples + MOST_SAMPLES - 1) / MOST_SAMPLES, channels = p->scan.channels;
    p->noise = calloc((size_t)count, sizeof *p->noise);
    p->noise_data = malloc((size_t)(samples * channels) * 2 * sizeof(float));
    if (!p->noise || !p->noise_data) return report_error(ARGAND_MEMORY, "no memory for the noise");
    for (int64_t i = 0; i < count; i++) {
        const int64_t from = i * MOST_SAMPLES, left = samples - from,
                      n = left < MOST_SAMPLES ? left : MOST_SAMPLES;
        float *to = p->noise_data + 2 * from * channels;
        p->noise[i] = (argand_acquisition){.flags = ARGAND_FLAG_NOISE,
                                           .samples = n,
                                           .channels = (int)channels,
                                           .sample_time = p->acquisitions->sample_time,
                                           .data = to};
        for (int64_t c = 0; c < channels; c++)
            memcpy(to + 2 * n * c, a->numbers + 2 * (samples * c + from), (size_t)n * 2 * sizeof *to);
    }
    p->scan.noise = p->noise;
    p->scan.noise_count = count;
    return ARGAND_OK;
}

argand_status pack_scan_noise(pack_scan *p, const char *path, argand_device *device)
{
    pack_array a;
    int64_t shape[2];
    argand_status status = pack_array_read(&a, "--noise", path, device);
    if (!status) status = noise_shape(shape, &a, p);
    if (!status) status = fill_noise(p, &a, shape[0]);
    pack_array_free(&a);
    return status;
}

argand_status pack_scan_array(pack_scan *p, const char *name, const char *named, const char *path,
                              argand_device *device, double scale)
{
    pack_array a;
    const int i = p->scan.array_count;
    const argand_status status = pack_array_read(&a, named, path, device);
    if (status) return status;
    argand_scan_array *to = &p->arrays[i];
    *to = (argand_scan_array){
        .type = a.is_complex ? ARGAND_C32 : ARGAND_R32, .rank = a.rank, .data = a.numbers};
    snprintf(to->name, sizeof to->name, "%s", name);
    int64_t count = a.is_complex ? 2 : 1;
    for (int d = 0; d < a.rank; d++) count *= to->dims[d] = a.dims[d];
    for (int64_t j = 0; j < count; j++) a.numbers[j] *= (float)scale;
    p->array_data[i] = a.numbers;
    p->scan.array_count++;
    return ARGAND_OK;
}
