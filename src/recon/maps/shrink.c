/* SPDX-License-Identifier: BSD-3-Clause */
/* Maps on a grid of fewer pixels over the same field of view: means over the area of each pixel, inside
 * the mask if a part of the pixel is inside. */
#include "recon/maps/maps.h"

#include <math.h>
#include "array/array.h"
#include "base/memory.h"
#include "device/device.h"

/* Pixels of the large grid along an axis, from first on, and the part of each that lies in one pixel of
 * the small grid. */
typedef struct span {
    int64_t first, count;
    double part[3]; /* of the first pixel, of those between, of the last */
} span;

static double part_of(const span *r, int64_t i)
{
    return i == 0 ? r->part[0] : i == r->count - 1 ? r->part[2] : r->part[1];
}

/* Returns the span of pixel i of `few`, in pixels of a grid of `many`; both grids have their centre at
 * floor(n/2). */
static span span_of(int64_t i, int64_t few, int64_t many)
{
    const double width = (double)many / (double)few;
    const double middle = (double)(i - few / 2) * width + (double)(many / 2);
    const double low = fmax(-0.5, middle - width / 2), high = fmin((double)many - 0.5, middle + width / 2);
    const int64_t first = (int64_t)floor(low + 0.5 + 1e-9), last = (int64_t)ceil(high - 0.5 - 1e-9);
    span r = {.first = first, .count = last - first + 1, .part = {1, 1, 1}};
    r.part[0] = fmin(high, (double)first + 0.5) - low;
    if (r.count > 1) r.part[2] = high - ((double)last - 0.5);
    return r;
}

/* Computes the mean over x, y, z of from {n[0], n[1], n[2]}, weighted by `mask` (NULL: 1). Returns false
 * if all weights are 0. */
static bool mean_of(const int64_t n[3], const span at[3], const double *from, const double *mask, int numbers,
                    double *mean)
{
    double sum[2] = {0, 0}, all = 0;
    for (int64_t z = 0; z < at[2].count; z++)
        for (int64_t y = 0; y < at[1].count; y++)
            for (int64_t x = 0; x < at[0].count; x++) {
                const int64_t i = at[0].first + x + n[0] * (at[1].first + y + n[1] * (at[2].first + z));
                const double w = part_of(&at[0], x) * part_of(&at[1], y) * part_of(&at[2], z) *
                                 (mask && mask[i] == 0 ? 0 : 1);
                for (int j = 0; j < numbers; j++) sum[j] += w * from[numbers * i + j];
                all += w;
            }
    for (int j = 0; j < numbers && all > 0; j++) mean[j] = sum[j] / all;
    return all > 0;
}

/* Computes the means for all pixels of the small grid. numbers: 1 for real maps, 2 for complex ones. */
static void shrink(const int64_t n[3], const int64_t few[3], const double *from, const double *mask,
                   int numbers, double *to)
{
    for (int64_t i = 0; i < few[0] * few[1] * few[2]; i++) {
        const int64_t place[3] = {i % few[0], i / few[0] % few[1], i / (few[0] * few[1])};
        span at[3];
        for (int axis = 0; axis < 3; axis++) at[axis] = span_of(place[axis], few[axis], n[axis]);
        if (!mean_of(n, at, from, mask, numbers, to + numbers * i))
            mean_of(n, at, from, NULL, numbers, to + numbers * i);
    }
}

static int64_t pixels_of(const argand_sense *s)
{
    return s->grid.n[0] * s->grid.n[1] * s->grid.n[2];
}

argand_status map_shrink(const argand_sense *small, const argand_sense *s, const argand_array *mask,
                         argand_array **map)
{
    const int64_t pixels = pixels_of(small);
    double *from = NULL, *inside = NULL, *to = NULL;
    argand_array *flat = NULL;
    argand_status status;
    if (!*map) return ARGAND_OK;
    TRY_OR_DONE(numbers_of_array(*map, &from));
    if (mask) TRY_OR_DONE(numbers_of_array(mask, &inside));
    TRY_OR_DONE(NEW(to, pixels));
    shrink(s->grid.n, small->grid.n, from, inside, 1, to);
    TRY_OR_DONE(array_of_numbers(small, to, pixels, &flat));
    argand_array_destroy(*map);
    *map = NULL;
    status = argand_array_reshape(map, flat, small->grid.rank, small->grid.n);
done:
    argand_array_destroy(flat);
    memory_free(from);
    memory_free(inside);
    memory_free(to);
    return status;
}

/* Computes the phase of the mean of exp(i P). */
static void shrink_phase(const int64_t n[3], const int64_t few[3], const double *phase, const double *mask,
                         double *wave, double *mean, double *to)
{
    for (int64_t i = 0; i < n[0] * n[1] * n[2]; i++) {
        wave[2 * i] = cos(phase[i]);
        wave[2 * i + 1] = sin(phase[i]);
    }
    shrink(n, few, wave, mask, 2, mean);
    for (int64_t i = 0; i < few[0] * few[1] * few[2]; i++) to[i] = atan2(mean[2 * i + 1], mean[2 * i]);
}

argand_status phases_shrink(const argand_sense *small, const argand_sense *s, const argand_array *mask,
                            const argand_array *phases, const recon_samples *shots, argand_array **out)
{
    const int64_t pixels = pixels_of(s), few = pixels_of(small);
    int64_t dims[4] = {small->grid.n[0], small->grid.n[1], small->grid.n[2]};
    double *from = NULL, *inside = NULL, *wave = NULL, *mean = NULL, *to = NULL;
    argand_status status;
    dims[small->grid.rank] = shots->shot_count;
    *out = NULL;
    TRY_OR_DONE(numbers_of_array(phases, &from));
    if (mask) TRY_OR_DONE(numbers_of_array(mask, &inside));
    TRY_OR_DONE(NEW(wave, 2 * pixels));
    TRY_OR_DONE(NEW(mean, 2 * few));
    TRY_OR_DONE(NEW(to, few * shots->shot_count));
    for (int i = 0; i < shots->shot_count; i++)
        shrink_phase(s->grid.n, small->grid.n, from + pixels * shots->shots[i].map, inside, wave, mean,
                     to + few * i);
    TRY_OR_DONE(
        argand_array_create(out, argand_array_device(phases), ARGAND_R64, small->grid.rank + 1, dims));
    status = argand_array_upload(*out, to);
done:
    memory_free(from);
    memory_free(inside);
    memory_free(wave);
    memory_free(mean);
    memory_free(to);
    if (status) {
        argand_array_destroy(*out);
        *out = NULL;
    }
    return status;
}
