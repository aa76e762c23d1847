/* SPDX-License-Identifier: BSD-3-Clause */
/* A solve remains on its device: between two calls of the monitor there is one download of a few numbers and
 * nothing else. The operator is SENSE over a diagonal, with weights, penalties and a preconditioner. */
#include "harness.h"

enum { NX = 24, NY = 20, COILS = 5, PIXELS = NX * NY };

typedef struct problem {
    argand_op *op, *roughness, *preconditioner;
    argand_array *x, *y, *weights;
} problem;

static argand_array *random_array(argand_type type, int rank, const int64_t *dims, uint64_t seed)
{
    argand_array *a;
    OK(argand_array_create(&a, device, type, rank, dims));
    randomise(a, seed, 0.5, type == ARGAND_R32 ? 2 : 0);
    return a;
}

/* Diagonal stands for the transform. */
static problem make(void)
{
    const int64_t image[3] = {NX, NY, COILS};
    problem p;
    argand_op *transform;
    argand_array *diagonal = random_array(ARGAND_C32, 3, image, 1),
                 *maps = random_array(ARGAND_C32, 3, image, 2),
                 *small = random_array(ARGAND_R32, 2, image, 3);
    OK(argand_op_diagonal(&transform, diagonal));
    OK(argand_op_sense(&p.op, transform, maps));
    OK(argand_op_difference(&p.roughness, device, argand_op_domain(p.op), 1));
    OK(argand_op_diagonal(&p.preconditioner, small));
    p.x = random_array(ARGAND_C32, 2, image, 4);
    p.y = random_array(ARGAND_C32, 3, image, 5);
    p.weights = random_array(ARGAND_R32, 3, image, 6);
    argand_op_destroy(transform);
    argand_array_destroy(diagonal);
    argand_array_destroy(maps);
    argand_array_destroy(small);
    return p;
}

static void release(problem *p)
{
    argand_op_destroy(p->op);
    argand_op_destroy(p->roughness);
    argand_op_destroy(p->preconditioner);
    argand_array_destroy(p->x);
    argand_array_destroy(p->y);
    argand_array_destroy(p->weights);
}

typedef struct watch {
    int calls;
    argand_transfers last;
    int64_t most; /* bytes; 0 means 64 */
} watch;

static bool observe(void *context, const argand_progress *progress)
{
    watch *w = context;
    const argand_transfers now = argand_device_transfers(device);
    if (progress->iteration > 0) {
        assert_int_equal(now.uploads, w->last.uploads);
        assert_int_equal(now.downloads, w->last.downloads + 1);
        assert_true(now.download_bytes - w->last.download_bytes <= (w->most ? w->most : 64));
    }
    w->last = now;
    w->calls++;
    return true;
}

static void one_download_an_iteration(void **state)
{
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        problem p = make();
        watch w = {0};
        const argand_penalty penalties[2] = {{p.roughness, 0.1}, {p.roughness, 0.2}};
        OK(argand_solve_cg(p.x, p.op, p.y,
                           &(argand_cg_options){.iterations = 6,
                                                .weights = p.weights,
                                                .penalties = kind & 1 ? penalties : NULL,
                                                .penalty_count = kind & 1 ? 2 : 0,
                                                .preconditioner = kind & 2 ? p.preconditioner : NULL,
                                                .monitor = observe,
                                                .monitor_context = &w}));
        assert_int_equal(w.calls, 7);
        release(&p);
    }
}

/* Every solver of argand_solve; a splitting has five numbers of its own. */
static void one_download_whatever_the_penalty(void **state)
{
    (void)state;
    const argand_regularizer list[] = {{.kind = ARGAND_WAVELET, .weight = 0.1, .seed = 1},
                                       {.kind = ARGAND_LOW_RANK, .weight = 0.1, .block = 5},
                                       {.kind = ARGAND_QUADRATIC, .weight = 0.1},
                                       {.kind = ARGAND_HYPERBOLA, .weight = 0.1},
                                       {.kind = ARGAND_TV, .weight = 0.1}};
    const struct {
        argand_solver solver;
        int first, count;
    } cases[] = {{ARGAND_SOLVER_FISTA, 0, 1},          {ARGAND_SOLVER_POGM, 0, 1},
                 {ARGAND_SOLVER_POGM, 1, 2},           {ARGAND_SOLVER_CG, 2, 1},
                 {ARGAND_SOLVER_HALF_QUADRATIC, 2, 2}, {ARGAND_SOLVER_ADMM, 1, 4}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        problem p = make();
        watch w = {.most = 1024};
        OK(argand_solve(p.x, p.op, p.y,
                        &(argand_solve_options){.solver = cases[i].solver,
                                                .iterations = 6,
                                                .weights = p.weights,
                                                .preconditioner = p.preconditioner,
                                                .regularizers = list + cases[i].first,
                                                .regularizer_count = cases[i].count,
                                                .monitor = observe,
                                                .monitor_context = &w}));
        assert_int_equal(w.calls, 7);
        release(&p);
    }
}

/* The same with the exact DFT under a field map, where the device computes it. */
static void one_download_with_a_field(void **state)
{
    (void)state;
    enum { SAMPLES = 900 };
    const int64_t image[3] = {NX, NY, COILS}, samples = SAMPLES;
    argand_array *k[2], *t = random_array(ARGAND_R32, 1, &samples, 7),
                        *map = random_array(ARGAND_R32, 2, image, 8),
                        *maps = random_array(ARGAND_C32, 3, image, 9);
    for (int axis = 0; axis < 2; axis++) {
        k[axis] = random_array(ARGAND_R32, 1, &samples, 10 + (uint64_t)axis);
        randomise(k[axis], 10 + (uint64_t)axis, -9, 9);
    }
    argand_field *plan;
    const argand_status made = argand_field_create(
        &plan, device,
        &(argand_field_options){
            .type = ARGAND_C32, .rank = 2, .n = {NX, NY}, .k = {k[0], k[1]}, .t = t, .field_map = map});
    if (made == ARGAND_UNSUPPORTED) skip();
    OK(made);
    argand_op *transform, *op;
    watch w = {0};
    OK(argand_op_field(&transform, device, plan, COILS));
    OK(argand_op_sense(&op, transform, maps));
    argand_array *x = random_array(ARGAND_C32, 2, image, 4),
                 *y = random_array(ARGAND_C32, 2, (int64_t[]){SAMPLES, COILS}, 5);
    OK(argand_solve_cg(x, op, y,
                       &(argand_cg_options){.iterations = 4, .monitor = observe, .monitor_context = &w}));
    assert_int_equal(w.calls, 5);
    argand_op_destroy(op);
    argand_op_destroy(transform);
    argand_array *const all[] = {x, y, t, map, maps, k[0], k[1]};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) argand_array_destroy(all[i]);
}

static void same_bits_on_repeat(void **state)
{
    (void)state;
    problem p = make();
    double *first = NULL;
    for (int run = 0; run < 3; run++) {
        OK(argand_solve_cg(p.x, p.op, p.y, &(argand_cg_options){.iterations = 5, .weights = p.weights}));
        double *numbers = as_doubles(p.x);
        if (first) assert_memory_equal(first, numbers, 2 * PIXELS * sizeof *first);
        free(first);
        first = numbers;
    }
    free(first);
    release(&p);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(one_download_an_iteration), cmocka_unit_test(one_download_whatever_the_penalty),
    cmocka_unit_test(one_download_with_a_field), cmocka_unit_test(same_bits_on_repeat)};
RUN_TESTS(tests)
