/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes maps on a device by the method of pixels.c, one pixel an item. The polynomials are summed along z
 * and y there, for the rows of a launch. A launch has as many pixels as a budget of memory allows. */
#include "calib/espirit/espirit.h"

#include <stdio.h>
#include <string.h>
#include "array/layout.h"
#include "base/observe.h"
#include "device/device.h"
#include "kernels/calib/params.h"
#include "mri/host.h"

/* Most pixels of a launch: on a GPU, half of them are more than it runs at a time; on processors, scratch
 * memory should fit their caches. */
enum { MOST_SLOTS = 131072, PROCESSOR_SLOTS = 2048, LEAST_SLOTS = 32, CHUNK = 256 };
static const uint64_t BUDGET = (uint64_t)1 << 30; /* bytes, or an eighth of the device's memory if less */

typedef struct device_image {
    espirit_image *image;
    argand_device *device;
    bool wide;                               /* the device's widest type is double */
    int64_t slots, stride, rows, planes;     /* of a launch: pixels, stride of scratch memory, rows, planes */
    int64_t plane, plane_count;              /* sums along z that are there */
    storage *fields[2], *waves[3], *vectors; /* inputs */
    storage *plane_sums[2], *row_sums[2], *scratch, *counters;
    int64_t launches;
    argand_array *maps, *values;
} device_image;

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static size_t real_bytes(bool is_double)
{
    return is_double ? sizeof(double) : sizeof(float);
}

/* Returns the reals of field f along a row. */
static int64_t row_reals(const device_image *d, int f)
{
    return 2 * d->image->fields[f].items * d->image->fields[f].terms[0];
}

static int64_t tiles_of(const device_image *d)
{
    return (d->image->task->coils + ESPIRIT_TILE - 1) / ESPIRIT_TILE;
}

/* Returns the complex numbers of scratch memory for a pixel. */
static int64_t slot_numbers(const device_image *d)
{
    const int64_t tiles = tiles_of(d), padded = tiles * ESPIRIT_TILE;
    return tiles * (tiles + 1) / 2 * ESPIRIT_TILE * ESPIRIT_TILE +
           (ESPIRIT_MOST + 1 + d->image->sets) * padded;
}

/* ---- inputs */

/* Copies numbers to new memory of the device. */
static argand_status send(const device_image *d, storage **to, const double *numbers, int64_t count,
                          bool is_double)
{
    const size_t bytes = (size_t)count * real_bytes(is_double);
    float *narrow = NULL;
    argand_status status;
    TRY_OR_DONE(storage_scratch(to, d->device, bytes));
    if (!is_double) {
        TRY_OR_DONE(NEW(narrow, count));
        for (int64_t i = 0; i < count; i++) narrow[i] = (float)numbers[i];
    }
    status = storage_upload(*to, 0, is_double ? (const void *)numbers : narrow, bytes);
done:
    memory_free(narrow);
    return status;
}

/* Makes cosines and sines for all positions along an axis, {terms, n}; along x {n, terms}. */
static argand_status send_waves(device_image *d, int axis)
{
    const espirit_image *p = d->image;
    const int64_t n = p->n[axis], terms = larger(p->fields[0].terms[axis], p->fields[1].terms[axis]);
    double *waves = NULL;
    argand_status status;
    TRY_OR_DONE(NEW(waves, (n + 1) * terms));
    double *one = waves + n * terms;
    for (int64_t i = 0; i < n; i++) {
        espirit_waves(terms, pixel_centre(i, n), one);
        for (int64_t t = 0; t < terms; t++) waves[axis == 0 ? t * n + i : i * terms + t] = one[t];
    }
    status = send(d, &d->waves[axis], waves, n * terms, axis == 0 ? p->is_double : d->wide);
done:
    memory_free(waves);
    return status;
}

/* Sends the reference, and the vector that each set starts from where there is no image. */
static argand_status send_vectors(device_image *d)
{
    const espirit_image *p = d->image;
    const int64_t coils = p->task->coils;
    double *vectors = NULL;
    argand_status status;
    TRY_OR_DONE(NEW(vectors, 2 * (p->sets + 1) * coils));
    memcpy(vectors, p->reference, (size_t)(2 * coils) * sizeof *vectors);
    memcpy(vectors + 2 * coils, p->starts, (size_t)(2 * p->sets * coils) * sizeof *vectors);
    status = send(d, &d->vectors, vectors, 2 * (p->sets + 1) * coils, p->is_double);
done:
    memory_free(vectors);
    return status;
}

static argand_status send_inputs(device_image *d)
{
    for (int f = 0; f < 2; f++) {
        const espirit_polynomials *field = &d->image->fields[f];
        TRY(send(d, &d->fields[f], field->coefficients, row_reals(d, f) * field->terms[1] * field->terms[2],
                 d->wide));
    }
    for (int axis = 0; axis < 3; axis++) TRY(send_waves(d, axis));
    return send_vectors(d);
}

/* ---- memory of a launch */

/* Sets the rows and planes that so many pixels may touch. Returns the bytes of a launch. */
static uint64_t size_launch(device_image *d, int64_t slots)
{
    const espirit_image *p = d->image;
    d->slots = slots;
    d->stride = (slots + 31) / 32 * 32 + 32; /* no power of two, which would use few sets of a cache */
    d->rows = (slots + p->n[0] - 2) / p->n[0] + 1;
    d->planes = (d->rows + p->n[1] - 2) / p->n[1] + 1;
    if (d->planes > p->n[2]) d->planes = p->n[2];
    uint64_t bytes = (uint64_t)(d->stride * slot_numbers(d)) * 2 * real_bytes(p->is_double);
    for (int f = 0; f < 2; f++)
        bytes +=
            (uint64_t)row_reals(d, f) * ((uint64_t)d->rows * real_bytes(p->is_double) +
                                         (uint64_t)(d->planes * p->fields[f].terms[1]) * real_bytes(d->wide));
    return bytes;
}

static void release_launch(device_image *d)
{
    storage_release(d->scratch);
    d->scratch = NULL;
    for (int f = 0; f < 2; f++) {
        storage_release(d->row_sums[f]);
        storage_release(d->plane_sums[f]);
        d->row_sums[f] = d->plane_sums[f] = NULL;
    }
}

static argand_status allocate(device_image *d)
{
    const espirit_image *p = d->image;
    const size_t real = real_bytes(p->is_double);
    for (int f = 0; f < 2; f++) {
        const size_t reals = (size_t)row_reals(d, f);
        TRY(storage_scratch(&d->row_sums[f], d->device, reals * (size_t)d->rows * real));
        TRY(storage_scratch(&d->plane_sums[f], d->device,
                            reals * (size_t)(d->planes * p->fields[f].terms[1]) * real_bytes(d->wide)));
    }
    return storage_scratch(&d->scratch, d->device, (size_t)(d->stride * slot_numbers(d)) * 2 * real);
}

/* Chooses the pixels of a launch by the budget, and fewer if the device has no memory for them. */
static argand_status prepare_launches(device_image *d)
{
    const device_traits *traits = device_traits_of(d->device);
    const int64_t *n = d->image->n, pixels = n[0] * n[1] * n[2];
    const uint64_t budget = traits->memory && traits->memory / 8 < BUDGET ? traits->memory / 8 : BUDGET;
    int64_t slots = traits->is_processor ? PROCESSOR_SLOTS : MOST_SLOTS;
    if (slots > pixels) slots = pixels;
    while (size_launch(d, slots) > budget && slots > LEAST_SLOTS) slots = (slots + 1) / 2;
    argand_status status = allocate(d);
    while (status == ARGAND_MEMORY && slots > LEAST_SLOTS) {
        release_launch(d);
        (void)size_launch(d, slots = (slots + 1) / 2);
        status = allocate(d);
    }
    TRY(status);
    d->launches = (pixels + d->slots - 1) / d->slots;
    return storage_new(&d->counters, d->device, (size_t)d->launches * 3 * sizeof(int32_t));
}

/* ---- launches */

/* Starts a kernel in this precision; the run lacks its key. */
static argand_status start(const device_image *d, const char *kernel, bool is_double, kernel_run run)
{
    char key[64];
    snprintf(key, sizeof key, "%s REAL=%s FOR=calib", kernel, is_double ? "double" : "float");
    run.key = key;
    return kernel_start(d->device, &run);
}

/* Sums field f along z for `planes` planes, or along y for rows. */
static argand_status sum_field(const device_image *d, int f, int axis, int64_t first, int64_t count)
{
    const espirit_polynomials *field = &d->image->fields[f];
    const int64_t row = row_reals(d, f), plane = row * field->terms[1], of = axis == 2 ? plane : row;
    const struct espirit_sum_params p = {
        .first = first,
        .n = d->image->n[axis],
        .terms = field->terms[axis],
        .waves = larger(d->image->fields[0].terms[axis], d->image->fields[1].terms[axis]),
        .count = of,
        .stride = of,
        .plane = axis == 2 ? 0 : d->plane,
        .plane_reals = plane,
        .chunk = CHUNK,
        .chunks = (of + CHUNK - 1) / CHUNK};
    storage *const memory[3] = {axis == 2 ? d->plane_sums[f] : d->row_sums[f],
                                axis == 2 ? d->fields[f] : d->plane_sums[f], d->waves[axis]};
    const kernel_run run = {.groups = count * p.chunks,
                            .memory = memory,
                            .memory_count = 3,
                            .params = &p,
                            .params_bytes = sizeof p};
    return start(d, "espirit_sum", axis == 2 ? d->wide : d->image->is_double, run);
}

/* Has the sums of rows [first, first + count) on the device. */
static argand_status sum_rows(device_image *d, int64_t first, int64_t count)
{
    const int64_t rows = d->image->n[1], plane = first / rows,
                  planes = (first + count - 1) / rows - plane + 1;
    if (plane != d->plane || planes > d->plane_count) {
        for (int f = 0; f < 2; f++) TRY(sum_field(d, f, 2, plane, planes));
        d->plane = plane;
        d->plane_count = planes;
    }
    for (int f = 0; f < 2; f++) TRY(sum_field(d, f, 1, first, count));
    return ARGAND_OK;
}

/* Starts launch i. */
static argand_status start_launch(device_image *d, int64_t i)
{
    const espirit_image *im = d->image;
    const int64_t *n = im->n, pixels = n[0] * n[1] * n[2], first = i * d->slots;
    struct espirit_params p = {.first = first,
                               .count = pixels - first < d->slots ? pixels - first : d->slots,
                               .chunk = CHUNK,
                               .slots = d->stride,
                               .n = n[0],
                               .rows = n[1],
                               .pixels = pixels,
                               .coils = im->task->coils,
                               .tiles = tiles_of(d),
                               .sets = im->sets,
                               .matrix_terms = im->fields[0].terms[0],
                               .image_terms = im->fields[1].terms[0],
                               .row = first / n[0],
                               .at = 2 * d->maps->offset,
                               .values = d->values ? d->values->offset : 0,
                               .counters = 3 * i,
                               .crop = layout_scalar(im->crop, espirit_test_crop(im)),
                               .lowest = layout_scalar(espirit_lowest(im), 0),
                               .soft = im->options->soft,
                               .has_values = d->values != NULL};
    storage *const memory[8] = {d->maps->storage, (d->values ? d->values : d->maps)->storage,
                                d->counters,      d->scratch,
                                d->row_sums[0],   d->row_sums[1],
                                d->waves[0],      d->vectors};
    espirit_looks(im, p.look);
    TRY(sum_rows(d, p.row, (first + p.count - 1) / n[0] - p.row + 1));
    const kernel_run run = {.groups = (p.count + CHUNK - 1) / CHUNK,
                            .memory = memory,
                            .memory_count = 8,
                            .params = &p,
                            .params_bytes = sizeof p};
    return start(d, "espirit_maps", im->is_double, run);
}

static argand_status run_launches(device_image *d)
{
    for (int64_t i = 0; i < d->launches; i++) {
        TRY(observe("estimating coil maps", (double)i / (double)d->launches));
        TRY(start_launch(d, i));
    }
    return ARGAND_OK;
}

/* Adds the counters of all launches. */
static argand_status read_counters(const device_image *d)
{
    espirit_image *p = d->image;
    int32_t *counters = NULL;
    argand_status status;
    TRY_OR_DONE(NEW(counters, 3 * d->launches));
    TRY_OR_DONE(storage_download(d->counters, 0, counters, (size_t)(3 * d->launches) * sizeof *counters));
    for (int64_t i = 0; i < d->launches; i++) {
        p->kept += counters[3 * i];
        p->covered += counters[3 * i + 1];
        p->folded += counters[3 * i + 2];
    }
done:
    memory_free(counters);
    return status;
}

/* ---- the whole */

static void release(device_image *d)
{
    release_launch(d);
    storage_release(d->counters);
    storage_release(d->vectors);
    for (int axis = 0; axis < 3; axis++) storage_release(d->waves[axis]);
    for (int f = 0; f < 2; f++) storage_release(d->fields[f]);
}

void espirit_device_want(argand_device *device, bool is_double)
{
    const char *const single[] = {"espirit_sum REAL=double FOR=calib", "espirit_sum REAL=float FOR=calib",
                                  "espirit_maps REAL=float FOR=calib"},
                      *const wide[] = {"espirit_sum REAL=double FOR=calib",
                                       "espirit_maps REAL=double FOR=calib"};
    if (is_double)
        kernels_want(device, wide, 2);
    else
        kernels_want(device, device_has_double(device) ? single : single + 1,
                     device_has_double(device) ? 3 : 2);
}

argand_status espirit_device_pixels(espirit_image *p, argand_device *device, argand_array *maps,
                                    argand_array *values)
{
    device_image d = {.image = p,
                      .device = device,
                      .wide = device_has_double(device),
                      .plane = -1,
                      .maps = maps,
                      .values = values};
    argand_status status;
    p->kept = p->covered = p->folded = 0;
    TRY_OR_DONE(send_inputs(&d));
    TRY_OR_DONE(prepare_launches(&d));
    TRY_OR_DONE(run_launches(&d));
    status = read_counters(&d);
done:
    release(&d);
    return status;
}
