/* SPDX-License-Identifier: BSD-3-Clause */
/* NUFFTs of a program that has no kernels yet, over the fake driver and compiler, with the kernels of `argand
 * kernels --cold` (ARGAND_KERNELS): a call of any size compiles nothing in its own thread. */
#include "harness.h"

#include <dlfcn.h>
#include <math.h>
#include <sched.h>
#include "device/device.h"

static int (*compilations)(void);
static int (*in_background)(void);
static int (*gate)(const char *prefix, int fails);

static void find(const char *symbol, void *function)
{
    void *found = dlsym(dlopen("libnvrtc.so", RTLD_NOW), symbol);
    assert_non_null(found);
    memcpy(function, &found, sizeof found);
}

static int find_fakes(void **state)
{
    (void)state;
    unsetenv("ARGAND_WISDOM"); /* that of the library counts */
    find("fake_nvrtc_compilations", &compilations);
    find("fake_nvrtc_background", &in_background);
    find("fake_nvrtc_gate", &gate);
    return 0;
}

typedef struct random_case {
    argand_nufft_options options;
    int64_t count, vectors;
    bool doubles; /* positions */
} random_case;

static double between(random_state *r, double low, double high)
{
    return low * pow(high / low, random_uniform(r));
}

/* Images of 16 pixels and more on each axis, of up to 3e5 pixels, and from a fifth to 12 points for each. */
static random_case draw(random_state *r)
{
    static const int64_t vectors[] = {1, 1, 1, 2, 3, 8, 32, 40};
    random_case c = {.options = {.type = ARGAND_C32,
                                 .rank = random_uniform(r) < 0.5 ? 2 : 3,
                                 .tolerance = between(r, 1e-6, 1e-2)},
                     .vectors = vectors[(int)(8 * random_uniform(r))],
                     .doubles = random_uniform(r) < 0.5};
    enum { MOST = 300000 };
    double pixels = 1;
    for (int axis = 0; axis < c.options.rank; axis++) {
        c.options.n[axis] = (int64_t)between(r, 16, c.options.rank == 2 ? 200 : 40);
        pixels *= (double)c.options.n[axis];
    }
    if (pixels * (double)c.vectors > MOST) c.vectors = 1; /* the device's memory is small */
    if (random_uniform(r) < 0.25) c.options.tolerance = 0;
    if (random_uniform(r) < 0.25) c.options.order = ARGAND_NUFFT_FFT_ORDER;
    c.count = (int64_t)(pixels * between(r, 0.2, 12 / sqrt((double)c.vectors)));
    return c;
}

static argand_nufft *plan_of(argand_device *fresh, const random_case *c)
{
    argand_nufft *plan;
    argand_array *k[3] = {NULL};
    OK(argand_nufft_create(&plan, fresh, &c->options));
    for (int axis = 0; axis < c->options.rank; axis++) {
        const double half = (double)c->options.n[axis] / 2;
        OK(argand_array_create(&k[axis], fresh, c->doubles ? ARGAND_R64 : ARGAND_R32, 1, &c->count));
        randomise(k[axis], 3, -half, half);
    }
    OK(argand_nufft_set_points(plan, k));
    for (int axis = 0; axis < c->options.rank; axis++) argand_array_destroy(k[axis]);
    return plan;
}

static void transform(argand_device *fresh, const argand_nufft *plan, const random_case *c)
{
    int64_t dims[4];
    argand_array *image, *samples;
    memcpy(dims, c->options.n, sizeof c->options.n);
    dims[c->options.rank] = c->vectors;
    OK(argand_array_create(&image, fresh, ARGAND_C32, c->options.rank + 1, dims));
    OK(argand_array_create(&samples, fresh, ARGAND_C32, 2, (int64_t[]){c->count, c->vectors}));
    OK(argand_nufft_apply(plan, samples, image));
    OK(argand_nufft_adjoint(plan, image, samples));
    argand_array_destroy(samples);
    argand_array_destroy(image);
}

static int here(void)
{
    return compilations() - in_background();
}

static void calls_of_any_size_compile_nothing(void **state)
{
    (void)state;
    enum { CASES = 40 };
    int compiled = 0;
    random_state r = {seed_of_run()};
    for (int i = 0; i < CASES; i++) {
        const random_case c = draw(&r);
        argand_device *fresh;
        const int before = here();
        OK(argand_device_open(&fresh, "cuda:0"));
        OK(argand_device_set_threads(fresh, 1));
        argand_nufft *plan = plan_of(fresh, &c);
        transform(fresh, plan, &c);
        argand_nufft_destroy(plan);
        argand_device_close(fresh);
        if (here() == before) continue;
        compiled += here() - before;
        printf("%d kernels: image %lld x %lld x %lld, tolerance %g, %lld points, %lld vectors\n",
               here() - before, (long long)c.options.n[0], (long long)c.options.n[1],
               (long long)c.options.n[2], c.options.tolerance, (long long)c.count, (long long)c.vectors);
    }
    assert_int_equal(compiled, 0);    /* FAKE_NVRTC_HERE=1 FAKE_NVRTC_KEYS=file: which ones */
    assert_true(in_background() > 0); /* their own kernels are compiled meanwhile */
}

/* A plan that waits compiles its kernels itself, the FFT's at least. */
static void plans_that_wait_compile(void **state)
{
    (void)state;
    random_case c = {.options = {.type = ARGAND_C32, .rank = 2, .n = {52, 60}, .wait_for_kernels = true},
                     .count = 5000,
                     .vectors = 3};
    argand_device *fresh;
    OK(argand_device_open(&fresh, "cuda:0"));
    OK(argand_device_set_threads(fresh, 1));
    const int before = here();
    argand_nufft *plan = plan_of(fresh, &c);
    transform(fresh, plan, &c);
    assert_true(here() > before);
    argand_nufft_destroy(plan);
    argand_device_close(fresh);
}

/* Returns the plan's text after a call. */
static const char *printed(argand_device *fresh, const argand_nufft *plan, const random_case *c)
{
    static char text[2048];
    transform(fresh, plan, c);
    argand_nufft_print(plan, text, sizeof text);
    return text;
}

/* The general kernels serve for good if its own ones cannot be compiled; the plan's text says why. */
static void plans_tell_of_failed_kernels(void **state)
{
    (void)state;
    const random_case c = {.options = {.type = ARGAND_C32, .rank = 2, .n = {52, 60}, .tolerance = 1e-4},
                           .count = 5000,
                           .vectors = 1};
    argand_device *fresh;
    OK(argand_device_open(&fresh, "cuda:0"));
    OK(argand_device_set_threads(fresh, 1));
    argand_nufft *plan = plan_of(fresh, &c);
    gate("nufft_", 0);
    assert_null(strstr(printed(fresh, plan, &c), "failed"));
    while (!gate(NULL, 0)) sched_yield();
    gate("", 1);
    while (!strstr(printed(fresh, plan, &c), "; own kernels failed: kernel \"nufft_")) sched_yield();
    argand_nufft_destroy(plan);
    plan = plan_of(fresh, &c); /* another one on the device */
    assert_non_null(strstr(printed(fresh, plan, &c), "; own kernels failed: kernel \"nufft_"));
    argand_nufft_destroy(plan);
    argand_device_close(fresh);
}

static int forget_wisdom(void **state)
{
    (void)state;
    argand_fft_wisdom_forget();
    return 0;
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(calls_of_any_size_compile_nothing, find_fakes, forget_wisdom),
    cmocka_unit_test_setup_teardown(plans_that_wait_compile, find_fakes, forget_wisdom),
    cmocka_unit_test_setup_teardown(plans_tell_of_failed_kernels, find_fakes, forget_wisdom),
};

RUN_TESTS(tests)
