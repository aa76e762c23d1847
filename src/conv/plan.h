/* SPDX-License-Identifier: BSD-3-Clause */
/* What a convolution plan holds. Inside, everything is y[i] = sum_d w[d] x[i - d] with taps w at offsets d
 * from low to high on each axis: the centre is a shift of the offsets, correlation reverses the kernel.
 *
 * There are three engines: "direct" sums (direct.c, sums.c), "fft" multiplies spectra (transform.c), and
 * "tiles" has a plan of its own for a tile (tiles.c). */
#ifndef CONV_PLAN_H
#define CONV_PLAN_H

#include <argand/conv.h>
#include "array/array.h"

/* How taps that lie beyond what the results of an image can distinguish are brought nearer (axis.c). */
typedef enum conv_fold {
    FOLD_DROP,  /* they meet nothing but zeros */
    FOLD_ENDS,  /* what they meet, the tap at the end meets too */
    FOLD_PERIOD /* the image goes on periodically */
} conv_fold;

typedef struct conv_axis {
    int64_t n, k;
    int64_t low, high;  /* offsets of the taps */
    int64_t first, out; /* results stand on elements first, first + 1, ... of the image */
    argand_border before, after;
    /* for transforms: taps after folding, elements beyond the image that results touch, points */
    bool is_filter; /* the spectrum will be that of a filter longer than the taps */
    conv_fold fold;
    int64_t fold_low, fold_high, period;
    int64_t lead, tail, points;
} conv_axis;

/* Taps of all kernel channels: count of each channel, real and imaginary part; axis 0 is the fastest. */
typedef struct conv_taps {
    double *at; /* NULL: none */
    int64_t count, channels;
    bool is_complex; /* any imaginary part is not 0 */
} conv_taps;

/* Seconds of a call by each method, predicted; 0: not known. */
typedef struct conv_times {
    double sums, transforms;
} conv_times;

/* How far a plan that has an answer to a high dynamic range goes (layers.c). */
typedef struct conv_limits {
    double range; /* that one convolution does (conv_range_is_high); 0: the plan has no such answer */
    double layer; /* where there is more: the range of each layer */
    bool zeros;   /* results where the kernel reaches nothing are 0 */
} conv_limits;

/* Elements of an image along each axis. */
typedef struct conv_part {
    int64_t first[3], count[3];
} conv_part;

typedef struct conv_direct conv_direct;
typedef struct conv_wide conv_wide;
typedef struct conv_tiles conv_tiles;

struct argand_conv {
    argand_device *device;
    argand_conv_options options; /* with every default in its place */
    conv_axis axis[3];           /* 1 long where there are fewer */
    bool is_direct;
    conv_times predicted; /* where the method was chosen by them */
    conv_taps taps;       /* of the kernel, as long as they are needed */
    bool has_kernel;      /* or a spectrum was set in the place of one */
    double sharpness;
    /* "fft" */
    bool extends;            /* the borders are made by a pass of their own (extend.c) */
    argand_fft *fft;         /* image to result */
    argand_fft *kernel_fft;  /* folded taps to spectrum */
    argand_array *spectrum;  /* what images are multiplied by */
    argand_array *unblended; /* of the kernel alone, where sharpness is not 0 */
    conv_wide *wide;     /* for images of a high dynamic range (wide.c); NULL: all are taken as they are */
    conv_direct *direct; /* "direct" */
    conv_tiles *tiles;   /* "tiles" */
    conv_limits limits;  /* of the tiles */
    size_t wide_memory;  /* limit of such a plan; 0: more than its options' memory where it must */
};

/* plan.c: a plan that knows its options and has no engine yet. */
argand_status conv_begin(argand_conv **conv, argand_device *device, const argand_conv_options *options);

/* The same as argand_conv_apply_part; part: NULL is all. */
argand_status conv_apply(const argand_conv *c, argand_array *out, const argand_array *in,
                         const conv_part *part);

/* options.c: checks them and fills c->options, c->axis. */
argand_status conv_options_read(argand_conv *c, const argand_conv_options *options);

/* axis.c */
void conv_axis_offsets(conv_axis *axis, const argand_conv_options *o, int d);
void conv_axis_reach(conv_axis *axis); /* how taps are folded, lead, tail */
argand_status conv_axis_points(conv_axis *axis, argand_device *device, bool extends, bool even);
int64_t conv_axis_least_points(const conv_axis *axis); /* before they are rounded up */
bool conv_axis_is_uneven(const conv_axis *axis);       /* its two sides have different rules */
/* Where borders are made by a pass of their own (extends): whether it makes lead and tail of this axis. */
bool conv_axis_is_extended(const conv_axis *axis, bool extends);
/* Which tap (from fold_low on) that at offset d becomes; -1: none. */
int64_t conv_axis_fold(const conv_axis *axis, int64_t d);
/* The element of the image that stands at i, any integer, or -1 where that is the constant, -2 where it is 0.
 */
int64_t conv_axis_element(const conv_axis *axis, int64_t i);

/* arrays.c: a view with dimensions {axes..., channels, batch}, after checks. */
argand_status conv_image_view(argand_array *view, const argand_conv *c, const argand_array *image,
                              bool is_out);
void conv_order_dims(argand_array *view, const argand_array *a, const argand_conv_options *o);
/* Image `number` of the batch of such a view, without the batch's dimension. */
argand_array conv_image_of(const argand_array *x, int rank, int64_t number);
/* Cuts such a view down to what of the part it has; false: nothing. */
bool conv_image_part(argand_array *view, const conv_part *part, int rank);
argand_status conv_kernel_check(const argand_conv *c, const argand_array *kernel);

/* explain.c: passes of the transforms and all that they read and write; 0 where there are none. */
void conv_passes(const argand_conv *c, int *passes, int64_t *moved);

/* taps.c */
argand_status conv_taps_read(conv_taps *taps, const argand_conv *c, const argand_array *kernel);
void conv_taps_release(conv_taps *taps);
/* A tap (real and imaginary part) as element i of numbers of that type. */
void conv_tap_put(void *numbers, argand_type type, int64_t i, const double *tap);

/* transform.c */
/* The taps folded, {fold_high - fold_low + 1..., kernel channels}, a new array. */
argand_status conv_folded(argand_array **folded, const argand_conv *c, argand_device *device,
                          argand_type type);
bool conv_must_extend(const argand_conv *c); /* after conv_axis_reach */
argand_status conv_transform_make(argand_conv *c);
argand_status conv_transform_kernel(argand_conv *c);
argand_status conv_transform_blend(argand_conv *c);
argand_status conv_transform_apply(const argand_conv *c, argand_array *out, const argand_array *in);
void conv_transform_release(argand_conv *c);

/* direct.c */
argand_status conv_direct_can(const argand_conv *c);
argand_status conv_direct_make(argand_conv *c);
argand_status conv_direct_kernel(argand_conv *c); /* after kernel or sharpness have changed */
argand_status conv_direct_apply(const argand_conv *c, argand_array *out, const argand_array *in);
void conv_direct_release(argand_conv *c);
size_t conv_direct_bytes(const argand_conv *c);

/* predict.c: both 0 where sums cannot be, or nobody has measured such a device. */
conv_times conv_predict(const argand_conv *c);
bool conv_sums_are_faster(const argand_conv *c); /* by c->predicted */

/* measure.c: the faster one of "direct" and "fft", where both can be. */
argand_status conv_measure(argand_conv *c);

#endif
