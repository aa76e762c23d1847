/* SPDX-License-Identifier: BSD-3-Clause */
/* Data of a convolution plan, and the interface of its engines. Internally every convolution is
 * y[i] = sum_d w[d] x[i - d] with taps w at offsets d from low to high on each axis: the centre of the kernel
 * shifts the offsets, and correlation reverses the kernel.
 *
 * There are three engines: "direct" computes sums (direct.c, sums.c), "fft" multiplies spectra (transform.c,
 * and wide.c for images of a high dynamic range), and "tiles" convolves tile by tile with a plan for one tile
 * (tiles.c). */
#ifndef CONV_PLAN_H
#define CONV_PLAN_H

#include <argand/conv.h>
#include "array/array.h"

/* How taps are folded that lie farther out than any result can distinguish (axis.c). */
typedef enum conv_fold {
    FOLD_DROP,  /* drop: they multiply zeros alone */
    FOLD_ENDS,  /* add to the end tap: both multiply the same elements */
    FOLD_PERIOD /* add modulo the period: the image continues periodically */
} conv_fold;

typedef struct conv_axis {
    int64_t n, k;
    int64_t low, high;  /* offsets of the taps */
    int64_t first, out; /* result i is at element first + i of the image */
    argand_border before, after;
    /* for transforms: taps after folding, number of elements outside the image that results touch, points */
    bool is_filter; /* the spectrum will be that of a filter longer than the taps */
    conv_fold fold;
    int64_t fold_low, fold_high, period;
    int64_t lead, tail, points;
} conv_axis;

/* Taps of all kernel channels: `count` for each channel, as pairs of real and imaginary part, axis 0
 * fastest. */
typedef struct conv_taps {
    double *at; /* NULL: none */
    int64_t count, channels;
    bool is_complex; /* any imaginary part is not 0 */
} conv_taps;

/* Predicted seconds of a call by each method; 0: unknown. */
typedef struct conv_times {
    double sums, transforms;
} conv_times;

/* Dynamic range that a plan with layers can handle (layers.c). */
typedef struct conv_limits {
    double range; /* largest range for one convolution (conv_range_is_high); 0: the plan has no layers */
    double layer; /* range of each layer */
    bool zeros;   /* set results to 0 where the kernel reaches no element */
} conv_limits;

/* A part of an image: first element and number of elements along each axis. */
typedef struct conv_part {
    int64_t first[3], count[3];
} conv_part;

/* An engine. It finds and keeps its data in the plan. */
typedef struct conv_engine {
    const char *name;
    argand_status (*make)(argand_conv *c);
    argand_status (*kernel)(
        argand_conv *c); /* takes c->taps, and releases them if they are not needed again */
    argand_status (*blend)(argand_conv *c); /* follows a change of c->sharpness */
    /* Convolves views {axes..., channels, batch}; part: as in conv_apply. */
    argand_status (*apply)(const argand_conv *c, argand_array *out, const argand_array *in,
                           const conv_part *part);
    /* NULL: the engine needs whole images. */
    argand_status (*apply_boxes)(const argand_conv *c, argand_conv_write write, argand_conv_read read,
                                 void *context);
    size_t (*bytes)(const argand_conv *c);
    void (*release)(argand_conv *c); /* does nothing if there are no data of this engine */
} conv_engine;
extern const conv_engine conv_direct_engine, conv_fft_engine, conv_tiles_engine;

typedef struct conv_direct conv_direct;
typedef struct conv_wide conv_wide;
typedef struct conv_tiles conv_tiles;

struct argand_conv {
    argand_device *device;
    argand_conv_options options; /* all defaults filled in */
    conv_axis axis[3];           /* missing axes have one element */
    int valid;                   /* 1 + the axis of conv_create_valid; 0: none */
    const conv_engine *engine;
    conv_times predicted; /* the prediction that chose the method */
    conv_taps taps;       /* taps of the kernel while they are needed */
    bool has_kernel;      /* a kernel, or a spectrum in its place, is set */
    double sharpness;
    /* engine "fft" */
    bool extends;            /* a separate pass fills the borders (extend.c) */
    argand_fft *fft;         /* image to result */
    argand_fft *kernel_fft;  /* folded taps to spectrum */
    argand_array *spectrum;  /* spectrum of the kernel */
    argand_array *unblended; /* spectrum of the kernel alone, if sharpness is not 0 */
    conv_wide *wide;         /* handles images of a high dynamic range (wide.c); NULL: not wanted */
    conv_direct *direct;     /* engine "direct" */
    conv_tiles *tiles;       /* engine "tiles" */
    conv_limits limits;      /* for the tiles */
    size_t wide_memory;      /* memory limit of the plan for a high range; 0: may exceed the options' limit */
};

/* plan.c: makes a plan with checked options and no engine. */
argand_status conv_begin(argand_conv **conv, argand_device *device, const argand_conv_options *options);
/* Gives such a plan the results of mode valid along one axis (valid: 1 + axis; 0: none), whatever the
 * options' mode: the caller gives the elements beyond a part of an image. */
void conv_set_valid(argand_conv *c, int valid);
/* create.c: makes a complete plan of this kind. */
argand_status conv_create_valid(argand_conv **conv, argand_device *device, const argand_conv_options *options,
                                int axis);

/* argand_conv_apply_part without checks; part NULL: the whole image. */
argand_status conv_apply(const argand_conv *c, argand_array *out, const argand_array *in,
                         const conv_part *part);

/* options.c: checks the options; fills c->options and c->axis. */
argand_status conv_options_read(argand_conv *c, const argand_conv_options *options);

/* axis.c */
void conv_axis_offsets(conv_axis *axis, const argand_conv_options *o, int d);
void conv_axis_reach(conv_axis *axis); /* sets folding, lead and tail */
argand_status conv_axis_points(conv_axis *axis, argand_device *device, bool extends, bool even);
int64_t conv_axis_least_points(const conv_axis *axis); /* before rounding up to a fast FFT size */
bool conv_axis_is_uneven(const conv_axis *axis);       /* the two ends have different border rules */
/* Returns true if the separate border pass (extends) fills lead and tail of this axis. */
bool conv_axis_is_extended(const conv_axis *axis, bool extends);
/* Returns the index (from fold_low) of the folded tap that includes offset d; -1: dropped. */
int64_t conv_axis_fold(const conv_axis *axis, int64_t d);
/* Returns the element of the image that the border rule puts at position i; -1: the constant; -2: zero. */
int64_t conv_axis_element(const conv_axis *axis, int64_t i);

/* arrays.c: checks an array and makes a view {axes..., channels, batch}. */
argand_status conv_image_view(argand_array *view, const argand_conv *c, const argand_array *image,
                              bool is_out);
void conv_order_dims(argand_array *view, const argand_array *a, const argand_conv_options *o);
/* Returns image `number` of the batch of such a view, without the batch dimension. */
argand_array conv_image_of(const argand_array *x, int rank, int64_t number);
/* Restricts such a view to the part; returns false if they do not overlap. */
bool conv_image_part(argand_array *view, const conv_part *part, int rank);
argand_status conv_kernel_check(const argand_conv *c, const argand_array *kernel);

/* taps.c */
argand_status conv_taps_read(conv_taps *taps, const argand_conv *c, const argand_array *kernel);
void conv_taps_release(conv_taps *taps);
/* Stores a tap (real and imaginary part) as element i of an array of the given type. */
void conv_tap_put(void *numbers, argand_type type, int64_t i, const double *tap);

/* transform.c */
/* Creates an array of the folded taps, {fold_high - fold_low + 1..., kernel channels}. */
argand_status conv_folded(argand_array **folded, const argand_conv *c, argand_device *device,
                          argand_type type);
bool conv_must_extend(const argand_conv *c); /* call it after conv_axis_reach */
argand_status conv_transform_make(argand_conv *c);
argand_status conv_transform_kernel(argand_conv *c);
argand_status conv_transform_blend(argand_conv *c);
argand_status conv_transform_apply(const argand_conv *c, argand_array *out, const argand_array *in);
void conv_transform_release(argand_conv *c);

/* direct.c */
argand_status conv_direct_can(const argand_conv *c);
argand_status conv_direct_apply(const argand_conv *c, argand_array *out, const argand_array *in);

/* predict.c: predicts both times; both are 0 if direct sums are impossible or the device was never
 * measured. */
conv_times conv_predict(const argand_conv *c);
bool conv_sums_are_faster(const argand_conv *c); /* according to c->predicted */

/* tiles.c: returns the plan that convolves a tile; out: number of results of a tile. */
const argand_conv *conv_tiles_inner(const argand_conv *c, int64_t *out);

/* measure.c: makes the faster one of "direct" and "fft". */
argand_status conv_measure(argand_conv *c);

#endif
