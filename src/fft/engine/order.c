/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets the order of frequencies of a line that is done as a matrix. */
#include "fft/engine/engine.h"

void order_of_matrix(struct fft_order *order, int64_t n1)
{
    order->digits = 2;
    order->radix[0] = (int)(order->n / n1);
    order->weight[0] = n1;
    order->radix[1] = (int)n1;
    order->weight[1] = 1;
}
