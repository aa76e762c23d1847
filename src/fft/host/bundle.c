/* SPDX-License-Identifier: BSD-3-Clause */
/* Bundles of 64 bytes across go through stages.c, where the cache holds them; others through FFTW. */
#include "fft/host/bundle.h"

#include <fftw3.h>
#include <math.h>
#include "base/memory.h"
#include "fft/host/planner.h"
#include "fft/host/stages.h"

enum { LONGEST = 4096 }; /* of a bundle whose data and work stay in the second-level cache */

typedef void stages_function(const stages *, void *, void *, int);

struct fft_bundle {
    int64_t n, count;
    argand_type type;
    fftw_plan plans[2]; /* forward, inverse; one of the two pairs is used */
    fftwf_plan floats[2];
    stages stages; /* used where its count is not 0 */
    void *turns;
    stages_function *run;
};

/* Radices for n, 4 first; false where n has another prime factor. */
static bool split_stages(stages *s, int64_t n)
{
    static const int radices[] = {4, 2, 3, 5, 7};
    *s = (stages){.n = n};
    for (int i = 0; i < 5; i++)
        for (; n % radices[i] == 0; n /= radices[i]) s->radix[s->count++] = radices[i];
    return n == 1;
}

/* cos and sin of every stage's turns, in the bundle's precision, and the code for this processor */
static argand_status prepare_stages(fft_bundle *l)
{
    static stages_function *const run[2][CPU_LEVELS] = CPU_VARIANTS(fft_stages_run);
    stages *s = &l->stages;
    const size_t real = l->type == ARGAND_C64 ? 8 : 4;
    TRY(memory_new(&l->turns, (size_t)(4 * l->n), real)); /* sum of length (radix - 1) / radix, twice */
    l->run = run[l->type == ARGAND_C64][cpu_best()];
    char *at = l->turns;
    int64_t length = l->n;
    for (int i = 0; i < s->count; length /= s->radix[i], i++) {
        s->turns[i] = at;
        for (int64_t p = 0; p < length / s->radix[i]; p++)
            for (int64_t k = 1; k < s->radix[i]; k++, at += 2 * real) {
                const double angle = 6.283185307179586476925 * (double)(p * k % length) / (double)length;
                if (real == 8)
                    ((double *)(void *)at)[0] = cos(angle), ((double *)(void *)at)[1] = sin(angle);
                else
                    ((float *)(void *)at)[0] = (float)cos(angle),
                                    ((float *)(void *)at)[1] = (float)sin(angle);
            }
    }
    return ARGAND_OK;
}

static void plan_both(fft_bundle *l, void *data)
{
    const int n = (int)l->n, count = (int)l->count;
    planner_lock();
    for (int inverse = 0; inverse < 2; inverse++) {
        const int sign = inverse ? FFTW_BACKWARD : FFTW_FORWARD;
        if (l->type == ARGAND_C64)
            l->plans[inverse] = fftw_plan_many_dft(1, &n, count, data, NULL, count, 1, data, NULL, count, 1,
                                                   sign, FFTW_ESTIMATE);
        else
            l->floats[inverse] = fftwf_plan_many_dft(1, &n, count, data, NULL, count, 1, data, NULL, count, 1,
                                                     sign, FFTW_ESTIMATE);
    }
    planner_unlock();
}

argand_status fft_bundle_create(fft_bundle **bundle, argand_type type, int64_t n, int64_t count)
{
    *bundle = NULL;
    CHECK(n >= 1 && count >= 1 && n <= INT32_MAX / count, ARGAND_UNSUPPORTED,
          "fft: %lld lines of %lld points are too long", (long long)count, (long long)n);
    fft_bundle *l;
    void *data; /* planning looks at its alignment only */
    TRY(NEW(l, 1));
    *l = (fft_bundle){.n = n, .count = count, .type = type};
    const bool cells = (size_t)count * argand_type_size(type) == 64 && n > 1 && n <= LONGEST;
    if (cells && split_stages(&l->stages, n)) {
        const argand_status filled = prepare_stages(l);
        if (filled != ARGAND_OK)
            memory_free(l);
        else
            *bundle = l;
        return filled;
    }
    l->stages.count = 0;
    const argand_status status = memory_new(&data, (size_t)(n * count), argand_type_size(type));
    if (status == ARGAND_OK) plan_both(l, data);
    memory_free(data);
    const bool planned = type == ARGAND_C64 ? l->plans[0] && l->plans[1] : l->floats[0] && l->floats[1];
    if (status != ARGAND_OK || !planned) {
        fft_bundle_destroy(l);
        return status != ARGAND_OK ? status
                                   : status_set(ARGAND_MEMORY, "fft: FFTW has no plan for %lld lines of %lld",
                                                (long long)count, (long long)n);
    }
    *bundle = l;
    return ARGAND_OK;
}

void fft_bundle_apply(const fft_bundle *l, void *data, void *work, argand_direction direction)
{
    const int inverse = direction == ARGAND_INVERSE;
    if (l->stages.count)
        l->run(&l->stages, data, work, inverse);
    else if (l->type == ARGAND_C64)
        fftw_execute_dft(l->plans[inverse], data, data);
    else
        fftwf_execute_dft(l->floats[inverse], data, data);
}

void fft_bundle_destroy(fft_bundle *l)
{
    if (!l) return;
    planner_lock();
    for (int inverse = 1; inverse >= 0; inverse--) {
        if (l->floats[inverse]) fftwf_destroy_plan(l->floats[inverse]);
        if (l->plans[inverse]) fftw_destroy_plan(l->plans[inverse]);
    }
    planner_unlock();
    memory_free(l->turns);
    memory_free(l);
}
