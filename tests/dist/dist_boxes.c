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

static const struct CMUnitTest tests[] = {cmocka_unit_test(boxes), cmocka_unit_test(copies),
                                          cmocka_unit_test(end_job)};
RUN_TESTS(tests)
