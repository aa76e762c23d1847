/* SPDX-License-Identifier: BSD-3-Clause */
/* The reference of `argand bench field`: plain sums in double with the C library's sine. */
#include "field/field.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>

enum { CHECKED = 24, COILS = 3 };

/* Downloads an array as doubles, two per element. */
static argand_status as_doubles(double **numbers, const argand_array *array)
{
    const int64_t count = 2 * argand_array_count(array);
    *numbers = malloc((size_t)count * sizeof **numbers);
    if (!*numbers) return report_error(ARGAND_MEMORY, "no memory to check the result");
    TRY(argand_array_download(array, *numbers));
    if (argand_array_type(array) == ARGAND_C64) return ARGAND_OK;
    const float *floats = (const float *)(void *)*numbers;
    for (int64_t i = count; i-- > 0;) (*numbers)[i] = (double)floats[i];
    return ARGAND_OK;
}

static double sinc(double x)
{
    const double angle = 3.14159265358979323846 * x;
    return fabs(angle) < 1e-4 ? 1 - angle * angle / 6 : sin(angle) / angle;
}

static double complex pair(const field_case *c, int64_t j, int64_t pixel)
{
    const double t = c->t[j];
    double turns = c->field ? c->field[pixel] * t / 6.283185307179586476925 : 0, size = 1, radians = 0;
    int64_t rest = pixel;
    for (int d = 0; d < c->rank; d++) {
        const double rate = c->k[d][j] / (double)c->n[d];
        turns += rate * (double)(rest % c->n[d] - c->n[d] / 2);
        rest /= c->n[d];
        if (c->gradient[d]) size *= sinc(rate + c->gradient[d][pixel] * t);
    }
    if (c->r2star) size *= exp(-c->r2star[pixel] * t);
    for (int i = 0; i < c->terms; i++)
        radians += c->term_time[i * c->samples + j] * c->term_space[i * c->pixels + pixel];
    const double angle = 6.283185307179586476925 * turns + radians;
    return size * cos(angle) - I * (size * sin(angle));
}

/* Computes one output for the checked coils, and adds the squares of the error of `got` and of the
 * reference. */
static void check_output(const field_case *c, bool adjoint, int64_t output, const double *in,
                         const double *got, double *wrong, double *norm)
{
    const int64_t outputs = adjoint ? c->pixels : c->samples, terms = adjoint ? c->samples : c->pixels;
    const int64_t coils[COILS] = {0, c->coils / 2, c->coils - 1};
    double complex sum[COILS] = {0};
    for (int64_t i = 0; i < terms; i++) {
        const double complex p = adjoint ? conj(pair(c, i, output)) : pair(c, output, i);
        for (int k = 0; k < COILS; k++) {
            const double *value = in + 2 * (coils[k] * terms + i);
            sum[k] += p * (value[0] + I * value[1]);
        }
    }
    for (int k = 0; k < COILS; k++) {
        const double *value = got + 2 * (coils[k] * outputs + output);
        const double complex difference = value[0] + I * value[1] - sum[k];
        *wrong += creal(difference * conj(difference));
        *norm += creal(sum[k] * conj(sum[k]));
    }
}

static uint64_t random_bits(void)
{
    static uint64_t state;
    if (!state) state = (uint64_t)(1e9 * seconds_now()) | 1;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return state >> 20;
}

argand_status field_case_error(const field_case *c, bool adjoint, double *error, double *seconds_per_pair)
{
    const int64_t outputs = adjoint ? c->pixels : c->samples, terms = adjoint ? c->samples : c->pixels;
    double *in = NULL, *got = NULL, wrong = 0, norm = 0;
    argand_status status = as_doubles(&in, adjoint ? c->data : c->image);
    if (!status) status = as_doubles(&got, adjoint ? c->image_out : c->data_out);
    const double start = seconds_now();
    for (int i = 0; !status && i < CHECKED; i++)
        check_output(c, adjoint, (int64_t)(random_bits() % (uint64_t)outputs), in, got, &wrong, &norm);
    *seconds_per_pair = (seconds_now() - start) / ((double)CHECKED * (double)terms);
    *error = sqrt(wrong / norm);
    free(got);
    free(in);
    return status;
}

argand_status field_case_adjointness(const field_case *c, double *apart)
{
    argand_array *const arrays[4] = {c->data_out, c->data, c->image, c->image_out};
    double *v[4] = {NULL}, norm[2] = {0};
    double complex difference = 0;
    argand_status status = ARGAND_OK;
    for (int i = 0; i < 4 && !status; i++) status = as_doubles(&v[i], arrays[i]);
    for (int64_t i = 0; !status && i < argand_array_count(c->data); i++) {
        const double *a = v[0] + 2 * i, *b = v[1] + 2 * i;
        difference += (a[0] - I * a[1]) * (b[0] + I * b[1]);
        norm[0] += a[0] * a[0] + a[1] * a[1];
        norm[1] += b[0] * b[0] + b[1] * b[1];
    }
    for (int64_t i = 0; !status && i < argand_array_count(c->image); i++) {
        const double *a = v[2] + 2 * i, *b = v[3] + 2 * i;
        difference -= (a[0] - I * a[1]) * (b[0] + I * b[1]);
    }
    *apart = cabs(difference) / sqrt(norm[0] * norm[1]);
    for (int i = 0; i < 4; i++) free(v[i]);
    return status;
}
