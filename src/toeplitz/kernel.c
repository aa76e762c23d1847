/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes the spectra. The kernel of T, q(d) = sum_j w_j exp(2 pi i k_j . d / n) for distances d from -n
 * to n - 1 on each axis, is the adjoint NUFFT of the weights at positions 2k on an image of 2n pixels; d =
 * 0 is pixel n, the centre. The kernel is wrapped onto the grid of the convolution and transformed. Only
 * the real part is kept, because q(-d) = conj(q(d)). */
#include "toeplitz/plan.h"

#include <math.h>
#include <string.h>
#include "array/array.h"
#include "base/memory.h"
#include "base/observe.h"
#include "device/device.h"
#include "fft/plan/waiting.h"

enum { TOGETHER = 8 };                /* largest number of weights in one NUFFT call */
static const double MOST_BYTES = 1e9; /* limit of their images */

/* Work data for the kernels of a shot, on the host's device. */
typedef struct builder {
    argand_toeplitz *t;
    const toeplitz_input *input;
    const segments_doubled *nodes;
    argand_device *host;
    argand_nufft *plan;
    argand_fft *fft;
    int64_t image[3], samples; /* 2n; samples per shot */
    int together;
    argand_array *weights, *images, *grid; /* {samples, together}, {image..., together}, {grid...} */
    argand_array *part;                    /* real part of one kernel, in the layout of t->spectrum */
} builder;

static argand_status open(builder *b, double tolerance)
{
    const argand_toeplitz *t = b->t;
    argand_nufft_options nufft = {.type = t->type, .rank = t->rank, .tolerance = tolerance};
    argand_fft_options fft = {.type = t->type, .rank = t->rank};
    int64_t dims[4] = {1, 1, 1, 1}, points = t->grid[0] * t->grid[1] * t->grid[2];
    double bytes = (double)argand_type_size(t->type);
    for (int d = 0; d < 3; d++) {
        b->image[d] = d < t->rank ? 2 * t->n[d] : 1;
        bytes *= (double)(dims[d] = b->image[d]);
        nufft.n[d] = b->image[d];
        fft.n[d] = t->grid[d];
    }
    const double fit = fmin(MOST_BYTES / bytes, fmin(TOGETHER, t->segments));
    b->together = fit > 1 ? (int)fit : 1;
    dims[t->rank] = b->together;
    TRY(device_host(&b->host, t->device));
    TRY(argand_nufft_create(&b->plan, b->host, &nufft));
    TRY(fft_create_waiting(&b->fft, b->host, &fft));
    TRY(argand_array_create(&b->weights, b->host, t->type, 2, (const int64_t[2]){b->samples, b->together}));
    TRY(argand_array_create(&b->images, b->host, t->type, t->rank + 1, dims));
    TRY(argand_array_create(&b->grid, b->host, t->type, t->rank, t->grid));
    return argand_array_create(&b->part, b->host, toeplitz_real(t), 1, &points);
}

static void close(builder *b)
{
    argand_array_destroy(b->part);
    argand_array_destroy(b->grid);
    argand_array_destroy(b->images);
    argand_array_destroy(b->weights);
    argand_fft_destroy(b->fft);
    argand_nufft_destroy(b->plan);
}

/* Sets the points 2k of one shot. */
static argand_status set_points(builder *b, int shot)
{
    argand_array *k[3] = {NULL};
    double *twice[3] = {NULL};
    argand_status status = ARGAND_OK;
    for (int d = 0; d < b->t->rank && status == ARGAND_OK; d++) {
        status = NEW(twice[d], b->samples);
        for (int64_t j = 0; status == ARGAND_OK && j < b->samples; j++)
            twice[d][j] = 2 * b->input->k[d][shot * b->samples + j];
        if (status == ARGAND_OK)
            status = argand_array_wrap(&k[d], b->host, ARGAND_R64, 1, &b->samples, NULL, twice[d]);
    }
    if (status == ARGAND_OK) status = argand_nufft_set_points(b->plan, k);
    for (int d = 0; d < 3; d++) {
        argand_array_destroy(k[d]);
        memory_free(twice[d]);
    }
    return status;
}

static double time_value(const builder *b, int64_t at)
{
    const void *a = argand_array_data(b->nodes->time);
    return toeplitz_is_double(b->t) ? ((const double *)a)[at] : (double)((const float *)a)[at];
}

/* Finds the images of a kernel of a subspace; returns true for a kernel of imaginary parts. */
static bool images_of(const argand_toeplitz *t, int kernel, int *k, int *l)
{
    const int reals = t->images * (t->images + 1) / 2;
    const bool imaginary = kernel >= reals;
    int rest = imaginary ? kernel - reals : kernel;
    for (*k = 0; rest >= t->images - *k - imaginary; ++*k) rest -= t->images - *k - imaginary;
    *l = *k + rest + imaginary;
    return imaginary;
}

/* Returns the real or imaginary part of conj(f_jk) f_jl for the images of the kernel. */
static double factor_value(const builder *b, int kernel, int64_t j)
{
    int k, l;
    const bool imaginary = images_of(b->t, kernel, &k, &l);
    const double *f = b->input->factors + 2 * (j + b->samples * k),
                 *g = b->input->factors + 2 * (j + b->samples * l);
    return imaginary ? f[0] * g[1] - f[1] * g[0] : f[0] * g[0] + f[1] * g[1];
}

/* Fills w_j a_l(t_j) for `together` nodes; zeros beyond the last node. */
static void fill_weights(const builder *b, int shot, int first)
{
    const bool is_double = toeplitz_is_double(b->t);
    void *data = argand_array_data(b->weights);
#pragma omp parallel for schedule(static) num_threads(argand_device_threads(b->host))
    for (int64_t i = 0; i < b->samples * b->together; i++) {
        const int64_t j = shot * b->samples + i % b->samples;
        const int node = first + (int)(i / b->samples);
        double value = node < b->t->segments ? (b->input->weights ? b->input->weights[j] : 1) : 0;
        if (value != 0 && b->nodes->terms) value *= time_value(b, j + node * b->input->samples);
        if (value != 0 && b->t->images) value *= factor_value(b, node, j);
        if (is_double)
            ((double *)data)[2 * i] = value;
        else
            ((float *)data)[2 * i] = (float)value;
    }
}

/* Converts a position on an axis of the grid to a distance; returns false if no two pixels have this
 * distance. */
static bool distance_at(const argand_toeplitz *t, int axis, int64_t place, int64_t *distance)
{
    *distance = place < t->n[axis] ? place : place - t->grid[axis];
    return place < t->n[axis] || place > t->grid[axis] - t->n[axis];
}

/* Fills one row of the grid: kernel values at distances that occur, zeros elsewhere. Sizes count complex
 * numbers. */
static void wrap_row(const builder *b, int which, int64_t row)
{
    const argand_toeplitz *t = b->t;
    const size_t size = argand_type_size(t->type), n = (size_t)t->n[0], grid = (size_t)t->grid[0];
    const char *from = argand_array_data(b->images);
    char *line = (char *)argand_array_data(b->grid) + size * (size_t)row * grid;
    int64_t y, z;
    const bool has_y = distance_at(t, 1, row % t->grid[1], &y),
               has_z = distance_at(t, 2, row / t->grid[1], &z);
    if (!has_y || !has_z) {
        memset(line, 0, size * grid);
        return;
    }
    const int64_t in_z = t->rank > 2 ? z + t->n[2] : 0, in_y = t->rank > 1 ? y + t->n[1] : 0;
    from += size * (size_t)(((which * b->image[2] + in_z) * b->image[1] + in_y) * b->image[0]);
    memcpy(line, from + size * n, size * n);
    memset(line + size * n, 0, size * (grid - 2 * n + 1));
    memcpy(line + size * (grid - n + 1), from + size, size * (n - 1));
}

/* Returns the index of grid point (x, y, z) in {half..., parities}. */
static int64_t place_by_parity(const argand_toeplitz *t, const int64_t at[3])
{
    int64_t place = 0, stride = 1, parity = 0;
    for (int d = 0; d < 3; d++) {
        place += (t->bits[d] ? at[d] / 2 : at[d]) * stride;
        stride *= t->half[d];
        if (t->bits[d] && at[d] % 2) parity += t->bits[d];
    }
    return place + parity * stride;
}

/* Returns the index of grid point (x, y, z) with the last axis first. */
static int64_t place_in_columns(const argand_toeplitz *t, const int64_t at[3])
{
    int64_t place = 0;
    for (int d = t->rank - 2; d >= 0; d--) place = place * t->grid[d] + at[d];
    return place * t->grid[t->rank - 1] + at[t->rank - 1];
}

int64_t toeplitz_place(const argand_toeplitz *t, const int64_t at[3])
{
    if (t->is_whole) return (at[2] * t->grid[1] + at[1]) * t->grid[0] + at[0];
    return t->on_host ? place_in_columns(t, at) : place_by_parity(t, at);
}

/* Stores one row of the spectrum. In every layout, even points along x have a constant stride, and so have
 * odd ones. */
static void keep_row(const builder *b, int64_t row, double scale)
{
    const argand_toeplitz *t = b->t;
    const void *spectrum = argand_array_data(b->grid);
    void *part = argand_array_data(b->part);
    const int64_t first = row * t->grid[0], y = row % t->grid[1], z = row / t->grid[1],
                  even = toeplitz_place(t, (const int64_t[3]){0, y, z}),
                  odd = toeplitz_place(t, (const int64_t[3]){1, y, z}),
                  step = toeplitz_place(t, (const int64_t[3]){2, y, z}) - even;
    for (int64_t x = 0; x < t->grid[0]; x++) {
        const int64_t to = (x % 2 ? odd : even) + x / 2 * step;
        if (toeplitz_is_double(t))
            ((double *)part)[to] = scale * ((const double *)spectrum)[2 * (first + x)];
        else
            ((float *)part)[to] = (float)(scale * (double)((const float *)spectrum)[2 * (first + x)]);
    }
}

static argand_status make_one(const builder *b, int kernel, int which)
{
    argand_array *place_of_it;
    const int64_t rows = b->t->grid[1] * b->t->grid[2];
    const int threads = argand_device_threads(b->host);
    const double scale = 1 / (double)argand_array_count(b->grid);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t row = 0; row < rows; row++) wrap_row(b, which, row);
    TRY(argand_fft_apply(b->fft, b->grid, b->grid, ARGAND_FORWARD));
    TRY(argand_device_wait(b->host));
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t row = 0; row < rows; row++) keep_row(b, row, scale);
    TRY(argand_array_part(&place_of_it, b->t->spectrum, 1, kernel, 1));
    const argand_status status = argand_array_upload(place_of_it, argand_array_data(b->part));
    argand_array_destroy(place_of_it);
    return status;
}

static argand_status make_shot(builder *b, int shot)
{
    const int segments = b->t->segments;
    TRY(set_points(b, shot));
    for (int first = 0; first < segments; first += b->together) {
        fill_weights(b, shot, first);
        TRY(argand_nufft_adjoint(b->plan, b->images, b->weights));
        TRY(argand_device_wait(b->host));
        for (int l = first; l < segments && l < first + b->together; l++)
            TRY(make_one(b, shot * segments + l, l - first));
        TRY(observe("making Toeplitz kernels", (shot + (double)first / segments) / b->t->shots));
    }
    return ARGAND_OK;
}

argand_status toeplitz_make_spectrum(argand_toeplitz *t, const toeplitz_input *input,
                                     const segments_doubled *nodes, double tolerance)
{
    const int64_t points = t->grid[0] * t->grid[1] * t->grid[2];
    builder b = {.t = t, .input = input, .nodes = nodes, .samples = input->samples / input->shots};
    TRY(argand_array_create(&t->spectrum, t->device, toeplitz_real(t), 2,
                            (const int64_t[2]){points, t->kernels}));
    argand_status status = open(&b, tolerance);
    for (int shot = 0; shot < t->shots && status == ARGAND_OK; shot++) status = make_shot(&b, shot);
    close(&b);
    return status;
}
