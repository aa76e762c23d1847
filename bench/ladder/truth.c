/* SPDX-License-Identifier: BSD-3-Clause */
/* Some results against the transform's definition in double. */
#include <complex.h>
#include <math.h>
#include "base/memory.h"
#include "base/random.h"
#include "run.h"

typedef double _Complex number;

/* exp(-2 pi i q / n) for all q */
static argand_status make_turns(number **turns, int n)
{
    TRY(NEW(*turns, (size_t)n));
    for (int q = 0; q < n; q++) {
        const double angle = -6.283185307179586476925 * q / n;
        (*turns)[q] = cos(angle) + I * sin(angle);
    }
    return ARGAND_OK;
}

static number row_sum(const float *x, int n, int64_t k, const number *turns)
{
    double re = 0, im = 0;
    for (int i = 0; i < n; i++) {
        const number w = turns[i * k % n];
        re += creal(w) * (double)x[2 * i] - cimag(w) * (double)x[2 * i + 1];
        im += creal(w) * (double)x[2 * i + 1] + cimag(w) * (double)x[2 * i];
    }
    return re + I * im;
}

/* Result number `at` of all */
static number truth_of(const ladder_run *run, int64_t at, const number *turns)
{
    const int n = run->c.n;
    number sum = 0;
    if (run->c.rank == 1) return row_sum(run->host + at / n * 2 * n, n, at % n, turns);
    for (int64_t row = 0; row < run->c.rows; row++)
        sum += turns[(row % n) * (at / n % n) % n] * turns[row / n * (at / n / n) % n] *
               row_sum(run->host + 2 * row * n, n, at % n, turns);
    return sum;
}

/* Where a result is found. */
static int64_t place_of(int64_t at, int n, bool scrambled)
{
    int64_t place = at / n * n;
    if (!scrambled) return at;
    for (int bit = 1; bit < n; bit *= 2)
        if (at & bit) place += n / 2 / bit;
    return place;
}

/* Random results, or all of them where so many are asked for. */
static argand_status make_truth(ladder_run *run, int checked)
{
    const int64_t points = run->c.rows * run->c.n;
    number *turns;
    memory_free(run->truth);
    run->truth = NULL;
    TRY(NEW(run->truth, 3 * (size_t)checked));
    TRY(make_turns(&turns, run->c.n));
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < checked; i++) {
        random_state random = {(uint64_t)i};
        const int64_t at =
            checked >= points ? i % points : (int64_t)(random_bits(&random) % (uint64_t)points);
        const number truth = truth_of(run, at, turns);
        run->truth[3 * i] = (double)at;
        run->truth[3 * i + 1] = creal(truth);
        run->truth[3 * i + 2] = cimag(truth);
    }
    memory_free(turns);
    run->truths = checked;
    return ARGAND_OK;
}

argand_status ladder_error(ladder_run *run, bool scrambled, int checked, double *error)
{
    float *got;
    double wrong = 0, norm = 0;
    if (run->truths != checked) TRY(make_truth(run, checked));
    TRY(NEW(got, 2 * (size_t)(run->c.rows * run->c.n)));
    const argand_status status = argand_array_download(run->result, got);
    for (int i = 0; !status && i < checked; i++) {
        const double *truth = run->truth + 3 * i;
        const int64_t place = place_of((int64_t)truth[0], run->c.n, scrambled);
        const double re = truth[1] - (double)got[2 * place], im = truth[2] - (double)got[2 * place + 1];
        wrong += re * re + im * im;
        norm += truth[1] * truth[1] + truth[2] * truth[2];
    }
    memory_free(got);
    *error = sqrt(wrong / norm);
    return status;
}
