/* SPDX-License-Identifier: BSD-3-Clause */
/* What a deconvolution plan holds. */
#ifndef CONV_DECONV_H
#define CONV_DECONV_H

#include <argand/deconv.h>
#include "conv/plan.h"

typedef struct lucy lucy;

struct argand_deconv {
    argand_deconv_options options; /* with every default in its place */
    argand_conv *conv;             /* of the blur; Wiener's spectrum stands in the place of the kernel's */
    argand_conv *filter;           /* Wiener within a limit of memory: his filter is the kernel */
    double filter_bytes;           /* that it took to make */
    double noise;                  /* that the filter is made with; 0: there is no kernel */
    bool has_kernel;
    lucy *lucy; /* NULL: Wiener */
};

/* wiener.c: the options' noise, or its floor for these taps. */
argand_status wiener_noise(double *noise, const argand_conv *blur, const argand_deconv_options *options);
/* The spectrum of c's kernel becomes that of the filter. */
argand_status wiener_filter(argand_conv *c, double noise);
/* A spectrum (C32, C64) of `count` elements on the host, of all channels of these taps. */
argand_status wiener_spectrum(void *spectrum, argand_type type, int64_t count, const conv_taps *taps,
                              double noise);

/* wiener_taps.c: the filter as a kernel of the plan's type and layout, and its centre. blur: a plan without
 * an engine that has taps. bytes: the most that it took; NULL: not asked for. */
argand_status wiener_taps(argand_array **kernel, int64_t centre[3], argand_conv *blur, argand_device *device,
                          double noise, double *bytes);

/* lucy.c */
argand_status lucy_make(argand_deconv *d);
argand_status lucy_kernel(argand_deconv *d, const argand_array *kernel);
/* Views {n..., channels, batch}. */
argand_status lucy_apply(const argand_deconv *d, argand_array *out, const argand_array *in);
void lucy_release(argand_deconv *d);

/* lucy_update.c: x v, v cut off at 0, over 1 - tv div(grad x / |grad x|): at the store of a plan whose result
 * is x, with x as the accessor's array and parameters of lucy_parameters. The other: y / max(v + background,
 * least). */
argand_accessor lucy_update(int rank, bool is_double, char *text); /* of LUCY_TEXT bytes */
argand_accessor lucy_ratio(int rank, bool is_double, char *text);
enum { LUCY_TEXT = 4096 };
/* The parameters: sizes of the array along the axes, two numbers. */
void lucy_parameters(argand_accessor *a, const int64_t *n, double first, double second);

#endif
