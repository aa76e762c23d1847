/* SPDX-License-Identifier: BSD-3-Clause */
/* Own arrays as a scan: axes recognised and named, units, what was not measured, refusals. (The tool's files:
 * cli/own_arrays.) */
#include "harness.h"

#include "io/pack/pack.h"

enum { NX = 16, NY = 12, COILS = 3, SHOTS = 5, SAMPLES = 20 };

static char told[2048];

static void hear(void *context, const char *sentence)
{
    (void)context;
    const size_t used = strlen(told);
    snprintf(told + used, sizeof told - used, "%s\n", sentence);
}

static argand_array *filled(argand_type type, int rank, const int64_t *dims)
{
    argand_array *array;
    OK(argand_array_create(&array, device, type, rank, dims));
    randomise(array, 3, 0, 0);
    return array;
}

/* Energy in the middle of x and y; lines of odd y, and the first two samples of all lines, are 0. */
static argand_array *grid(void)
{
    argand_array *array;
    float values[2 * NX * NY * COILS] = {0};
    for (int c = 0, i = 0; c < COILS; c++)
        for (int y = 0; y < NY; y++)
            for (int x = 0; x < NX; x++, i++)
                if (y % 2 == 0 && x > 1)
                    values[2 * i] = (float)((1 + c) * exp(-0.2 * (pow(x - NX / 2, 2) + pow(y - NY / 2, 2))));
    OK(argand_array_create(&array, device, ARGAND_C32, 3, (const int64_t[3]){NX, NY, COILS}));
    OK(argand_array_upload(array, values));
    return array;
}

/* {2, samples, shots}: spokes through the centre that reach `reach`. */
static argand_array *spokes(double reach)
{
    argand_array *array;
    float values[2 * SAMPLES * SHOTS];
    for (int s = 0; s < SHOTS; s++)
        for (int i = 0; i < SAMPLES; i++) {
            const double r = reach * (2.0 * i / (SAMPLES - 1) - 1), angle = 3 * s / (double)SHOTS;
            values[2 * (s * SAMPLES + i)] = (float)(r * cos(angle));
            values[2 * (s * SAMPLES + i) + 1] = (float)(r * sin(angle));
        }
    OK(argand_array_create(&array, device, ARGAND_R32, 3, (const int64_t[3]){2, SAMPLES, SHOTS}));
    OK(argand_array_upload(array, values));
    return array;
}

static void lines_of_a_grid(void **state)
{
    (void)state;
    argand_scan *scan;
    argand_array *kspace = grid();
    OK(argand_scan_pack(&scan, &(argand_pack_array){.array = kspace, .name = "k.npy"}, NULL));
    assert_int_equal(scan->acquisition_count, NY / 2);
    assert_int_equal(scan->channels, COILS);
    assert_string_equal(scan->encodings->trajectory, "cartesian");
    assert_int_equal(scan->encodings->matrix[0], NX);
    assert_int_equal(scan->encodings->matrix[1], NY);
    for (int i = 0; i < NY / 2; i++) {
        const argand_acquisition *a = &scan->acquisitions[i];
        assert_int_equal(a->samples, NX - 2);
        assert_int_equal(a->counters.shot, 2 * i);
        assert_true(a->k[0][0] == 2 - NX / 2 && a->k[1][0] == (float)(2 * i - NY / 2));
        /* coil c is c + 1 times as large */
        CHECK_BELOW(fabs((double)a->data[2 * 2 * a->samples + 6] - 3 * (double)a->data[6]), 1e-6);
    }
    assert_non_null(strstr(scan->notes, "6 of 12 lines are exactly 0 in all coils"));
    assert_non_null(strstr(scan->notes, "k.npy: sample 16, shot 12, coil 3."));
    argand_scan_destroy(scan);
    argand_array_destroy(kspace);
}

/* Normalised positions, components y, x, an axis order that is named; what is told goes to the caller. */
static void named_axes_and_a_unit(void **state)
{
    (void)state;
    argand_scan *scan;
    argand_array *k = spokes(0.5), *kspace = filled(ARGAND_C32, 3, (const int64_t[3]){COILS, SAMPLES, SHOTS}),
                 *times = filled(ARGAND_R32, 1, (const int64_t[1]){SAMPLES});
    argand_pack_options o = {.trajectory = {.array = k, .axes = "shot,sample,k", .slowest_first = true},
                             .times = {.array = times},
                             .k_order = ARGAND_K_ORDER_ZYX,
                             .matrix = {NX, NX},
                             .field_of_view = {200},
                             .note = hear};
    told[0] = 0;
    OK(argand_scan_pack(&scan, &(argand_pack_array){.array = kspace, .axes = "coil,sample,shot"}, &o));
    assert_string_equal(scan->notes, "");
    assert_non_null(strstr(told, "kspace: coil 3, sample 20, shot 5.\n"));
    assert_non_null(strstr(told, "trajectory: shot 5, sample 20, k 2.\n"));
    assert_non_null(strstr(told, "trajectory: taken as normalised to [-0.5, 0.5), |k| reaches 0.5.\n"));
    assert_int_equal(scan->acquisition_count, SHOTS);
    CHECK_BELOW(fabs(scan->encodings->field_of_view[1] - 200), 1e-9);
    double *points = as_doubles(k), *samples = as_doubles(kspace), *t = as_doubles(times);
    for (int s = 0; s < SHOTS; s++)
        for (int i = 0; i < SAMPLES; i++) {
            const argand_acquisition *a = &scan->acquisitions[s];
            for (int d = 0; d < 2; d++)
                CHECK_BELOW(fabs((double)a->k[d][i] - NX * points[2 * (s * SAMPLES + i) + 1 - d]), 1e-5);
            for (int c = 0; c < COILS; c++)
                assert_true((double)a->data[2 * (c * SAMPLES + i)] ==
                            samples[2 * ((s * SAMPLES + i) * COILS + c)]);
            assert_true((double)a->t[i] == t[i]);
        }
    free(t);
    free(samples);
    free(points);
    argand_scan_destroy(scan);
    argand_array_destroy(times);
    argand_array_destroy(kspace);
    argand_array_destroy(k);
}

static void refusals(void **state)
{
    (void)state;
    argand_scan *scan = NULL;
    argand_array *kspace = filled(ARGAND_C32, 3, (const int64_t[3]){SAMPLES, SHOTS, COILS}), *k = spokes(8),
                 *short_k = spokes(0.5), *part;
    const argand_pack_array own = {.array = kspace, .name = "k.npy", .title = "--kspace k.npy"};
    argand_pack_options o = {.trajectory = {.array = k, .name = "t.npy"}};
    OK(argand_array_part(&part, k, 1, 0, SAMPLES - 1));
    o.trajectory.array = part;
    FAILS(argand_scan_pack(&scan, &own, &o), ARGAND_ARGUMENT,
          "--kspace k.npy {20, 5, 3} does not go with t.npy");
    o.trajectory.array = short_k;
    FAILS(argand_scan_pack(&scan, &own, &o), ARGAND_ARGUMENT, "t.npy: is normalised");
    o.trajectory.array = k;
    o.trajectory.axes = "k,sample,shot";
    FAILS(argand_scan_pack(&scan, &own, &o), ARGAND_ARGUMENT, "name the axes of --kspace");
    o.trajectory.axes = NULL;
    o.matrix[0] = -1;
    FAILS(argand_scan_pack(&scan, &own, &o), ARGAND_ARGUMENT, "a matrix of -1");
    o.matrix[0] = 0;
    o.sample_time = NAN;
    FAILS(argand_scan_pack(&scan, &own, &o), ARGAND_ARGUMENT, "a sample time of nan");
    o.sample_time = 0;
    OK(argand_array_fill(kspace, (argand_scalar){INFINITY, 0}));
    FAILS(argand_scan_pack(&scan, &own, &o), ARGAND_FORMAT,
          "--kspace k.npy: element 0 of memory is not finite");
    assert_null(scan);
    argand_array_destroy(part);
    argand_array_destroy(short_k);
    argand_array_destroy(k);
    argand_array_destroy(kspace);
}

/* Whatever allocation fails, nothing is left. */
static void no_memory(void **state)
{
    (void)state;
    argand_scan *scan = NULL;
    argand_array *kspace = filled(ARGAND_C32, 3, (const int64_t[3]){SAMPLES, SHOTS, COILS}), *k = spokes(8);
    const argand_pack_options o = {.trajectory = {.array = k}};
    const argand_pack_array own = {.array = kspace};
    long n = 0;
    argand_status status = ARGAND_MEMORY;
    while (status == ARGAND_MEMORY) {
        const long before = argand_test_live_allocations();
        argand_test_fail_allocation(++n);
        status = argand_scan_pack(&scan, &own, &o);
        argand_test_fail_allocation(0);
        if (status) assert_int_equal(argand_test_live_allocations(), before);
        assert_true(!status == (scan != NULL));
    }
    assert_true(status == ARGAND_OK && n > 6);
    argand_scan_destroy(scan);
    argand_array_destroy(k);
    argand_array_destroy(kspace);
}

/* Four indices, most energy at the last: a steep peak has neighbours on both sides. */
static void a_peak_at_the_end_is_not_steep(void **state)
{
    (void)state;
    float numbers[] = {1, 0, 1, 0, 3, 0, 10, 0};
    const pack_array a = {.title = "k", .rank = 1, .dims = {4}, .is_complex = true, .numbers = numbers};
    pack_energy e;
    OK(pack_energy_of(&e, &a, 0));
    assert_true(e.peak == 3 && !e.steep);
    numbers[4] = 10, numbers[6] = 3, numbers[2] = 3; /* the peak moves inside */
    OK(pack_energy_of(&e, &a, 0));
    assert_true(e.peak == 2 && e.steep);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(lines_of_a_grid),
    cmocka_unit_test(named_axes_and_a_unit),
    cmocka_unit_test(refusals),
    cmocka_unit_test(no_memory),
    cmocka_unit_test(a_peak_at_the_end_is_not_steep),
};
RUN_TESTS(tests)
