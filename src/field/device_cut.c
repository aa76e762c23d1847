/* SPDX-License-Identifier: BSD-3-Clause */
/* How the sums of matrix kernels are cut so that groups fill the device: into equal parts, or, for small
 * problems, into some that fill it and short ones for the places that those leave. */
#include <math.h>
#include "field/device_way.h"

enum { STAGE = 64, STAGES = FIELD_BLOCK / STAGE, MOST_PARTS = 32, MOST_TAILS = FIELD_PARTS - MOST_PARTS };

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
    return run->forward ? run->plan->samples.count : (int64_t)run->layout->spots * FIELD_SEGMENT;
}

static int64_t held_terms(const field_run *run)
{
    return run->forward ? (int64_t)run->layout->spots * FIELD_SEGMENT : run->plan->samples.count;
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
static double cost_of_parts(int64_t rows, int64_t blocks, int64_t room, int parts)
{
    const int64_t rounds = (rows * parts + room - 1) / room;
    return (double)rounds * ((double)((blocks + parts - 1) / parts) + 0.3) +
           (parts > 1 ? 0.5 + 0.05 * parts : 0);
}

static int equal_parts(int64_t rows, int64_t blocks, int64_t room)
{
    const int64_t most = blocks < MOST_PARTS ? blocks : MOST_PARTS;
    int parts = 1;
    for (int p = 2; p <= most; p++)
        if (cost_of_parts(rows, blocks, room, p) < cost_of_parts(rows, blocks, room, parts)) parts = p;
    return parts;
}

static void lay_equal(int begin[], int parts, int64_t units)
{
    for (int i = 0; i <= parts; i++) begin[i] = (int)(units * i / parts);
}

/* ---- small problems: long parts, then short ones ---- */

enum { MOST_CLASSES = 128 };
/* What a group costs beside its stages, and each of the parts of an output, in stages. */
static const double group_cost = 1.2, part_cost = 0.2;

/* Places that become free at the same time. */
typedef struct places {
    double free;
    int64_t count;
} places;

/* In the order of their times. */
static void insert(places *all, int *count, places one)
{
    int i = (*count)++;
    for (; i && all[i - 1].free > one.free; i--) all[i] = all[i - 1];
    all[i] = one;
}

static places take_first(places *all, int *count)
{
    const places first = all[0];
    --*count;
    for (int i = 0; i < *count; i++) all[i] = all[i + 1];
    return first;
}

/* Gives `rows` groups of one length the places that become free first; false where that makes too many kinds
 * of place. */
static bool give(places *all, int *count, int64_t rows, double length)
{
    while (rows) {
        places first = take_first(all, count);
        const int64_t taken = first.count < rows ? first.count : rows;
        if (*count + 2 > MOST_CLASSES) return false;
        insert(all, count, (places){first.free + length, taken});
        first.count -= taken;
        if (first.count) insert(all, count, first);
        rows -= taken;
    }
    return true;
}

/* When the last group ends; groups begin in their order, as places become free. Or `limit`, where it is not
 * before that: shared evenly, or after some of the parts. */
static double cost_of_list(const int begin[], int parts, int64_t rows, int64_t room, double limit)
{
    const double rest = parts > 1 ? 2 + part_cost * parts : 0;
    places all[MOST_CLASSES] = {{0, room}};
    int count = 1;
    if ((begin[parts] + parts * group_cost) * (double)rows / (double)room + rest >= limit) return limit;
    for (int i = 0; i < parts; i++)
        if (!give(all, &count, rows, begin[i + 1] - begin[i] + group_cost) ||
            all[count - 1].free + rest >= limit)
            return limit;
    return all[count - 1].free + rest;
}

/* `longs` equal parts, and the rest in `tails` that get shorter by half. How many parts there are. */
static int lay_list(int begin[], int longs, int tails, int rest, int units)
{
    int at = units - rest, whole = (1 << tails) - 1;
    lay_equal(begin, longs, at);
    for (int i = 0; i < tails; i++) {
        const int left = units - at, share = tails - i;
        at += (left * (1 << (share - 1)) + whole / 2) / whole;
        whole = (1 << (share - 1)) - 1;
        begin[longs + i + 1] = i + 1 < tails ? at : units;
    }
    return longs + tails;
}

/* A list that was looked at, and the best one so far. */
typedef struct lists {
    int64_t rows, room;
    int units, parts, *begin;
    double least;
} lists;

static void look_at(lists *l, int longs, int tails, int length)
{
    int begin[FIELD_PARTS + 1];
    const int rest = tails ? l->units - longs * length : 0;
    if (longs > l->units || length < 1 || rest < tails) return; /* no part may be empty */
    const int parts = lay_list(begin, longs, tails, rest, l->units);
    const double cost = cost_of_list(begin, parts, l->rows, l->room, l->least);
    if (cost >= l->least) return;
    l->least = cost;
    l->parts = parts;
    for (int i = 0; i <= parts; i++) l->begin[i] = begin[i];
}

/* Of the lists whose long parts fill the room once, or a few times, and are then about as long as if all
 * groups shared evenly: the one that ends first. How many parts it has. */
static int best_list(int begin[], int64_t rows, int units, int64_t room)
{
    enum { MOST_ROUNDS = 3, NEAR = 3, MANY = 12 };
    lists l = {.rows = rows, .room = room, .units = units, .begin = begin, .least = HUGE_VAL};
    look_at(&l, 1, 0, units);
    if (room / rows > MANY) { /* short parts would be no shorter than these */
        for (int longs = 2; longs <= MOST_PARTS; longs++) look_at(&l, longs, 0, units);
        return l.parts;
    }
    for (int rounds = 1; rounds <= MOST_ROUNDS; rounds++) {
        const int64_t most = rounds * room / rows;
        const int fit = most < MOST_PARTS ? (int)most : MOST_PARTS,
                  even = (int)(rows * units / (room * rounds));
        for (int longs = fit > 1 ? fit - 1 : 1; longs <= fit + 1 && longs <= MOST_PARTS; longs++) {
            look_at(&l, longs, 0, even);
            for (int tails = 1; tails <= MOST_TAILS; tails++)
                for (int length = even - NEAR; length <= even + NEAR; length++)
                    look_at(&l, longs, tails, length);
        }
    }
    return l.parts;
}

/* ---- the choice ---- */

/* Where groups have so few blocks of terms that it counts how evenly they are given out. Blocks whose sums
 * are turned each by itself stay whole. */
static bool is_small(const field_run *run, int64_t rows, int64_t room)
{
    enum { FEW = 128 };
    int small = rows * (field_terms(run) / FIELD_BLOCK) < FEW * room;
    field_shape_word("small", &small);
    return small && run->device->cores == FIELD_CORES_WARPGROUP && field_turned(run) != 2;
}

/* For experiments: so many equal parts, and as numbers of two digits the lengths of short ones. */
static void lay_words(struct field_params *p)
{
    int cuts = 0, tail = 0, lengths[MOST_TAILS], tails = 0, rest = 0;
    field_shape_word("cuts", &cuts);
    field_shape_word("tail", &tail);
    if (cuts < 1 || cuts > MOST_PARTS) return;
    for (; tail && tails < MOST_TAILS; tail /= 100) rest += lengths[tails++] = tail % 100;
    lay_equal(p->begin, cuts, p->units - rest);
    for (p->parts = cuts; tails; p->parts++) p->begin[p->parts + 1] = p->begin[p->parts] + lengths[--tails];
}

void field_cut_sums(field_run *run, const field_shape *s)
{
    struct field_params *p = &run->params;
    const int64_t rows = field_blocks(run, s), room = (int64_t)run->device->units * s->resident;
    const int64_t blocks = field_terms(run) / FIELD_BLOCK;
    const bool small = is_small(run, rows, room);
    run->piece = small ? 1 : STAGES;
    p->outputs = (int)rows;
    p->units = (int)(run->piece == 1 ? at_least_one(divided_up(held_terms(run), STAGE)) : blocks);
    p->parts = small ? best_list(p->begin, rows, p->units, room) : equal_parts(rows, blocks, room);
    if (!small) lay_equal(p->begin, p->parts, p->units);
    lay_words(p);
}
