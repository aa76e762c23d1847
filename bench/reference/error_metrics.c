/* SPDX-License-Identifier: BSD-3-Clause */
#include "reference/error_metrics.h"

#include <math.h>
#include <stdlib.h>

typedef struct norms {
    long double sum, square, greatest;
} norms;

/* Returns the greater of two numbers; NaN counts as the greatest. */
static long double greater(long double a, long double b)
{
    return isnan(a) || a >= b ? a : b;
}

static void count(norms *x, long double value)
{
    const long double size = fabsl(value);
    x->sum += size;
    x->square += size * size;
    x->greatest = greater(x->greatest, size);
}

static void count_both(norms *x, exact value)
{
    count(x, creall(value));
    count(x, cimagl(value));
}

static void add_round(double *total, const norms *error, const norms *reference_norms)
{
    total[0] += (double)(error->sum / reference_norms->sum);
    total[1] += (double)(error->square / reference_norms->square);
    total[2] = (double)greater(total[2], error->greatest / reference_norms->greatest);
}

static exact number(const double *x, int64_t i)
{
    exact z;
    __real__ z = x[2 * i];
    __imag__ z = x[2 * i + 1];
    return z;
}

/* Adds the norms of F from - to and of `to`; inverse: uses the inverse of F. */
static void compare(double *total, reference_fft *t, exact *work, int64_t n, const double *from,
                    const double *to, int sign, bool inverse)
{
    norms error = {0}, size = {0};
    for (int64_t i = 0; i < n; i++) work[i] = number(from, i);
    reference_fft_apply(t, work, inverse ? -sign : sign);
    for (int64_t i = 0; i < n; i++) {
        const exact exact_value = inverse ? work[i] / (long double)n : work[i];
        count_both(&error, exact_value - number(to, i));
        count_both(&size, inverse ? number(to, i) : exact_value);
    }
    add_round(total, &error, &size);
}

bool fft_error_metrics_add(fft_error_metrics_sum *sum, reference_fft *t, int64_t n, const double *in,
                           const double *out, int sign)
{
    exact *work = malloc((size_t)n * sizeof *work);
    if (!work) return false;
    compare(sum->total.forward, t, work, n, in, out, sign, false);
    compare(sum->total.backward, t, work, n, out, in, sign, true);
    sum->rounds++;
    free(work);
    return true;
}

fft_error_metrics fft_error_metrics_result(const fft_error_metrics_sum *sum)
{
    fft_error_metrics mean = sum->total;
    double *const both[] = {mean.forward, mean.backward};
    for (int i = 0; i < 2; i++) {
        both[i][0] /= sum->rounds;
        both[i][1] = sqrt(both[i][1] / sum->rounds);
    }
    return mean;
}

double fft_error_metrics_bound(int64_t n)
{
    if (reference_fft_largest_prime(n) <= 13) return 0.8 * sqrt(log2((double)n));
    return 2 * sqrt(ceil(log2((double)(2 * n - 1))));
}

double fft_error_metrics_unit(bool is_double)
{
    return is_double ? 0x1p-53 : 0x1p-24;
}
