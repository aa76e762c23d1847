/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of `argand bench field`: problems, their reference, the plain kernel to compare with, the chip's
 * ceilings. */
#ifndef CLI_BENCH_FIELD_H
#define CLI_BENCH_FIELD_H

#include "common/report.h"

enum { MODEL_PLAIN, MODEL_FIELD, MODEL_DECAY, MODEL_GRADIENTS, MODEL_TERMS, MODELS };

/* A problem: its values in double, and what is made of them on the device. */
typedef struct field_case {
    int model, rank, terms;
    int64_t n[3], pixels, samples, coils;
    argand_type type;
    double tolerance;
    argand_device *device;
    double *k[3], *t, *field, *r2star, *gradient[3], *term_time, *term_space; /* terms: one after the other */
    argand_array *image, *data, *image_out, *data_out;
    argand_field *plan;
} field_case;

/* model, rank, n, samples, coils, type, tolerance and device are set; free_case also after a failure. */
argand_status field_case_make(field_case *c);
void field_case_free(field_case *c);

/* Relative l2 error of some outputs, at random places and of up to three coils, against plain sums in double;
 * and the time of a pair of these. */
argand_status field_case_error(const field_case *c, bool adjoint, double *error, double *seconds_per_pair);
/* |<Ax,y> - <x,A^H y>| / (|Ax| |y|) of both results */
argand_status field_case_adjointness(const field_case *c, double *apart);

/* Seconds and error of the plain kernel of bench/ in both directions, for one coil. False where it is not
 * there or cannot serve the device. */
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
    bool on_cpu, small; /* small: a processor, whatever its backend is called */
    report out;
    plain_figures plain; /* of the problem at hand; 0 s where there are none */
} field_session;

typedef struct field_figures {
    double seconds, alone;                 /* of one in a row of runs; of one by itself */
    double error, apart, seconds_per_pair; /* the last: of the check, one core */
    bool same;
} field_figures;

/* The table's head and a line of it, or with --json an event; names of the models as options call them. */
void field_print_head(const field_settings *s);
void field_print_line(field_session *x, const field_case *c, bool adjoint, const field_figures *f);

/* What the chip cannot exceed for this problem: coil-pairs a second, and what limits it. False where the
 * chip's ceilings were not measured. */
bool field_ceiling(const field_case *c, double *coil_pairs, const char **limit);

#endif
