/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory that a plan keeps from one call to the next on CPUs. */
#include "harness.h"
#include "nufft/on_host.h"

/* Memory that a call with fewer threads uses counts as a whole, and serves more threads again. */
static void memory_of_threads(void **state)
{
    (void)state;
    workspace *w;
    argand_device *own;
    argand_nufft *plan;
    const int64_t count = 100000;
    const argand_nufft_options o = {.type = ARGAND_C32, .rank = 2, .n = {400, 400}, .window_only = true};
    argand_array *k[3] = {NULL};
    OK(argand_device_open(&own, "cpu"));
    OK(argand_device_set_threads(own, 4));
    OK(argand_nufft_create(&plan, own, &o));
    for (int axis = 0; axis < 2; axis++) {
        OK(argand_array_create(&k[axis], own, ARGAND_R32, 1, &count));
        randomise(k[axis], 3, -200, 200);
    }
    OK(argand_nufft_set_points(plan, k));
    OK(workspace_take(&w, plan, LANES_ONE));
    assert_true(w->threads > 1);
    const size_t bytes = workspace_bytes(w);
    workspace *const first = w;
    for (int threads = 1; threads <= 4; threads += 3) {
        workspace_give_back(plan, w);
        OK(argand_device_set_threads(own, threads));
        OK(workspace_take(&w, plan, LANES_ONE));
        assert_ptr_equal(w, first);
        assert_int_equal(workspace_bytes(w), bytes);
    }
    workspace_give_back(plan, w);
    for (int axis = 0; axis < 2; axis++) argand_array_destroy(k[axis]);
    argand_nufft_destroy(plan);
    argand_device_close(own);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(memory_of_threads)};

RUN_TESTS(tests)
