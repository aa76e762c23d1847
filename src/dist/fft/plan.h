/* SPDX-License-Identifier: BSD-3-Clause */
/* The plan of a distributed transform: distributions, and the steps from one to the next. A step transforms
 * axes that are whole on each rank, or exchanges. The inverse goes the same way back.
 *
 *   box.c      slabs, pencils and other boxes
 *   pair.c     what two ranks exchange, as few blocks of pieces
 *   move.c     the exchange of one rank with all others
 *   memory.c   memory of the host or of a device
 *   stages.c   the distributions and steps of slabs and pencils
 *   places.c   where each distribution lies: the caller's arrays or work memory
 *   steps.c    the FFTs and exchanges of the steps
 *   plan.c     creation and queries
 *   apply.c    a transform
 *   copy.c     redistribution
 *   agree.c    options and boxes of all ranks
 *   predict.c  times by a model; machine.c has its constants */
#ifndef DIST_FFT_PLAN_H
#define DIST_FFT_PLAN_H

#include "dist/fft/memory.h"

/* Steps at most: an exchange, three transforms with two exchanges, an exchange. */
enum { DIST_STEPS = 7, DIST_FORWARD = 0, DIST_INVERSE = 1 };

/* Where a distribution lies during a call. */
typedef enum dist_place { PLACE_IN, PLACE_OUT, PLACE_FIRST, PLACE_SECOND } dist_place;

typedef struct dist_node {
    dist_part *parts; /* of all ranks */
    argand_type type;
    int64_t span;        /* elements of this rank's part, with gaps; 0: empty */
    dist_place place[2]; /* by direction */
} dist_node;

/* What a step does in one direction. A transform before an exchange goes in groups of planes along `axis`:
 * each group is sent while the next one is transformed. */
typedef struct dist_work {
    argand_fft *fft, *smaller; /* of the first groups, and of the last ones with one plane less */
    dist_move *moves;          /* of an exchange, one for each group */
    int groups, axis;
} dist_work;

typedef struct dist_step {
    unsigned axes; /* transformed axes; 0: an exchange */
    dist_work work[2];
} dist_step;

struct argand_dist_fft {
    argand_comm *comm;
    argand_device *device;
    argand_dist_fft_options options; /* in and out are not kept */
    argand_dist_division division;
    int dims;    /* axes with the batch */
    int grid[3]; /* ranks along the divided axes */
    int steps;
    dist_step step[DIST_STEPS];
    dist_node node[DIST_STEPS + 1];
    dist_memory memory;
    int64_t first, second; /* complex elements of work memory */
    argand_array *work, *own_work;
};

/* The boxes that all ranks gave; NULL where none did. */
typedef struct dist_given {
    argand_box *in, *out;
} dist_given;

static inline bool dist_is_real(const argand_dist_fft *plan)
{
    return plan->options.type == ARGAND_R32 || plan->options.type == ARGAND_R64;
}

static inline argand_type dist_complex(const argand_dist_fft *plan)
{
    return type_is_double(plan->options.type) ? ARGAND_C64 : ARGAND_C32;
}

/* Checks the options and gathers the boxes of all ranks; the caller frees them. All ranks call it. */
argand_status dist_gather(dist_given *given, argand_comm *comm, const argand_dist_fft_options *options);
/* Checks one rank's options. */
argand_status dist_check_options(const argand_dist_fft_options *options, int ranks);
/* Checks that this rank's box shares no element with another's and that all boxes together have the array's
 * elements; n NULL: they may leave out elements. */
argand_status dist_check_cover(const argand_box *boxes, int ranks, int rank, int axes, const int64_t *n,
                               const char *what);
/* Constants for predictions on this kind of device. */
const argand_dist_machine *dist_machine_of(argand_device *device);
/* Makes distributions and steps. */
argand_status dist_stages_make(argand_dist_fft *plan, const dist_given *given);
/* Decides where the distributions lie, and how much work memory is needed. */
void dist_places_choose(argand_dist_fft *plan);
/* Makes FFTs and exchanges. */
argand_status dist_steps_make(argand_dist_fft *plan);
void dist_steps_free(argand_dist_fft *plan);
/* Planes of a group in a box; 0 for the last groups of small boxes. */
static inline void dist_group(const dist_work *work, const argand_box *box, int group, int64_t *first,
                              int64_t *own)
{
    comm_share(box_extent(box, work->axis), work->groups, group, first, own);
}

/* True if a transform reads and writes the same elements of this rank's memory. */
bool dist_is_in_place(const argand_dist_fft *plan, int step);

#endif
