/* SPDX-License-Identifier: BSD-3-Clause */
/* Cuts the sums of matrix kernels so that thread blocks fill the device: into equal parts, or, for small
 * problems, so that all blocks have equal work. */
#include "field/device_engine.h"

enum { STAGE = 64, STAGES = FIELD_BLOCK / STAGE, MOST_PARTS = 32 };

/* Adjoint sums count from their block's centre in time: are rotated to 0 at the end if there is but one. */
int field_rotates(const field_run *run)
{
    const field_device *d = run->device;
    int one_centre = 1;
    field_tuning_value("one_centre", &one_centre);
    return run->forward || !(d->field || d->decay) ? 0 : one_centre && d->centres == 1 ? 1 : 2;
}

int64_t field_terms(const field_run *run)
{
    const field_device *d = run->device;
    return run->forward ? (int64_t)d->tensor.segments * FIELD_SEGMENT : (int64_t)d->blocks * FIELD_BLOCK;
}

/* Returns the number of outputs in the plan's order, with padding. */
int64_t field_places(const field_run *run)
{
    return run->forward ? (int64_t)run->device->blocks * FIELD_BLOCK
                        : (int64_t)run->layout->segments * FIELD_SEGMENT;
}

/* Returns the number of outputs without padding. */
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

/* Few pairs for each multiprocessor, outputs for no more groups than there are multiprocessors, several
 * stages of terms; one centre in time, since blocks that are rotated one by one are not split. */
bool field_is_small(const field_run *run)
{
    enum { FEW_PAIRS = 1 << 23, LEAST_ROWS = 256, LEAST_STAGES = 4 };
    const field_device *d = run->device;
    const int64_t outputs = held_outputs(run), terms = held_terms(run);
    int small = outputs * terms < (int64_t)FEW_PAIRS * d->units;
    field_tuning_value("small", &small);
    return small && d->cores == FIELD_CORES_WARPGROUP && d->centres == 1 && field_rotates(run) != 2 &&
           d->units <= FIELD_PLACES && outputs <= (int64_t)LEAST_ROWS * d->units &&
           terms > (LEAST_STAGES - 1) * STAGE;
}

/* ---- equal parts ---- */

/* Returns the predicted time in blocks of terms. Groups run in rounds of `capacity`; a round takes as long
 * as its longest part, and a little for its start. Every further part is written and read once more. */
static double cost_of_parts(int64_t rows, int64_t blocks, int64_t capacity, int parts)
{
    const int64_t rounds = (rows * parts + capacity - 1) / capacity;
    return (double)rounds * ((double)((blocks + parts - 1) / parts) + 0.3) +
           (parts > 1 ? 0.5 + 0.05 * parts : 0);
}

static int equal_parts(int64_t rows, int64_t blocks, int64_t capacity)
{
    const int64_t most = blocks < MOST_PARTS ? blocks : MOST_PARTS;
    int parts = 1;
    for (int p = 2; p <= most; p++)
        if (cost_of_parts(rows, blocks, capacity, p) < cost_of_parts(rows, blocks, capacity, parts))
            parts = p;
    return parts;
}

/* ---- small problems, several groups on a multiprocessor: parts that get shorter ---- */

/* Returns a number of parts that makes more than twice as many groups as fit. Groups of one multiprocessor
 * run at different speeds, older ones faster, so the last groups are made short (part_begin of
 * field/tensor.krn). */
static int tapered_parts(int64_t blocks, int64_t stages, int64_t capacity)
{
    enum { MORE = 2, LEAST = 4 };
    int parts = (int)(2 * capacity / blocks) + MORE;
    field_tuning_value("cuts", &parts);
    if (parts > stages / LEAST) parts = (int)(stages / LEAST);
    return parts < 1 ? 1 : parts < MOST_PARTS ? parts : MOST_PARTS;
}

static void taper(struct field_params *p, int64_t blocks, int64_t stages, int64_t capacity)
{
    p->units = (int)stages;
    p->parts = tapered_parts(blocks, stages, capacity);
    p->taper = p->parts > 1 ? 9 : 0;
    field_tuning_value("taper", &p->taper);
}

/* ---- small problems, one group on a multiprocessor: stages dealt out evenly ---- */

/* The cost of a stage whose group has an output in every row, and of going on to another block of outputs. */
enum { FULL = 60, NEXT_BLOCK = 75 };

/* Costs of the blocks of outputs: all the same but the last, some of whose warpgroups have nothing to do. */
typedef struct costs {
    int64_t blocks, stages, of_last_stage;
} costs;

static int64_t block_cost(const costs *c)
{
    int next = NEXT_BLOCK;
    field_tuning_value("next_block", &next);
    return FULL * c->stages + next;
}

static int64_t cost_of_all(const costs *c)
{
    return (c->blocks - 1) * block_cost(c) + c->of_last_stage * c->stages;
}

/* Returns the cost of a stage of the last block. Warpgroups without outputs still wait for the others, and
 * few busy warpgroups use a multiprocessor badly. */
static int64_t cost_of_last_stage(int64_t outputs, int64_t rows)
{
    enum { OF_WARPGROUP = 64, ALWAYS = 5, OF_TEN = 10 };
    const int64_t all = rows / OF_WARPGROUP,
                  busy = divided_up(outputs - (divided_up(outputs, rows) - 1) * rows, OF_WARPGROUP);
    return FULL * (ALWAYS * all + (OF_TEN - ALWAYS) * busy) / (OF_TEN * all);
}

/* Returns the stage before which the stages together cost `cost`. */
static int64_t stage_at(const costs *c, int64_t cost)
{
    int64_t block = cost / block_cost(c);
    if (block > c->blocks - 1) block = c->blocks - 1;
    const int64_t each = block < c->blocks - 1 ? FULL : c->of_last_stage;
    const int64_t stage = (cost - block * block_cost(c) + each / 2) / each;
    return block * c->stages + (stage < c->stages ? stage : c->stages);
}

/* Returns the length of a place's second piece, or 0. */
static int late_length(const struct field_shares *s, int place, int stages)
{
    const int from = s->cut[place], to = s->cut[place + 1], next = (from / stages + 1) * stages;
    if (next >= to) return 0;
    return to - next < next - from ? to - next : next - from;
}

static void find_late(struct field_shares *s, int stages)
{
    s->late_count = 0;
    for (int place = 0; place < s->places; place++) {
        const int length = late_length(s, place, stages);
        if (!length) continue;
        int i = s->late_count++;
        for (; i && late_length(s, s->late[i - 1], stages) < length; i--) s->late[i] = s->late[i - 1];
        s->late[i] = (short)place;
    }
}

/* Finds where each block begins, and returns the largest number of parts of a block. */
static int find_firsts(struct field_shares *s, const costs *c)
{
    int most = 1, place = 0;
    for (int64_t b = 0; b <= c->blocks; b++) {
        while (place < s->places && s->cut[place + 1] <= b * c->stages) place++;
        s->first[b] = (short)place;
        if (!b) continue;
        const int parts = place - s->first[b - 1] + (s->cut[place] < b * c->stages);
        most = parts > most ? parts : most;
    }
    return most;
}

/* To `capacity` groups (those that fit), or to fewer where some would have nothing to do. How many
 * parts a sum has at most. */
static int deal_out(struct field_shares *s, const costs *c, int64_t capacity)
{
    enum { LEAST = 3 };
    const int64_t all = cost_of_all(c);
    int64_t places = capacity < c->blocks * MOST_PARTS ? capacity : c->blocks * MOST_PARTS;
    if (places > all / (LEAST * FULL)) places = at_least_one(all / (LEAST * FULL));
    s->places = (int)places;
    for (int64_t i = 0; i <= places; i++) s->cut[i] = (int)stage_at(c, all * i / places);
    find_late(s, (int)c->stages);
    return find_firsts(s, c);
}

/* ---- the choice ---- */

void field_cut_sums(field_run *run, const field_shape *s)
{
    struct field_params *p = &run->params;
    const int64_t blocks = field_blocks(run, s), capacity = (int64_t)run->device->units * s->resident;
    const bool small = field_is_small(run), dealt = small && s->resident == 1;
    const int64_t stages = divided_up(held_terms(run), STAGE);
    run->piece = small ? 1 : STAGES;
    p->rows = s->items / 2;
    p->held = (int)held_outputs(run);
    p->outputs = (int)blocks;
    p->shares.places = 0;
    p->taper = 0;
    if (dealt) {
        const costs c = {blocks, stages, cost_of_last_stage(p->held, p->rows)};
        p->units = (int)stages;
        p->parts = deal_out(&p->shares, &c, capacity);
    } else if (small) {
        taper(p, blocks, stages, capacity);
    } else {
        p->units = (int)(field_terms(run) / FIELD_BLOCK);
        p->parts = equal_parts(blocks, p->units, capacity);
    }
}
