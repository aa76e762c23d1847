/* SPDX-License-Identifier: BSD-3-Clause */
/* Predicts cuFFT. Its passes are not known, so that it counts as one pass. The time is a multiple of a
 * copy of the data, by the length and its largest prime factor, fitted to cuFFT 12.0 on an H200
 * (docs/performance/fft.md). */
#include "fft/vendor/cufft_passes.h"

#include <stdio.h>
#include "fft/engine/facts.h"
#include "fft/planner/model.h"

static int64_t largest_prime(int64_t n)
{
    int64_t largest = 1;
    for (int64_t p = 2; p * p <= n; p++)
        for (; n % p == 0; n /= p) largest = p;
    return n > 1 ? n : largest;
}

/* Returns the cost of a length, in copies of the data. With prime factors above 127 cuFFT uses Bluestein's
 * algorithm, in lengths twice as long. */
static double copies_of(int64_t n)
{
    static const struct {
        int64_t most;
        double copies;
    } smooth[] = {{8192, 1.05},   {16384, 1.45},   {32768, 2.0},    {262144, 2.35},
                  {2097152, 2.6}, {16777216, 3.4}, {INT64_MAX, 4.0}};
    const int64_t prime = largest_prime(n);
    int i = 0;
    while (n > smooth[i].most) i++;
    if (prime > 127) return n <= 2053 ? 5 : n <= 4096 ? 8 : 19;
    return smooth[i].copies * (prime <= 7 ? 1 : prime <= 13 ? 1.6 : prime <= 31 ? 2 : 6);
}

/* Adds a copy of all data, before or after cuFFT. */
static void add_copy(fft_passes *list, const char *what, int64_t bytes)
{
    argand_fft_pass *copy = facts_add(list, what);
    copy->axis = -1;
    copy->read_bytes = copy->write_bytes = bytes;
}

static void add_transform(fft_passes *list, const fft_problem *p, const fft_model *model, int64_t in,
                          int64_t out)
{
    double copies = 0;
    int launches = 0;
    for (int axis = 0; axis < p->rank; axis++) {
        if (p->n[axis] == 1 && p->rank > 1) continue;
        copies += copies_of(p->n[axis]);
        launches += p->n[axis] <= 8192 ? 1 : 2;
    }
    const bool is_line = p->rank == 1;
    argand_fft_pass *pass = facts_add(list, "cuFFT");
    pass->axis = is_line ? 0 : -1;
    pass->length = is_line ? p->n[0] : 0;
    pass->lines = is_line ? p->batch : 0;
    pass->read_bytes = in;
    pass->write_bytes = out;
    pass->launches = launches;
    pass->seconds = launches * model->launch + copies * (double)(in + out) / model->far_rate;
}

void cufft_passes(const fft_problem *p, argand_device *device, const char *variant,
                  argand_direction direction, fft_passes *list)
{
    (void)variant;
    fft_model model;
    const int64_t in = facts_bytes(p, false, direction), out = facts_bytes(p, true, direction);
    const double factor = direction == ARGAND_FORWARD ? p->forward_factor : p->inverse_factor;
    const bool spoils = problem_is_real(p) && direction == ARGAND_INVERSE;
    model_of(&model, device);
    if (p->centred || spoils) add_copy(list, p->centred ? "centre to the front" : "copy of the input", in);
    add_transform(list, p, &model, in, out);
    if (p->centred || factor != 1) add_copy(list, p->centred ? "centre to the middle" : "scale", out);
}
