/* SPDX-License-Identifier: BSD-3-Clause */
/* Stockham's self-sorting FFT, decimation in frequency (Van Loan, Computational Frameworks for the Fast
 * Fourier Transform, 1992, 1.7), on cells of 64 bytes: SIMD runs over lines, so that no stage shuffles more
 * than real against imaginary parts. Rotation by -90 degrees (forward) or +90 (inverse) is the only thing
 * that knows the direction. */
#include "fft/cpu/bundle/stages.h"
#include "base/simd.h"

enum { IN_CELL = 64 / (int)sizeof(REAL) };

INLINE vector rotate(vector v, vector sense)
{
    return swapped(v) * sense;
}

/* v exp(-i angle) forward, exp(+i angle) inverse */
INLINE vector by_twiddle(vector v, const REAL *cos_sin, vector sense)
{
    return v * cos_sin[0] + rotate(v, sense) * cos_sin[1];
}

static const REAL cosines[8][8] = {
    [3] = {1, (REAL)-0.5},
    [5] = {1, (REAL)0.30901699437494742410, (REAL)-0.80901699437494742410},
    [7] = {1, (REAL)0.62348980185873353053, (REAL)-0.22252093395631440429, (REAL)-0.90096886790241912624}};
static const REAL sines[8][8] = {
    [3] = {0, (REAL)0.86602540378443864676},
    [5] = {0, (REAL)0.95105651629515357212, (REAL)0.58778525229247312917},
    [7] = {0, (REAL)0.78183148246802980871, (REAL)0.97492791218182360702, (REAL)0.43388373911755812048}};

/* 3, 5 and 7 points by sums and differences of opposite ones */
INLINE void transform_odd(vector *a, const int radix, vector sense)
{
    const int pairs = radix / 2;
    vector sum[3], difference[3];
    const vector first = a[0];
    UNROLL for (int k = 0; k < pairs; k++)
    {
        sum[k] = a[k + 1] + a[radix - 1 - k];
        difference[k] = a[k + 1] - a[radix - 1 - k];
        a[0] += sum[k];
    }
    UNROLL for (int j = 1; j <= pairs; j++)
    {
        vector even = first, odd = (vector){0};
        UNROLL for (int k = 1; k <= pairs; k++)
        {
            const int step = j * k % radix, folded = step > pairs ? radix - step : step;
            even += sum[k - 1] * cosines[radix][folded];
            odd += difference[k - 1] * (step > pairs ? -sines[radix][folded] : sines[radix][folded]);
        }
        odd = rotate(odd, sense);
        a[j] = even + odd;
        a[radix - j] = even - odd;
    }
}

INLINE void transform_4(vector *a, vector sense)
{
    const vector s02 = a[0] + a[2], d02 = a[0] - a[2], s13 = a[1] + a[3], r13 = rotate(a[1] - a[3], sense);
    a[0] = s02 + s13;
    a[1] = d02 + r13;
    a[2] = s02 - s13;
    a[3] = d02 - r13;
}

INLINE void transform_small(vector *a, const int radix, vector sense)
{
    if (radix == 2) {
        const vector difference = a[0] - a[1];
        a[0] += a[1];
        a[1] = difference;
    } else if (radix == 4) {
        transform_4(a, sense);
    } else {
        transform_odd(a, radix, sense);
    }
}

/* One stage: `length` is what is left to transform, `apart` how many transforms are interleaved already. */
INLINE void run_stage(REAL *to, const REAL *from, const REAL *twiddles, int64_t length, int64_t interleaved,
                      const int radix, vector sense)
{
    const int64_t parts = length / radix, reals = interleaved * IN_CELL;
    for (int64_t p = 0; p < parts; p++, twiddles += 2 * (radix - 1)) {
        const REAL *in = from + p * reals;
        REAL *out = to + p * radix * reals;
        for (int64_t i = 0; i < reals; i += IN_VECTOR) {
            vector a[7];
            UNROLL for (int k = 0; k < radix; k++) a[k] = load(in + k * parts * reals + i);
            transform_small(a, radix, sense);
            store(out + i, a[0]);
            UNROLL for (int k = 1; k < radix; k++) store(
                out + k * reals + i, parts > 1 ? by_twiddle(a[k], twiddles + 2 * (k - 1), sense) : a[k]);
        }
    }
}

void VARIANT(fft_stages_run)(const stages *s, void *data, void *work, int inverse)
{
    REAL *from = data, *to = work;
    int64_t length = s->n, interleaved = 1;
    const REAL one = inverse ? -1 : 1;
    const vector sense = repeated((pair){one, -one});
    for (int i = 0; i < s->count; i++) {
        switch (s->radix[i]) {
        case 2:
            run_stage(to, from, s->twiddles[i], length, interleaved, 2, sense);
            break;
        case 3:
            run_stage(to, from, s->twiddles[i], length, interleaved, 3, sense);
            break;
        case 4:
            run_stage(to, from, s->twiddles[i], length, interleaved, 4, sense);
            break;
        case 5:
            run_stage(to, from, s->twiddles[i], length, interleaved, 5, sense);
            break;
        default:
            run_stage(to, from, s->twiddles[i], length, interleaved, 7, sense);
            break;
        }
        length /= s->radix[i];
        interleaved *= s->radix[i];
        REAL *const other = from;
        from = to;
        to = other;
    }
    if (from != (REAL *)data) memcpy(data, from, (size_t)s->n * 64);
}
