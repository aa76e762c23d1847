/* SPDX-License-Identifier: BSD-3-Clause */
/* Singular values and vectors of small dense matrices. */
#ifndef SEGMENTS_SVD_H
#define SEGMENTS_SVD_H

#include "base/memory.h"
#include "segments/numbers.h"

typedef struct svd {
    int rows, columns, rank; /* rank: number of values above 1e-15 of the first */
    double complex *left;    /* {rows, rank}, column by column */
    double complex *right;   /* {columns, rank} */
    double *value;           /* in falling order */
} svd;

/* a = left diag(value) right^H; a: {rows, columns}, column by column, is destroyed. */
argand_status svd_make(svd *s, double complex *a, int rows, int columns);
void svd_release(svd *s);

#endif
