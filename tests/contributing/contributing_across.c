/* SPDX-License-Identifier: BSD-3-Clause */
/* The distributed operator that CONTRIBUTING.md adds, over three ranks that are threads: the image is that
 * of one operator of all coils, and has the same bits on every rank. A rank that fails is no rank that the
 * others wait for. */
#include "harness.h"
#include "op/across.h"

#include <pthread.h>

enum { RANKS = 3, COILS = 2, N = 16, IMAGE = 2 * N * N };

static pthread_barrier_t barrier;
static float *given[RANKS];
static float *maps[RANKS], *samples[RANKS]; /* complex {N, N, COILS} */

typedef struct rank {
    int number;
    bool fails; /* its operator does */
    argand_status status;
    char message[256];
    float adjoint[IMAGE], image[IMAGE];
} rank;

/* All ranks give their numbers, all add them up in the same order, and only then does one put its own away */
static argand_status sum(void *context, float *numbers, int64_t count)
{
    const rank *r = context;
    float *total = calloc((size_t)count, sizeof *total);
    given[r->number] = numbers;
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < RANKS && total; i++)
        for (int64_t j = 0; j < count; j++) total[j] += given[i][j];
    pthread_barrier_wait(&barrier);
    if (total) memcpy(numbers, total, (size_t)count * sizeof *total);
    free(total);
    return total ? ARGAND_OK : ARGAND_MEMORY;
}

/* SENSE of so many coils without a transform: y_c = S_c x. */
static argand_status make_coils(argand_op **op, argand_device *on, argand_array *map, int coils)
{
    const argand_shape data = {ARGAND_C32, 3, {N, N, coils}};
    argand_op *transform;
    TRY(argand_op_identity(&transform, on, &data));
    const argand_status status = argand_op_sense(op, transform, map);
    argand_op_destroy(transform);
    return status;
}

static argand_status upload(argand_array **array, argand_device *on, int coils, const float *numbers)
{
    TRY(argand_array_create(array, on, ARGAND_C32, coils ? 3 : 2, (const int64_t[]){N, N, coils}));
    return numbers ? argand_array_upload(*array, numbers) : argand_array_fill(*array, (argand_scalar){0, 0});
}

/* y = x; there is no adjoint. */
static argand_status no_apply(void *context, argand_array *y, const argand_array *x)
{
    (void)context;
    return argand_array_copy(y, x);
}

static argand_status no_adjoint(void *context, argand_array *x, const argand_array *y)
{
    (void)context, (void)x, (void)y;
    return status_set(ARGAND_MEMORY, "no memory for the adjoint");
}

static argand_status make_failing(argand_op **op, argand_device *on)
{
    const argand_op_definition d = {.name = "failing",
                                    .domain = {ARGAND_C32, 2, {N, N}},
                                    .range = {ARGAND_C32, 3, {N, N, COILS}},
                                    .apply = no_apply,
                                    .adjoint = no_adjoint};
    return argand_op_create(op, on, &d);
}

static argand_status solve(argand_op *op, argand_array *x, const argand_array *y)
{
    argand_op *normal;
    TRY(argand_op_normal_of(&normal, op));
    const argand_status status = argand_solve_cg(
        x, op, y, &(argand_cg_options){.iterations = 40, .tolerance = 1e-5, .normal = normal});
    argand_op_destroy(normal);
    return status;
}

static argand_status work(rank *r)
{
    argand_device *own = NULL;
    argand_array *map = NULL, *x = NULL, *y = NULL;
    argand_op *local = NULL, *op = NULL;
    argand_status status;
    TRY_OR_DONE(argand_device_open(&own, "cpu"));
    TRY_OR_DONE(upload(&map, own, COILS, maps[r->number]));
    TRY_OR_DONE(upload(&y, own, COILS, samples[r->number]));
    TRY_OR_DONE(upload(&x, own, 0, NULL));
    TRY_OR_DONE(r->fails ? make_failing(&local, own) : make_coils(&local, own, map, COILS));
    TRY_OR_DONE(op_across(&op, local, &(communicator){sum, r}));
    argand_op_destroy(local);
    local = NULL;
    TRY_OR_DONE(argand_op_adjoint(op, x, y));
    TRY_OR_DONE(argand_array_download(x, r->adjoint));
    TRY_OR_DONE(solve(op, x, y));
    status = argand_array_download(x, r->image);
done:
    argand_op_destroy(op);
    argand_op_destroy(local);
    argand_array_destroy(y);
    argand_array_destroy(x);
    argand_array_destroy(map);
    argand_device_close(own);
    return status;
}

static void *run(void *context)
{
    rank *r = context;
    r->status = work(r);
    snprintf(r->message, sizeof r->message, "%s", argand_message());
    return NULL;
}

static void run_ranks(rank *ranks)
{
    pthread_t threads[RANKS];
    for (int i = 0; i < RANKS; i++) assert_int_equal(pthread_create(&threads[i], NULL, run, &ranks[i]), 0);
    for (int i = 0; i < RANKS; i++) pthread_join(threads[i], NULL);
}

/* The same by one operator of all coils. */
static void whole(float *adjoint, float *image, const float *all_maps, const float *all_samples)
{
    argand_array *map, *x, *y;
    argand_op *op;
    OK(upload(&map, device, RANKS * COILS, all_maps));
    OK(upload(&y, device, RANKS * COILS, all_samples));
    OK(upload(&x, device, 0, NULL));
    OK(make_coils(&op, device, map, RANKS * COILS));
    OK(argand_op_adjoint(op, x, y));
    OK(argand_array_download(x, adjoint));
    OK(solve(op, x, y));
    OK(argand_array_download(x, image));
    argand_op_destroy(op);
    argand_array_destroy(y);
    argand_array_destroy(x);
    argand_array_destroy(map);
}

static void check_near(const float *a, const float *b, double tolerance)
{
    double difference = 0, norm = 0;
    for (int i = 0; i < IMAGE; i++) {
        difference += pow((double)(a[i] - b[i]), 2);
        norm += pow((double)b[i], 2);
    }
    CHECK_BELOW(sqrt(difference / norm), tolerance);
}

/* Sums of six products differ by a few roundings of 6e-8; the image by those over 1e-5 of the gradient. */
static void as_one(void **state)
{
    (void)state;
    enum { ALL = RANKS * COILS * IMAGE };
    float *all_maps = calloc(ALL, sizeof *all_maps), *all_samples = calloc(ALL, sizeof *all_samples);
    float adjoint[IMAGE], image[IMAGE];
    random_state random = {5};
    for (int i = 0; i < ALL; i++) all_maps[i] = (float)random_normal(&random);
    for (int i = 0; i < ALL; i++) all_samples[i] = (float)random_normal(&random);
    rank *ranks = calloc(RANKS, sizeof *ranks);
    for (int i = 0; i < RANKS; i++) {
        ranks[i].number = i;
        maps[i] = all_maps + i * COILS * IMAGE;
        samples[i] = all_samples + i * COILS * IMAGE;
    }
    pthread_barrier_init(&barrier, NULL, RANKS);
    run_ranks(ranks);
    whole(adjoint, image, all_maps, all_samples);
    for (int i = 0; i < RANKS; i++) {
        if (ranks[i].status) fail_msg("rank %d: %s", i, ranks[i].message);
        check_near(ranks[i].adjoint, adjoint, 1e-6);
        check_near(ranks[i].image, image, 5e-5);
        assert_memory_equal(ranks[i].image, ranks[0].image, sizeof image);
    }
    ranks[1].fails = true;
    run_ranks(ranks);
    pthread_barrier_destroy(&barrier);
    for (int i = 0; i < RANKS; i++) {
        assert_int_equal(ranks[i].status, i == 1 ? ARGAND_MEMORY : ARGAND_DEVICE);
        assert_non_null(strstr(ranks[i].message, i == 1 ? "no memory for the adjoint" : "failed on 1 other"));
    }
    free(ranks);
    free(all_samples);
    free(all_maps);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(as_one)};
RUN_TESTS(tests)
