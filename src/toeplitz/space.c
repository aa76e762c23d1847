/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes the diagonals: mask, phase of a shot, exp(-z tau) of a node in time. */
#include "toeplitz/plan.h"

#include <complex.h>
#include <math.h>
#include "array/array.h"
#include "base/memory.h"

#ifndef CMPLX /* clang with glibc lacks it */
#define CMPLX(re, im) __builtin_complex((double)(re), (double)(im))
#endif

/* Uploads doubles to an array in the precision of the operator. */
static argand_status upload(argand_array *array, const double *values)
{
    const size_t count =
        (size_t)argand_array_count(array) * (type_is_complex(argand_array_type(array)) ? 2 : 1);
    float *floats;
    if (type_is_double(argand_array_type(array))) return argand_array_upload(array, values);
    TRY(NEW(floats, count));
    for (size_t i = 0; i < count; i++) floats[i] = (float)values[i];
    const argand_status status = argand_array_upload(array, floats);
    memory_free(floats);
    return status;
}

/* Returns pixel i of node l: exp(-z tau), or the mask if there is no field. */
static double complex node_value(const argand_toeplitz *t, const toeplitz_input *input,
                                 const segments_doubled *nodes, int node, int64_t pixel)
{
    if (!nodes->terms) return input_skips(input, pixel) ? 0 : 1;
    const void *space = argand_array_data(nodes->space);
    const int64_t at = node * t->pixels + pixel;
    return toeplitz_is_double(t) ? ((const double complex *)space)[at]
                                 : (double complex)((const float complex *)space)[at];
}

static void fill_diagonal(double complex *out, const argand_toeplitz *t, const toeplitz_input *input,
                          const segments_doubled *nodes, int kernel)
{
    const int shot = kernel / t->segments, node = kernel % t->segments;
#pragma omp parallel for schedule(static) num_threads(argand_device_threads(t->device))
    for (int64_t i = 0; i < t->pixels; i++) {
        const double phase =
            input->phase_maps && !input_skips(input, i) ? input->phase_maps[shot * t->pixels + i] : 0;
        out[i] = node_value(t, input, nodes, node, i) * CMPLX(cos(phase), sin(phase));
    }
}

static argand_status fill_space(argand_toeplitz *t, const toeplitz_input *input,
                                const segments_doubled *nodes, double complex *values)
{
    argand_array *part;
    for (int k = 0; k < t->kernels; k++) {
        fill_diagonal(values, t, input, nodes, k);
        TRY(argand_array_part(&part, t->space, 1, k, 1));
        const argand_status status = upload(part, (const double *)values);
        argand_array_destroy(part);
        TRY(status);
    }
    return ARGAND_OK;
}

argand_status toeplitz_make_space(argand_toeplitz *t, const toeplitz_input *input,
                                  const segments_doubled *nodes)
{
    double complex *values;
    if (!input->mask && !input->phase_maps && !nodes->terms) return ARGAND_OK;
    TRY(argand_array_create(&t->space, t->device, t->type, 2, (const int64_t[2]){t->pixels, t->kernels}));
    TRY(NEW(values, t->pixels));
    const argand_status status = fill_space(t, input, nodes, values);
    memory_free(values);
    return status;
}

argand_status toeplitz_make_phases(argand_toeplitz *t)
{
    const int64_t count = t->n[0] + t->n[1] + t->n[2];
    double *values, *at;
    TRY(argand_array_create(&t->phases, t->device, t->type, 1, &count));
    TRY(NEW(values, 2 * count));
    at = values;
    for (int axis = 0; axis < 3; axis++)
        for (int64_t x = 0; x < t->n[axis]; x++, at += 2) {
            const double angle = M_PI * (double)x / (double)t->half[axis];
            at[0] = cos(angle);
            at[1] = -sin(angle);
        }
    const argand_status status = upload(t->phases, values);
    memory_free(values);
    return status;
}
