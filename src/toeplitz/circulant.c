/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes the circulant matrix nearest to a normal operator (T. Chan, SIAM J. Sci. Stat. Comput. 9:766,
 * 1988): each element is the mean of the operator's elements at the same cyclic distance. For conj(V_n)
 * q(n - m) V_m, where V is the product of coil map and diagonal, this mean is the sum of q(d) r(d) over
 * the distances d that coincide cyclically; r(d) is the mean of conj(V_n) V_(n-d). The eigenvalues are x^H
 * T x for plane waves x; they are never negative if T is not. */
#include "toeplitz/circulant.h"

#include <string.h>
#include "array/copy.h"
#include "array/array.h"
#include "base/memory.h"
#include "device/device.h"
#include "fft/plan/waiting.h"
#include "toeplitz/apply.h"

/* All arrays are on the host's device, in the precision of the operator. */
typedef struct builder {
    const argand_toeplitz *t;
    argand_device *host;
    argand_fft *doubled, *image;
    argand_array *kernel, *autocorrelation, *line; /* on the grid: q; sum of |V^|^2, then r; one V */
    argand_array *sum;          /* {n...}: first column of the circulant matrix, then its eigenvalues */
    argand_array *maps, *space; /* copies, or NULL */
    int64_t coils;
} builder;

static argand_status make_fft(argand_fft **plan, const builder *b, const int64_t *n)
{
    argand_fft_options options = {.type = b->t->type, .rank = b->t->rank};
    for (int d = 0; d < b->t->rank; d++) options.n[d] = n[d];
    return fft_create_waiting(plan, b->host, &options);
}

static argand_status open(builder *b, const argand_array *maps)
{
    const argand_toeplitz *t = b->t;
    TRY(device_host(&b->host, t->device));
    TRY(make_fft(&b->doubled, b, t->grid));
    TRY(make_fft(&b->image, b, t->n));
    TRY(argand_array_create(&b->kernel, b->host, t->type, t->rank, t->grid));
    TRY(argand_array_create(&b->autocorrelation, b->host, t->type, t->rank, t->grid));
    TRY(argand_array_create(&b->line, b->host, t->type, t->rank, t->grid));
    TRY(argand_array_create(&b->sum, b->host, t->type, t->rank, t->n));
    if (maps) TRY(array_on_device(&b->maps, maps, b->host));
    b->coils = maps ? argand_array_count(maps) / t->pixels : 1;
    return t->space ? array_on_device(&b->space, t->space, b->host) : ARGAND_OK;
}

static void close(builder *b)
{
    argand_array *const arrays[] = {b->space, b->maps, b->sum, b->line, b->autocorrelation, b->kernel};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) argand_array_destroy(arrays[i]);
    argand_fft_destroy(b->image);
    argand_fft_destroy(b->doubled);
}

typedef struct number {
    double re, im;
} number;

static number get(const argand_array *array, int64_t i)
{
    const void *data = argand_array_data(array);
    if (array->type == ARGAND_C64) return ((const number *)data)[i];
    return (number){(double)((const float *)data)[2 * i], (double)((const float *)data)[2 * i + 1]};
}

static void set(argand_array *array, int64_t i, number value)
{
    void *data = argand_array_data(array);
    if (array->type == ARGAND_C64) {
        ((number *)data)[i] = value;
    } else {
        ((float *)data)[2 * i] = (float)value.re;
        ((float *)data)[2 * i + 1] = (float)value.im;
    }
}

static number times(number a, number b)
{
    return (number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/* Computes the kernel q from its spectrum. */
static argand_status take_kernel(const builder *b, int kernel)
{
    const argand_toeplitz *t = b->t;
    argand_array *part = NULL, *here = NULL;
    argand_status status;
    TRY_OR_DONE(argand_array_part(&part, t->spectrum, 1, kernel, 1));
    TRY_OR_DONE(array_on_device(&here, part, b->host));
    TRY_OR_DONE(argand_device_wait(b->host));
    for (int64_t i = 0; i < argand_array_count(b->kernel); i++) {
        const int64_t row = i / t->grid[0],
                      at = toeplitz_place(
                          t, (const int64_t[3]){i % t->grid[0], row % t->grid[1], row / t->grid[1]});
        const void *data = argand_array_data(here);
        set(b->kernel, i,
            (number){toeplitz_is_double(t) ? ((const double *)data)[at] : (double)((const float *)data)[at],
                     0});
    }
    status = argand_fft_apply(b->doubled, b->kernel, b->kernel, ARGAND_INVERSE);
done:
    argand_array_destroy(here);
    argand_array_destroy(part);
    return status;
}

/* Fills V of one coil and kernel, padded with zeros. */
static void fill_line(const builder *b, int64_t coil, int kernel)
{
    const argand_toeplitz *t = b->t;
    memset(argand_array_data(b->line), 0,
           (size_t)argand_array_count(b->line) * argand_type_size(argand_array_type(b->line)));
    for (int64_t i = 0; i < t->pixels; i++) {
        const int64_t row = i / t->n[0], y = row % t->n[1], z = row / t->n[1];
        number value = {1, 0};
        if (b->maps) value = get(b->maps, coil * t->pixels + i);
        if (b->space) value = times(value, get(b->space, kernel * t->pixels + i));
        set(b->line, (z * t->grid[1] + y) * t->grid[0] + i % t->n[0], value);
    }
}

/* Computes the sum over coils and pixels of conj(V_n) V_(n+d), times the number of grid points. */
static argand_status correlate(const builder *b, int kernel)
{
    TRY(argand_array_fill(b->autocorrelation, (argand_scalar){0, 0}));
    for (int64_t c = 0; c < b->coils; c++) {
        TRY(argand_device_wait(b->host));
        fill_line(b, c, kernel);
        TRY(argand_fft_apply(b->doubled, b->line, b->line, ARGAND_FORWARD));
        TRY(argand_array_multiply(b->autocorrelation, b->line, b->line,
                                  ARGAND_PRODUCT_CONJ | ARGAND_PRODUCT_ADD));
    }
    TRY(argand_fft_apply(b->doubled, b->autocorrelation, b->autocorrelation, ARGAND_INVERSE));
    return argand_device_wait(b->host);
}

/* Adds q(d) r(d) at the cyclic position of d. */
static void wrap(const builder *b)
{
    const argand_toeplitz *t = b->t;
    const double scale = 1 / ((double)t->pixels * (double)argand_array_count(b->kernel));
    for (int64_t z = 1 - t->n[2]; z < t->n[2]; z++)
        for (int64_t y = 1 - t->n[1]; y < t->n[1]; y++)
            for (int64_t x = 1 - t->n[0]; x < t->n[0]; x++) {
                const int64_t d[3] = {x, y, z};
                int64_t there = 0, back = 0, torus = 0;
                for (int axis = 2; axis >= 0; axis--) {
                    there = there * t->grid[axis] + (d[axis] + t->grid[axis]) % t->grid[axis];
                    back = back * t->grid[axis] + (t->grid[axis] - d[axis]) % t->grid[axis];
                    torus = torus * t->n[axis] + (d[axis] + t->n[axis]) % t->n[axis];
                }
                const number product = times(get(b->kernel, there), get(b->autocorrelation, back)),
                             old = get(b->sum, torus);
                set(b->sum, torus, (number){old.re + scale * product.re, old.im + scale * product.im});
            }
}

static argand_status fill(const builder *b, argand_array *eigenvalues)
{
    for (int k = 0; k < b->t->kernels; k++) {
        TRY(take_kernel(b, k));
        TRY(correlate(b, k));
        wrap(b);
    }
    TRY(argand_fft_apply(b->image, b->sum, b->sum, ARGAND_FORWARD));
    return argand_array_real(eigenvalues, b->sum);
}

argand_status toeplitz_circulant(argand_array **out, const argand_toeplitz *t, const argand_array *maps)
{
    builder b = {.t = t};
    CHECK(!t->images, ARGAND_UNSUPPORTED,
          "toeplitz: the circulant matrix of a subspace of images is not computed");
    argand_status status = open(&b, maps);
    if (status == ARGAND_OK) status = argand_array_create(out, b.host, toeplitz_real(t), t->rank, t->n);
    if (status == ARGAND_OK) {
        status = fill(&b, *out);
        if (status != ARGAND_OK) argand_array_destroy(*out);
    }
    close(&b);
    return status;
}

argand_status argand_toeplitz_circulant(argand_array **eigenvalues, const argand_toeplitz *toeplitz,
                                        const argand_array *maps)
{
    if (eigenvalues) *eigenvalues = NULL;
    CHECK(eigenvalues && toeplitz, ARGAND_ARGUMENT, "argand_toeplitz_circulant: a pointer is NULL");
    if (maps) TRY(toeplitz_check_maps(toeplitz, maps, "argand_toeplitz_circulant"));
    return toeplitz_circulant(eigenvalues, toeplitz, maps);
}
