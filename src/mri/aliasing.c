/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the pixels of simultaneous slices that alias onto each other, from the positions of samples. If each
 * line of k-space is complete along the readout, only pixels of the same column do: A^H A has the elements
 *
 *   h_d(y - y') sum_c conj(S_bc(x, y)) S_b'c(x, y'),   d = b' - b,
 *   h_d(s) = sum over the lines of count exp(2 pi i ky s / n) exp(-2 pi i kz d / B).
 *
 * Regular undersampling and blips make most of them 0: Breuer et al., Magn. Reson. Med. 53:684, 2005. */
#include "mri/aliased.h"

#include <complex.h>
#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "base/pi.h"

/* Sums that are smaller than this part of the number of samples are 0: whole numbers of cycles up to the
 * rounding of doubles; along the readout, up to that of positions in single precision. */
static const double NOTHING = 1e-9, NOTHING_ALONG_X = 1e-6;

/* Returns exp(2 pi i turns). */
static double complex turned(double turns)
{
    const double angle = TWO_PI * (turns - rint(turns));
    return CMPLX(cos(angle), sin(angle));
}

/* Returns true if samples at these positions of a line are orthogonal to all other pixels of a row. */
static bool is_complete(const double *k, int64_t count, int64_t n)
{
    for (int64_t s = 1; s < n; s++) {
        double complex sum = 0;
        for (int64_t i = 0; i < count; i++) sum += turned(k[i] * (double)s / (double)n);
        if (cabs(sum) > NOTHING_ALONG_X * (double)count) return false;
    }
    return true;
}

/* Returns the number of samples from `first` on with the same ky and kz. */
static int64_t line_length(double *const k[3], int64_t first, int64_t samples)
{
    int64_t i = first + 1;
    while (i < samples && k[1][i] == k[1][first] && k[2][i] == k[2][first]) i++;
    return i - first;
}

/* Adds a line to the sums h[d + images - 1][s + n - 1]. */
static void add_line(double complex *h, double ky, double kz, double count, int64_t n, int images)
{
    const double complex step = turned(ky / (double)n);
    for (int d = 1 - images; d < images; d++) {
        double complex *at = h + (d + images - 1) * (2 * n - 1) + n - 1;
        double complex value = count * turned(-kz * d / images), back = value;
        at[0] += value;
        for (int64_t s = 1; s < n; s++) {
            value *= step;
            back *= conj(step);
            at[s] += value;
            at[-s] += back;
        }
    }
}

/* Adds all lines. *complete: each is complete along axis 0. */
static void add_lines(double complex *h, double *const k[3], int64_t samples, const int64_t n[2], int images,
                      bool *complete)
{
    int64_t first = 0, known = -1, length, known_length = 0;
    for (; first < samples && *complete; first += length) {
        length = line_length(k, first, samples);
        if (known < 0 || length != known_length ||
            memcmp(k[0] + known, k[0] + first, (size_t)length * sizeof **k) != 0) {
            *complete = is_complete(k[0] + first, length, n[0]);
            known = first;
            known_length = length;
        }
        if (*complete) add_line(h, k[1][first], k[2][first], (double)length, n[1], images);
    }
}

static argand_status add_pair(aliasing *a, const aliased_pair *pair)
{
    TRY(GROW(a->pairs, a->count, a->capacity));
    a->pairs[a->count++] = *pair;
    return ARGAND_OK;
}

/* Adds the pairs of two images whose factors are not 0. */
static argand_status add_pairs(aliasing *a, const double complex *h, int image, int other, double nothing)
{
    const int64_t n = a->n[1];
    const double complex *at = h + (other - image + a->images - 1) * (2 * n - 1) + n - 1;
    for (int64_t s = 0; s < n; s++) {
        const double complex plain = at[s], wrapped = s ? at[s - n] : 0;
        if (cabs(plain) <= nothing && cabs(wrapped) <= nothing) continue;
        TRY(add_pair(a, &(aliased_pair){.image = image,
                                        .other = other,
                                        .shift = s,
                                        .plain = {creal(plain), cimag(plain)},
                                        .wrapped = {creal(wrapped), cimag(wrapped)}}));
    }
    return ARGAND_OK;
}

argand_status aliasing_find(aliasing *a, double *const k[3], int64_t samples, const int64_t n[2], int images,
                            int64_t most)
{
    double complex *h;
    bool complete = true;
    argand_status status = ARGAND_OK;
    *a = (aliasing){.n = {n[0], n[1]}, .images = images};
    TRY(NEW(h, (2 * n[1] - 1) * (2 * images - 1)));
    add_lines(h, k, samples, n, images, &complete);
    for (int image = 0; image < images && complete && !status; image++) {
        const int64_t before = a->count;
        for (int other = 0; other < images && !status; other++)
            status = add_pairs(a, h, image, other, NOTHING * (double)samples);
        complete = a->count - before <= most;
    }
    if (!complete) a->count = 0;
    memory_free(h);
    return status;
}

void aliasing_free(aliasing *a)
{
    memory_free(a->pairs);
    *a = (aliasing){0};
}
