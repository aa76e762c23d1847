/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes element by element. */
#include "array/numbers.h"

#include <math.h>
#include <stdlib.h>

/* ---- two and more inputs, shapes broadcast: lengths of 1 are repeated */

typedef double complex (*pair_function)(double complex a, double complex b);

static double complex sum_of(double complex a, double complex b)
{
    return a + b;
}
static double complex difference_of(double complex a, double complex b)
{
    return a - b;
}
static double complex product_of(double complex a, double complex b)
{
    return a * b;
}
static double complex quotient_of(double complex a, double complex b)
{
    return a / b;
}
static double complex rotated_by(double complex a, double complex b)
{
    return a * cexp(I * creal(b));
}

static argand_status broadcast(int64_t *dims, int *rank, const numbers *a, const numbers *b)
{
    char one[256], other[256];
    *rank = a->rank > b->rank ? a->rank : b->rank;
    for (int d = 0; d < *rank; d++) {
        if (a->dims[d] != b->dims[d] && a->dims[d] != 1 && b->dims[d] != 1)
            return report_error(
                ARGAND_ARGUMENT, "%s %s and %s %s: lengths must be equal or 1, along each axis", a->path,
                numbers_shape(one, sizeof one, a), b->path, numbers_shape(other, sizeof other, b));
        dims[d] = a->dims[d] > b->dims[d] ? a->dims[d] : b->dims[d];
    }
    return ARGAND_OK;
}

/* Returns the index in x of the element that belongs to element `i` of y. */
static int64_t place(const numbers *x, const numbers *y, int64_t i)
{
    int64_t at = 0, stride = 1;
    for (int d = 0; d < y->rank; d++) {
        if (x->dims[d] > 1) at += i % y->dims[d] * stride;
        i /= y->dims[d];
        stride *= x->dims[d];
    }
    return at;
}

static argand_status pair(numbers *y, const numbers *a, const numbers *b, pair_function f)
{
    int rank;
    int64_t dims[ARGAND_MAX_RANK];
    TRY(broadcast(dims, &rank, a, b));
    TRY(numbers_like(y, a, rank, dims));
    y->is_complex = a->is_complex || b->is_complex || f == rotated_by;
    y->is_double = a->is_double || b->is_double;
    for (int64_t i = 0; i < y->count; i++) y->v[i] = f(a->v[place(a, y, i)], b->v[place(b, y, i)]);
    return ARGAND_OK;
}

static argand_status fold(numbers *y, numbers *x, int count, pair_function f)
{
    TRY(pair(y, &x[0], &x[1], f));
    for (int i = 2; i < count; i++) {
        numbers next = {0};
        const argand_status status = pair(&next, y, &x[i], f);
        numbers_free(y);
        numbers_move(y, &next);
        if (status) return status;
    }
    return ARGAND_OK;
}

argand_status array_add(numbers *y, numbers *x, int count, const array_settings *s)
{
    (void)s;
    return fold(y, x, count, sum_of);
}

argand_status array_subtract(numbers *y, numbers *x, int count, const array_settings *s)
{
    (void)s;
    return fold(y, x, count, difference_of);
}

argand_status array_multiply(numbers *y, numbers *x, int count, const array_settings *s)
{
    (void)s;
    return fold(y, x, count, product_of);
}

argand_status array_divide(numbers *y, numbers *x, int count, const array_settings *s)
{
    (void)s;
    return fold(y, x, count, quotient_of);
}

argand_status array_complex(numbers *y, numbers *x, int count, const array_settings *s)
{
    (void)s;
    if (x[1].is_complex)
        return report_error(ARGAND_ARGUMENT, "%s: holds complex numbers; a phase is real, in rad", x[1].path);
    return fold(y, x, count, rotated_by);
}

/* ---- one input */

/* Reads a number: "2", "-0.5", or "0,1" for i. */
static argand_status read_scalar(double complex *to, const char *named, const char *text)
{
    char *end;
    const double re = strtod(text, &end);
    double im = 0;
    if (end != text && *end == ',') {
        const char *at = end + 1;
        im = strtod(at, &end);
        if (end == at) end = (char *)text;
    }
    if (end == text || *end || !isfinite(re) || !isfinite(im))
        return report_error(ARGAND_ARGUMENT, "%s %s: give a number like 2 or, complex, 0,1", named, text);
    *to = re + im * I;
    return ARGAND_OK;
}

argand_status array_scale(numbers *y, numbers *x, int count, const array_settings *s)
{
    double complex by = 1, plus = 0;
    (void)count;
    if (!s->by && !s->plus)
        return report_error(ARGAND_ARGUMENT, "scale: give --by FACTOR or --plus CONSTANT, say --by 2");
    if (s->by) TRY(read_scalar(&by, "--by", s->by));
    if (s->plus) TRY(read_scalar(&plus, "--plus", s->plus));
    numbers_move(y, x);
    y->is_complex |= cimag(by) != 0 || cimag(plus) != 0;
    for (int64_t i = 0; i < y->count; i++) y->v[i] = y->v[i] * by + plus;
    return ARGAND_OK;
}

typedef double (*real_function)(double complex z);

static double modulus(double complex z)
{
    return cabs(z);
}
static double argument(double complex z)
{
    return carg(z);
}
static double real_part(double complex z)
{
    return creal(z);
}
static double imaginary_part(double complex z)
{
    return cimag(z);
}

static argand_status to_real(numbers *y, numbers *x, real_function f)
{
    numbers_move(y, x);
    y->is_complex = false;
    for (int64_t i = 0; i < y->count; i++) y->v[i] = f(y->v[i]);
    return ARGAND_OK;
}

argand_status array_abs(numbers *y, numbers *x, int count, const array_settings *s)
{
    (void)count, (void)s;
    return to_real(y, x, modulus);
}

argand_status array_phase(numbers *y, numbers *x, int count, const array_settings *s)
{
    (void)count, (void)s;
    return to_real(y, x, argument);
}

argand_status array_real(numbers *y, numbers *x, int count, const array_settings *s)
{
    (void)count, (void)s;
    return to_real(y, x, real_part);
}

argand_status array_imag(numbers *y, numbers *x, int count, const array_settings *s)
{
    (void)count, (void)s;
    return to_real(y, x, imaginary_part);
}

argand_status array_conj(numbers *y, numbers *x, int count, const array_settings *s)
{
    (void)count, (void)s;
    numbers_move(y, x);
    for (int64_t i = 0; i < y->count; i++) y->v[i] = conj(y->v[i]);
    return ARGAND_OK;
}
