/* SPDX-License-Identifier: BSD-3-Clause */
/* Predicts the time of a pass from the bytes that it moves: the model behind ARGAND_ESTIMATE, and behind
 * what --explain prints besides measured times. It describes a device by a few figures, which distinguish
 * plans of different memory traffic, not plans of equal traffic. */
#ifndef FFT_PLANNER_MODEL_H
#define FFT_PLANNER_MODEL_H

#include <argand/fft_info.h>

typedef struct fft_model {
    double far_rate;   /* bytes a second, read and written together, of arrays in main memory */
    double near_rate;  /* the same for arrays that fit in the last cache */
    double near_bytes; /* bytes of that cache */
    double launch;     /* seconds to start a pass */
    double operations; /* floating-point operations a second in butterflies of single precision */
    double doubles;    /* the same in double precision */
    int sector;        /* smallest number of bytes that memory moves */
} fft_model;

/* Sets the rates of the device's description (device/traits.h), or those that model_learn measured, from
 * wisdom. */
void model_of(fft_model *model, argand_device *device);
/* Measures the device's copy rate and launch time if wisdom has none, which takes some tenths of a second.
 * Keeps them as the problems "!copy" (seconds of a gigabyte read and written) and "!launch". Ignores
 * failures. */
void model_learn(argand_device *device);
double model_seconds(const fft_model *model, const argand_fft_pass *pass, bool is_double);
/* Returns the fraction of the full rate for segments of that many bytes; 1 from 64 on. */
double model_efficiency(const fft_model *model, int64_t segment);

/* ---- order of axes ---- */

/* An axis of a transform: its length, the elements that may be nonzero before it, and those wanted after
 * it. */
typedef struct fft_extent {
    int64_t n, known, wanted;
} fft_extent;

/* Finds the order of passes along the axes that moves the fewest elements. Before its own pass an axis
 * only has `known` elements for the other passes, afterwards `wanted`. Returns the total number of
 * elements read and written; order[0] is the axis of the first pass. Ties go to the lower axis. */
double model_axis_order(const fft_extent *axes, int rank, int *order);

#endif
