/* SPDX-License-Identifier: BSD-3-Clause */
/* The residual and the image of each iteration, and how far two solves are from each other. */
#ifndef TESTS_RECON_PRECISION_H
#define TESTS_RECON_PRECISION_H

#include "real.h"

enum { ITERATIONS = 50 };

typedef struct path_of_solver {
    double residual[ITERATIONS + 1];
    double *image[ITERATIONS + 1]; /* NULL where the solver keeps its iterates to itself */
    double *result;                /* what came out; sessions give it another scale than iterates */
    const argand_array *x;         /* what it is at work on; NULL: it keeps them */
    int last;
} path_of_solver;

static inline bool keep_step(void *context, const argand_progress *p)
{
    path_of_solver *path = context;
    path->residual[p->iteration] = p->residual;
    path->image[p->iteration] = path->x ? as_doubles(path->x) : NULL;
    path->last = p->iteration;
    return true;
}

static inline void free_path(path_of_solver *path)
{
    for (int i = 0; i <= path->last; i++) free(path->image[i]);
    free(path->result);
}

typedef struct distances {
    double residual, image;
} distances;

/* Over the iterations of `wanted`; single precision may end before, where only rounding is left, and stays
 * there. */
static inline distances compare(const char *name, const path_of_solver *got, const path_of_solver *wanted,
                                size_t numbers)
{
    distances worst = {0, relative_error(got->result, wanted->result, numbers)};
    for (int i = 1; i <= wanted->last; i++) {
        const int at = i < got->last ? i : got->last;
        worst.residual = fmax(worst.residual, fabs(got->residual[at] - wanted->residual[i]));
        if (got->image[at] && wanted->image[i])
            worst.image = fmax(worst.image, relative_error(got->image[at], wanted->image[i], numbers));
    }
    printf("%s: %d iterations, residual to %.1e, image to %.1e\n", name, got->last, worst.residual,
           worst.image);
    return worst;
}

#endif
