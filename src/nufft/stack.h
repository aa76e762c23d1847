/* SPDX-License-Identifier: BSD-3-Clause */
/* Points that lie on the Cartesian grid along one axis. Where every plane across it has the same ones
 * (stacks of spirals or stars, Cartesian lines) that axis is a plain FFT, and the planes are vectors of a
 * NUFFT of the other axes, which sorts the points of one plane alone:
 *
 *     image {x, y, z} -> FFT along z -> planes {x, y, planes with points} -> NUFFT {x, y} -> samples
 *
 * Where they differ (stars rotated from plane to plane, planes with fewer points or none) the plan is one
 * whose last axis is planes: of three axes the first two have a window, so a point sees width^2 cells of one
 * plane, and the grid along the third is as long as the image (layout.c). Other axes than the last change
 * places with it.
 *
 * Made of public functions and array operations, so it is the same on every device. */
#ifndef NUFFT_STACK_H
#define NUFFT_STACK_H

#include "nufft/apply.h"

/* Samples have the axes {run, planes, shots}: `run` of them in one plane, then `run` in the next one. */
typedef struct stack_order {
    int axis;
    bool differ; /* planes have points of their own; of what follows only the distances are known */
    int64_t run, planes, shots;
    int64_t *slots;   /* of the planes: which frequency of the FFT's order; distinct */
    double deviation; /* the farthest of any point from where it is taken to be, cycles per field of view */
    double along;     /* the same, of the axis alone */
} stack_order;

/* FFTs of a number of vectors, made on first use and kept until the plan's points are set again. */
typedef struct stack_fft {
    int64_t vectors;
    argand_fft *to_planes, *to_image;
    struct stack_fft *next;
} stack_fft;

typedef struct nufft_stack {
    stack_order order;
    argand_device *device;        /* the plan's */
    argand_nufft_options options; /* the plan's */
    argand_nufft *plane;          /* the other axes; of planes that differ all */
    argand_array *k[3];           /* the caller's positions, copied for `whole` */
    int64_t pixels, points;       /* of the image and of all planes */
    int64_t batch;                /* vectors at a time */
    size_t vector_bytes;          /* of one */
    _Atomic(argand_nufft *)
        whole; /* with a window on every axis; NULL until somebody wants the window alone */
    _Atomic(stack_fft *) ffts;
} nufft_stack;

/* find.c: what axis, if any, is Cartesian (found), with k on the plan's device. slots: to be freed. */
argand_status stack_find(bool *found, stack_order *order, const argand_nufft *plan, argand_array *const k[]);
/* create.c: NULL where no axis is Cartesian, or nothing can be made of it */
argand_status stack_create(nufft_stack **out, const argand_nufft *plan, argand_array *const k[]);
void stack_destroy(nufft_stack *s); /* NULL is allowed */
argand_status stack_whole(const argand_nufft **whole, const nufft_stack *s);
argand_status stack_fft_for(const stack_fft **out, const nufft_stack *s, int64_t vectors);
int stack_axis(const nufft_stack *s, int axis); /* of planes that differ: the image's axis there */
double stack_error(const nufft_stack *s);       /* of taking points to be on the grid, relative l2 */
void stack_describe(const nufft_stack *s, argand_nufft_info *info); /* what differs from other plans */
void stack_print(const nufft_stack *s, char *text, size_t size);
size_t stack_bytes(const nufft_stack *s);
/* run.c: arrays are checked, and on the plan's device */
argand_status stack_run(const nufft_stack *s, bool adjoint, argand_array *out, const argand_array *in);

#endif
