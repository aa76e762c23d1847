/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares some results with the transform's definition, computed in double. */
#include <complex.h>
#include <math.h>
#include "base/memory.h"
#include "base/random.h"
#include "run.h"

typedef double _Complex number;

/* Computes exp(-2 pi i q / n) for all q. */
static argand_status make_twiddles(number **twiddles, int n)
{
    TRY(NEW(*twiddles, (size_t)n));
    for (int q = 0; q < n; q++) {
        const double angle = -6.283185307179586476925 * q / n;
        (*twiddles)[q] = cos(angle) + I * sin(angle);
    }
    return ARGAND_OK;
}

static number row_sum(const float *x, int n, int64_t k, const number *twiddles)
{
    double re = 0, im = 0;
    for (int i = 0; i < n; i++) {
        const number w = twiddles[i * k % n];
        re += creal(w) * (double)x[2 * i] - cimag(w) * (double)x[2 * i + 1];
        im += creal(w) * (double)x[2 * i + 1] + cimag(w) * (double)x[2 * i];
    }
    return re + I * im;
}

/* Computes the result of index `at`. */
static number reference_of(const ladder_run *run, int64_t at, const number *twiddles)
{
    const int n = run->c.n;
    number sum = 0;
    if (run->c.rank == 1) return row_sum(run->host + at / n * 2 * n, n, at % n, twiddles);
    for (int64_t row = 0; row < run->c.rows; row++)
        sum += twiddles[(row % n) * (at / n % n) % n] * twiddles[row / n * (at / n / n) % n] *
               row_sum(run->host + 2 * row * n, n, at % n, twiddles);
    return sum;
}

/* Returns the index at which a result is stored. */
static int64_t place_of(int64_t at, int n, bool scrambled)
{
    int64_t place = at / n * n;
    if (!scrambled) return at;
    for (int bit = 1; bit < n; bit *= 2)
        if (at & bit) place += n / 2 / bit;
    return place;
}

/* Computes `checked` random results, or all results if `checked` is large enough. */
static argand_status make_reference(ladder_run *run, int checked)
{
    const int64_t points = run->c.rows * run->c.n;
    number *twiddles;
    memory_free(run->reference);
    run->reference = NULL;
    TRY(NEW(run->reference, 3 * (size_t)checked));
    TRY(make_twiddles(&twiddles, run->c.n));
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < checked; i++) {
        random_state random = {(uint64_t)i};
        const int64_t at =
            checked >= points ? i % points : (int64_t)(random_bits(&random) % (uint64_t)points);
        const number reference = reference_of(run, at, twiddles);
        run->reference[3 * i] = (double)at;
        run->reference[3 * i + 1] = creal(reference);
        run->reference[3 * i + 2] = cimag(reference);
    }
    memory_free(twiddles);
    run->references = checked;
    return ARGAND_OK;
}

argand_status ladder_error(ladder_run *run, bool scrambled, int checked, double *error)
{
    float *got;
    double wrong = 0, norm = 0;
    if (run->references != checked) TRY(make_reference(run, checked));
    TRY(NEW(got, 2 * (size_t)(run->c.rows * run->c.n)));
    const argand_status status = argand_array_download(run->result, got);
    for (int i = 0; !status && i < checked; i++) {
        const double *reference = run->reference + 3 * i;
        const int64_t place = place_of((int64_t)reference[0], run->c.n, scrambled);
        const double re = reference[1] - (double)got[2 * place],
                     im = reference[2] - (double)got[2 * place + 1];
        wrong += re * re + im * im;
        norm += reference[1] * reference[1] + reference[2] * reference[2];
    }
    memory_free(got);
    *error = sqrt(wrong / norm);
    return status;
}
