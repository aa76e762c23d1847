/* SPDX-License-Identifier: BSD-3-Clause */
/* A SENSE problem whose coils are spread over ranks, and the same with all coils on each rank. */
#ifndef TESTS_DIST_COILS_H
#define TESTS_DIST_COILS_H

#include "dist/ranks.h"

#include "dist/comm/comm.h"

enum { NX = 10, NY = 8, PIXELS = NX * NY, SAMPLES = 120, COILS = 7 };

typedef struct coil_problem {
    argand_op *all, *own, *across; /* of all coils; of this rank's; this rank's of all */
    argand_array *y_all, *y, *weights_all, *weights;
    argand_array *x, *x_all;
    int64_t first, count;
} coil_problem;

static inline void coils_free(coil_problem *c)
{
    argand_op *const ops[] = {c->across, c->own, c->all};
    argand_array *const arrays[] = {c->x_all, c->x, c->weights, c->weights_all, c->y, c->y_all};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) argand_op_destroy(ops[i]);
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) argand_array_destroy(arrays[i]);
    *c = (coil_problem){0};
}

/* Smooth maps: the coil's own direction is the brightest. */
static inline double complex coil_at(int64_t coil, int pixel)
{
    const double x = (pixel % NX - 4.5) / NX, y = ((double)pixel / NX - 3.5) / NY, a = 0.9 * (double)coil;
    return (0.6 + cos(a) * x + sin(a) * y) * cexp(I * (a + 0.5 * x * (double)coil));
}

/* Edges and a smooth part. */
static inline double complex truth_at(int pixel)
{
    const int x = pixel % NX, y = pixel / NX;
    return (x > 1 && x < 8 && y > 1 && y < 6) * (1 + 0.1 * x) * cexp(I * 0.2 * y) + (x == 4 && y == 3);
}

/* A radial-like set of points in k, of the same kind on each rank. */
static inline argand_status points(argand_array *k[3], argand_device *own)
{
    const int64_t count = SAMPLES;
    double numbers[2][SAMPLES];
    random_state random = {11};
    for (int i = 0; i < SAMPLES; i++)
        for (int axis = 0; axis < 2; axis++)
            numbers[axis][i] = (random_uniform(&random) - 0.5) * (axis ? NY : NX);
    for (int axis = 0; axis < 2; axis++) {
        TRY(argand_array_create(&k[axis], own, ARGAND_R64, 1, &count));
        TRY(argand_array_upload(k[axis], numbers[axis]));
    }
    return ARGAND_OK;
}

static inline argand_status sense_of(argand_op **op, argand_device *own, int64_t first, int64_t count)
{
    argand_nufft *plan;
    argand_array *k[3] = {NULL}, *maps;
    argand_op *transform;
    double complex *numbers;
    TRY(points(k, own));
    TRY(argand_nufft_create(
        &plan, own,
        &(argand_nufft_options){.type = ARGAND_C64, .rank = 2, .n = {NX, NY, 1}, .tolerance = 1e-11}));
    TRY(argand_nufft_set_points(plan, k));
    TRY(argand_op_nufft(&transform, own, plan, count));
    TRY(NEW(numbers, count * PIXELS));
    for (int64_t i = 0; i < count * PIXELS; i++) numbers[i] = coil_at(first + i / PIXELS, (int)(i % PIXELS));
    TRY(argand_array_create(&maps, own, ARGAND_C64, 3, (int64_t[]){NX, NY, count}));
    TRY(argand_array_upload(maps, numbers));
    TRY(argand_op_sense(op, transform, maps));
    memory_free(numbers);
    argand_array_destroy(maps);
    argand_op_destroy(transform);
    argand_array_destroy(k[0]);
    argand_array_destroy(k[1]);
    return ARGAND_OK;
}

/* Samples of the truth with noise, and positive weights that differ between coils. */
static inline argand_status coils_data(coil_problem *c, argand_device *own, double noise)
{
    double complex image[PIXELS], data[SAMPLES * COILS];
    double weights[SAMPLES * COILS];
    random_state random = {3};
    const int64_t dims[2] = {NX, NY}, all[2] = {SAMPLES, COILS}, some[2] = {SAMPLES, c->count};
    for (int i = 0; i < PIXELS; i++) image[i] = truth_at(i);
    TRY(argand_array_create(&c->x, own, ARGAND_C64, 2, dims));
    TRY(argand_array_create(&c->x_all, own, ARGAND_C64, 2, dims));
    TRY(argand_array_create(&c->y_all, own, ARGAND_C64, 2, all));
    TRY(argand_array_create(&c->y, own, ARGAND_C64, 2, some));
    TRY(argand_array_create(&c->weights_all, own, ARGAND_R64, 2, all));
    TRY(argand_array_create(&c->weights, own, ARGAND_R64, 2, some));
    TRY(argand_array_upload(c->x, image));
    TRY(argand_op_apply(c->all, c->y_all, c->x));
    TRY(argand_array_download(c->y_all, data));
    for (int i = 0; i < SAMPLES * COILS; i++) {
        data[i] += noise * (random_normal(&random) + I * random_normal(&random));
        weights[i] = 0.5 + random_uniform(&random);
    }
    TRY(argand_array_upload(c->y_all, data));
    TRY(argand_array_upload(c->weights_all, weights));
    TRY(argand_array_upload(c->y, data + SAMPLES * c->first));
    return argand_array_upload(c->weights, weights + SAMPLES * c->first);
}

static inline argand_status coils_make(coil_problem *c, argand_comm *comm, argand_device *own, double noise)
{
    *c = (coil_problem){0};
    comm_share(COILS, argand_comm_size(comm), argand_comm_rank(comm), &c->first, &c->count);
    TRY(sense_of(&c->all, own, 0, COILS));
    TRY(sense_of(&c->own, own, c->first, c->count));
    TRY(argand_op_across(&c->across, c->own, comm));
    return coils_data(c, own, noise);
}

/* |x - x_all| / |x_all| */
static inline argand_status difference(double *error, const argand_array *x, const argand_array *x_all)
{
    double complex a[PIXELS], b[PIXELS];
    TRY(argand_array_download(x, a));
    TRY(argand_array_download(x_all, b));
    *error = relative_error((double *)a, (double *)b, 2 * PIXELS);
    return ARGAND_OK;
}

/* Every rank has the same bits. */
static inline argand_status same_bits(argand_comm *comm, const void *mine, size_t bytes)
{
    char *all;
    const int size = argand_comm_size(comm);
    TRY(memory_take(&all, bytes * (size_t)size));
    TRY(argand_comm_gather(comm, all, mine, bytes));
    for (int r = 1; r < size; r++)
        RANK_CHECK(!memcmp(all, all + bytes * (size_t)r, bytes), "rank %d has other bits", r);
    memory_free(all);
    return ARGAND_OK;
}

static inline argand_status same_array(argand_comm *comm, const argand_array *array)
{
    double complex numbers[PIXELS];
    TRY(argand_array_download(array, numbers));
    return same_bits(comm, numbers, sizeof numbers);
}

#endif
