/* SPDX-License-Identifier: BSD-3-Clause */
/* A method makes a transform of n points a convolution. Each is one file, rader.c or bluestein.c: when it
 * applies, its plan, its steps for one line, its text. Batches take the same steps with a cell in place of a
 * point (run_big in kernels.c). */
#ifndef FFT_CPU_ANY_LENGTH_METHOD_H
#define FFT_CPU_ANY_LENGTH_METHOD_H

#include "fft/cpu/any_length/any_length.h"
#include "fft/cpu/any_length/single.h"
#include "fft/cpu/simd_single/simd_single.h"

/* One line, and memory for its convolution. */
typedef struct single_line {
    const single_kernels *kernels;
    const any_length_big *big;
    const simd_single *smooth; /* transforms of the convolution's length */
    bool is_double;
    size_t size;      /* of a complex number */
    char *even, *odd; /* data of the cyclic and of the negacyclic convolution */
    void *work;       /* of `smooth` */
} single_line;

typedef struct any_length_method {
    /* Predicted, in instructions a line of a cell; INFINITY where the method does not apply. */
    double (*cost)(int64_t n);
    /* single: for one line at a time */
    argand_status (*make)(any_length_plan *plan, any_length_big *big, int64_t n, bool single);
    void (*run_line)(const single_line *s, void *out, const void *in, int inverse, double factor);
    /* Prints the method, before the transform of its convolution. */
    void (*print)(const any_length_big *big, text *t);
} any_length_method;

extern const any_length_method rader_method, padded_rader_method, bluestein_method;

/* single_convolve.c: what methods do with one line. Convolves `data` in place with half[half] of the plan.
 * point_zero, if not NULL, is added to every result, and becomes the sum of all inputs. */
void single_convolve(const single_line *s, int half, void *data, double *point_zero);
/* Sets the points of `data` behind the method's own to 0. */
void single_clear(const single_line *s, char *data);
void single_get_point(double *re_im, const void *from, bool is_double);
void single_put_point(void *to, double re, double im, bool is_double);

#endif
