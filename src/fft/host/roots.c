/* SPDX-License-Identifier: BSD-3-Clause */
#include "fft/host/roots.h"

#include <math.h>
#include "base/memory.h"

argand_status roots_make(roots *r, int64_t n)
{
    const long double turn = 6.283185307179586476925286766559005768L / (long double)n;
    *r = (roots){.n = n, .step = (int64_t)ceil(sqrt((double)n))};
    TRY(NEW(r->table, 4 * (r->step + 1)));
    for (int64_t i = 0; i < r->step; i++) {
        long double *fine = r->table + 2 * i, *coarse = fine + 2 * r->step;
        fine[0] = cosl(turn * (long double)i);
        fine[1] = sinl(turn * (long double)i);
        coarse[0] = cosl(turn * (long double)(i * r->step % n));
        coarse[1] = sinl(turn * (long double)(i * r->step % n));
    }
    return ARGAND_OK;
}

void roots_release(roots *r)
{
    memory_free(r->table);
    *r = (roots){0};
}
