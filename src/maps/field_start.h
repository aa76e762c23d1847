/* SPDX-License-Identifier: BSD-3-Clause */
/* The start of the field: minima of the residual of each cell of pixels (field_curve.c, field_cells.c), and
 * the choice among them (field_labels.c). */
#ifndef MAPS_FIELD_START_H
#define MAPS_FIELD_START_H

#include "maps/maps.h"

enum { MOST_LABELS = 8, DECAYS = 5 };

/* The residual of echoes as a function of omega, for a few decays: a sum of cosines of the echo spacings. */
typedef struct field_curve {
    int echoes, decays, lags, steps;
    int lag_of[MOST_ECHOES][MOST_ECHOES];                 /* of a pair of echoes, first < second */
    double complex off[DECAYS][MOST_ECHOES][MOST_ECHOES]; /* projection off water and fat */
    double first, step;                                   /* omega = first + k step */
    float *cosines, *sines;                               /* {steps, lags} */
} field_curve;

argand_status curve_make(field_curve *c, const echo_data *d, const decay_model *m);
void curve_free(field_curve *c);
/* Returns the number of doubles that describe the residual of a cell. */
int curve_size(const field_curve *c);
/* Adds a pixel to a cell's sums. */
void curve_add(const field_curve *c, const double complex *y, double *sums);
/* Computes the least residual over the decays at each step. */
void curve_evaluate(const field_curve *c, const double *sums, float *residual);

/* A cell of pixels with its minima. */
typedef struct field_cell {
    int64_t back[3], next[3]; /* cells before and after along each axis; -1: none */
    int count, chosen;
    float omega[MOST_LABELS], cost[MOST_LABELS];
    float stiffness;               /* second derivative at the lowest minimum */
    float message[3][MOST_LABELS]; /* on the edges to `back`, to or from this cell */
} field_cell;

typedef struct field_grid {
    int64_t n[3]; /* cells */
    int width;    /* pixels of a cell along x and y */
    int64_t count;
    int64_t *index; /* of the cell at a place; -1: none */
    field_cell *cells;
} field_grid;

/* Makes the cells of a volume, with their minima. */
argand_status cells_make(field_grid *g, const echo_data *d, const field_curve *c, int64_t volume);
void cells_free(field_grid *g);
/* Returns the least residual of a sample of pixels. */
argand_status cells_least(double *least, const echo_data *d, const field_curve *c);
/* Chooses a minimum of each cell. */
void labels_choose(field_grid *g, double smoothness);

#endif
