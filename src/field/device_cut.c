/* SPDX-License-Identifier: BSD-3-Clause */
/* How the sums of matrix kernels are cut so that groups fill the device: each into equal parts, or, where
 * those leave much of it empty, all of them dealt out evenly (kernels/field_cut.krn). */
#include <limits.h>
#include "field/device_way.h"

enum { STAGE = 64, STAGES = FIELD_BLOCK / STAGE, MOST_PARTS = 32 };

/* Adjoint sums count from their block's centre in time: are turned to 0 at the end if there is but one. */
int field_turned(const field_run *run)
{
    const field_device *d = run->device;
    int one_centre = 1;
    field_shape_word("one_centre", &one_centre);
    return run->forward || !(d->field || d->decay) ? 0 : one_centre && d->centres == 1 ? 1 : 2;
}

int64_t field_terms(const field_run *run)
{
    const field_device *d = run->device;
    return run->forward ? (int64_t)d->tensor.segments * FIELD_SEGMENT : (int64_t)d->blocks * FIELD_BLOCK;
}

/* Of the outputs in the plan's order, padded. */
int64_t field_places(const field_run *run)
{
    return run->forward ? (int64_t)run->device->blocks * FIELD_BLOCK
                        : (int64_t)run->layout->segments * FIELD_SEGMENT;
}

/* Those that hold anything: outputs and terms, without their padding. */
static int64_t held_outputs(const field_run *run)
{
    return run->forward ? run->plan->samples.count : (int64_t)run->layout->spots * run->layout->spot;
}

static int64_t held_terms(const field_run *run)
{
    return run->forward ? (int64_t)run->layout->spots * run->layout->spot : run->plan->samples.count;
}

static int64_t divided_up(int64_t a, int64_t b)
{
    return (a + b - 1) / b;
}

static int64_t at_least_one(int64_t count)
{
    return count > 1 ? count : 1;
}

int field_blocks(const field_run *run, const field_shape *s)
{
    return (int)at_least_one(divided_up(held_outputs(run), s->items / 2));
}

/* ---- equal parts ---- */

/* In rounds of as many groups as have room, each as long as its longest part and a little for its start;
 * every further part is written and read once more. In blocks of terms. */
static double cost_of_parts(const field_run *run, const field_shape *s, int parts)
{
    const int64_t rows = field_blocks(run, s), room = (int64_t)run->device->units * s->resident;
    const int64_t blocks = field_terms(run) / FIELD_BLOCK, rounds = (rows * parts + room - 1) / room;
    return (double)rounds * ((double)((blocks + parts - 1) / parts) + 0.3) +
           (parts > 1 ? 0.5 + 0.05 * parts : 0);
}

static int parts_of(const field_run *run, const field_shape *s)
{
    const int64_t blocks = field_terms(run) / FIELD_BLOCK, most = blocks < MOST_PARTS ? blocks : MOST_PARTS;
    int parts = 1;
    for (int p = 2; p <= most; p++)
        if (cost_of_parts(run, s, p) < cost_of_parts(run, s, parts)) parts = p;
    field_shape_word("cuts", &parts);
    return parts;
}

/* ---- dealt out evenly ---- */

/* Blocks of a group's rows and stages of 64 terms that hold anything, and as many groups as have room. */
static bool deal(struct field_params *p, const field_run *run, const field_shape *s)
{
    const int64_t room = (int64_t)run->device->units * s->resident;
    const int64_t rows = field_blocks(run, s);
    const int64_t stages = at_least_one(divided_up(held_terms(run), STAGE));
    if (rows * (stages + 1) > INT_MAX / (room + 1)) return false;
    p->outputs = (int)rows;
    p->units = (int)stages;
    p->rows = s->items / 2;
    p->groups = (int)(rows * stages < room ? rows * stages : room);
    /* a group has at least `least` places, the first and the last of a block's groups one of it */
    const int64_t least = rows * (stages + 1) / p->groups;
    p->parts = (int)((stages - 2 + least) / least + 1);
    return true;
}

/* A group's places, a little for its start, and what writing and reading parts costs; in blocks of terms. */
static double cost_of_dealing(const struct field_params *p)
{
    const int64_t each = divided_up((int64_t)p->outputs * (p->units + 1), p->groups);
    return (double)each / STAGES + 0.3 + 0.5 + 0.05 * p->parts;
}

/* One kernel serves where all sets of vectors have one shape, and sums need not be turned block by block. */
static bool can_deal(const field_run *run)
{
    const int most = run->device->most_vectors;
    return run->device->cores == FIELD_CORES_WARPGROUP && field_turned(run) != 2 &&
           (run->vectors <= most || run->vectors % most == 0);
}

/* The last parts' lengths where groups get shorter, as numbers of two digits. */
enum { MOST_TAILS = 6 };

static int tail_of(int tail[MOST_TAILS])
{
    int digits = 0, count = 0;
    field_shape_word("tail", &digits);
    for (int rest = digits; rest; rest /= 100) count++;
    for (int i = count; i; digits /= 100) tail[--i] = digits % 100;
    return count;
}

/* p->parts of equal length, and a few short ones. */
static void lay_parts(struct field_params *p)
{
    int tail[MOST_TAILS], sum = 0, at = 0;
    const int tails = tail_of(tail), equal = p->parts;
    for (int i = 0; i < tails; i++) sum += tail[i];
    for (int i = 0; i <= equal; i++) p->begin[i] = at = (int)((int64_t)(p->units - sum) * i / equal);
    for (int i = 0; i < tails; i++) p->begin[++p->parts] = at += tail[i];
}

void field_cut_sums(struct field_params *p, const field_run *run, const field_shape *s)
{
    struct field_params dealt = *p;
    int wanted = 0;
    p->outputs = field_blocks(run, s);
    p->units = (int)(field_terms(run) / FIELD_BLOCK);
    p->parts = parts_of(run, s);
    lay_parts(p);
    if (!can_deal(run) || !deal(&dealt, run, s)) return;
    wanted = cost_of_dealing(&dealt) < 0.95 * cost_of_parts(run, s, p->parts);
    field_shape_word("dealt", &wanted);
    if (wanted) *p = dealt;
}
