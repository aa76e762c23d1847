/* SPDX-License-Identifier: BSD-3-Clause */
/* The executor of fake drivers (stand_in.c) runs Argand's kernels on host memory: y = a x + b y over a view
 * that begins inside its block, sums of a group, and errors of the compiler. */
#include "harness.h"

#include "base/memory.h"
#include "base/text.h"
#include "device/source.h"
#include "kernels/params.h"
#include "stand_in.h"

enum { ITEMS = 64, COUNT = 1000, AT = 13 };

static stand_in_kernel *build(const char *key, const char *name)
{
    text source = {0};
    char log[4096];
    stand_in_kernel *kernel = NULL;
    OK(source_assemble(&source, key, ITEMS));
    if (!stand_in_build(source.chars, name, "-cl-std=CL1.2", &kernel, log, sizeof log)) fail_msg("%s", log);
    text_free(&source);
    return kernel;
}

/* Two groups of half of the elements each. */
static struct pointwise_params params_of(float a, float b)
{
    struct pointwise_params p = {.at = {.n = {COUNT},
                                        .rows = 1,
                                        .row_block = 1,
                                        .chunk = COUNT / 2,
                                        .chunks = 2,
                                        .rank = 1,
                                        .lanes = ITEMS},
                                 .a = {.single = {a}},
                                 .b = {.single = {b}},
                                 .mode = 1};
    for (int i = 0; i < 2; i++) {
        p.at.stride[i][0] = 1;
        p.at.width[i] = 1;
    }
    return p;
}

static void it_runs_on_a_view_into_a_block(void **state)
{
    (void)state;
    float *x = stand_in_alloc((COUNT + AT) * sizeof *x), *y = stand_in_alloc((COUNT + AT) * sizeof *y);
    assert_true(x && y);
    for (int i = 0; i < COUNT + AT; i++) {
        x[i] = (float)i;
        y[i] = 1;
    }
    struct pointwise_params p = params_of(2, 3);
    p.a.bits[0] = 0x4000000000000000; /* 2 and 3 as doubles */
    p.b.bits[0] = 0x4008000000000000;
    stand_in_kernel *kernel = build("axpby REAL=float", "axpby");
    assert_int_equal(stand_in_launch(kernel, 2, ITEMS, (void *[]){y + AT, x + AT}, 2, &p, sizeof p), 0);
    for (int i = 0; i < COUNT + AT; i++) assert_true(y[i] == (i < AT ? 1 : 2 * (float)i + 3));
    stand_in_release(kernel);
    stand_in_free(x);
    stand_in_free(y);
}

static void groups_add_up(void **state)
{
    (void)state;
    float *x = stand_in_alloc(COUNT * sizeof *x);
    double *sums = stand_in_alloc(4 * sizeof *sums);
    assert_true(x && sums);
    for (int i = 0; i < COUNT; i++) x[i] = (float)i;
    const struct pointwise_params p = params_of(0, 0);
    stand_in_kernel *kernel = build("sum REAL=float", "sum");
    assert_int_equal(stand_in_launch(kernel, 2, ITEMS, (void *[]){sums, x}, 2, &p, sizeof p), 0);
    assert_true(sums[0] == 499 * 500 / 2 && sums[0] + sums[2] == 999 * 1000 / 2);
    stand_in_release(kernel);
    stand_in_free(x);
    stand_in_free(sums);
}

static void errors_name_the_line(void **state)
{
    (void)state;
    char log[2048];
    stand_in_kernel *kernel = NULL;
    const char *wrong = "#line 7 \"some.krn\"\n__kernel void f(__global int *x) { x[0] = unknown; }\n";
    assert_false(stand_in_build(wrong, "f", "", &kernel, log, sizeof log));
    assert_non_null(strstr(log, "some.krn:7"));
    assert_non_null(strstr(log, "unknown"));
    assert_false(stand_in_build("__kernel void f(__global int *x) { x[0] = 1; }\n", "g", "", &kernel, log,
                                sizeof log));
    assert_non_null(strstr(log, "kernel g"));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_runs_on_a_view_into_a_block),
        cmocka_unit_test(groups_add_up),
        cmocka_unit_test(errors_name_the_line),
    };
    (void)device; /* of harness.h */
    if (*stand_in_missing()) {
        printf("skipped: %s\n", stand_in_missing());
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
