/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of `argand bench field`: problems, their reference, the plain kernel to compare with, ceilings of
 * chips. */
#ifndef CLI_BENCH_FIELD_H
#define CLI_BENCH_FIELD_H

#include "common/report.h"

enum { MODEL_PLAIN, MODEL_FIELD, MODEL_DECAY, MODEL_GRADIENTS, MODEL_TERMS, MODELS };

/* A problem: its values in double, and its arrays on the device. */
typedef struct field_case {
    int model, rank, terms;
    int64_t n[3], pixels, samples, coils;
    argand_type type;
    double tolerance;
    argand_device *device;
    double *k[3], *t, *field, *r2star, *gradient[3], *term_time, *term_space; /* terms follow one another */
    argand_array *image, *data, *image_out, *data_out;
    argand_field *plan;
} field_case;

/* Makes a problem from model, rank, n, samples, coils, type, tolerance and device. Call field_case_free
 * also after a failure. */
argand_status field_case_make(field_case *c);
void field_case_free(field_case *c);

/* Computes the relative l2 error of some outputs, at random positions and for up to three coils, against
 * plain sums in double. Also measures the seconds per pair of these sums. */
argand_status field_case_error(const field_case *c, bool adjoint, double *error, double *seconds_per_pair);
/* Computes |<Ax,y> - <x,A^H y>| / (|Ax| |y|) of both results. */
argand_status field_case_adjointness(const field_case *c, double *apart);

/* Seconds and error of the plain kernel in both directions, for one coil. field_plain_kernel returns false
 * if its program is missing or cannot use the device. */
typedef struct plain_figures {
    double seconds[2], error[2];
} plain_figures;
bool field_plain_kernel(plain_figures *figures, const field_case *c, const char *device, int repeat);

typedef struct field_settings {
    common_options common;
    option_sizes size;
    int samples, coils, model, precision, repeat;
    double tolerance;
    bool growth, alone;
} field_settings;

typedef struct field_session {
    const field_settings *s;
    argand_device *device;
    argand_device_info info;
    const char *device_name;
    bool on_cpu, small; /* small: a processor of any backend */
    report out;
    plain_figures plain; /* of the present problem; 0 s: none */
} field_session;

typedef struct field_figures {
    double seconds, alone;                 /* s per run: of runs in a row; of a single run */
    double error, apart, seconds_per_pair; /* seconds_per_pair: of the check on one core */
    bool same;
} field_figures;

/* Print the head of the table; a line, or an event with --json. Models have the names of the options. */
void field_print_head(const field_settings *s);
void field_print_line(field_session *x, const field_case *c, bool adjoint, const field_figures *f);

/* Computes the chip's upper bound for this problem in coil-pairs/s, and names the limiting unit. Returns
 * false if the chip's ceilings were not measured. */
bool field_ceiling(const field_case *c, double *coil_pairs, const char **limit);

#endif
