/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds arrays to the samples of `argand pack`: a noise scan, and maps under the names that readers know. */
#include "pack/pack.h"
#include "files/shape.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SAMPLES = 65535 };

/* Finds the shape {samples, channels}; dimensions of 1 may be anywhere, as in BART's files. */
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
                                           .sample_time = p->scan.acquisitions->sample_time,
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

/* ---- maps */

/* Collects the dimensions that are not 1; a single one stays. Returns their count. */
static int without_ones(int64_t *kept, int rank, const int64_t *dims)
{
    int count = 0;
    for (int i = 0; i < rank; i++)
        if (dims[i] > 1) kept[count++] = dims[i];
    if (!count) kept[count++] = 1;
    return count;
}

static int count_slices(const pack_scan *p)
{
    int slices = 1;
    for (int64_t i = 0; i < p->scan.acquisition_count; i++)
        if (p->scan.acquisitions[i].counters.slice >= slices)
            slices = p->scan.acquisitions[i].counters.slice + 1;
    return slices;
}

/* Checks a map's shape. Dimensions of 1 may be anywhere. */
static argand_status check_map_shape(const pack_scan *p, const pack_array *a, bool has_coils)
{
    const int64_t *n = p->scan.encodings->matrix;
    const int64_t wanted[5] = {n[0], n[1], n[2], has_coils ? p->scan.channels : 1, count_slices(p)};
    int64_t have[ARGAND_MAX_RANK], want[5];
    const int rank = without_ones(have, a->rank, a->dims), axes = without_ones(want, 5, wanted);
    char its[256], the_image[256];
    if (rank == axes && !memcmp(have, want, (size_t)rank * sizeof *have)) return ARGAND_OK;
    return report_error(
        ARGAND_ARGUMENT,
        "%s %s: has the shape %s, but the image%s has %s (x %s): resample the map, or give the "
        "matrix that the map was made for (--matrix)",
        a->named, a->path, shape_text(its, sizeof its, a->path, rank, have),
        has_coils ? " with its coils" : "", shape_text(the_image, sizeof the_image, a->path, axes, want),
        shape_is_slowest_first(a->path) ? "last" : "first");
}

/* Checks that there is a weight for each sample of a shot, or of each acquisition. */
static argand_status check_weights_shape(const pack_scan *p, const pack_array *a)
{
    const int64_t samples = p->scan.acquisitions->samples;
    int64_t shots = 1, partitions = 1, count = 1;
    for (int64_t i = 0; i < p->scan.acquisition_count; i++) {
        const argand_counters *c = &p->scan.acquisitions[i].counters;
        if (c->shot >= shots) shots = c->shot + 1;
        if (c->partition >= partitions) partitions = c->partition + 1;
    }
    for (int i = 0; i < a->rank; i++) count *= a->dims[i];
    if (count == samples * shots || count == samples * shots * partitions ||
        count == samples * p->scan.acquisition_count)
        return ARGAND_OK;
    return report_error(ARGAND_ARGUMENT,
                        "%s %s: has %lld weights; give one for each of %lld samples of %lld shots", a->named,
                        a->path, (long long)count, (long long)samples, (long long)(shots * partitions));
}

static argand_status check_map(const pack_scan *p, const pack_array *a, const char *name)
{
    const bool coil_maps = !strcmp(name, "SENSEMap");
    if (a->is_complex && !coil_maps)
        return report_error(
            ARGAND_ARGUMENT,
            "%s %s: holds complex numbers, but must be real; argand convert --real writes the real part",
            a->named, a->path);
    if (!strcmp(name, "DensityCompensation")) return check_weights_shape(p, a);
    return check_map_shape(p, a, coil_maps);
}

/* Scales the numbers. Refuses large values that become infinite. */
static argand_status rescale(const pack_array *a, double scale)
{
    int64_t count = a->is_complex ? 2 : 1;
    for (int d = 0; d < a->rank; d++) count *= a->dims[d];
    for (int64_t i = 0; i < count; i++) {
        a->numbers[i] *= (float)scale;
        if (!isfinite(a->numbers[i]))
            return report_error(ARGAND_FORMAT, "%s %s: element %lld of memory is not finite in rad/s",
                                a->named, a->path, (long long)i);
    }
    return ARGAND_OK;
}

argand_status pack_scan_array(pack_scan *p, const char *name, const char *named, const char *path,
                              argand_device *device, double scale)
{
    pack_array a;
    const int i = p->scan.array_count;
    argand_status status = pack_array_read(&a, named, path, device);
    if (!status) status = check_map(p, &a, name);
    if (!status) status = rescale(&a, scale);
    if (status) {
        pack_array_free(&a);
        return status;
    }
    argand_scan_array *to = &p->arrays[i];
    *to = (argand_scan_array){
        .type = a.is_complex ? ARGAND_C32 : ARGAND_R32, .rank = a.rank, .data = a.numbers};
    snprintf(to->name, sizeof to->name, "%s", name);
    for (int d = 0; d < a.rank; d++) to->dims[d] = a.dims[d];
    p->array_data[i] = a.numbers;
    p->scan.array_count++;
    return ARGAND_OK;
}
