/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels of a device: built, refused, cached, started by many threads and from several handles. */
#include "harness.h"

#include <pthread.h>
#include "base/clock.h"
#include "base/memory.h"
#include "base/text.h"
#include "device/cache.h"
#include "device/handle.h"
#include "device/source.h"

static int compiles(void)
{
    return device->backend->items != NULL;
}

static void unknown_kernels_are_refused(void **state)
{
    (void)state;
    const kernel_run run = {.key = "axpbx REAL=float", .groups = 1};
    FAILS(kernel_start(device, &run), compiles() ? ARGAND_INTERNAL : ARGAND_BUILD, "axpbx");
}

/* The message has the key, the device and the compiler's message about the place. */
static void a_text_that_does_not_compile(void **state)
{
    (void)state;
    if (!compiles()) skip();
    text t = {0};
    OK(source_assemble(&t, "axpby REAL=float", 64));
    text_add(&t, "KERNEL void axpby2(GLOBAL REAL *y) { y[0] = not_a_name_of_anything; }\n");
    const kernel_source source = {
        .key = "axpby2 REAL=float", .name = "axpby2", .text = text_chars(&t), .items = 64};
    kernel_binary binary = {0};
    void *kernel = NULL;
    FAILS(device->backend->build(device->context, &source, &binary, &kernel), ARGAND_BUILD,
          "not_a_name_of_anything");
    assert_non_null(strstr(argand_message(), "\"axpby2 REAL=float\""));
    assert_null(kernel);
    assert_null(binary.bytes);
    text_free(&t);
}

static void groups_beyond_the_device_are_refused(void **state)
{
    (void)state;
    if (!compiles()) skip();
    const kernel_run run = {.key = "fill REAL=float", .groups = 1, .items = 1 << 20};
    const argand_status status = kernel_start(device, &run);
    assert_true(status == ARGAND_UNSUPPORTED || status == ARGAND_BUILD);
}

/* Adds 1 to n numbers with one group of `items`. */
static void add_one(void *kernel, int items)
{
    enum { N = 1000 };
    float numbers[N], ones[N];
    void *memory[2];
    for (int i = 0; i < N; i++) numbers[i] = (float)i, ones[i] = 1;
    const backend *b = device->backend;
    for (int i = 0; i < 2; i++) {
        OK(b->alloc(device->context, sizeof numbers, &memory[i]));
        OK(b->upload(device->context, memory[i], 0, i ? ones : numbers, sizeof numbers));
    }
    const kernel_launch launch = {
        .kernel = kernel, .groups = 1, .items = items, .memory = memory, .memory_count = 2};
    OK(b->launch(device->context, &launch));
    OK(b->download(device->context, numbers, memory[0], 0, sizeof numbers));
    for (int i = 0; i < N; i++) assert_true(numbers[i] == (float)(i + 1));
    for (int i = 0; i < 2; i++) b->free(device->context, memory[i]);
}

/* Metal keeps what it compiled itself. */
static int hands_out_binaries(void)
{
    return compiles() && strcmp(device->backend->name, "metal");
}

/* A binary that was handed out is loaded; a damaged one is no error: the text is built instead. */
static void binaries_come_back(void **state)
{
    (void)state;
    if (!hands_out_binaries()) skip();
    const backend *b = device->backend;
    text t = {0};
    OK(source_assemble(&t, "fill REAL=float", 32));
    text_add(&t, "KERNEL void add_one(GLOBAL REAL *y, const GLOBAL REAL *x)\n"
                 "{ for (int i = ITEM; i < 1000; i += ITEMS) y[i] += x[i]; }\n");
    const kernel_source source = {
        .key = "add_one REAL=float", .name = "add_one", .text = text_chars(&t), .items = 32};
    kernel_binary binary = {0};
    void *kernel;
    OK(b->build(device->context, &source, &binary, &kernel));
    assert_true(binary.bytes && binary.fresh);
    add_one(kernel, 32);
    b->discard(device->context, kernel);
    binary.fresh = false;
    OK(b->build(device->context, &source, &binary, &kernel));
    assert_false(binary.fresh);
    add_one(kernel, 32);
    b->discard(device->context, kernel);
    if (!strcmp(b->name, "opencl")) { /* where nobody keeps it, it is not asked for */
        kernel_binary unwanted = {.unwanted = true};
        OK(b->build(device->context, &source, &unwanted, &kernel));
        assert_null(unwanted.bytes);
        add_one(kernel, 32);
        b->discard(device->context, kernel);
    }
    kernel_binary damaged = {.count = binary.count};
    OK(memory_new(&damaged.bytes, damaged.count, 1)); /* zeros: drivers may crash on what begins well */
    OK(b->build(device->context, &source, &damaged, &kernel));
    assert_true(damaged.fresh);
    add_one(kernel, 32);
    b->discard(device->context, kernel);
    memory_free(damaged.bytes);
    memory_free(binary.bytes);
    text_free(&t);
}

/* sums 1 .. n, scaled, on the given device */
static int right_sum(argand_device *d, int n, double scale)
{
    argand_array *x = NULL;
    argand_scalar sum = {0, 0};
    float *numbers = malloc((size_t)n * sizeof *numbers);
    for (int i = 0; i < n; i++) numbers[i] = (float)(i % 1000);
    argand_status status = argand_array_create(&x, d, ARGAND_R32, 1, (int64_t[]){n});
    if (!status) status = argand_array_upload(x, numbers);
    if (!status) status = argand_array_scale(x, (argand_scalar){scale, 0});
    if (!status) status = argand_array_sum(&sum, x);
    argand_array_destroy(x);
    free(numbers);
    return !status && sum.re == scale * 499.5 * n;
}

/* Built on one handle, kept in a folder, loaded on the next; without a folder nothing is wanted, and nothing
 * is kept if the driver keeps its kernels itself. */
static void kernels_are_kept(void **state)
{
    (void)state;
    char folder[] = "/tmp/argand-kernels-XXXXXX", command[200];
    const char *before = getenv("ARGAND_CACHE");
    argand_device *handle;
    if (!hands_out_binaries()) skip();
    char *old = before ? strdup(before) : NULL;
    assert_non_null(mkdtemp(folder));
    setenv("ARGAND_CACHE", folder, 1);
    for (int again = 0; again < 2; again++) {
        OK(argand_device_open(&handle, device->backend->name));
        assert_true(right_sum(handle, 5000, 0.5));
        argand_device_close(handle);
    }
    snprintf(command, sizeof command, "test $(ls %s | grep -c '[.]bin$') -%s 0 && rm -r %s", folder,
             device->traits.keeps_kernels ? "eq" : "gt", folder);
    assert_int_equal(system(command), 0);
    setenv("ARGAND_CACHE", "off", 1);
    kernel_binary binary = {0};
    cache_load(&(kernel_id){{0}}, &binary);
    assert_true(binary.unwanted);
    if (old)
        setenv("ARGAND_CACHE", old, 1);
    else
        unsetenv("ARGAND_CACHE");
    free(old);
}

static void two_handles_are_two_devices(void **state)
{
    (void)state;
    argand_device *other;
    argand_array *x, *y, *z;
    OK(argand_device_open(&other, device->backend->name));
    OK(argand_array_create(&x, device, ARGAND_R32, 1, (int64_t[]){100}));
    OK(argand_array_create(&y, other, ARGAND_R32, 1, (int64_t[]){100}));
    OK(argand_array_create(&z, other, ARGAND_R32, 1, (int64_t[]){100}));
    FAILS(argand_array_multiply(z, x, y, 0), ARGAND_ARGUMENT, "two devices");
    assert_true(right_sum(device, 1000, 2) && right_sum(other, 1000, 4));
    argand_device_close(other); /* lives on with its arrays */
    assert_true(right_sum(other, 2000, 2));
    argand_array_destroy(x);
    argand_array_destroy(y);
    argand_array_destroy(z);
}

enum { THREADS = 6 };

static void *many_sums(void *failures)
{
    for (int i = 1; i <= (few() ? 2 : 30); i++)
        *(int *)failures += !right_sum(device, 1000 * i, 1 << (i % 4));
    return NULL;
}

static void threads_share_a_device(void **state)
{
    (void)state;
    pthread_t threads[THREADS];
    int failures[THREADS] = {0};
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, many_sums, &failures[i]), 0);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(failures[i], 0);
    }
}

static void every_key_can_be_built(void **state)
{
    (void)state;
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    /* the keys of the library are built by the tests of their layers; here those that ask for other groups */
    if (!compiles()) skip();
    void *kernel;
    for (int items = 1; items <= 64; items *= 4) OK(kernel_get(device, "sum REAL=float", items, &kernel));
    if (info.has_double) OK(kernel_get(device, "sum REAL=double", 128, &kernel));
}

/* Measures `count` runs by the timer, and from before the start to after the stop by the host's clock. */
static void measure(argand_timer *timer, argand_array *x, int count, double *milliseconds, double *host)
{
    OK(argand_device_wait(device));
    const double start = clock_seconds();
    OK(argand_timer_start(timer));
    for (int i = 0; i < count; i++) OK(argand_array_scale(x, (argand_scalar){1, 1}));
    OK(argand_timer_stop(timer));
    OK(argand_timer_milliseconds(timer, milliseconds));
    OK(argand_device_wait(device));
    *host = 1e3 * (clock_seconds() - start);
}

/* The timed section lies within what the host measures, on a busy machine too. A sum over both sections would
 * not. */
static void timers_count_their_section_alone(void **state)
{
    (void)state;
    argand_timer *timer;
    argand_array *x;
    double milliseconds = -1, host;
    OK(argand_array_create(&x, device, ARGAND_C32, 1, (int64_t[]){few() ? 1 << 14 : 1 << 20}));
    OK(argand_array_scale(x, (argand_scalar){1, 0})); /* the kernel is built */
    OK(argand_timer_create(&timer, device));
    FAILS(argand_timer_milliseconds(timer, &milliseconds), ARGAND_ARGUMENT, "not started");
    for (int count = 20; count >= 1; count -= 19) {
        measure(timer, x, count, &milliseconds, &host);
        assert_true(milliseconds > 0);
        assert_true(milliseconds < 1.05 * host + 0.1); /* the device's clock is another one */
    }
    argand_timer_destroy(timer);
    argand_array_destroy(x);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(unknown_kernels_are_refused),
    cmocka_unit_test(a_text_that_does_not_compile),
    cmocka_unit_test(groups_beyond_the_device_are_refused),
    cmocka_unit_test(binaries_come_back),
    cmocka_unit_test(kernels_are_kept),
    cmocka_unit_test(two_handles_are_two_devices),
    cmocka_unit_test(threads_share_a_device),
    cmocka_unit_test(every_key_can_be_built),
    cmocka_unit_test(timers_count_their_section_alone),
};
RUN_TESTS(tests)
