/* SPDX-License-Identifier: BSD-3-Clause */
/* How sums of matrix kernels are cut, without a device: every stage of terms belongs to one part, and small
 * problems fill all places of a chip. */
#include <stdlib.h>
#include "harness.h"
#include "field/device_engine.h"

enum { STAGE = 64, UNITS = 132 };

typedef struct cut {
    argand_field plan;
    field_device device;
    field_run run;
    field_shape shape;
} cut;

/* On warpgroups. */
static void make_cut(cut *c, int64_t samples, int spots, int units, int vectors, bool forward)
{
    *c = (cut){0};
    const int blocks = (spots * 16 + FIELD_BLOCK - 1) / FIELD_BLOCK;
    c->plan.samples.count = samples;
    c->device = (field_device){.blocks = (int)((samples + FIELD_BLOCK - 1) / FIELD_BLOCK),
                               .centres = 1,
                               .units = units,
                               .cores = FIELD_CORES_WARPGROUP,
                               .native = 1,
                               .field = true,
                               .most_vectors = 32,
                               .tensor = {.spots = spots, .segments = blocks * 16}};
    c->run = (field_run){.plan = &c->plan,
                         .device = &c->device,
                         .layout = &c->device.tensor,
                         .forward = forward,
                         .vectors = vectors};
    c->shape = field_shape_for(&c->run, vectors);
    field_cut_sums(&c->run, &c->shape);
}

/* Stages of a block of outputs that a group multiplies (find_share of field/tensor.krn). */
typedef struct piece {
    int block, part, first, last;
} piece;

static int part_begin(int part, const struct field_params *p)
{
    const int64_t mean = (int64_t)p->units * part, tenths = (10 + p->taper) * p->parts - p->taper * part;
    return (int)(mean * tenths / (10 * (int64_t)p->parts * p->parts));
}

static int groups_of(const struct field_params *p)
{
    return p->shares.places ? p->shares.places + p->shares.late_count : p->outputs * p->parts;
}

static piece piece_of(const struct field_params *p, int group)
{
    const struct field_shares *s = &p->shares;
    if (!s->places) {
        const int part = group / p->outputs;
        return (piece){p->outputs - 1 - group % p->outputs, part, part_begin(part, p),
                       part_begin(part + 1, p)};
    }
    const int late = group >= s->places, place = late ? s->late[group - s->places] : group;
    const int from = s->cut[place], to = s->cut[place + 1], next = (from / p->units + 1) * p->units;
    const int second = next < to && (to - next > next - from) != late;
    const int block = from / p->units + second, base = block * p->units;
    return (piece){block, place - s->first[block], second ? 0 : from - base,
                   (second || next >= to ? to : next) - base};
}

/* Every stage belongs to one piece, and a block's pieces are its parts. */
static void check_shares(const struct field_params *p)
{
    const struct field_shares *s = &p->shares;
    const int64_t all = (int64_t)p->outputs * p->units;
    unsigned char *seen = calloc((size_t)all, 1), *parts = calloc((size_t)p->outputs, FIELD_PLACES);
    assert_in_range(s->places, 1, FIELD_PLACES);
    assert_in_range(s->late_count, 0, FIELD_PLACES);
    for (int group = 0; group < s->places + s->late_count; group++) {
        const piece one = piece_of(p, group);
        assert_in_range(one.block, 0, p->outputs - 1);
        assert_in_range(one.part, 0, p->parts - 1);
        assert_true(one.first >= 0 && one.first < one.last && one.last <= p->units);
        assert_int_equal(parts[one.block * FIELD_PLACES + one.part]++, 0);
        for (int i = one.first; i < one.last; i++)
            assert_int_equal(seen[(int64_t)one.block * p->units + i]++, 0);
    }
    for (int64_t i = 0; i < all; i++) assert_int_equal(seen[i], 1);
    for (int b = 0; b < p->outputs; b++) { /* as field/finish.krn counts them */
        const int next = s->first[b + 1], count = next - s->first[b] + (s->cut[next] < (b + 1) * p->units);
        for (int i = 0; i < FIELD_PLACES; i++) assert_int_equal(parts[b * FIELD_PLACES + i], i < count);
    }
    free(parts);
    free(seen);
}

static void check_cut(const cut *c)
{
    const struct field_params *p = &c->run.params;
    const int64_t slots = (int64_t)c->device.tensor.spots * 16, samples = c->plan.samples.count;
    const int64_t outputs = c->run.forward ? samples : slots, terms = c->run.forward ? slots : samples;
    const int64_t unit = STAGE * (int64_t)c->run.piece, rows = c->shape.items / 2;
    assert_true(p->units * unit >= terms && (p->units - 1) * unit < terms);
    assert_true(p->outputs * rows >= outputs && (p->outputs - 1) * rows < outputs);
    assert_int_equal(p->rows, rows);
    assert_int_equal(p->held, outputs);
    assert_in_range(p->parts, 1, 64);
    if (p->shares.places) check_shares(p);
    assert_int_equal(part_begin(0, p), 0);
    for (int i = 0; i < p->parts; i++) assert_true(part_begin(i, p) < part_begin(i + 1, p));
    assert_int_equal(part_begin(p->parts, p), p->units);
}

static void every_unit_once(void **state)
{
    (void)state;
    static const int64_t samples[] = {1, 64, 65, 256, 1000, 10000, 31684, 65536, 1000000};
    static const int spots[] = {1, 31, 32, 130, 1300, 8192, 125000}, vectors[] = {3, 8, 16, 24, 32};
    static const int units[] = {1, 16, UNITS};
    cut c;
    for (size_t s = 0; s < sizeof samples / sizeof *samples; s++)
        for (size_t p = 0; p < sizeof spots / sizeof *spots; p++)
            for (size_t u = 0; u < sizeof units / sizeof *units; u++)
                for (size_t v = 0; v < sizeof vectors / sizeof *vectors; v++)
                    for (int forward = 0; forward < 2; forward++) {
                        make_cut(&c, samples[s], spots[p], units[u], vectors[v], forward);
                        check_cut(&c);
                    }
}

/* The place that becomes free first. */
static int earliest(const double *free, int places)
{
    int first = 0;
    for (int i = 1; i < places; i++)
        if (free[i] < free[first]) first = i;
    return first;
}

/* Stages of the last block of outputs take less time where few warpgroups have outputs: one of four took 0.63
 * of what four take on an H200 (docs/log/2026-11-24-field.md, step 17); between the two in proportion. */
static double length_of(const cut *c, piece one)
{
    const double one_of_four = 0.63;
    const struct field_params *p = &c->run.params;
    const int left = p->held - one.block * p->rows;
    const double idle = left < p->rows ? 1 - (left + 63) / 64 * 64.0 / p->rows : 0;
    return (one.last - one.first) * (1 - (1 - one_of_four) * idle / 0.75);
}

/* When the last place becomes free, where groups take them in their order, and their mean; in stages. */
static double end_of(const cut *c, double *mean)
{
    const int places = UNITS * c->shape.resident;
    double free[UNITS * 3] = {0}, end = 0;
    *mean = 0;
    for (int group = 0; group < groups_of(&c->run.params); group++) {
        const double length = length_of(c, piece_of(&c->run.params, group));
        free[earliest(free, places)] += length;
        *mean += length / places;
    }
    for (int i = 0; i < places; i++) end = free[i] > end ? free[i] : end;
    return end;
}

/* 10^4 x 10^4: 625 tiles. In equal parts of whole blocks the longest place would have 1.13 of its share.
 * Stages that are dealt out: a place's begin and end are rounded by half a stage each, and the 39 turns of
 * 132 places, 1.25 stages each, which are not counted here, leave 0.37 more to those that have none: 1.5 at
 * most. Parts that get shorter are for groups that do not go at one speed; at one speed they end this evenly.
 */
static void small_problems_fill(void **state)
{
    (void)state;
    static const int vectors[] = {8, 16, 24, 32};
    cut c;
    for (int v = 0; v < 4; v++)
        for (int forward = 0; forward < 2; forward++) {
            make_cut(&c, 10000, 625, UNITS, vectors[v], forward);
            double mean;
            assert_int_equal(c.run.piece, 1);
            const double end = end_of(&c, &mean);
            CHECK_BELOW(end, c.run.params.shares.places ? mean + 1.5 : 1.07 * mean);
        }
}

/* Blocks of samples with centres of their own are rotated one by one. */
static void rotated_blocks_stay_whole(void **state)
{
    (void)state;
    cut c;
    make_cut(&c, 10000, 625, UNITS, 32, false);
    c.device.centres = 3;
    field_cut_sums(&c.run, &c.shape);
    assert_int_equal(c.run.piece, 4);
    check_cut(&c);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(every_unit_once),
                                          cmocka_unit_test(small_problems_fill),
                                          cmocka_unit_test(rotated_blocks_stay_whole)};

RUN_TESTS(tests)
