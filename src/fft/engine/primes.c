/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests primes by trial division, and finds primitive roots by trying one integer after the other. */
#include "fft/engine/primes.h"

bool is_prime(int64_t n)
{
    for (int64_t d = 2; d * d <= n; d++)
        if (n % d == 0) return false;
    return n > 1;
}

int64_t power_mod(int64_t base, int64_t exponent, int64_t p)
{
    int64_t result = 1;
    for (; exponent; exponent /= 2, base = (int64_t)((__int128)base * base % p))
        if (exponent % 2) result = (int64_t)((__int128)result * base % p);
    return result;
}

/* Returns true if g^((p - 1) / f) is not 1 for any prime factor f of p - 1. */
static bool generates(int64_t g, int64_t p)
{
    int64_t rest = p - 1;
    for (int64_t f = 2; f * f <= rest; f++) {
        if (rest % f) continue;
        if (power_mod(g, (p - 1) / f, p) == 1) return false;
        while (rest % f == 0) rest /= f;
    }
    return rest == 1 || power_mod(g, (p - 1) / rest, p) != 1;
}

int64_t primitive_root(int64_t p)
{
    int64_t root = 1;
    while (!generates(root, p)) root++;
    return root;
}
