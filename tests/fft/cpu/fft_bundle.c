/* SPDX-License-Identifier: BSD-3-Clause */
/* Bundles of lines, of every smooth length to 420, beyond the cache, and of one that is not smooth, against
 * exact sums. */
#include "harness.h"
#include "base/memory.h"
#include "fft/cpu/bundle/bundle.h"

static double number(const void *data, argand_type type, int64_t i)
{
    return type == ARGAND_C64 ? ((const double *)data)[i] : (double)((const float *)data)[i];
}

/* Errors of an FFT grow as eps sqrt(log n) in l2; 6 eps covers n up to 5000 with a margin of two. */
static void check(argand_type type, int64_t n, int64_t count, argand_direction direction)
{
    fft_bundle *bundle;
    void *data, *work;
    double *in;
    const int64_t numbers = n * count;
    OK(memory_new(&data, (size_t)numbers, 16));
    OK(NEW(in, 2 * numbers));
    random_state random = {(uint64_t)n};
    for (int64_t i = 0; i < 2 * numbers; i++) {
        const double value = random_normal(&random);
        if (type == ARGAND_C64)
            ((double *)data)[i] = value;
        else
            ((float *)data)[i] = (float)value;
        in[i] = number(data, type, i);
    }
    OK(fft_bundle_create(&bundle, type, n, count));
    OK(memory_new(&work, fft_bundle_work_bytes(bundle), 1));
    fft_bundle_apply(bundle, data, work, direction);
    double wrong = 0, norm = 0;
    const int64_t step = n > 500 ? n / 50 : 1;
    for (int64_t line = 0; line<count; line += count> 1 ? count - 1 : 1)
        for (int64_t f = 0; f < n; f += step) {
            double complex sum = 0;
            for (int64_t i = 0; i < n; i++) {
                const double angle =
                    6.283185307179586476925 * (double)(i * f % n) / (double)n * (double)(int)direction;
                const int64_t at = 2 * (i * count + line);
                sum += CMPLX(in[at], in[at + 1]) * CMPLX(cos(angle), sin(angle));
            }
            const int64_t at = 2 * (f * count + line);
            const double difference = cabs(CMPLX(number(data, type, at), number(data, type, at + 1)) - sum);
            wrong += difference * difference;
            norm += creal(sum * conj(sum));
        }
    CHECK_BELOW(sqrt(wrong / norm), type == ARGAND_C64 ? 1e-14 : 6 * 0x1p-24);
    fft_bundle_destroy(bundle);
    memory_free(in);
    memory_free(work);
    memory_free(data);
}

static void check_both(int64_t n)
{
    check(ARGAND_C32, n, 8, ARGAND_FORWARD);
    check(ARGAND_C64, n, 4, ARGAND_INVERSE);
    check(ARGAND_C32, n, 1, ARGAND_INVERSE);
}

static void every_smooth_length(void **state)
{
    (void)state;
    for (int64_t n = 1; n <= 420; n = argand_fft_next_size(n + 1)) check_both(n);
}

static void long_and_awkward_lengths(void **state)
{
    (void)state;
    check_both(4096);
    check_both(4100);
    check_both(11 * 13);
    check_both(5000);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(every_smooth_length),
                                          cmocka_unit_test(long_and_awkward_lengths)};
RUN_TESTS(tests)
