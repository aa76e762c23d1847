/* SPDX-License-Identifier: BSD-3-Clause */
/* Returns which lengths have radices. */
#include "fft/gpu/radix/lengths.h"

/* Returns true if n is a product of primes up to 31. */
bool has_small_radices(int64_t n)
{
    static const unsigned int primes[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31};
    enum { PRIMES = sizeof primes / sizeof *primes };
    int i = 0;
    for (; i < PRIMES && n > UINT32_MAX; i++)
        while (n % primes[i] == 0) n /= primes[i];
    if (n > UINT32_MAX) return false;
    unsigned int rest = (unsigned int)n; /* 32-bit divisions are faster */
    for (i = i ? i - 1 : 0; i < PRIMES; i++)
        while (rest % primes[i] == 0) rest /= primes[i];
    return rest == 1;
}

/* Radices from 37 on fill a thread's registers. One of them pays for lines of one pass with enough other
 * factors (74 points took 1.11 ms, by a convolution 0.24; 3996 points 0.18 instead of 0.66). Two make the
 * kernel too long in double precision. */
bool has_radices(int64_t n)
{
    static const int large[] = {37, 41, 43, 47};
    enum { LARGE = sizeof large / sizeof *large, LEAST = 1000, MOST = 16384 };
    if (n >= LEAST && n <= MOST)
        for (int i = 0; i < LARGE; i++)
            if (n % large[i] == 0) return has_small_radices(n / large[i]);
    return has_small_radices(n);
}
