/* SPDX-License-Identifier: BSD-3-Clause */
/* Arithmetic modulo a prime, for Rader's algorithm. */
#ifndef FFT_ENGINE_PRIMES_H
#define FFT_ENGINE_PRIMES_H

#include <stdbool.h>
#include <stdint.h>

bool is_prime(int64_t n);
/* Returns base^exponent mod p. */
int64_t power_mod(int64_t base, int64_t exponent, int64_t p);
/* Returns the smallest integer whose powers modulo the prime p are all of 1 to p - 1. */
int64_t primitive_root(int64_t p);

#endif
