/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans a Toeplitz normal operator: kernels for its samples and field map; describes and destroys them. */
#include "toeplitz/plan.h"

#include <math.h>
#include <stdio.h>
#include "array/array.h"
#include "base/memory.h"
#include "base/plain.h"
#include "device/device.h"
#include "device/range.h"

static void set_sizes(argand_toeplitz *t, const toeplitz_input *input)
{
    t->type = input->options->type;
    t->rank = input->options->rank;
    t->pixels = input->pixels;
    t->samples = input->samples;
    t->shots = input->shots;
    t->parities = 1;
    t->on_host = device_is_host(t->device);
    for (int d = 0; d < 3; d++) {
        t->n[d] = input->n[d];
        t->half[d] = t->grid[d] = 1;
        if (t->n[d] == 1) continue;
        t->half[d] = argand_fft_next_size(t->n[d]);
        t->grid[d] = t->on_host ? argand_fft_next_size(2 * t->n[d] - 1) : 2 * t->half[d];
        t->bits[d] = t->parities;
        t->parities *= 2;
    }
}

static void make_whole(argand_toeplitz *t)
{
    t->is_whole = true;
    t->on_host = false;
    t->parities = 1;
    for (int d = 0; d < 3; d++) {
        if (t->n[d] > 1) t->grid[d] = argand_fft_next_size(2 * t->n[d] - 1);
        t->half[d] = t->n[d];
        t->bits[d] = 0;
    }
}

/* The kernels of all pairs of images take the place of segments. */
static void make_subspace(argand_toeplitz *t, const toeplitz_input *input)
{
    t->images = input->images;
    t->is_complex = input->is_complex;
    t->segments = t->is_complex ? t->images * t->images : t->images * (t->images + 1) / 2;
}

/* Returns the tolerance, which the expansion in time and the NUFFT of the kernels share. */
static double tolerance_of(const toeplitz_input *input)
{
    if (input->options->tolerance > 0) return input->options->tolerance;
    if (input_has_field(input)) return 1e-3;
    return input->options->type == ARGAND_C64 ? 1e-9 : 1e-5;
}

static argand_status make_nodes(segments_doubled *nodes, const argand_toeplitz *t,
                                const toeplitz_input *input, double tolerance)
{
    const argand_toeplitz_options *o = input->options;
    const argand_segments_options options = {.type = o->type,
                                             .count = o->segments,
                                             .tolerance = tolerance,
                                             .t = o->t,
                                             .field_map = o->field_map,
                                             .r2star = o->r2star,
                                             .mask = o->mask};
    argand_device *host;
    *nodes = (segments_doubled){0};
    if (!input_has_field(input)) return ARGAND_OK;
    TRY(device_host(&host, t->device));
    TRY(segments_doubled_make(nodes, host, &options));
    return argand_device_wait(host);
}

static argand_status fill(argand_toeplitz *t, const toeplitz_input *input)
{
    const double tolerance = tolerance_of(input), of_kernel = 0.1 * fmin(tolerance, 1e-5);
    segments_doubled nodes;
    argand_status status;
    set_sizes(t, input);
    TRY(make_nodes(&nodes, t, input, 0.95 * tolerance));
    t->segments = nodes.terms ? nodes.terms : 1;
    if (input->factors) make_subspace(t, input);
    t->kernels = t->shots * t->segments;
    t->segment_error = nodes.error;
    status = toeplitz_make_space(t, input, &nodes);
    if (t->images || (!t->on_host && t->kernels == 1 && !t->space)) make_whole(t);
    if (status == ARGAND_OK) status = toeplitz_make_phases(t);
    if (status == ARGAND_OK) status = toeplitz_make_spectrum(t, input, &nodes, of_kernel);
    segments_doubled_release(&nodes);
    return status;
}

static argand_status create(argand_toeplitz **toeplitz, argand_device *device,
                            const argand_toeplitz_options *options)
{
    argand_toeplitz *t;
    toeplitz_input input;
    TRY(toeplitz_input_read(&input, options));
    argand_status status = NEW(t, 1);
    if (status == ARGAND_OK) {
        atomic_init(&t->users, 1);
        t->device = device_keep(device);
        status = fill(t, &input);
        if (status == ARGAND_OK)
            *toeplitz = t;
        else
            argand_toeplitz_destroy(t);
    }
    toeplitz_input_release(&input);
    return status;
}

argand_status argand_toeplitz_create(argand_toeplitz **toeplitz, argand_device *device,
                                     const argand_toeplitz_options *options)
{
    if (toeplitz) *toeplitz = NULL;
    CHECK(toeplitz && device, ARGAND_ARGUMENT, "toeplitz: no %s given", toeplitz ? "device" : "place");
    range_push("argand toeplitz kernels");
    return range_end(create(toeplitz, device, options));
}

argand_toeplitz *toeplitz_keep(argand_toeplitz *t)
{
    atomic_fetch_add(&t->users, 1);
    return t;
}

void argand_toeplitz_destroy(argand_toeplitz *t)
{
    if (!t || atomic_fetch_sub(&t->users, 1) != 1) return;
    argand_array_destroy(t->phases);
    argand_array_destroy(t->space);
    argand_array_destroy(t->spectrum);
    argand_device_close(t->device);
    memory_free(t);
}

static size_t bytes_of(const argand_array *array)
{
    return array ? (size_t)argand_array_count(array) * argand_type_size(argand_array_type(array)) : 0;
}

void argand_toeplitz_describe(const argand_toeplitz *t, argand_toeplitz_info *info)
{
    if (info) *info = (argand_toeplitz_info){0};
    if (!t || !info) return;
    *info = (argand_toeplitz_info){.type = t->type,
                                   .rank = t->rank,
                                   .n = {t->n[0], t->n[1], t->n[2]},
                                   .grid = {t->grid[0], t->grid[1], t->grid[2]},
                                   .samples = t->samples,
                                   .shots = t->shots,
                                   .segments = t->segments,
                                   .segment_error = t->segment_error,
                                   .bytes = bytes_of(t->spectrum) + bytes_of(t->space) + bytes_of(t->phases),
                                   .images = t->images ? t->images : 1,
                                   .engine = t->images    ? "subspace"
                                             : t->on_host ? "cpu"
                                                          : "fft"};
}

void argand_toeplitz_print(const argand_toeplitz *t, char *text, size_t size)
{
    if (text && size) *text = 0;
    if (!t || !text) return;
    char image[64], grid[64];
    dims_print(image, sizeof image, t->rank, t->n);
    dims_print(grid, sizeof grid, t->rank, t->grid);
    plain_print(text, size, "(toeplitz %s %s grid %s shots %d segments %d error %.2g)",
                toeplitz_is_double(t) ? "c64" : "c32", image, grid, t->shots, t->segments, t->segment_error);
}
