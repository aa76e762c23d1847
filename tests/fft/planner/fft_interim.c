/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans that begin with cuFFT or the general kernel while their own kernels are compiled, over fake drivers
 * and compilers with a gate: cuda:0, where cuFFT's stand-in computes and own kernels are only counted, and
 * hip:0, where both compute, and both are compared with the sum by definition. */
#include "fft/direct.h"

#include <dlfcn.h>
#include <pthread.h>
#include <time.h>
#include "device/fakes/fake_gpu.h"
#include "device/handle.h"
#include "fft/planner/plan.h"
#include "fft/vendor/cufft.h"

static struct fake_gpu *fake;
static int (*gate)(const char *prefix, int fails);
static int (*compilations)(void);
static bool executes; /* own kernels compute */

static void find(const char *library, const char *symbol, void *function)
{
    void *found = dlsym(dlopen(library, RTLD_NOW), symbol);
    assert_non_null(found);
    memcpy(function, &found, sizeof found);
}

static int find_fakes(void **state)
{
    (void)state;
    argand_device_info info;
    struct fake_gpu *(*get)(void);
    OK(argand_device_describe(device, &info));
    executes = !strcmp(info.backend, "hip");
    const char *compiler = executes ? "libhiprtc.so.7" : "libnvrtc.so";
    find(compiler, executes ? "fake_hiprtc_gate" : "fake_nvrtc_gate", &gate);
    find(compiler, executes ? "fake_hiprtc_compilations" : "fake_nvrtc_compilations", &compilations);
    find(executes ? "libamdhip64.so.7" : "libcuda.so.1", executes ? "fake_hip_state" : "fake_cuda_state",
         &get);
    fake = get();
    argand_test_cufft_serves_all(true);
    return 0;
}

/* A device without kernels, on which Argand's own lead. */
static argand_device *fresh_device(void)
{
    argand_device *fresh;
    OK(argand_device_open(&fresh, executes ? "hip:0" : "cuda:0"));
    device_traits traits = *device_traits_of(fresh);
    traits.fft_leads = true;
    argand_test_device_traits(fresh, &traits);
    return fresh;
}

static bool prints(const argand_fft *plan, const char *what)
{
    char printed[4096];
    argand_fft_print(plan, printed, sizeof printed);
    return strstr(printed, what) != NULL;
}

static const char *engine_taken(const argand_fft *plan, argand_fft_candidate *c)
{
    for (int i = 0; i < argand_fft_candidate_count(plan); i++) {
        OK(argand_fft_candidate_describe(plan, i, c));
        if (c->taken) return c->engine;
    }
    return "";
}

static void wait_a_little(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

static void wait_for_compiler(const argand_fft *plan)
{
    argand_status status;
    while (!kernels_are_ready(plan->interim->request, &status, NULL)) wait_a_little();
}

/* Transforms forward, inverse and in place; compares with the sum if the device computes. */
static void check(argand_fft *plan, argand_device *own, const argand_fft_options *o, bool computes)
{
    const bool real = o->type < ARGAND_C32;
    int64_t dims[3] = {1, 1, 1}, half[3];
    argand_device *before = device;
    device = own;
    for (int i = 0; i < o->rank; i++) dims[i] = o->n[i];
    dims[o->rank] = o->batch;
    memcpy(half, dims, sizeof half);
    if (real) half[0] = dims[0] / 2 + 1;
    const argand_type spectrum = o->type == ARGAND_R32   ? ARGAND_C32
                                 : o->type == ARGAND_R64 ? ARGAND_C64
                                                         : o->type;
    argand_array *x = new_array(o->type, o->rank + 1, dims), *y = new_array(spectrum, o->rank + 1, half);
    randomise(x, 7, 0, 0);
    exact *expected = exact_of(x), *original = exact_of(x);
    const double points = (double)(dims[0] * (o->rank > 1 ? dims[1] : 1));
    direct_fft(expected, o->rank, dims, o->batch, -1, o->centred);
    for (int64_t i = 0, kept = 0; real && i < argand_array_count(x); i++)
        if (i % dims[0] < half[0]) expected[kept++] = expected[i];
    OK(argand_fft_apply(plan, y, x, ARGAND_FORWARD));
    if (computes) CHECK_BELOW(distance(y, expected, 1), fft_tolerance(o->type, points));
    OK(argand_fft_apply(plan, x, y, ARGAND_INVERSE));
    if (computes) CHECK_BELOW(distance(x, original, points), 2 * fft_tolerance(o->type, points));
    if (!real) {
        OK(argand_fft_apply(plan, y, y, ARGAND_INVERSE)); /* in place */
        if (computes) CHECK_BELOW(distance(y, original, points), 2 * fft_tolerance(o->type, points));
    }
    free(expected);
    free(original);
    argand_array_destroy(x);
    argand_array_destroy(y);
    device = before;
}

static const argand_fft_options kinds[] = {
    {.type = ARGAND_C32, .rank = 1, .n = {90}, .batch = 3},
    {.type = ARGAND_C64, .rank = 2, .n = {12, 14}, .batch = 2},
    {.type = ARGAND_C32, .rank = 2, .n = {15, 8}, .batch = 1, .centred = true},
    {.type = ARGAND_R32, .rank = 1, .n = {48}, .batch = 4},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* On the fake cuda device, the kernels that shift, copy and scale around cuFFT do not compute. */
static bool cufft_computes(const argand_fft_options *o)
{
    return executes || (!o->centred && o->type >= ARGAND_C32);
}

static void cufft_serves_until_the_kernels_are_compiled(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        argand_device *own = fresh_device();
        argand_fft *plan;
        argand_fft_candidate c;
        gate("fft_", 0);
        OK(argand_fft_create(&plan, own, &kinds[kind]));
        assert_true(prints(plan, "(cufft 11.3) until native is compiled"));
        assert_string_equal(engine_taken(plan, &c), "cufft");
        assert_string_equal(c.reason, "taken until the kernels of native are compiled");
        check(plan, own, &kinds[kind], cufft_computes(&kinds[kind]));
        assert_true(prints(plan, "cufft"));
        gate("", 0);
        wait_for_compiler(plan);
        check(plan, own, &kinds[kind], executes);
        assert_true(prints(plan, "(native") && !prints(plan, "cufft"));
        assert_string_equal(engine_taken(plan, &c), "native");
        assert_string_equal(c.reason, "taken: the shortest predicted time");
        check(plan, own, &kinds[kind], executes);
        argand_fft_destroy(plan);
        argand_device_close(own);
    }
}

/* If the device has the general kernel, plans begin with it and not with cuFFT, which may compile itself. */
static void the_general_kernel_goes_before_cufft(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        argand_device *own = fresh_device();
        argand_fft *plan;
        argand_fft_candidate c;
        OK(kernel_prepare(own, "fft_general REAL=float ITEMS=256"));
        OK(kernel_prepare(own, "fft_general REAL=double ITEMS=256"));
        gate("fft_", 0);
        OK(argand_fft_create(&plan, own, &kinds[kind]));
        assert_true(prints(plan, "(general 1") && prints(plan, "until native is compiled"));
        assert_string_equal(engine_taken(plan, &c), "general");
        check(plan, own, &kinds[kind], executes);
        gate("", 0);
        wait_for_compiler(plan);
        check(plan, own, &kinds[kind], executes);
        assert_true(prints(plan, "(native") && !prints(plan, "general"));
        argand_fft_destroy(plan);
        argand_device_close(own);
    }
}

/* A plan does not begin with cuFFT if the caller waits, or if its kernels are at hand. */
static void plans_wait_if_they_are_asked_to(void **state)
{
    (void)state;
    argand_fft *plan;
    argand_device *own = fresh_device();
    argand_fft_options o = kinds[0];
    o.wait_for_kernels = true;
    OK(argand_fft_create(&plan, own, &o));
    assert_true(prints(plan, "(native"));
    argand_fft_destroy(plan);
    const int before = compilations();
    gate("fft_", 0);
    OK(argand_fft_create(&plan, own, &kinds[0])); /* its kernels are the device's already */
    gate("", 0);
    assert_true(prints(plan, "(native"));
    assert_int_equal(compilations(), before);
    argand_fft_destroy(plan);
    argand_device_close(own);
    own = fresh_device();
    setenv("ARGAND_FFT_WAIT", "1", 1);
    OK(argand_fft_create(&plan, own, &kinds[0]));
    unsetenv("ARGAND_FFT_WAIT");
    assert_true(prints(plan, "(native"));
    argand_fft_destroy(plan);
    argand_device_close(own);
}

static void kernels_of_the_cache_need_no_cufft(void **state)
{
    (void)state;
    char folder[] = "/tmp/argand-interim-XXXXXX", command[64];
    argand_fft *plan;
    assert_non_null(mkdtemp(folder));
    setenv("ARGAND_CACHE", folder, 1);
    for (int again = 0; again < 2; again++) {
        argand_device *own = fresh_device();
        gate("fft_", 0);
        OK(argand_fft_create(&plan, own, &kinds[0]));
        assert_true(prints(plan, again ? "(native" : "(cufft"));
        gate("", 0);
        if (!again) wait_for_compiler(plan);
        argand_fft_destroy(plan);
        argand_device_close(own);
    }
    setenv("ARGAND_CACHE", "off", 1);
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

/* Neither the plans whose kernels are compiled wait when they end, nor those after them, whose are not. */
static void plans_end_while_the_compiler_works(void **state)
{
    (void)state;
    enum { PLANS = 6, AT_ONCE = 4 };
    static const int64_t n[PLANS] = {90, 84, 80, 72, 60, 54}; /* one kernel each */
    argand_device *own = fresh_device();
    argand_fft *plan[PLANS];
    const int before = compilations();
    gate("fft_", 0);
    for (int i = 0; i < PLANS; i++) {
        const argand_fft_options o = {.type = ARGAND_C32, .rank = 1, .n = {n[i]}, .batch = 3};
        OK(argand_fft_create(&plan[i], own, &o));
    }
    while (gate(NULL, 0) < AT_ONCE) wait_a_little();
    for (int i = 0; i < PLANS; i++) argand_fft_destroy(plan[i]);
    gate("", 0);
    argand_device_close(own);
    assert_int_equal(compilations() - before, AT_ONCE);
}

static void cufft_stays_if_compiling_fails(void **state)
{
    (void)state;
    argand_device *own = fresh_device();
    argand_fft *plan;
    argand_fft_candidate c;
    gate("fft_", 0);
    OK(argand_fft_create(&plan, own, &kinds[0]));
    while (!gate(NULL, 0)) wait_a_little();
    gate("", 1);
    wait_for_compiler(plan);
    for (int i = 0; i < 2; i++) check(plan, own, &kinds[0], true);
    assert_true(prints(plan, "(cufft 11.3); native failed: its kernels cannot be compiled: kernel \"fft_"));
    assert_string_equal(engine_taken(plan, &c), "cufft");
    assert_string_equal(c.reason, "taken: the chosen engine failed");
    argand_fft_destroy(plan);
    argand_device_close(own);
}

static argand_fft *fused_plan(argand_device *own, argand_array *map, bool waits)
{
    argand_fft *plan;
    argand_fft_options o = {
        .type = ARGAND_C32, .rank = 2, .n = {30, 28}, .batch = 2, .wait_for_kernels = waits};
    o.input.window[0] = (argand_window){.count = 18, .first = -9};
    o.access.load[0] = (argand_accessor){.kind = ARGAND_ACCESS_MULTIPLY, .array = map};
    OK(argand_fft_create(&plan, own, &o));
    return plan;
}

/* Applies the plan and compares with the sum of the padded products, if the device computes. */
static void check_fused(const argand_fft *plan, const argand_array *x, argand_array *map)
{
    const int64_t dims[3] = {30, 28, 2};
    argand_array *y = new_array(ARGAND_C32, 3, dims);
    exact *expected = calloc(30 * 28 * 2, sizeof *expected), *input = exact_of(x), *factor = exact_of(map);
    assert_non_null(expected);
    for (int i = 0; i < 18 * 28 * 2; i++)
        expected[(i % 18 + 21) % 30 + 30 * (i / 18)] = exact_times(input[i], factor[i % (18 * 28)]);
    direct_fft(expected, 2, dims, 2, -1, false);
    OK(argand_fft_apply(plan, y, x, ARGAND_FORWARD));
    if (executes) CHECK_BELOW(distance(y, expected, 1), fft_tolerance(ARGAND_C32, 30 * 28));
    free(factor);
    free(input);
    free(expected);
    argand_array_destroy(y);
}

/* Plans with accessors begin with kernels before and after the general one. */
static void accessors_begin_with_kernels_of_their_own(void **state)
{
    (void)state;
    const int64_t in[3] = {18, 28, 2};
    argand_device *own = fresh_device(), *before = device;
    device = own;
    argand_array *x = new_array(ARGAND_C32, 3, in), *map = new_array(ARGAND_C32, 2, in);
    randomise(x, 3, 0, 0);
    randomise(map, 4, 0, 0);
    setenv("ARGAND_FFT_ENGINE", "staged", 1);
    argand_fft_destroy(fused_plan(own, map, true)); /* so that the device has these kernels */
    unsetenv("ARGAND_FFT_ENGINE");
    OK(kernel_prepare(own, "fft_general REAL=float ITEMS=256"));
    gate("fft_", 0);
    argand_fft *plan = fused_plan(own, map, false);
    assert_true(prints(plan, "(accessors before and after") && prints(plan, "(general") &&
                prints(plan, "until fused is compiled"));
    check_fused(plan, x, map);
    gate("", 0);
    wait_for_compiler(plan);
    check_fused(plan, x, map);
    assert_true(!prints(plan, "general") && !prints(plan, "until"));
    argand_fft_destroy(plan);
    argand_array_destroy(map);
    argand_array_destroy(x);
    device = before;
    argand_device_close(own);
}

/* A capture neither changes the engine, nor lacks what a first call with the new one would make. */
static void captured_calls_keep_their_engine(void **state)
{
    (void)state;
    argand_fft *plan;
    argand_array *x, *y, *wide, *strided;
    const int64_t dims[2] = {90, 3}, twice[2] = {180, 3};
    if (executes) skip(); /* HIP's graphs are not there */
    argand_device *own = fresh_device();
    gate("fft_", 0);
    OK(argand_fft_create(&plan, own, &kinds[0]));
    OK(argand_array_create(&x, own, ARGAND_C32, 2, dims));
    OK(argand_array_create(&y, own, ARGAND_C32, 2, dims));
    OK(argand_array_create(&wide, own, ARGAND_C32, 2, twice));
    OK(argand_array_part(&strided, wide, 0, 0, 90));
    OK(argand_fft_apply(plan, y, x, ARGAND_FORWARD));
    OK(argand_fft_apply(plan, strided, x, ARGAND_FORWARD));
    gate("", 0);
    wait_for_compiler(plan);
    fake->capturing = 1;
    OK(argand_fft_apply(plan, y, x, ARGAND_FORWARD));
    assert_true(prints(plan, "(cufft"));
    fake->capturing = 0;
    OK(argand_fft_apply(plan, y, x, ARGAND_FORWARD));
    assert_true(prints(plan, "(native"));
    fake->capturing = 1;
    OK(argand_fft_apply(plan, strided, x, ARGAND_FORWARD)); /* cuFFT has served this layout */
    fake->capturing = 0;
    OK(argand_fft_apply(plan, strided, x, ARGAND_FORWARD));
    argand_fft_destroy(plan);
    argand_array_destroy(x);
    argand_array_destroy(y);
    argand_array_destroy(strided);
    argand_array_destroy(wide);
    argand_device_close(own);
}

/* No kernel can be loaded while the stream is captured: the thread tries again. */
static void the_compiler_waits_for_captures(void **state)
{
    (void)state;
    kernel_request *request;
    argand_status status;
    if (executes) skip();
    argand_device *own = fresh_device();
    fake->capturing = 1;
    OK(kernels_request(&request, own, (const char *const[]){"fill REAL=float"}, 1));
    for (int i = 0; i < 30; i++) wait_a_little();
    assert_false(kernels_are_ready(request, &status, NULL));
    fake->capturing = 0;
    while (!kernels_are_ready(request, &status, NULL)) wait_a_little();
    assert_int_equal(status, ARGAND_OK);
    kernels_forget(request);
    argand_device_close(own);
}

typedef struct caller {
    const argand_fft *plan;
    argand_array *x, *y;
    exact *expected;
    int wrong;
} caller;

static void *call_until_it_changes(void *given)
{
    caller *c = given;
    for (int after = 0; after < 3; wait_a_little()) {
        const bool changed = !prints(c->plan, "cufft");
        c->wrong += argand_fft_apply(c->plan, c->y, c->x, ARGAND_FORWARD) != ARGAND_OK;
        if (executes) c->wrong += !(distance(c->y, c->expected, 1) < fft_tolerance(ARGAND_C32, 90));
        after += changed;
    }
    return NULL;
}

static void threads_call_while_the_engine_changes(void **state)
{
    (void)state;
    enum { THREADS = 3 };
    pthread_t threads[THREADS];
    caller callers[THREADS];
    argand_fft *plan;
    argand_device *own = fresh_device(), *before = device;
    const int64_t dims[2] = {90, 3};
    OK(argand_device_set_threads(own, 1));
    gate("fft_", 0);
    OK(argand_fft_create(&plan, own, &kinds[0]));
    device = own;
    for (int i = 0; i < THREADS; i++) {
        callers[i] = (caller){plan, new_array(ARGAND_C32, 2, dims), new_array(ARGAND_C32, 2, dims), NULL, 0};
        randomise(callers[i].x, (uint64_t)i + 1, 0, 0);
        callers[i].expected = exact_of(callers[i].x);
        direct_fft(callers[i].expected, 1, dims, 3, -1, false);
    }
    device = before;
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, call_until_it_changes, &callers[i]), 0);
    wait_a_little();
    gate("", 0);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(callers[i].wrong, 0);
        free(callers[i].expected);
        argand_array_destroy(callers[i].x);
        argand_array_destroy(callers[i].y);
    }
    assert_true(prints(plan, "(native"));
    argand_fft_destroy(plan);
    argand_device_close(own);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup(cufft_serves_until_the_kernels_are_compiled, find_fakes),
    cmocka_unit_test_setup(the_general_kernel_goes_before_cufft, find_fakes),
    cmocka_unit_test_setup(plans_wait_if_they_are_asked_to, find_fakes),
    cmocka_unit_test_setup(kernels_of_the_cache_need_no_cufft, find_fakes),
    cmocka_unit_test_setup(plans_end_while_the_compiler_works, find_fakes),
    cmocka_unit_test_setup(cufft_stays_if_compiling_fails, find_fakes),
    cmocka_unit_test_setup(accessors_begin_with_kernels_of_their_own, find_fakes),
    cmocka_unit_test_setup(captured_calls_keep_their_engine, find_fakes),
    cmocka_unit_test_setup(the_compiler_waits_for_captures, find_fakes),
    cmocka_unit_test_setup(threads_call_while_the_engine_changes, find_fakes),
};

RUN_TESTS(tests)
