/* SPDX-License-Identifier: BSD-3-Clause */
/* Data of a deconvolution plan. */
#ifndef CONV_DECONV_H
#define CONV_DECONV_H

#include <argand/deconv.h>
#include "conv/plan.h"

typedef struct lucy lucy;

struct argand_deconv {
    argand_deconv_options options; /* all defaults filled in */
    argand_conv *conv;             /* plan of the blur; Wiener's filter replaces its kernel spectrum */
    argand_conv *filter;           /* Wiener with a limit of memory: plan whose kernel is the filter */
    double filter_bytes;           /* largest memory during the computation of the filter */
    double noise;                  /* noise of the current filter; 0: no kernel is set */
    bool has_kernel;
    lucy *lucy; /* NULL: Wiener */
};

/* wiener.c: returns the larger of the options' noise and the floor for these taps. */
argand_status wiener_noise(double *noise, const argand_conv *blur, const argand_deconv_options *options);
/* Replaces the kernel spectrum of c by the spectrum of Wiener's filter. */
argand_status wiener_filter(argand_conv *c, double noise);
/* The same for a spectrum (C32, C64) on the host of `count` elements, all channels of the taps. */
argand_status wiener_spectrum(void *spectrum, argand_type type, int64_t count, const conv_taps *taps,
                              double noise);

/* wiener_taps.c: computes the taps of the filter as a kernel of the plan's type and layout, and the
 * kernel's centre. blur: a plan without an engine that holds taps. bytes: receives the largest memory in
 * use; NULL is allowed. */
argand_status wiener_taps(argand_array **kernel, int64_t centre[3], argand_conv *blur, argand_device *device,
                          double noise, double *bytes);

/* lucy.c */
argand_status lucy_make(argand_deconv *d);
argand_status lucy_kernel(argand_deconv *d, const argand_array *kernel);
/* out, in: views {n..., channels, batch}. */
argand_status lucy_apply(const argand_deconv *d, argand_array *out, const argand_array *in);
void lucy_release(argand_deconv *d);

/* lucy_update.c: accessors for the store of a convolution result v. lucy_update returns x max(v, 0) / (1 -
 * tv div(grad x / |grad x|)); x is the accessor's array. lucy_ratio returns y / max(v + background,
 * least); y is the accessor's array. The numbers come from lucy_parameters. */
argand_accessor lucy_update(int rank, bool is_double, char *text); /* text: LUCY_TEXT bytes */
argand_accessor lucy_ratio(int rank, bool is_double, char *text);
enum { LUCY_TEXT = 4096 };
/* Sets the parameters: sizes of the array along the axes, then two numbers. */
void lucy_parameters(argand_accessor *a, const int64_t *n, double first, double second);

#endif
