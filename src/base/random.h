/* SPDX-License-Identifier: BSD-3-Clause */
/* Repeatable random numbers: splitmix64 (Steele, Lea, Flood, OOPSLA 2014). For checks, simulated noise and
 * tests. */
#ifndef BASE_RANDOM_H
#define BASE_RANDOM_H

#include <math.h>
#include <stdint.h>
#include "base/pi.h"

typedef struct random_state {
    uint64_t value;
} random_state;

static inline uint64_t random_bits(random_state *state)
{
    uint64_t z = (state->value += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* Goes on as if so many numbers of random_bits had been drawn. */
static inline void random_skip(random_state *state, uint64_t draws)
{
    state->value += draws * UINT64_C(0x9E3779B97F4A7C15);
}

/* uniform in [0, 1) */
static inline double random_uniform(random_state *state)
{
    return (double)(random_bits(state) >> 11) * 0x1p-53;
}

enum { RANDOM_NORMAL_DRAWS = 2 }; /* of random_bits for a number of random_normal */
/* standard normal (Box and Muller) */
static inline double random_normal(random_state *state)
{
    const double radius = sqrt(-2 * log(1 - random_uniform(state)));
    return radius * cos(TWO_PI * random_uniform(state));
}

#endif
