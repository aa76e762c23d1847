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
argand_status espirit_place(const void *kspace, bool is_double, const int64_t n[3], int64_t coils,
                            const int64_t size[3], int threads, int64_t origin[3]);

/* Computes rank and correlations from data. */
argand_status espirit_kernels(espirit_task *task);

/* Trigonometric polynomials of the position, one for each item, as sums over real waves: for index t along
 * an axis, 1, cos(theta), sin(theta), cos(2 theta) and so on, theta = 2 pi r. */
typedef struct espirit_polynomials {
    int64_t items, terms[3];
    double *coefficients; /* complex {terms[0], items, terms[1], terms[2]} */
} espirit_polynomials;

/* Makes polynomials from sums of exp(2 pi i (lag - lags / 2) r): complex {lags..., items}. */
argand_status espirit_polynomials_make(espirit_polynomials *p, const double *sums, const int64_t lags[3],
                                       int64_t items);
/* Sets waves[t] for one position. */
void espirit_waves(int64_t terms, double r, double *waves);

/* Data of the stage that computes pixels. */
typedef struct espirit_image {
    const espirit_task *task;
    const argand_espirit_options *options;
    int64_t n[3], sets, kept; /* kept: pixels where the first map is not 0 */
    int64_t covered, folded;  /* pixels of the tested rows with one eigenvalue above the crop, with two */
    double crop;
    bool is_double;          /* precision of the maps */
    const double *reference; /* complex {coils}: the virtual coil that sees a real signal */
    double *starts;          /* complex {coils, sets}: where Lanczos' method starts if there is no image */
    espirit_polynomials fields[2]; /* the matrices; the calibration region's coil images */
    double *planes[2];             /* complex {terms[0], items, terms[1]}: of one plane */
    void *waves[2];                /* REAL {padded n[0], terms[0]} */
    void *maps;
    double *values;
} espirit_image;
/* Makes the fields and starts, which both of the next functions need. */
argand_status espirit_fields(espirit_image *image);
void espirit_fields_free(espirit_image *image);
/* Computes maps (complex {n..., coils, sets} in the precision of is_double), values (double {n..., sets},
 * unless NULL) and the counts. */
argand_status espirit_pixels(espirit_image *image);
/* The same on a device (device.c), into arrays of the device: contiguous maps, eigenvalues of the same
 * precision or NULL. */
argand_status espirit_device_pixels(espirit_image *image, argand_device *device, argand_array *maps,
                                    argand_array *values);
/* Has the kernels of espirit_device_pixels built while other work goes on. */
void espirit_device_want(argand_device *device, bool is_double);

/* Computes maps and eigenvalues (NULL: not wanted) on the device of the maps, or else on that of the data, if
 * the host cannot access its memory; otherwise on the host (maps.c). note: why the host computes in place of
 * such a device, or "". */
enum { ESPIRIT_NOTE = 256 };
argand_status espirit_maps_write(espirit_image *image, argand_array *maps, argand_array *eigenvalues,
                                 const argand_array *data, char note[ESPIRIT_NOTE]);
/* Has the kernels for this built, if there are any, while other work goes on. */
void espirit_want(const argand_array *maps, const argand_array *data);

/* Second eigenvalues are looked for in about this many rows along y and z. */
enum { ESPIRIT_LOOKS = 16 };

/* Sets the steps between tested rows along y and z; the first one is half a step from the edge. 0: no row. */
static inline void espirit_looks(const espirit_image *p, int64_t step[2])
{
    for (int axis = 0; axis < 2; axis++)
        step[axis] = p->task->coils > 1 ? (p->n[axis + 1] + ESPIRIT_LOOKS - 1) / ESPIRIT_LOOKS : 0;
}

/* Returns an eigenvalue below which maps are 0. */
static inline double espirit_lowest(const espirit_image *p)
{
    const double zero = 2 * p->crop - 1; /* root of the eigenvalue at which a soft crop reaches 0 */
    return !p->options->soft ? p->crop - 0.02 : zero > 0 ? zero * zero - 0.02 : -1;
}

/* Returns the eigenvalue that counts as that of a second place. */
static inline double espirit_test_crop(const espirit_image *p)
{
    return p->crop > 0 ? p->crop : 0.8;
}

/* ESPIRIT_STEPS: most steps of Lanczos' method. The 60th power of a matrix with eigenvalues from 0 to 1
 * differs from a polynomial of degree 40 by 1e-12. */
enum { ESPIRIT_BLOCK = 16, ESPIRIT_STEPS = 40 };

/* One row of pixels. */
typedef struct espirit_row {
    int64_t coils, sets, count, pixels; /* count: in the row; pixels: from a coil's map to the next */
    int64_t matrix_terms, image_terms;
    const void *matrix, *image;             /* REAL, coefficients along the row: complex {terms, items} */
    const void *matrix_waves, *image_waves; /* REAL {count rounded up to blocks, terms} */
    double crop, lowest; /* lowest: eigenvalue below which maps are 0, so that they need not be exact */
    bool soft;
    const double *reference, *starts; /* as in espirit_image */
    void *scratch;                    /* espirit_scratch() REALs */
    void *maps;                       /* out: of the first coil, at the first pixel of the row */
    double *values;                   /* out, unless NULL: the same for eigenvalues */
} espirit_row;

static inline int64_t espirit_padded(int64_t count)
{
    return (count + ESPIRIT_BLOCK - 1) / ESPIRIT_BLOCK * ESPIRIT_BLOCK;
}
/* Returns the number of REALs of a block's matrices, and of a vector of a block. */
static inline int64_t espirit_matrix(int64_t coils)
{
    return (coils + 1) / 2 * ((coils + 1) / 2 + 1) / 2 * 8 * ESPIRIT_BLOCK;
}
static inline int64_t espirit_vector(int64_t coils)
{
    return (coils + 1) / 2 * 4 * ESPIRIT_BLOCK;
}
static inline int64_t espirit_scratch(int64_t coils, int64_t sets)
{
    return espirit_matrix(coils) + (ESPIRIT_STEPS + 2 + sets) * espirit_vector(coils);
}
/* Computes the maps of a row. Returns the number of pixels where the first map is not 0. */
CPU_DECLARE(int64_t, espirit_maps, const espirit_row *row);
/* Adds to above[0] and above[1] the number of pixels with one eigenvalue above the crop, and with two. */
CPU_DECLARE(void, espirit_count, const espirit_row *row, double crop, int64_t above[2]);
/* Computes out[i] = sum over t of waves[t] in[t * stride + i], i < count. */
CPU_DECLARE(void, espirit_contract, const double *in, int64_t stride, const double *waves, int64_t terms,
            int64_t count, double *out);

#endif
