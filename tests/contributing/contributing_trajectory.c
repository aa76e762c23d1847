/* SPDX-License-Identifier: BSD-3-Clause */
/* The trajectory that CONTRIBUTING.md adds: described, and its points and times as it promises them. */
#include "harness.h"

static void known(void **state)
{
    (void)state;
    argand_trajectory_info info;
    argand_array *k[3], *t;
    double echo;
    assert_int_equal(argand_trajectory_count(), ARGAND_ROSETTE + 1);
    OK(argand_trajectory_describe(ARGAND_ROSETTE, &info));
    assert_string_equal(info.name, "rosette");
    argand_trajectory_options o = {.kind = ARGAND_ROSETTE, .n = {16, 16, 4}};
    FAILS(argand_trajectory_make(k, &t, device, ARGAND_R64, &o), ARGAND_ARGUMENT,
          "rosette is of one plane, but the matrix has 4 partitions");
    o.n[2] = 1;
    OK(argand_trajectory_shortest_echo(&echo, &o));
    assert_true(echo == 0);
}

/* Shots begin at the centre, come back to it after each of eight petals, and reach N/2 in between. */
static void petals(void **state)
{
    (void)state;
    argand_array *k[3], *t;
    const argand_trajectory_options o = {
        .kind = ARGAND_ROSETTE, .n = {32, 32}, .samples = 161, .readout = 0.016, .echo = 0.001};
    OK(argand_trajectory_make(k, &t, device, ARGAND_R64, &o));
    const int64_t samples = argand_array_dim(t, 0), shots = argand_array_dim(t, 1);
    double *x = as_doubles(k[0]), *y = as_doubles(k[1]), *times = as_doubles(t);
    assert_int_equal(samples, 161);
    assert_int_equal(shots, (int)ceil(acos(-1) * 32 / 8));
    for (int64_t j = 0; j < samples * shots; j++) {
        const double radius = hypot(x[j], y[j]);
        const int64_t phase = j % samples % 20; /* a petal has 20 samples */
        if (phase == 0) CHECK_BELOW(radius, 1e-12);
        if (phase == 10) CHECK_BELOW(fabs(radius - 16), 1e-12);
        CHECK_BELOW(radius, 16 + 1e-12);
        CHECK_BELOW(fabs(times[j] - 0.001 - 1e-4 * (double)(j % samples)), 1e-15);
    }
    CHECK_BELOW(hypot(x[samples + 10] - x[10], y[samples + 10] - y[10]), 1);
    free(times);
    free(y);
    free(x);
    argand_array_destroy(t);
    argand_array_destroy(k[1]);
    argand_array_destroy(k[0]);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(known), cmocka_unit_test(petals)};
RUN_TESTS(tests)
