/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of argand/epi.h: directions and reference lines by positions (directions.c), directions that the
 * samples contradict (mirrored.c), the image of a line (inverse.c), what is done to lines (lines.c), the
 * error of reversed lines by reference lines (ghosts.c) or by the image (entropy.c), the new scan (epi.c). */
#ifndef RECON_EPI_H
#define RECON_EPI_H

#include <argand/calib.h>
#include <argand/epi.h>
#include "base/status.h"

enum { EPI_LISTS = 3, EPI_IMAGES = 0, EPI_CALIBRATIONS = 1, EPI_CORRECTIONS = 2 };

/* True if positions stay the same along a line, but for rounding. */
bool line_stays(const float *k, int64_t count);

/* Returns 1 if the positions of a straight line along the readout rise in the order of memory, -1 if they
 * fall, 0 if it is no such line. */
int line_order(const argand_acquisition *a);
/* Returns the mean of how alike the images along the readout of two lines are that were read at a distance of
 * 1 or 2 lines: 1 alike, -1 mirror images, between them if the object is symmetric or there is noise alone.
 * *pairs: of lines, at most 256. */
double lines_likeness(const argand_scan *scan, int encoding, int distance, int64_t *pairs);

/* Reverses lines of an encoding that run backwards by their positions, but not by their flags, in the lists
 * of `scan` (directions.c). *kept: memory of their samples, k and t. *reordered: number of image lines. */
argand_status lines_reorder(float **kept, int64_t *reordered, argand_acquisition *const lists[EPI_LISTS],
                            const argand_scan *scan, int encoding);
/* Moves image lines that are reference lines by their positions to the corrections, if the encoding has no
 * corrections. */
argand_status lines_set_aside(int64_t *count, argand_acquisition *lists[EPI_LISTS], argand_scan *scan,
                              int encoding);

/* From the samples of a line to the image along the readout: image[x] = sum over samples i of sample[i]
 * (re[i][x] + i im[i][x]). */
typedef struct line_inverse {
    int64_t samples, pixels;
    float *re, *im; /* {pixels, samples} */
} line_inverse;

/* Solves by least squares for samples at positions k. kept: pixels in the middle that the image keeps; all,
 * or fewer where lines are oversampled. */
argand_status line_inverse_make(line_inverse *inverse, const float *k, int64_t samples, int64_t pixels,
                                int64_t kept);
/* The same for positions with distance 1, as many as pixels: the inverse DFT. */
argand_status line_inverse_equidistant(line_inverse *inverse, const float *k, int64_t samples);
void line_inverse_free(line_inverse *inverse);

/* What is done to the lines of one encoding. */
typedef struct line_plan {
    int encoding;
    bool regrids;         /* ramp samples */
    bool mends;           /* reversed lines */
    const char *obstacle; /* why nothing of this is possible; NULL: it is, or is not needed */
    int64_t samples, pixels;
    const float *k[2];       /* positions of a forward and of a reversed line; NULL: there is none */
    line_inverse inverse[2]; /* of both */
    argand_device *device;   /* the host */
} line_plan;

argand_status line_plan_make(line_plan *plan, const argand_scan *scan, int encoding,
                             argand_epi_choice choice);
void line_plan_free(line_plan *plan);
bool line_plan_applies(const line_plan *plan, const argand_acquisition *a);

/* Where new samples lie: from -floor(pixels / 2) on for all lines, or from the line's first position on. */
typedef enum line_grid { LINE_COMMON_GRID, LINE_OWN_GRID } line_grid;
/* Lines of one call: their new samples {pixels, channels, lines}. phases: of each line, NULL: none. */
argand_status lines_apply(const line_plan *plan, float *samples, const argand_acquisition *const *lines,
                          int64_t count, const argand_epi_phase *const *phases, line_grid grid);

/* Finds the images of lines along the readout alone. */
void lines_image(const line_plan *plan, float *images, const argand_acquisition *const *lines, int64_t count,
                 const argand_epi_phase *const *phases);

/* Estimates of all sets of reference lines; or of all slices, by the image. */
typedef struct ghost_group {
    int slice;
    int64_t row; /* of its last line; by the image: of the slice's first line */
    argand_epi_phase phase;
} ghost_group;
typedef struct ghosts {
    ghost_group *groups;
    int64_t count;    /* in the order of slices, then rows */
    int64_t unusable; /* sets without a forward line next to a reversed one, or without signal; slices with
                       * too few lines */
    bool by_image;
} ghosts;
argand_status ghosts_find(ghosts *g, const line_plan *plan, const argand_scan *scan);
/* Returns the estimate for a line; NULL: there is none, or no error. *elsewhere: it is of another slice. */
const argand_epi_phase *ghosts_phase(const ghosts *g, const argand_acquisition *a, bool *elsewhere);
void ghosts_free(ghosts *g);
/* Estimates from the image lines of the volume of `first`. found: false if there are too few. */
argand_status entropy_estimate(argand_epi_phase *phase, bool *found, const line_plan *plan,
                               const argand_scan *scan, const argand_acquisition *first);

#endif
