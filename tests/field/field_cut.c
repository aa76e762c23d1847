/* SPDX-License-Identifier: BSD-3-Clause */
/* How sums of matrix kernels are cut, without a device: every stage of terms belongs to one part, and small
 * problems fill all places of a chip. */
#include "harness.h"
#include "field/device_way.h"

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

static void check_cut(const cut *c)
{
    const struct field_params *p = &c->run.params;
    const int64_t slots = (int64_t)c->device.tensor.spots * 16, samples = c->plan.samples.count;
    const int64_t outputs = c->run.forward ? samples : slots, terms = c->run.forward ? slots : samples;
    const int64_t unit = STAGE * (int64_t)c->run.piece, rows = c->shape.items / 2;
    assert_true(p->units * unit >= terms && (p->units - 1) * unit < terms);
    assert_true(p->outputs * rows >= outputs && (p->outputs - 1) * rows < outputs);
    assert_in_range(p->parts, 1, FIELD_PARTS);
    assert_int_equal(p->begin[0], 0);
    for (int i = 0; i < p->parts; i++) assert_true(p->begin[i] < p->begin[i + 1]);
    assert_int_equal(p->begin[p->parts], p->units);
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
static int earliest(const int *free, int places)
{
    int first = 0;
    for (int i = 1; i < places; i++)
        if (free[i] < free[first]) first = i;
    return first;
}

/* When the last place becomes free, where groups take them in their order; in units of terms. */
static int end_of(const cut *c)
{
    const struct field_params *p = &c->run.params;
    const int places = UNITS * c->shape.resident;
    int free[UNITS * 3] = {0}, end = 0;
    for (int part = 0; part < p->parts; part++)
        for (int block = 0; block < p->outputs; block++)
            free[earliest(free, places)] += p->begin[part + 1] - p->begin[part];
    for (int i = 0; i < places; i++) end = free[i] > end ? free[i] : end;
    return end;
}

/* 10^4 x 10^4: 625 tiles. In equal parts of whole blocks the longest place would have 1.13 of its
 * share. */
static void small_problems_fill(void **state)
{
    (void)state;
    static const int vectors[] = {8, 16, 32};
    cut c;
    for (int v = 0; v < 3; v++)
        for (int forward = 0; forward < 2; forward++) {
            make_cut(&c, 10000, 625, UNITS, vectors[v], forward);
            const double share =
                (double)c.run.params.outputs * c.run.params.units / (UNITS * c.shape.resident);
            assert_int_equal(c.run.piece, 1);
            CHECK_BELOW(end_of(&c), 1.07 * share);
        }
}

/* Blocks of samples with centres of their own are turned one by one. */
static void turned_blocks_stay_whole(void **state)
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
                                          cmocka_unit_test(turned_blocks_stay_whole)};

RUN_TESTS(tests)
