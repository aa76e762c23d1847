/* SPDX-License-Identifier: BSD-3-Clause */
/* Positions of the frequencies along one axis. A transform that omits its reordering leaves the
 * frequencies with their digits permuted. The struct describes the permutation, and the functions convert
 * in both directions; hosts and devices compile the same text.
 *
 * A position p has digits d_0, d_1, ... of radix[0], radix[1], ... (d_0 the fastest) and holds frequency k
 * = sum d_i weight[i] - origin, modulo n. The weights are products of the other digits' radices, so that k
 * has the same digits in another order: bit reversal, the order of Nabla's FFT and digit reversal in any
 * mix of radices are of this kind. No digits: k = p - origin, the natural order, centred if origin is
 * floor(n/2). Frequencies count from 0 to n - 1. Devices include this file after portable.h; hosts need
 * nothing before it. */
#ifndef KERNELS_FFT_ORDER_H
#define KERNELS_FFT_ORDER_H

#ifndef DEVICE
#include <stdint.h>
#define DEVICE static inline
#define PRIVATE
#define IN_PARAMS
#endif
#ifndef INDEX
#define INDEX int64_t
#endif

enum { FFT_ORDER_DIGITS = 24 };

struct fft_order {
    INDEX n, origin;
    INDEX weight[FFT_ORDER_DIGITS];
    int radix[FFT_ORDER_DIGITS];
    int digits, pad;
};

DEVICE INDEX fft_order_frequency(PRIVATE const struct fft_order *order, INDEX position)
{
    INDEX rest = position, k = order->digits ? 0 : position;
    for (int i = 0; i < order->digits; i++) {
        k += rest % order->radix[i] * order->weight[i];
        rest /= order->radix[i];
    }
    k -= order->origin;
    return k < 0 ? k + order->n : k;
}

DEVICE INDEX fft_order_position(PRIVATE const struct fft_order *order, INDEX frequency)
{
    INDEX k = frequency + order->origin, step = 1, position = 0;
    if (k >= order->n) k -= order->n;
    for (int i = 0; i < order->digits; i++) {
        position += k / order->weight[i] % order->radix[i] * step;
        step *= order->radix[i];
    }
    return order->digits ? position : k;
}

/* Returns the position of frequency -k, where k is the frequency at `position`. */
DEVICE INDEX fft_order_mirror(PRIVATE const struct fft_order *order, INDEX position)
{
    const INDEX k = fft_order_frequency(order, position);
    return fft_order_position(order, k ? order->n - k : 0);
}

#endif
