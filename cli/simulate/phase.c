/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes phase maps like those of motion during diffusion gradients: rigid motion gives a constant and a
 * ramp, pulsation smooth variations (Anderson, Gore, Magn. Reson. Med. 32:379, 1994). The phase is a
 * function of position, so that grids of different size sample the same map. */
#include "simulate/simulate.h"

#include <math.h>

enum { TERMS = 8 };

/* Steele, Lea, Flood, Fast splittable pseudorandom number generators, OOPSLA 2014: uniform in [-1, 1) */
static double uniform(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1;
}

/* Draws weights whose absolute sum is the range, so that no map exceeds it. */
static void draw(double weight[TERMS], const simulate_settings *s, const simulate_place *at)
{
    uint64_t state = (uint64_t)s->seed;
    const int64_t place[5] = {at->shot, at->partition, at->slice, at->echo, at->repetition};
    for (int i = 0; i < 5; i++) {
        state ^= (uint64_t)place[i] << 3;
        (void)uniform(&state);
    }
    double sum = 0;
    for (int i = 0; i < TERMS; i++) sum += fabs(weight[i] = uniform(&state));
    for (int i = 0; i < TERMS; i++) weight[i] *= s->phase_range / sum;
}

void simulate_phase_map(float *phase, const int64_t n[3], const simulate_settings *s,
                        const simulate_place *at)
{
    double w[TERMS];
    draw(w, s, at);
    for (int64_t i = 0; i < n[0] * n[1] * n[2]; i++) {
        const int64_t pixel[3] = {i % n[0], i / n[0] % n[1], i / (n[0] * n[1])};
        double r[3]; /* -1 to 1 over the field of view */
        for (int d = 0; d < 3; d++) r[d] = 2 * (double)(pixel[d] - n[d] / 2) / (double)n[d];
        phase[i] = (float)(w[0] + w[1] * r[0] + w[2] * r[1] + w[3] * r[2] + w[4] * r[0] * r[1] +
                           w[5] * r[0] * r[0] + w[6] * sin(2 * r[1]) + w[7] * cos(3 * r[0]));
    }
}
