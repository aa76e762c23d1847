/* SPDX-License-Identifier: BSD-3-Clause */
/* Problems drawn at random: sizes, points, options, vectors and threads that no table of the other tests
 * holds together. ARGAND_TEST_SEEDS=n draws n of them, ARGAND_TEST_SEED=s begins with seed s (a failure names
 * its own). */
#ifndef TESTS_NUFFT_DRAWN_H
#define TESTS_NUFFT_DRAWN_H

#include "truth.h"

typedef enum placing {
    AS_KIND, /* of truth.h */
    ONE_POINT,
    ONE_CELL,
    WHOLE,    /* k whole numbers */
    QUARTER,  /* k in quarters, two periods away */
    HALF,     /* half-way between whole numbers: exponentials are real at the edge, sums cancel */
    ON_CELLS, /* on the grid's cells and half-way between them, where windows end and errors of axes agree */
    ALIKE,    /* planes with the same points */
    DIFFER,   /* planes in any order, some of them missing */
    PLACINGS
} placing;

typedef struct drawn {
    uint64_t seed;
    problem p;
    argand_nufft_options o;
    argand_type positions;
    int again;     /* set-points with other points before those that count */
    bool on_cells; /* points lie as ON_CELLS says, not by chance */
} drawn;

static random_state dice;

static int64_t below(int64_t n)
{
    return (int64_t)(random_bits(&dice) % (uint64_t)n);
}

static bool one_in(int64_t n)
{
    return below(n) == 0;
}

static void draw_sizes(problem *p)
{
    static const int64_t sizes[] = {1, 2, 3, 4, 5, 7, 8, 11, 13, 16, 17, 24, 31},
                         lengths[] = {97, 300, 512, 729, 1009};
    int64_t most = p->rank == 3 ? 3000 : 2000;
    for (int axis = 0; axis < p->rank; axis++) {
        p->n[axis] = one_in(4) ? lengths[below(5)] : sizes[below(p->rank == 3 ? 11 : 13)];
        if (p->n[axis] > most) p->n[axis] = 1 + below(most);
        most /= p->n[axis];
    }
}

static inline drawn draw(uint64_t seed)
{
    static const int64_t counts[] = {1, 1, 2, 3, 10, 50, 200, 400}, vectors[] = {1, 1, 1, 2, 3, 5, 8, 17, 33};
    static const double oversamplings[] = {0, 0, 0, 1.05, 1.25, 1.5, 2, 3};
    dice.value = seed;
    drawn d = {.seed = seed};
    problem *p = &d.p;
    p->type = one_in(2) ? ARGAND_C64 : ARGAND_C32;
    p->rank = 1 + (int)below(3);
    draw_sizes(p);
    p->tolerance = pow(10, -1 - (is_double(p) ? 11 : 5) * random_uniform(&dice));
    p->oversampling = oversamplings[below(8)];
    p->count = counts[below(8)];
    p->vectors = vectors[below(9)];
    p->threads = 1 + (int)below(3);
    p->every_pixel = one_in(8);
    d.positions = one_in(2) ? ARGAND_R64 : ARGAND_R32;
    d.again = (int)below(2);
    d.o = (argand_nufft_options){.type = p->type,
                                 .rank = p->rank,
                                 .n = {p->n[0], p->n[1], p->n[2]},
                                 .tolerance = p->tolerance,
                                 .oversampling = p->oversampling,
                                 .sign = one_in(2) ? 1 : -1,
                                 .units = one_in(3) ? ARGAND_NUFFT_RADIANS : ARGAND_NUFFT_CYCLES,
                                 .order = one_in(3) ? ARGAND_NUFFT_FFT_ORDER : ARGAND_NUFFT_CENTRED,
                                 .window_only = one_in(5),
                                 .real_image = one_in(4),
                                 .every_pixel = p->every_pixel};
    return d;
}

static double on_cell(double k, double n, double cells)
{
    return n / cells * (floor(k * cells / n) + 0.5 * (double)below(2));
}

/* k of `count` points in cycles, as m->at. Planes lie across the last axis. */
static void place(const problem *p, made *m, placing how)
{
    const int64_t planes = 1 + below(p->n[p->rank - 1]), first = below(p->n[p->rank - 1]);
    const int64_t per = p->count / planes > 0 ? p->count / planes : 1;
    p = &(const problem){.rank = p->rank,
                         .n = {p->n[0], p->n[1], p->n[2]},
                         .count = p->count,
                         .kind = (point_kind)below(KINDS)};
    for (int axis = 0; axis < p->rank; axis++) {
        const double n = (double)p->n[axis], middle = n * (random_uniform(&dice) - 0.5);
        const bool across = axis == p->rank - 1 && how >= ALIKE;
        m->at[axis] = malloc((size_t)p->count * sizeof *m->at[axis]);
        assert_non_null(m->at[axis]);
        for (int64_t j = 0; j < p->count; j++) {
            const double k = position(p->kind, j, p->count, axis, n, &dice);
            const int64_t plane = how == ALIKE ? j / per % planes : below(planes);
            m->at[axis][j] = across             ? (double)((first + 3 * plane) % p->n[axis] - p->n[axis] / 2)
                             : how == ONE_POINT ? middle
                             : how == ONE_CELL  ? middle + 0.05 * random_uniform(&dice)
                             : how == WHOLE     ? floor(k)
                             : how == QUARTER   ? floor(4 * k) / 4 + 2 * n
                             : how == HALF      ? floor(k) + 0.5
                             : how == ON_CELLS  ? on_cell(k, n, (double)m->info.grid[axis])
                             : how == ALIKE && j >= per ? m->at[axis][j % per]
                                                        : k;
        }
    }
}

/* The caller's positions of them; `at` becomes what these say, in cycles and with apply's sign -1. */
static void give(const drawn *d, made *m)
{
    for (int axis = 0; axis < d->p.rank; axis++) {
        const double unit = d->o.units == ARGAND_NUFFT_RADIANS ? two_pi / (double)d->p.n[axis] : 1;
        OK(argand_array_create(&m->k[axis], device, d->positions, 1, &d->p.count));
        double *k = malloc((size_t)d->p.count * sizeof *k);
        assert_non_null(k);
        for (int64_t j = 0; j < d->p.count; j++) {
            k[j] = unit * m->at[axis][j];
            if (d->positions == ARGAND_R32) ((float *)k)[j] = (float)k[j];
        }
        OK(argand_array_upload(m->k[axis], k));
        free(k);
        free(m->at[axis]);
        m->at[axis] = as_doubles(m->k[axis]);
        for (int64_t j = 0; j < d->p.count; j++) m->at[axis][j] *= -d->o.sign / unit;
    }
}

static void set_points(const drawn *d, made *m)
{
    problem other = d->p;
    other.count = 1 + below(300);
    for (int round = 1 - d->again; round < 2; round++) {
        drawn one = *d;
        if (round == 0) one.p = other;
        for (int axis = 0; axis < 3; axis++) {
            argand_array_destroy(m->k[axis]);
            free(m->at[axis]);
            m->k[axis] = NULL, m->at[axis] = NULL;
        }
        place(&one.p, m, d->on_cells ? ON_CELLS : one_in(3) ? AS_KIND : (placing)below(PLACINGS));
        give(&one, m);
        if (argand_nufft_set_points(m->plan, m->k))
            fail_msg("seed %llu: %s", (unsigned long long)d->seed, argand_message());
    }
}

static inline made make_drawn(const drawn *d)
{
    made m = {0};
    const problem *p = &d->p;
    int64_t dims[4] = {p->n[0], p->n[1], p->n[2]};
    dims[p->rank] = p->vectors;
    const argand_type real = is_double(p) ? ARGAND_R64 : ARGAND_R32;
    OK(argand_array_create(&m.image, device, d->o.real_image ? real : p->type, p->rank + 1, dims));
    OK(argand_array_create(&m.samples, device, p->type, 2, (int64_t[]){p->count, p->vectors}));
    OK(argand_device_set_threads(device, p->threads));
    if (argand_nufft_create(&m.plan, device, &d->o))
        fail_msg("seed %llu: %s", (unsigned long long)d->seed, argand_message());
    argand_nufft_describe(m.plan, &m.info);
    set_points(d, &m);
    argand_nufft_describe(m.plan, &m.info);
    return m;
}

/* Where pixel i of the centred image lies */
static inline int64_t pixel(const drawn *d, int64_t i)
{
    int64_t at = 0, step = 1;
    for (int axis = 0; axis < d->p.rank; axis++) {
        const int64_t n = d->p.n[axis], x = i % n;
        at += step * (d->o.order == ARGAND_NUFFT_FFT_ORDER ? (x - n / 2 + n) % n : x);
        step *= n;
        i /= n;
    }
    return at;
}

static inline void limit(const drawn *d, const made *m, const char *what, double value, double most)
{
    char text[512];
    argand_nufft_print(m->plan, text, sizeof text);
    if (!(value <= most))
        fail_msg("seed %llu: %s %.3g, more than %.3g: %s", (unsigned long long)d->seed, what, value, most,
                 text);
}

static inline double norm_of(const double complex *x, int64_t count)
{
    double sum = 0;
    for (int64_t i = 0; i < count; i++) sum += creal(x[i]) * creal(x[i]) + cimag(x[i]) * cimag(x[i]);
    return sqrt(sum);
}

/* Calls check(seed) for the problems that the environment asks for, else the first `few`. */
static inline void draw_all(void (*check)(uint64_t seed), uint64_t few)
{
    const char *seeds = getenv("ARGAND_TEST_SEEDS"), *first = getenv("ARGAND_TEST_SEED");
    const uint64_t from = first ? strtoull(first, NULL, 10) : 1,
                   count = seeds ? strtoull(seeds, NULL, 10) : few;
    for (uint64_t i = 0; i < count; i++) check(from + i);
}

#endif
