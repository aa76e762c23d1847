/* SPDX-License-Identifier: BSD-3-Clause */
/* The steps of ESPIRiT: calibration data -> Gram matrix of its patches -> kernels that span them -> for each
 * pixel the matrix of the reconstruction operator -> its eigenvectors. */
#ifndef CALIB_ESPIRIT_H
#define CALIB_ESPIRIT_H

#include "calib/calib.h"
#include "calib/hermitian.h"
#include "calib/patches.h"

typedef struct espirit_task {
    int64_t coils, region[3], origin[3], kernel[3], patches, taps; /* taps: elements of a kernel */
    double *data;     /* complex {region..., coils}, largest value 1 */
    double threshold; /* negative: chosen from the spectrum, but at least its magnitude */
    int threads;
    int64_t rank;
    /* correlations[delta][pair]: pair (c, d), c >= d, at c (c + 1) / 2 + d; delta on an axis from -(kernel -
     * 1) */
    int64_t lags[3], pairs;
    double *correlations; /* complex */
} espirit_task;

/* Finds the first element of the region in k-space (complex {n..., coils}): around the centre, or where
 * the region holds the most energy. */
argand_status espirit_place(const double *kspace, const int64_t n[3], int64_t coils, const int64_t size[3],
                            int64_t origin[3]);

/* Computes rank and correlations from data. */
argand_status espirit_kernels(espirit_task *task);

/* Data of the stage that computes pixels. */
typedef struct espirit_image {
    const espirit_task *task;
    const argand_espirit_options *options;
    int64_t n[3], sets, kept; /* kept: pixels where the first map is not 0 */
    int64_t covered, folded;  /* pixels of the tested rows with one eigenvalue above the crop, with two */
    double crop;
    bool is_double;          /* precision of the maps */
    const double *reference; /* complex {coils}: the virtual coil that sees a real signal */
    double *plane;           /* complex {lags[0], lags[1], pairs} */
    double *image_plane;     /* complex {region[0], region[1], coils} */
    void *waves, *image_waves, *maps;
    double *values;
} espirit_image;
/* Computes maps (complex {n..., coils, sets} in the precision of is_double), values (double {n..., sets},
 * unless NULL) and kept. */
argand_status espirit_pixels(espirit_image *image);

enum { ESPIRIT_BLOCK = 32 };

/* One row of pixels. The operator's matrix is the sum over lags of coefficients[pair][lag] waves[lag][x]. */
typedef struct espirit_row {
    int64_t coils, sets, lags, count; /* count: pixels in the row */
    const double *coefficients;       /* complex {lags, pairs}: lag fastest */
    const void *waves;                /* REAL: [lag][2][count rounded up to blocks] */
    int64_t frequencies;
    /* Complex {frequencies, coils}: the same for the calibration region's coil images. */
    const double *image;
    const void *image_waves; /* as waves, for the frequencies */
    double crop;
    void *scratch; /* espirit_row_scratch(coils, sets) REALs */
    void *vectors; /* out: REAL [set][coil][2][ESPIRIT_BLOCK] for a block */
    void *values;  /* out: REAL [set][ESPIRIT_BLOCK] */
} espirit_row;

static inline int64_t espirit_padded(int64_t count)
{
    return (count + ESPIRIT_BLOCK - 1) / ESPIRIT_BLOCK * ESPIRIT_BLOCK;
}
static inline int64_t espirit_row_scratch(int64_t coils, int64_t sets)
{
    return 2 * ESPIRIT_BLOCK * (coils * coils + coils * sets);
}
/* Computes the strongest eigenvectors of a block of pixels that begins at `start` of the row. */
CPU_DECLARE(void, espirit_block, const espirit_row *row, int64_t start);

#endif
