/* SPDX-License-Identifier: BSD-3-Clause */
/* How long a pass takes, from what it moves: the model behind ARGAND_ESTIMATE, and what --explain prints
 * besides measured times. It knows a device by a few figures; they decide between plans of different traffic,
 * not between equal ones. */
#ifndef FFT_PLANNER_MODEL_H
#define FFT_PLANNER_MODEL_H

#include <argand/fft_info.h>

typedef struct fft_model {
    double far_rate;   /* bytes a second, read and write together, of arrays in main memory */
    double near_rate;  /* of arrays that fit the last cache */
    double near_bytes; /* how much it holds */
    double launch;     /* seconds before a pass does anything */
    double operations; /* floating point a second in butterflies of single precision */
    double doubles;    /* the same of double precision */
    int sector;        /* bytes that memory moves at least */
} fft_model;

/* The rates of the device's description (device/traits.h), and over them what model_learn measured, as wisdom
 * has it. */
void model_of(fft_model *model, argand_device *device);
/* Measures the device's copy rate and launches where wisdom lacks them (some tenths of a second), and
 * remembers them: as the problem "!copy", seconds of a gigabyte read and written, and "!launch". Failures do
 * not matter. */
void model_learn(argand_device *device);
double model_seconds(const fft_model *model, const argand_fft_pass *pass, bool is_double);
/* The part of the full rate that segments of so many bytes reach: all from 64 on. */
double model_efficiency(const fft_model *model, int64_t segment);

/* ---- which axis first ---- */

/* Of an axis of a transform: its length, and how many elements along it are not known to be zero before, and
 * wanted after. */
typedef struct fft_extent {
    int64_t n, known, wanted;
} fft_extent;

/* The order of passes along the axes that moves the least elements: before its own pass only `known` elements
 * of an axis are there for the others' passes, afterwards `wanted`. Returns the elements that are read and
 * written in all; order[0] is the first pass's axis. Ties go to the lower axis. */
double model_axis_order(const fft_extent *axes, int rank, int *order);

#endif
