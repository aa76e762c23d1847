/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes the figures that summarise a scan. */
#include "info/info.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const info_range nothing = {INFINITY, -INFINITY};

static void widen(info_range *range, double value)
{
    if (value == 0) value = 0; /* a negated field of zeros holds -0, which no reader looks for */
    if (value < range->low) range->low = value;
    if (value > range->high) range->high = value;
}

static void widen_by(info_range *range, const float *x, int64_t n)
{
    for (int64_t i = 0; i < n; i++) widen(range, (double)x[i]);
}

/* Returns the number of different values of the counter at this offset. */
static int different(const argand_scan *scan, size_t offset)
{
    static bool seen[UINT16_MAX + 1];
    int count = 0;
    memset(seen, 0, sizeof seen);
    for (int64_t i = 0; i < scan->acquisition_count; i++) {
        uint16_t value;
        memcpy(&value, (const char *)&scan->acquisitions[i].counters + offset, sizeof value);
        count += !seen[value];
        seen[value] = true;
    }
    return count;
}

static void look_at(info_figures *f, const argand_acquisition *a)
{
    info_range t = nothing;
    widen(&f->samples, (double)a->samples);
    widen(&f->centre, a->centre_sample);
    widen(&f->dwell, a->sample_time);
    widen_by(&t, a->t, a->samples);
    widen(&f->duration, t.high - t.low);
    widen(&f->t, t.low);
    widen(&f->t, t.high);
    for (int d = 0; d < 3; d++) widen_by(&f->k[d], a->k[d], a->samples);
    f->megabytes += 8e-6 * (double)a->samples * a->channels;
}

void info_figure_out(info_figures *f, const argand_scan *scan)
{
    *f = (info_figures){.samples = nothing,
                        .centre = nothing,
                        .dwell = nothing,
                        .duration = nothing,
                        .k = {nothing, nothing, nothing},
                        .t = nothing};
    f->shots = different(scan, offsetof(argand_counters, shot));
    f->partitions = different(scan, offsetof(argand_counters, partition));
    f->slices = different(scan, offsetof(argand_counters, slice));
    f->averages = different(scan, offsetof(argand_counters, average));
    f->contrasts = different(scan, offsetof(argand_counters, contrast));
    f->phases = different(scan, offsetof(argand_counters, phase));
    f->repetitions = different(scan, offsetof(argand_counters, repetition));
    f->sets = different(scan, offsetof(argand_counters, set));
    f->segments = different(scan, offsetof(argand_counters, segment));
    for (int64_t i = 0; i < scan->acquisition_count; i++) look_at(f, &scan->acquisitions[i]);
}

static double magnitude(const void *numbers, int64_t i, argand_type type)
{
    const float *f = numbers;
    const double *d = numbers;
    switch (type) {
    case ARGAND_R32:
        return (double)f[i];
    case ARGAND_R64:
        return d[i];
    case ARGAND_C32:
        return hypot((double)f[2 * i], (double)f[2 * i + 1]);
    default:
        return hypot(d[2 * i], d[2 * i + 1]);
    }
}

info_array info_look_at(const void *numbers, int64_t count, argand_type type)
{
    info_array a = {.values = nothing, .count = count};
    for (int64_t i = 0; i < count; i++) {
        const double value = magnitude(numbers, i, type);
        a.not_finite += !isfinite(value);
        a.zeros += value == 0;
        if (isfinite(value)) widen(&a.values, value);
    }
    return a;
}

const char *info_meaning(const char *name)
{
    static const struct {
        const char *name, *meaning;
    } known[] = {
        {"FieldMap", "off-resonance, rad/s"},
        {"SENSEMap", "coil sensitivities"},
        {"PhaseMaps", "phase of each shot, rad"},
        {"Mask", "where the object is"},
        {"FieldGradientX", "gradient of the field along x, cycles/s per voxel"},
        {"FieldGradientY", "gradient of the field along y, cycles/s per voxel"},
        {"FieldGradientZ", "gradient of the field along z, cycles/s per voxel"},
        {"DensityCompensation", "weights of the samples"},
        {"csm", "coil sensitivities of the simulation"},
        {"phantom", "object of the simulation"},
        {"coil_images", "coil images of the simulation"},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcmp(name, known[i].name)) return known[i].meaning;
    return "";
}
