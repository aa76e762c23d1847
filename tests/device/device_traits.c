/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans for devices that do not exist: an OpenCL device is described as a GPU with waves of 64 items, 32 KiB
 * of shared memory, small groups and no doubles, as Metal and HIP devices are. Plans keep within these limits
 * or are refused with a reason, and what is planned computes correctly. */
#include "harness.h"

#include "device/device.h"
#include "fft/gpu/estimate/estimate.h"
#include "fft/gpu/schedule/program.h"

static argand_device *opened(const device_traits *traits)
{
    argand_device *d;
    setenv("ARGAND_OPENCL_DOUBLE", "off", 1);
    OK(argand_device_open(&d, "opencl:0"));
    unsetenv("ARGAND_OPENCL_DOUBLE");
    argand_test_device_traits(d, traits);
    return d;
}

/* As phones and laptops have, whose kernels declare shared memory; and one that gives it with the launch. */
static device_traits described(int wave, int group_items, size_t group_memory, bool tuned)
{
    return (device_traits){.units = 38,
                           .wave = wave,
                           .group_items = group_items,
                           .memory = (uint64_t)8 << 30,
                           .group_memory = group_memory,
                           .group_memory_default = group_memory,
                           .group_memory_given = tuned,
                           .fft_tuned = tuned,
                           .rates = {4e11, 5e11, 8e6, 1e-5, 5e12, 0},
                           .size = 0.2};
}

static void check_launches(const pass_program *program, const device_traits *t)
{
    assert_int_equal(program->persistent.count, 0); /* groups may not wait for each other */
    for (int i = 0; i < program->count; i++) {
        const tile_pass *pass = &program->pass[i];
        assert_int_equal(pass->exchange.blocks, 0); /* no clusters */
        assert_true(pass->shared_bytes <= t->group_memory);
        if (pass->shape.threads < 1 || pass->shape.threads > t->group_items)
            fail_msg("a pass of %d threads; groups have %d at most", pass->shape.threads, t->group_items);
    }
}

/* Plans without tables and kernels; whether there is one. */
static bool check_planned(argand_device *d, fft_problem p)
{
    const device_traits *t = device_traits_of(d);
    block_limits l;
    fft_geometry g;
    pass_program program;
    OK(limits_find(&l, &p, d, ""));
    for (int back = 0; back < 2; back++) {
        problem_contiguous(&g, &p, back ? ARGAND_INVERSE : ARGAND_FORWARD);
        const argand_status status =
            program_make(&program, &p, &g, back ? ARGAND_INVERSE : ARGAND_FORWARD, &l, true);
        if (status) {
            assert_int_equal(status, ARGAND_UNSUPPORTED);
            assert_true(strlen(argand_message()) > 10);
            if (getenv("VERBOSE"))
                printf("    %d axes, n %lld: %s\n", p.rank, (long long)p.n[0], argand_message());
            return false;
        }
        check_launches(&program, t);
        program_release(&program);
    }
    return true;
}

static const struct {
    int wave, items;
    size_t memory;
} devices[] = {{64, 256, 32 << 10}, {64, 1024, 64 << 10}, {32, 1024, 32 << 10}, {16, 256, 16 << 10}};
enum { KINDS = sizeof devices / sizeof *devices };

static void plans_keep_within_limits(void **state)
{
    (void)state;
    random_state r = {11};
    int refused = 0, all = 0;
    for (int i = 0; i < 2 * KINDS; i++) {
        const device_traits t =
            described(devices[i / 2].wave, devices[i / 2].items, devices[i / 2].memory, i % 2);
        argand_device *d = opened(&t);
        for (int k = 0; k < 300; k++) {
            fft_problem p = {.type = k % 3 ? ARGAND_C32 : ARGAND_R32, .rank = 1 + k % 3, .points = 1};
            const double most = p.rank == 1 ? 17 : 8;
            for (int axis = 0; axis < p.rank; axis++) {
                p.n[axis] = (int64_t)exp2(1 + most * random_uniform(&r));
                p.points *= p.n[axis];
            }
            p.batch = 1 + (int64_t)exp2(8 * random_uniform(&r));
            refused += !check_planned(d, p);
            all++;
        }
        argand_device_close(d);
    }
    if (getenv("VERBOSE")) printf("    %d of %d refused\n", refused, all);
    assert_true(refused <= all / 100); /* each with a reason */
}

/* A device of hardly any memory is refused with a reason, not planned for. */
static void too_little_is_refused(void **state)
{
    (void)state;
    const device_traits t = described(64, 64, 512, false);
    argand_device *d = opened(&t);
    const fft_problem p = {.type = ARGAND_C32, .rank = 1, .n = {1021}, .points = 1021, .batch = 1};
    check_planned(d, p);
    argand_device_close(d);
}

static argand_array *noise(argand_device *where, int rank, const int64_t *dims)
{
    argand_array *a;
    OK(argand_array_create(&a, where, ARGAND_C32, rank, dims));
    randomise(a, 7, 0, 0);
    return a;
}

static void close_to(argand_array *got, argand_array *wanted, double limit)
{
    double *a = as_doubles(got), *b = as_doubles(wanted);
    CHECK_BELOW(relative_error(a, b, 2 * (size_t)argand_array_count(wanted)), limit);
    free(a);
    free(b);
    argand_array_destroy(got);
    argand_array_destroy(wanted);
}

static argand_array *transformed(argand_device *where, int rank, const int64_t *dims, bool own)
{
    argand_fft *plan;
    argand_array *x = noise(where, rank, dims);
    char printed[2048];
    argand_fft_options o = {.type = ARGAND_C32, .rank = rank};
    for (int axis = 0; axis < rank; axis++) o.n[axis] = dims[axis];
    OK(argand_fft_create(&plan, where, &o));
    argand_fft_print(plan, printed, sizeof printed);
    if (own && !strstr(printed, "(native")) fail_msg("computed elsewhere: %s", printed);
    OK(argand_fft_apply(plan, x, x, ARGAND_FORWARD));
    argand_fft_destroy(plan);
    return x;
}

static void ffts_are_right(void **state)
{
    (void)state;
    static const int64_t sizes[][4] = {{1, 1000}, {1, 8192}, {2, 48, 30}, {1, 257}};
    const device_traits t = described(64, 256, 32 << 10, false);
    argand_device *d = opened(&t), *host;
    OK(argand_device_open(&host, "cpu"));
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        close_to(transformed(d, (int)sizes[i][0], sizes[i] + 1, true),
                 transformed(host, (int)sizes[i][0], sizes[i] + 1, false), 1e-6);
    argand_device_close(d);
    argand_device_close(host);
}

/* Samples of an image at random places, and the error that the plan expects */
static argand_array *sampled(argand_device *where, double *expected)
{
    enum { POINTS = 500 };
    const int64_t dims[2] = {20, 18}, points = POINTS;
    argand_nufft *plan;
    argand_nufft_info info;
    argand_array *k[2], *image = noise(where, 2, dims), *samples = noise(where, 1, &points);
    OK(argand_nufft_create(
        &plan, where,
        &(argand_nufft_options){.type = ARGAND_C32, .rank = 2, .n = {dims[0], dims[1]}, .tolerance = 1e-4}));
    for (int axis = 0; axis < 2; axis++) {
        OK(argand_array_create(&k[axis], where, ARGAND_R32, 1, &points));
        randomise(k[axis], (uint64_t)axis + 1, -9, 9);
    }
    OK(argand_nufft_set_points(plan, k));
    argand_nufft_describe(plan, &info);
    *expected += info.expected_error;
    OK(argand_nufft_apply(plan, samples, image));
    argand_nufft_destroy(plan);
    argand_array_destroy(image);
    for (int axis = 0; axis < 2; axis++) argand_array_destroy(k[axis]);
    return samples;
}

static void a_nufft_keeps_its_promise(void **state)
{
    (void)state;
    const device_traits t = described(64, 256, 32 << 10, false);
    argand_device *d = opened(&t), *host;
    double limit = 0;
    OK(argand_device_open(&host, "cpu"));
    argand_array *here = sampled(d, &limit), *there = sampled(host, &limit);
    close_to(here, there, limit);
    argand_device_close(d);
    argand_device_close(host);
}

static void doubles_are_refused(void **state)
{
    (void)state;
    const device_traits t = described(64, 256, 32 << 10, false);
    argand_device *d = opened(&t);
    argand_array *x;
    argand_nufft *plan;
    const argand_nufft_options o = {.type = ARGAND_C64, .rank = 1, .n = {8}};
    FAILS(argand_array_create(&x, d, ARGAND_R64, 1, (int64_t[]){3}), ARGAND_UNSUPPORTED, "double");
    FAILS(argand_nufft_create(&plan, d, &o), ARGAND_UNSUPPORTED, "give ARGAND_C32");
    argand_device_close(d);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(plans_keep_within_limits), cmocka_unit_test(too_little_is_refused),
    cmocka_unit_test(ffts_are_right),           cmocka_unit_test(a_nufft_keeps_its_promise),
    cmocka_unit_test(doubles_are_refused),
};
RUN_TESTS(tests)
