/* SPDX-License-Identifier: BSD-3-Clause */
/* Batches of lines of any length: SIMD runs over lines. A *cell* is one point of all
 * lines: a vector of real parts, then a vector of imaginary parts. Data lie in an array of cells, are
 * transformed in place and come out in another order; whoever puts them there and takes them away does it
 * cell by cell, so that any order of input or output costs nothing (`in` and `out` of any_length_plan).
 *
 * A length is a list of levels: n = radix[0] parts[0], parts[0] = radix[1] parts[1], ..., the last with 1
 * part. A level's radix is done by a butterfly (2 to 16), by sums of cosines and sines (odd, to 61), or by a
 * convolution (any_length_big). */
#ifndef FFT_CPU_ANY_LENGTH_ANY_LENGTH_H
#define FFT_CPU_ANY_LENGTH_ANY_LENGTH_H

#include <stdbool.h>
#include <stdint.h>
#include "base/cpu.h"
#include "base/status.h"
#include "base/text.h"
#include "fft/engine/roots.h"

enum { ANY_LENGTH_LEVELS = 40, BUTTERFLY_MOST = 16, STRAIGHT_MOST = 61 };

typedef struct any_length_level {
    int64_t radix, parts;
    const void *twiddles; /* cos, sin of 2 pi j q / (radix parts), for j < parts, q from 1; NULL: none */
    const void *sums;     /* straight: cos, sin of 2 pi k m / radix, for m, k from 1 to radix / 2 */
    const struct any_length_big *big; /* NULL: by butterfly or straight sums */
} any_length_level;

typedef struct any_length_tree {
    int64_t n;
    int count;
    any_length_level level[ANY_LENGTH_LEVELS];
} any_length_tree;

/* A cyclic convolution with something known: forward, times the spectrum, backward, in place and in order. */
typedef struct any_length_convolution {
    any_length_tree tree; /* no big levels; the last level is a butterfly */
    const void *spectrum; /* n complex numbers in the order of the tree's output, over n */
} any_length_convolution;

/* A transform of n points as a convolution of `count` of them. `first` = 1: point 0 is treated separately
 * (Rader); 0: Bluestein. halves = 1: cyclic. 2: with zeros behind, as a cyclic and a negacyclic one of half
 * the length: y = out[0] conv0(in[0] x) + out[1] conv1(in[1] x). */
typedef struct any_length_big {
    int64_t n, first, count;
    int halves;
    bool in_order; /* for one line at a time: spectra are in natural order */
    any_length_convolution half[2];
    const void *in[2], *out[2]; /* `count` complex weights; NULL: ones */
    const int32_t *from, *to;   /* point from[i] of the input is at i, point to[i] of the output too */
    const struct any_length_method *method; /* method.h */
} any_length_big;

enum { ANY_LENGTH_BIGS = 6, ANY_LENGTH_TABLES = 256 };

/* A transform of n points, ready to run. */
typedef struct any_length_plan {
    int64_t n, work_cells;
    bool is_double;
    double cost; /* predicted, in instructions a line of a cell */
    any_length_tree tree;
    int bigs;
    any_length_big big[ANY_LENGTH_BIGS];
    int32_t *in,
        *out; /* point j of the input belongs in cell in[j]; point k of the output is in cell out[k] */
    int tables;
    void *table[ANY_LENGTH_TABLES]; /* all that is to be freed */
} any_length_plan;

/* Lines longer than this are not taken side by side: 16 of them are 2 MiB. */
enum { ANY_LENGTH_LONGEST = 1 << 15 };

/* any_length.c */
double any_length_cost(int64_t n); /* that of the plan */
argand_status any_length_make(any_length_plan **plan, int64_t n, bool is_double);
void any_length_release(any_length_plan *plan); /* NULL is allowed */
void any_length_print(const any_length_plan *plan, text *t);

/* cost.c: what a tree of radices costs, and the best one */
double any_length_tree_choose(any_length_tree *tree, int64_t n, int64_t largest, bool convolution);
int64_t any_length_padded_length(int64_t least, bool convolution);
/* A prime as a level of sums; INFINITY beyond STRAIGHT_MOST */
double any_length_sums_cost(int64_t prime);
/* A cyclic convolution of n points; INFINITY where n has a prime factor that no level does */
double any_length_convolution_cost(int64_t n);

/* tables.c */
argand_status any_length_table(any_length_plan *plan, void *pointer_to_pointer, size_t count, size_t size);
/* Stores a complex number in a table of the plan's precision. */
void any_length_put(const any_length_plan *plan, void *table, int64_t at, long double re, long double im);
/* Its bytes */
static inline size_t any_length_pair(const any_length_plan *plan)
{
    return plan->is_double ? 16 : 8;
}
/* cos and sin of 2 pi k / n */
void any_length_root(long double *re, long double *im, int64_t k, int64_t n, bool is_double);
argand_status any_length_tree_tables(any_length_plan *plan, any_length_tree *tree, const int32_t *from,
                                     int64_t block);
/* The output that the tree leaves in cell i, for trees without big levels. */
int64_t any_length_tree_output(const any_length_tree *tree, int64_t i);
/* count complex weights from function(context, i) */
typedef void any_length_weight(const void *context, int64_t i, long double *re, long double *im);
argand_status any_length_weights(any_length_plan *plan, const void **weights, int64_t count,
                                 any_length_weight *function, const void *context);

/* spectra.c */
/* Roots of unity of one order: for long kernels of single lines from tables, rounded to double */
typedef struct any_length_circle {
    int64_t n;
    bool is_double, by_table;
    roots table;
} any_length_circle;
argand_status any_length_circle_make(any_length_circle *c, int64_t n, const any_length_plan *plan,
                                     const any_length_big *big);
/* cos and sin of 2 pi k / n, k >= 0 */
void any_length_circle_at(const any_length_circle *c, int64_t k, long double *re, long double *im);
void any_length_circle_release(any_length_circle *c);
/* Whether the big has so long a kernel that its tables are rounded to double before they are complete */
bool any_length_is_long(const any_length_big *big);
/* Makes the spectra of a kernel, which is as long as all convolutions: kernel(context, i). */
argand_status any_length_spectra(any_length_plan *plan, any_length_big *big, any_length_weight *kernel,
                                 const void *context);
/* Returns the most memory that the big's tables take, while they are made. */
size_t any_length_big_bytes(const any_length_plan *plan, const any_length_big *big);

/* The levels of both convolutions of m points. single: none, for one line at a time; spectra are in natural
 * order. */
argand_status any_length_convolution_make(any_length_plan *plan, any_length_big *big, int64_t m, bool single);

/* Transforms cells forward, in place; for an inverse transform exchange real and imaginary parts before
 * and after. work: plan->work_cells cells. Both begin on a multiple of 64 bytes. */
CPU_DECLARE(void, any_length_run, const any_length_tree *tree, void *cells, void *work);

#endif
