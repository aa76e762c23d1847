/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums over axes. */
#include "array/numbers.h"

/* Begins a result y of length 1 along the axes of `bits`. */
static argand_status begin(numbers *y, numbers *x, const array_settings *s, int *bits)
{
    int64_t dims[ARGAND_MAX_RANK];
    TRY(array_axes(bits, NULL, NULL, s, x));
    for (int d = 0; d < x->rank; d++) dims[d] = *bits & 1 << d ? 1 : x->dims[d];
    return numbers_like(y, x, x->rank, dims);
}

/* Returns the index in y to which element i of x is added. */
static int64_t place(const numbers *y, const numbers *x, int64_t i)
{
    int64_t at = 0, stride = 1;
    for (int d = 0; d < x->rank; d++) {
        at += y->dims[d] > 1 ? i % x->dims[d] * stride : 0;
        stride *= y->dims[d];
        i /= x->dims[d];
    }
    return at;
}

argand_status array_rss(numbers *y, numbers *x, int count, const array_settings *s)
{
    int bits;
    (void)count;
    TRY(begin(y, x, s, &bits));
    for (int64_t i = 0; i < x->count; i++) {
        const double re = creal(x->v[i]), im = cimag(x->v[i]);
        y->v[place(y, x, i)] += re * re + im * im;
    }
    for (int64_t i = 0; i < y->count; i++) y->v[i] = csqrt(y->v[i]);
    y->is_complex = false;
    return ARGAND_OK;
}

argand_status array_sum(numbers *y, numbers *x, int count, const array_settings *s)
{
    int bits;
    (void)count;
    TRY(begin(y, x, s, &bits));
    for (int64_t i = 0; i < x->count; i++) y->v[place(y, x, i)] += x->v[i];
    return ARGAND_OK;
}

argand_status array_mean(numbers *y, numbers *x, int count, const array_settings *s)
{
    TRY(array_sum(y, x, count, s));
    for (int64_t i = 0; i < y->count; i++) y->v[i] /= (double)(x->count / y->count);
    return ARGAND_OK;
}
