/* SPDX-License-Identifier: BSD-3-Clause */
/* Locally low rank over the last axis: shrinks the singular values of blocks (Trzasko and Manduca, ISMRM
 * 2011; Zhang, Pauly, Levesque, Magn. Reson. Med. 73:655, 2015). Blocks partition the image, with smaller
 * ones at its edges, so that this is the exact proximal map. */
#include "penalty/penalty.h"

#include "array/layout.h"
#include "base/memory.h"
#include "base/random.h"
#include "kernels/penalty/params.h"

enum { MOST_BLOCK = 64 };

typedef struct low_rank_prox {
    prox base;
    struct low_rank_params params;
    random_state random;
    storage *scratch;
} low_rank_prox;

static void place_blocks(struct low_rank_params *p)
{
    p->blocks = 1;
    for (int axis = 0; axis < 3; axis++) {
        const int64_t left = p->n[axis] > p->first[axis] ? p->n[axis] - p->first[axis] : 0;
        p->count[axis] = 1 + (left + p->block - 1) / p->block;
        p->blocks *= p->count[axis];
    }
}

static void move(prox *base)
{
    low_rank_prox *l = (low_rank_prox *)base;
    for (int axis = 0; axis < 3; axis++)
        l->params.first[axis] = 1 + (int64_t)(random_bits(&l->random) % (uint64_t)l->params.block);
    place_blocks(&l->params);
}

static argand_status run(prox *base, argand_array *y, const argand_array *x, double t, const tally *sum)
{
    const low_rank_prox *l = (low_rank_prox *)base;
    struct low_rank_params p = l->params;
    storage *memory[4] = {NULL, y->storage, x->storage, l->scratch};
    p.groups = p.blocks < p.groups ? p.blocks : p.groups;
    p.in = x->offset * p.width;
    p.out = y->offset * p.width;
    p.threshold = layout_scalar(t, 0);
    penalty_launch launch = {"low_rank", x->type, p.groups, NULL, 4, &p, sizeof p};
    return penalty_start_tally(argand_array_device(x), &launch, memory, sum);
}

static void release(prox *base)
{
    storage_release(((low_rank_prox *)base)->scratch);
}

/* Allocates Gram matrix, eigenvectors and rotations for enough groups to keep the device busy. */
static argand_status make_scratch(low_rank_prox *l, argand_device *device)
{
    enum { MOST_GROUPS = 256 };
    struct low_rank_params *p = &l->params;
    const int64_t pixels = (int64_t)p->block * (p->n[1] > 1 ? p->block : 1) * (p->n[2] > 1 ? p->block : 1);
    p->order = pixels < p->frames ? pixels : p->frames;
    p->scratch = 4 * p->order * p->order + 4 * p->order + 4;
    p->groups = MOST_GROUPS;
    return storage_new(&l->scratch, device,
                       (size_t)(p->groups * p->scratch) *
                           (device_has_double(device) ? sizeof(double) : sizeof(float)));
}

static argand_status make(prox **out, const argand_regularizer *r, argand_device *device,
                          const argand_shape *shape, int space)
{
    low_rank_prox *l;
    TRY(NEW(l, 1));
    *out = &l->base;
    l->base = (prox){.run = run, .move = r->seed ? move : NULL, .destroy = release, .components = 1};
    l->random = (random_state){r->seed};
    struct low_rank_params *p = &l->params;
    *p = (struct low_rank_params){
        .n = {1, 1, 1}, .pixels = 1, .block = r->block ? r->block : 8, .width = penalty_width(shape->type)};
    for (int axis = 0; axis < space; axis++) p->pixels *= p->n[axis] = shape->dims[axis];
    for (int axis = 0; axis < 3; axis++) p->first[axis] = p->block;
    p->frames = shape->dims[shape->rank - 1];
    place_blocks(p);
    if (r->seed) move(*out);
    return make_scratch(l, device);
}

static bool parse(argand_regularizer *r, const char *option)
{
    return penalty_whole(option, MOST_BLOCK, &r->block);
}

static argand_status check(const argand_regularizer *r, const argand_shape *shape, int space)
{
    CHECK(r->block >= 0 && r->block <= MOST_BLOCK, ARGAND_ARGUMENT,
          "llr: blocks of %d pixels; give 1 to %d, or 0 for 8", r->block, (int)MOST_BLOCK);
    CHECK(
        shape->rank == space + 1, ARGAND_ARGUMENT,
        "llr: it wants images of %d axes and one more of repetitions, but the image has %d axes; set `space`",
        space, shape->rank);
    CHECK(shape->dims[shape->rank - 1] <= 1024, ARGAND_ARGUMENT, "llr: %lld repetitions; 1024 at most",
          (long long)shape->dims[shape->rank - 1]);
    return ARGAND_OK;
}

const penalty_kind penalty_low_rank = {
    .id = ARGAND_LOW_RANK,
    .name = "llr",
    .other_name = "low-rank",
    .form = "llr:WEIGHT[:BLOCK][:fixed]",
    .summary = "locally low rank",
    .formula =
        "sum over blocks of B pixels and T repetitions of (sqrt(B) + sqrt(T)) times the sum of the B x T "
        "matrix' singular values",
    .paper = "Trzasko, Manduca: Local versus global low-rank promotion in dynamic MRI series reconstruction. "
             "ISMRM 2011, 4371.",
    .usual = 0.05,
    .of_series = true,
    .is_moving = true,
    .degree = 1,
    .threshold = 0.42,
    .parse = parse,
    .check = check,
    .prox = make,
};
