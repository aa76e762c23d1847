/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls with everything in them: the bits of plans, whatever was called before, and what is refused. */
#include "truth.h"

#include <argand/observer.h>
#include <pthread.h>

static argand_nufft_options options_of(const problem *p)
{
    return (argand_nufft_options){.type = p->type,
                                  .rank = p->rank,
                                  .n = {p->n[0], p->n[1], p->n[2]},
                                  .tolerance = p->tolerance,
                                  .oversampling = p->oversampling,
                                  .every_pixel = p->every_pixel};
}

static argand_nufft_points points_of(const problem *p, const made *m)
{
    argand_nufft_points points = {.type = argand_array_type(m->k[0]), .count = p->count};
    for (int axis = 0; axis < p->rank; axis++) points.k[axis] = argand_array_data(m->k[axis]);
    return points;
}

static void assert_same_bits(const argand_array *a, const argand_array *b)
{
    const size_t bytes = (size_t)argand_array_count(a) * argand_type_size(argand_array_type(a));
    assert_memory_equal(argand_array_data(a), argand_array_data(b), bytes);
}

/* Both types in one call, next to the plan */
static void check_same(const made *m, const argand_nufft_options *o, const argand_nufft_points *points,
                       int64_t vectors)
{
    argand_array *samples = like(m->samples), *image = like(m->image);
    randomise(m->image, 5, 0, 0);
    OK(argand_nufft_apply(m->plan, m->samples, m->image));
    OK(argand_nufft_type2(device, argand_array_data(samples), argand_array_data(m->image), vectors, points,
                          o));
    assert_same_bits(samples, m->samples);
    randomise(m->samples, 6, 0, 0);
    OK(argand_nufft_adjoint(m->plan, m->image, m->samples));
    OK(argand_nufft_type1(device, argand_array_data(image), argand_array_data(m->samples), vectors, points,
                          o));
    assert_same_bits(image, m->image);
    argand_array_destroy(image);
    argand_array_destroy(samples);
}

static const int64_t shapes[][4] = {{1, 100},    {1, 3001},      {2, 31, 24},
                                    {2, 64, 70}, {3, 9, 14, 11}, {3, 1, 20, 33}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

/* More kinds of calls than are kept, twice */
static void the_bits_of_plans(void **state)
{
    (void)state;
    static const int64_t counts[] = {1, 300, 9000}, vectors[] = {1, 3, 9};
    for (int i = 0; i < 2 * SHAPES; i++)
        for (int j = 0; j < 6; j++) {
            const argand_type type = j % 2 ? ARGAND_C64 : ARGAND_C32;
            problem p = problem_of(shapes[i % SHAPES], type, j % 2 ? 1e-8 : 1e-4,
                                   (point_kind)((i + j) % KINDS), counts[(i + j) % 3], vectors[j % 3]);
            p.threads = 1 + i % 2;
            made m = make(&p);
            const argand_nufft_options o = options_of(&p);
            const argand_nufft_points points = points_of(&p, &m);
            check_same(&m, &o, &points, p.vectors);
            unmake(&m);
        }
}

/* x0 y0 x1 y1 ..., and positions of the other precision */
static void positions_in_pairs(void **state)
{
    (void)state;
    const problem p = problem_of(shapes[2], ARGAND_C32, 1e-4, SPIRAL, 500, 1);
    made m = make(&p);
    const argand_nufft_options o = options_of(&p);
    double *pairs = malloc(2 * 500 * sizeof *pairs);
    assert_non_null(pairs);
    for (int64_t j = 0; j < 500; j++) pairs[2 * j] = m.at[0][j], pairs[2 * j + 1] = m.at[1][j];
    const argand_nufft_points points = {
        .type = ARGAND_R64, .count = 500, .k = {pairs, pairs + 1}, .stride = 2};
    check_same(&m, &o, &points, 1);
    free(pairs);
    unmake(&m);
}

/* Each option makes another plan of the same shape */
static void options_are_told_apart(void **state)
{
    (void)state;
    const problem p = problem_of(shapes[2], ARGAND_C32, 1e-4, UNIFORM, 400, 1);
    made m = make(&p);
    const argand_nufft_points points = points_of(&p, &m);
    argand_nufft_options o[8];
    for (int i = 0; i < 8; i++) o[i] = options_of(&p);
    o[1].sign = 1;
    o[2].units = ARGAND_NUFFT_RADIANS;
    o[3].order = ARGAND_NUFFT_FFT_ORDER;
    o[4].every_pixel = true;
    o[5].oversampling = 2;
    o[6].tolerance = 1e-2;
    o[7].n[1]++;
    for (int i = 0; i < 16; i++) {
        argand_nufft *const first = m.plan;
        OK(argand_nufft_create(&m.plan, device, &o[i % 8]));
        OK(argand_nufft_set_points(m.plan, m.k));
        argand_array *const image = m.image;
        const int64_t dims[3] = {o[i % 8].n[0], o[i % 8].n[1], 1};
        OK(argand_array_create(&m.image, device, ARGAND_C32, 3, dims));
        check_same(&m, &o[i % 8], &points, 1);
        argand_array_destroy(m.image);
        argand_nufft_destroy(m.plan);
        m.plan = first, m.image = image;
    }
    unmake(&m);
}

/* Real images, and points with a Cartesian axis */
static void real_images_and_stacks(void **state)
{
    (void)state;
    for (int stacked = 0; stacked < 2; stacked++) {
        const problem p = problem_of(shapes[4], ARGAND_C32, 1e-4, UNIFORM, 330, 2);
        made m = make(&p);
        float *z = argand_array_data(m.k[2]);
        for (int64_t j = 0; stacked && j < 330; j++) z[j] = (float)(j % 11 - 5);
        argand_nufft_options o = options_of(&p);
        const argand_nufft_points points = points_of(&p, &m);
        OK(argand_nufft_set_points(m.plan, m.k));
        check_same(&m, &o, &points, 2);
        o.real_image = true;
        argand_nufft_destroy(m.plan);
        argand_array_destroy(m.image);
        OK(argand_nufft_create(&m.plan, device, &o));
        OK(argand_nufft_set_points(m.plan, m.k));
        OK(argand_array_create(&m.image, device, ARGAND_R32, 4, (int64_t[]){9, 14, 11, 2}));
        check_same(&m, &o, &points, 2);
        unmake(&m);
    }
}

static void type_3(void **state)
{
    (void)state;
    for (int rank = 1; rank <= 3; rank++) {
        const int64_t shape[4] = {rank, 9, 8, 7};
        const problem p = problem_of(shape, ARGAND_C64, 1e-7, UNIFORM, 200, 2),
                      q = problem_of(shape, ARGAND_C64, 1e-7, SPIRAL, 150, 2);
        made sources = make(&p), targets = make(&q);
        const argand_nufft3_options o = {.type = ARGAND_C64, .rank = rank, .tolerance = 1e-7};
        argand_nufft_points from = points_of(&p, &sources), to = points_of(&q, &targets);
        argand_nufft3 *plan;
        argand_array *samples = like(targets.samples);
        randomise(sources.samples, 9, 0, 0);
        OK(argand_nufft3_create(&plan, device, &o));
        OK(argand_nufft3_set_points(plan, sources.k, targets.k));
        OK(argand_nufft3_apply(plan, targets.samples, sources.samples));
        OK(argand_nufft_type3(device, argand_array_data(samples), argand_array_data(sources.samples), 2,
                              &from, &to, &o));
        assert_same_bits(samples, targets.samples);
        double side[2 * 150]; /* positions with gaps */
        for (int j = 0; j < 150; j++) side[2 * j] = targets.at[rank - 1][j];
        for (int axis = 0; axis < rank; axis++) to.k[axis] = side;
        to.stride = 2;
        argand_array *const same[3] = {targets.k[rank - 1], targets.k[rank - 1], targets.k[rank - 1]};
        OK(argand_nufft3_set_points(plan, sources.k, same));
        OK(argand_nufft3_apply(plan, targets.samples, sources.samples));
        OK(argand_nufft_type3(device, argand_array_data(samples), argand_array_data(sources.samples), 2,
                              &from, &to, &o));
        assert_same_bits(samples, targets.samples);
        argand_array_destroy(samples);
        argand_nufft3_destroy(plan);
        unmake(&targets);
        unmake(&sources);
    }
}

static void refused(void **state)
{
    (void)state;
    float k[2][4] = {{0, 1, 2, 3}, {0, 1, 1, 0}};
    float _Complex image[5 * 4], samples[4] = {0};
    const argand_nufft_options good = {.type = ARGAND_C32, .rank = 2, .n = {5, 4}};
    const argand_nufft_points points = {.type = ARGAND_R32, .count = 4, .k = {k[0], k[1]}};
    argand_nufft_points q = points;
    argand_nufft_options o = good;
    const argand_nufft3_options three = {.type = ARGAND_C32, .rank = 2};
    FAILS(argand_nufft_type1(NULL, image, samples, 1, &q, &o), ARGAND_ARGUMENT, "no device");
    FAILS(argand_nufft_type1(device, NULL, samples, 1, &q, &o), ARGAND_ARGUMENT, "no output");
    FAILS(argand_nufft_type1(device, image, NULL, 1, &q, &o), ARGAND_ARGUMENT, "no input");
    FAILS(argand_nufft_type1(device, image, samples, 1, NULL, &o), ARGAND_ARGUMENT, "no points");
    FAILS(argand_nufft_type1(device, image, samples, 1, &q, NULL), ARGAND_ARGUMENT, "no options");
    FAILS(argand_nufft_type2(device, samples, image, 0, &q, &o), ARGAND_ARGUMENT, "0 vectors");
    q.count = 0;
    FAILS(argand_nufft_type2(device, samples, image, 1, &q, &o), ARGAND_ARGUMENT, "0 points: give 1");
    q = points, q.type = ARGAND_C32;
    FAILS(argand_nufft_type2(device, samples, image, 1, &q, &o), ARGAND_ARGUMENT, "ARGAND_R64");
    q = points, q.k[1] = NULL;
    FAILS(argand_nufft_type2(device, samples, image, 1, &q, &o), ARGAND_ARGUMENT, "axis 1 of 2");
    q = points, q.stride = -1;
    FAILS(argand_nufft_type2(device, samples, image, 1, &q, &o), ARGAND_ARGUMENT, "stride -1");
    o.rank = 4;
    FAILS(argand_nufft_type2(device, samples, image, 1, &points, &o), ARGAND_ARGUMENT, "rank 4");
    q = points, q.count = 0;
    FAILS(argand_nufft_type3(device, samples, samples, 1, &points, &q, &three), ARGAND_ARGUMENT, "0 targets");
    k[1][2] = NAN;
    FAILS(argand_nufft_type1(device, image, samples, 1, &points, &good), ARGAND_NUMERIC,
          "position 2 of 4 is not finite");
    k[1][2] = 1;
    samples[2] = 3;
    OK(argand_nufft_type1(device, image, samples, 1, &points, &good));
    CHECK_BELOW(cabsf(image[2 * 5 + 2] - 3), 1e-4);
}

/* Nothing is lost of a failing allocation, and a device that is closed keeps nothing. */
static void memory(void **state)
{
    (void)state;
    argand_device *const usual = device;
    const long before = argand_test_live_allocations();
    OK(argand_device_open(&device, "cpu"));
    const problem p = problem_of(shapes[2], ARGAND_C32, 1e-4, UNIFORM, 300, 1);
    made m = make(&p);
    const argand_nufft_options o = options_of(&p);
    const argand_nufft_points points = points_of(&p, &m);
    argand_status status = ARGAND_MEMORY;
    long n = 0;
    while (status == ARGAND_MEMORY) {
        argand_test_fail_allocation(++n);
        status = argand_nufft_type1(device, argand_array_data(m.image), argand_array_data(m.samples), 1,
                                    &points, &o);
    }
    argand_test_fail_allocation(0);
    assert_int_equal(status, ARGAND_OK);
    assert_true(n > 10);
    check_same(&m, &o, &points, 1);
    const uint64_t taken = argand_test_bytes_taken();
    const long live = argand_test_live_allocations();
    check_same(&m, &o, &points, 1);
    assert_int_equal(argand_test_live_allocations(), live);
    if (!memory_guards()) assert_true(argand_test_bytes_taken() - taken < 40000); /* its two arrays */
    unmake(&m);
    argand_device_close(device);
    device = usual;
    assert_int_equal(argand_test_live_allocations(), before);
}

typedef struct worker {
    const problem *p;
    const made *m;
    bool same;
} worker;

static void *work(void *context)
{
    worker *w = context;
    const argand_nufft_options o = options_of(w->p);
    const argand_nufft_points points = points_of(w->p, w->m);
    const size_t bytes = (size_t)argand_array_count(w->m->image) * argand_type_size(w->p->type);
    void *image = malloc(bytes);
    w->same = image;
    for (int i = 0; i < 50 && image; i++)
        w->same &= !argand_nufft_type1(device, image, argand_array_data(w->m->samples), 1, &points, &o) &&
                   !memcmp(image, argand_array_data(w->m->image), bytes);
    free(image);
    return NULL;
}

static void threads_at_once(void **state)
{
    (void)state;
    enum { THREADS = 6 }; /* more than the device keeps plans for */
    const problem p = problem_of(shapes[2], ARGAND_C32, 1e-4, RADIAL, 600, 1);
    made m = make(&p);
    worker w[THREADS];
    pthread_t thread[THREADS];
    randomise(m.samples, 6, 0, 0);
    OK(argand_nufft_adjoint(m.plan, m.image, m.samples));
    for (int i = 0; i < THREADS; i++) {
        w[i] = (worker){&p, &m, false};
        assert_int_equal(pthread_create(&thread[i], NULL, work, &w[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_join(thread[i], NULL), 0);
    for (int i = 0; i < THREADS; i++) assert_true(w[i].same);
    unmake(&m);
}

static int asked;

static bool refuse(void *context, const argand_activity *activity)
{
    (void)context, (void)activity;
    asked++;
    return false;
}

/* Short calls go on without it, long ones are cancelled. */
static void an_observer(void **state)
{
    (void)state;
    const problem p = problem_of(shapes[0], ARGAND_C32, 1e-4, UNIFORM, 50, 1),
                  q = problem_of(shapes[1], ARGAND_C32, 1e-4, UNIFORM, 200000, 1);
    made a = make(&p), b = make(&q);
    const argand_nufft_options o = options_of(&p), large = options_of(&q);
    const argand_nufft_points points = points_of(&p, &a), many = points_of(&q, &b);
    argand_observer_set(refuse, NULL);
    OK(argand_nufft_type2(device, argand_array_data(a.samples), argand_array_data(a.image), 1, &points, &o));
    assert_int_equal(asked, 0);
    FAILS(argand_nufft_type2(device, argand_array_data(b.samples), argand_array_data(b.image), 1, &many,
                             &large),
          ARGAND_STOPPED, "cancelled");
    argand_observer_set(NULL, NULL);
    unmake(&b);
    unmake(&a);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_bits_of_plans),
    cmocka_unit_test(positions_in_pairs),
    cmocka_unit_test(options_are_told_apart),
    cmocka_unit_test(real_images_and_stacks),
    cmocka_unit_test(type_3),
    cmocka_unit_test(refused),
    cmocka_unit_test(memory),
    cmocka_unit_test(threads_at_once),
    cmocka_unit_test(an_observer),
};
RUN_TESTS(tests)
