/* SPDX-License-Identifier: BSD-3-Clause */
/* Operators whose range is spread over ranks (dist/op/across.c makes them). Each rank has its part of the
 * data and the whole image, bit for bit the same, so that inner products of images are those of one rank, and
 * inner products of data are sums over the ranks. Solvers need no other knowledge of ranks than these
 * functions, which do nothing for other operators.
 *
 * A rank that fails must not leave the others waiting. Every exchange begins with a meeting, in which each
 * rank gives its status. What fails between two meetings is told by spread_end, which meets the others
 * wherever they are; then all of them fail. */
#ifndef OP_SPREAD_H
#define OP_SPREAD_H

#include "op/op.h"
#include "base/random.h"

/* Place of a rank's elements among those of all ranks: element i is number
 * first + i / run * stride + i % run. */
typedef struct op_place {
    int64_t count; /* elements of this rank that count: 0 on a rank without data, or all */
    int64_t whole; /* elements of all ranks */
    int64_t first, run, stride;
} op_place;

enum { SPREAD_NUMBERS = 64 }; /* of a meeting */
typedef struct op_meeting op_meeting;
struct op_meeting {
    int rank;
    bool told; /* a failure that all ranks know */
    /* Adds up to SPREAD_NUMBERS numbers over the ranks, in their order. If the status of any rank is not
     * ARGAND_OK, all ranks get that of the lowest, and `told` is set. */
    argand_status (*meet)(op_meeting *m, argand_status mine, double *numbers, int count);
    argand_status (*sum)(op_meeting *m, double *numbers, int64_t count); /* any number of them; no meeting */
};
struct op_spread {
    op_place place;
    op_meeting *meeting;
};

/* The first and last statements of a public function that may meet. `status`: what this rank has come to. */
void meeting_begin(op_meeting *m);
argand_status meeting_end(op_meeting *m, argand_status status);
void spread_begin(op_spread *s);
argand_status spread_end(op_spread *s, argand_status status);
argand_status spread_meet(op_spread *s, argand_status mine); /* the status alone */
/* Replaces numbers by their sums over the ranks, or by those of rank 0. */
argand_status spread_sum(op_spread *s, double *numbers, int count);
argand_status spread_same(op_spread *s, double *numbers, int count);

/* Refuses a part whose sides are spread over ranks, for operators that cannot keep its places. `who`: the
 * public function, without argand_op_. */
argand_status spread_refuse(const argand_op *part, const char *who);

/* scalars_dot and argand_array_dot of arrays that are spread as s says. */
argand_status spread_dot(op_spread *s, argand_array *numbers, int at, double factor, const argand_array *x,
                         const argand_array *y);
argand_status spread_dot_host(op_spread *s, double *product, const argand_array *x, const argand_array *y);
/* scalars_read; all ranks get the numbers of rank 0, so that they decide alike on any mixture of machines. */
argand_status spread_read(op_spread *s, double *values, const argand_array *numbers);

/* Elements of all ranks; place of element i of this rank among them. */
double spread_count(const op_spread *s, const argand_array *array);
int64_t spread_place(const op_spread *s, int64_t i);
/* Elements of this rank that count. */
int64_t spread_own(const op_spread *s, const argand_array *array);
/* Fills an array with normal numbers of this deviation: those that one rank would draw for the elements. */
argand_status spread_normal(const op_spread *s, argand_array *array, random_state *random, double sigma);

#endif
