/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions shared by the files of this folder. */
#ifndef MAPS_MAPS_H
#define MAPS_MAPS_H

#include <argand/maps.h>
#include <complex.h>
#include "array/array.h"
#include "base/memory.h"

enum { MOST_ECHOES = 64, MOST_TERMS = 2 };

/* Echoes of all pixels on the host. */
typedef struct echo_data {
    int echoes;
    bool is_complex;
    int64_t n[3], volumes; /* of {nx, ny, nz, volumes} */
    int64_t pixels;        /* of all volumes */
    const double *times;
    double *values; /* {pixels, echoes}, pairs if complex */
    char *mask;     /* {pixels} */
    int64_t inside;
    double noise; /* as in the options */
    double scale; /* a power of 2: the largest number times it is from 0.5 to below 1 */
    int threads;
} echo_data;

/* Checks and reads echoes {nx[, ny[, nz[, ...]]], echoes} and the mask. `what` begins messages. Free with
 * echoes_free, also after a failure. */
argand_status echoes_read(echo_data *d, const argand_array *echoes, const argand_echo_options *options,
                          const char *what);
void echoes_free(echo_data *d);
/* Refuses a map that is not real or has not one value for each pixel. NULL is allowed. */
argand_status echoes_check_map(const echo_data *d, const argand_array *map, const char *what);
/* Return the limits of R2*. */
double echoes_least_decay(const echo_data *d);
double echoes_most_decay(const echo_data *d);
/* Returns the shortest time between two echoes. */
double echoes_spacing(const echo_data *d);

/* The signal of a pixel: y_e = exp(-(r2star + i omega) t_e) sum_l amplitude_l basis_el. With s = r2star + i
 * omega it is analytic in s. For given s the amplitudes follow by linear least squares (variable projection),
 * and the derivative by s is one complex column b. */
typedef struct decay_model {
    int echoes, terms;
    const double *times;
    double complex basis[MOST_TERMS][MOST_ECHOES];
    double least, most; /* limits of r2star */
} decay_model;

typedef struct decay_fit {
    double r2star, omega;
    double complex amplitude[MOST_TERMS];
    double residual;                     /* sum of |y - model|^2 */
    double information;                  /* |P b|^2, P the projection off the basis: noise^2 over it is the
                                            variance of r2star, and of omega */
    double complex slope;                /* b^H residual */
    double complex coupling[MOST_TERMS]; /* change of the amplitudes by a change of s, negative */
    double complex inverse[MOST_TERMS][MOST_TERMS]; /* of the basis's normal matrix */
} decay_fit;

/* Computes all of f but r2star and omega from these. */
void decay_project(const decay_model *m, const double complex *y, decay_fit *f);
/* Improves r2star and omega from where they are, by Gauss and Newton's method. */
void decay_refine(const decay_model *m, const double complex *y, decay_fit *f);
/* Returns the variance of a real and an imaginary part that the residual implies; 0: no freedom is left. */
double decay_variance(const decay_model *m, const decay_fit *f);

/* Fit of a magnitude: amplitude exp(-r2star t) over noise. */
typedef struct magnitude_fit {
    double amplitude, r2star, residual, error;
} magnitude_fit;
void magnitude_solve(const echo_data *d, const double *y, double noise, magnitude_fit *f);
/* Estimates the standard deviation of the noise. */
argand_status magnitude_noise(const echo_data *d, double *noise);

/* Refuses options of water and fat that are out of range. */
argand_status fat_check(const argand_water_fat_options *o);
/* Returns the signal of fat of amplitude 1 without decay in a field of 0. */
double complex fat_signal(const argand_water_fat_options *o, double t);

#endif
