/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses the values shown as black and white. */
#include "io/picture/window.h"

#include <math.h>
#include "base/memory.h"

/* Returns the k-th smallest number, and reorders the numbers (Hoare's selection). */
static float select_number(float *numbers, size_t count, size_t k)
{
    size_t first = 0, last = count - 1;
    while (first < last) {
        const float pivot = numbers[first + (last - first) / 2];
        size_t i = first, j = last;
        for (;;) {
            while (numbers[i] < pivot) i++;
            while (numbers[j] > pivot) j--;
            if (i >= j) break;
            const float kept = numbers[i];
            numbers[i++] = numbers[j];
            numbers[j--] = kept;
        }
        if (numbers[j] > pivot) j--;
        if (k <= j)
            last = j;
        else
            first = j + 1;
    }
    return numbers[k];
}

argand_status window_choose(double *low, double *high, const float *numbers, size_t count, size_t stride)
{
    float *finite;
    size_t kept = 0;
    TRY(NEW(finite, count));
    for (size_t i = 0; i < count; i++)
        if (isfinite(numbers[i * stride])) finite[kept++] = numbers[i * stride];
    const size_t top = kept ? (size_t)(0.997 * (double)(kept - 1) + 0.5) : 0;
    const double most = kept ? (double)select_number(finite, kept, top) : 0;
    const double least = kept ? (double)select_number(finite, kept, kept - 1 - top) : 0;
    memory_free(finite);
    *low = 0;
    *high = most;
    if (least < -0.02 * most) {
        *high = fmax(most, -least);
        *low = -*high;
    }
    return ARGAND_OK;
}
