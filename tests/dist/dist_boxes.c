/* SPDX-License-Identifier: BSD-3-Clause */
/* Boxes hold each element once, and redistribution brings each element to its place. */
#include "dist/parts.h"

static const int counts[] = {1, 2, 3, 4, 5, 7};
enum { COUNTS = sizeof counts / sizeof *counts };

/* From random boxes to slabs with ghost cells: each element has its number. */
static argand_status ghosts(argand_comm *comm, argand_device *own, void *context)
{
    const int64_t n[3] = {13, 9, 11}, all = 13 * 9 * 11;
    const int ranks = argand_comm_size(comm), me = argand_comm_rank(comm);
    argand_box from, to;
    argand_array *all_values;
    part in, out;
    double error = 0;
    TRY(argand_array_create(&all_values, own, ARGAND_R32, 3, n));
    for (int64_t i = 0; i < all; i++) ((float *)argand_array_data(all_values))[i] = (float)i;
    random_box(&from, 3, n, *(uint64_t *)context, ranks, me);
    TRY(argand_box_slab(&to, 3, n, 1, ranks, me));
    if (to.upper[1] > to.lower[1]) {
        if (to.lower[1] > 0) to.lower[1]--;
        if (to.upper[1] < n[1]) to.upper[1]++;
        to.strides[2] = 13 * (to.upper[1] - to.lower[1]);
    }
    TRY(make_part(&in, own, ARGAND_R32, &from, 3));
    TRY(make_part(&out, own, ARGAND_R32, &to, 3));
    TRY(each_element(&in, all_values, NULL));
    TRY(argand_dist_copy(comm, 3, out.array, &to, in.array, &from));
    TRY(each_element(&out, all_values, &error));
    RANK_CHECK(error == 0, "an element differs by %g", error);
    free_part(&in);
    free_part(&out);
    argand_array_destroy(all_values);
    return ARGAND_OK;
}

static void copies(void **state)
{
    (void)state;
    if (!on_cpu()) return;
    for (uint64_t seed = 1; seed <= 8; seed++)
        for (int k = 0; k < COUNTS; k++) run_ranks(counts[k], ghosts, &seed);
}

/* The boxes of all parts hold each element once. */
static void boxes(void **state)
{
    (void)state;
    for (int ranks = 1; ranks <= 40; ranks++)
        for (int axis = 0; axis < 6; axis++) {
            const int64_t n[3] = {7, 13, 5};
            int held[7 * 13 * 5] = {0};
            for (int r = 0; r < ranks; r++) {
                argand_box b;
                if (axis < 3)
                    OK(argand_box_slab(&b, 3, n, axis, ranks, r));
                else
                    OK(argand_box_pencil(&b, n, axis - 3, ranks, r));
                for (int64_t z = b.lower[2]; z < b.upper[2]; z++)
                    for (int64_t y = b.lower[1]; y < b.upper[1]; y++)
                        for (int64_t x = b.lower[0]; x < b.upper[0]; x++) held[x + 7 * (y + 13 * z)]++;
                if (axis > 2) assert_true(b.lower[axis - 3] == 0 && b.upper[axis - 3] == n[axis - 3]);
            }
            for (size_t i = 0; i < sizeof held / sizeof *held; i++) assert_int_equal(held[i], 1);
        }
}

/* Parts of a grid of 2 x 3 x 1: numbers count along the first axis fastest, the first parts have more. */
static void grids(void **state)
{
    static const int64_t lower[6][2] = {{0, 0}, {4, 0}, {0, 3}, {4, 3}, {0, 5}, {4, 5}},
                         upper[6][2] = {{4, 3}, {7, 3}, {4, 5}, {7, 5}, {4, 7}, {7, 7}};
    const int64_t n[3] = {7, 7, 5};
    const int parts[3] = {2, 3, 1};
    argand_box b;
    (void)state;
    for (int i = 0; i < 6; i++) {
        OK(argand_box_grid(&b, 3, n, parts, i));
        for (int d = 0; d < 2; d++) {
            assert_int_equal(b.lower[d], lower[i][d]);
            assert_int_equal(b.upper[d], upper[i][d]);
        }
        assert_int_equal(b.lower[2], 0);
        assert_int_equal(b.upper[2], 5);
        assert_int_equal(b.strides[0], 1);
        assert_int_equal(b.strides[1], upper[i][0] - lower[i][0]);
        assert_int_equal(b.strides[2], (upper[i][0] - lower[i][0]) * (upper[i][1] - lower[i][1]));
    }
    /* more parts than elements: the last are empty */
    OK(argand_box_grid(&b, 1, (const int64_t[]){2}, (const int[]){3}, 2));
    assert_int_equal(argand_box_count(&b, 1), 0);
    FAILS(argand_box_grid(&b, 3, n, parts, 6), ARGAND_ARGUMENT, "no part 6, only 0 to 5");
    FAILS(argand_box_grid(&b, 3, n, parts, -1), ARGAND_ARGUMENT, "no part -1");
    FAILS(argand_box_grid(&b, 0, n, parts, 0), ARGAND_ARGUMENT, "rank is 0");
    FAILS(argand_box_grid(&b, 3, n, (const int[]){2, 0, 1}, 0), ARGAND_ARGUMENT,
          "axis 1 has 7 elements in 0");
    FAILS(argand_box_grid(NULL, 3, n, parts, 0), ARGAND_ARGUMENT, "NULL");
}

/* Boxes of rank 2 that were of rank 3 before: the axis beyond counts for nothing. */
static argand_status used_again(argand_comm *comm, argand_device *own, void *context)
{
    const int64_t n[2] = {6, 8};
    const int ranks = argand_comm_size(comm), me = argand_comm_rank(comm);
    argand_array *all;
    part in, out;
    double error = 0;
    (void)context;
    TRY(argand_array_create(&all, own, ARGAND_R32, 2, n));
    for (int i = 0; i < 48; i++) ((float *)argand_array_data(all))[i] = (float)i;
    argand_box from, to;
    TRY(argand_box_slab(&from, 2, n, 1, ranks, me));
    TRY(argand_box_slab(&to, 2, n, 0, ranks, me));
    TRY(make_part(&in, own, ARGAND_R32, &from, 2));
    TRY(make_part(&out, own, ARGAND_R32, &to, 2));
    TRY(each_element(&in, all, NULL));
    from.lower[2] = to.lower[2] = 4;
    from.upper[2] = 8;
    from.strides[2] = 24;
    to.strides[3] = 1 << 20;
    TRY(argand_dist_copy(comm, 2, out.array, &to, in.array, &from));
    TRY(each_element(&out, all, &error));
    RANK_CHECK(error == 0, "an element differs by %g", error);
    free_part(&in);
    free_part(&out);
    argand_array_destroy(all);
    return ARGAND_OK;
}

static void boxes_again(void **state)
{
    (void)state;
    if (!on_cpu()) return;
    for (int k = 0; k < COUNTS; k++) run_ranks(counts[k], used_again, NULL);
}

/* A comparison that took NaN for equal would hide any error. */
static void nan_differs(void **state)
{
    const int64_t n = 3;
    argand_box box;
    argand_array *all;
    part p;
    double error = 0;
    (void)state;
    if (!on_cpu()) return;
    OK(argand_array_create(&all, device, ARGAND_R64, 1, &n));
    OK(argand_box_slab(&box, 1, &n, 0, 1, 0));
    OK(make_part(&p, device, ARGAND_R64, &box, 1));
    OK(each_element(&p, all, &error));
    assert_true(error == 0);
    for (int i = 0; i < 3; i++) ((double *)argand_array_data(p.array))[i] = NAN;
    OK(each_element(&p, all, &error));
    assert_true(isinf(error));
    free_part(&p);
    argand_array_destroy(all);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(nan_differs), cmocka_unit_test(grids),
                                          cmocka_unit_test(boxes_again), cmocka_unit_test(boxes),
                                          cmocka_unit_test(copies),      cmocka_unit_test(end_job)};
RUN_TESTS(tests)
