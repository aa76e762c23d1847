/* SPDX-License-Identifier: BSD-3-Clause */
/* The metal backend over a fake Objective-C runtime (fake_objc.c): what can be known of it without a Mac.
 * Each message fails in its turn; nothing may leak, nothing that Metal forbids may be asked, and Metal's
 * explanation and the device's name must come through. */
#include "harness.h"

#include <dlfcn.h>
#include "base/memory.h"
#include "device/handle.h"
#include "device/metal/driver.h"
#include "fake_objc.h"

enum { COUNT = 5000 };
static struct fake_objc *fake;

static int reset(void **state)
{
    (void)state;
    if (!fake) {
        struct fake_objc *(*get)(void);
        void *address = dlsym(dlopen(getenv("ARGAND_METAL_LIBRARY"), RTLD_NOW), "fake_objc_state");
        assert_non_null(address);
        memcpy(&get, &address, sizeof get);
        fake = get();
    }
    fake->fail_message = fake->watched = NULL;
    fake->most_items = 0;
    return 0;
}

static int no_faults(void **state)
{
    (void)state;
    if (fake->faults) fail_msg("%d faults; the last: %s", fake->faults, fake->last_fault);
    return 0;
}

static void it_describes_itself(void **state)
{
    (void)state;
    argand_device *other;
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    assert_string_equal(info.name, "Fake M1");
    assert_string_equal(info.backend, "metal");
    assert_string_equal(info.detail, "Metal, unified memory, units assumed");
    assert_true(info.memory == (uint64_t)1 << 33 && !info.has_double && !info.host_addressable);
    FAILS(argand_device_open(&other, "metal:1"), ARGAND_DEVICE,
          "the last metal device of this machine is \"metal:0\"");
    OK(argand_device_open(&other, "auto")); /* metal was never run on a Mac: it must be named */
    OK(argand_device_describe(other, &info));
    assert_string_not_equal(info.backend, "metal");
    argand_device_close(other);
}

/* Sizes and offsets that Metal's copies take, and others; fills and copies keep their order. */
static void bytes_come_back(void **state)
{
    (void)state;
    const backend *b = device->backend;
    void *const c = device->context, *x, *y;
    unsigned char sent[COUNT], got[COUNT];
    const size_t cases[][3] = {{0, 0, COUNT}, {4, 8, 1000}, {3, 8, 1000}, {4, 9, 999}, {7, 7, 1}};
    for (int i = 0; i < COUNT; i++) sent[i] = (unsigned char)(i * 31 + i / 251);
    OK(b->alloc(c, COUNT, &x));
    OK(b->alloc(c, COUNT, &y));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const size_t from = cases[i][0], to = cases[i][1], bytes = cases[i][2];
        OK(b->upload(c, x, 0, sent, COUNT));
        OK(b->fill(c, y, 0, COUNT - 3, 8));
        OK(b->fill(c, y, 0, COUNT, 9));
        OK(b->copy(c, y, to, x, from, bytes));
        OK(b->download(c, got, y, 0, COUNT));
        assert_memory_equal(got + to, sent + from, bytes);
        for (size_t k = 0; k < COUNT; k++)
            if (k < to || k >= to + bytes) assert_int_equal(got[k], 9);
    }
    b->free(c, y);
    b->free(c, x);
}

/* y = 2 x + 3 y, again and again, so that command buffers fill and follow each other. */
static argand_status run_chain(argand_array *y, const argand_array *x, int launches)
{
    for (int i = 0; i < launches; i++)
        TRY(argand_array_axpby(y, (argand_scalar){.re = 2}, x, (argand_scalar){.re = -1}));
    return ARGAND_OK;
}

static void launches_run_in_order(void **state)
{
    (void)state;
    const int64_t n = COUNT;
    argand_array *x, *y;
    float values[COUNT], got[COUNT];
    for (int i = 0; i < COUNT; i++) values[i] = (float)(i % 1000);
    OK(argand_array_create(&x, device, ARGAND_R32, 1, &n));
    OK(argand_array_create(&y, device, ARGAND_R32, 1, &n));
    OK(argand_array_upload(x, values));
    const long before = fake->command_buffers, ran = fake->launches;
    OK(run_chain(y, x, 301));                /* 2 x, 0, 2 x, ... */
    assert_true(fake->launches < ran + 301); /* some wait for their commit */
    OK(argand_array_download(y, got));
    for (int i = 0; i < COUNT; i++) assert_true(got[i] == 2 * values[i]);
    assert_int_equal(fake->launches, ran + 301);
    assert_in_range(fake->command_buffers - before, 4, 8);
    argand_array_destroy(y);
    argand_array_destroy(x);
}

static void memory_of_the_host_is_wrapped(void **state)
{
    (void)state;
    const int64_t n = COUNT;
    argand_array *x, *y;
    float *host = calloc(COUNT + 3, sizeof *host), values[COUNT];
    for (int i = 0; i < COUNT; i++) values[i] = (float)i;
    OK(argand_array_create(&x, device, ARGAND_R32, 1, &n));
    OK(argand_array_upload(x, values));
    OK(argand_array_wrap(&y, device, ARGAND_R32, 1, &n, NULL, host + 3));
    OK(argand_array_axpby(y, (argand_scalar){.re = 3}, x, (argand_scalar){0}));
    OK(argand_device_wait(device));
    for (int i = 0; i < COUNT; i++) assert_true(host[i + 3] == 3 * values[i]);
    assert_true(host[2] == 0 && fake->wraps > 0);
    argand_array_destroy(y);
    argand_array_destroy(x);
    free(host);
}

static void doubles_are_refused(void **state)
{
    (void)state;
    const int64_t n = 4;
    argand_array *x;
    FAILS(argand_array_create(&x, device, ARGAND_C64, 1, &n), ARGAND_UNSUPPORTED,
          "no double precision; use a complex float array, or the cpu device");
}

static void refusals_say_why(void **state)
{
    (void)state;
    void *memory, *kernel;
    const kernel_source wrong = {
        .key = "f REAL=float", .name = "f", .text = "#line 3 \"f.krn\"\nnonsense", .items = 64};
    FAILS(device->backend->alloc(device->context, (size_t)1 << 40, &memory), ARGAND_MEMORY,
          "metal:0 (Fake M1): no memory for 1099511627776 bytes");
    FAILS(device->backend->build(device->context, &wrong, &(kernel_binary){0}, &kernel), ARGAND_BUILD,
          "f.krn:3");
    fake->most_items = 32;
    FAILS(kernel_get(device, "axpby REAL=float", 64, &kernel), ARGAND_UNSUPPORTED,
          "wants groups of 64, the device allows 32");
}

/* All that a program does, so that every message is met. */
static argand_status everything(void)
{
    const int64_t n = COUNT;
    argand_device *d = NULL;
    argand_array *x = NULL, *y = NULL, *view = NULL;
    static float host[2 * COUNT];
    argand_status status = argand_device_open(&d, "metal:0");
    if (status == ARGAND_OK) status = argand_array_create(&x, d, ARGAND_R32, 1, &n);
    if (status == ARGAND_OK) status = argand_array_create(&y, d, ARGAND_R32, 1, &n);
    if (status == ARGAND_OK) status = argand_array_wrap(&view, d, ARGAND_R32, 1, &n, NULL, host);
    if (status == ARGAND_OK) status = run_chain(y, x, 70);
    if (status == ARGAND_OK) status = argand_array_copy(view, y);
    if (status == ARGAND_OK) status = argand_array_download(y, host);
    if (status == ARGAND_OK) status = argand_device_wait(d);
    argand_array_destroy(view);
    argand_array_destroy(y);
    argand_array_destroy(x);
    argand_device_close(d);
    return status;
}

#define NAME(name, selector, result, parameters) selector,
static const char *const messages[] = {METAL_MESSAGES(NAME)};

static void each_message_fails_once(void **state)
{
    (void)state;
    OK(everything());
    const int alive = fake->alive;
    int failed = 0;
    for (size_t m = 0; m < sizeof messages / sizeof *messages; m++)
        for (long after = 0; after < 100; after++) {
            fake->fail_message = messages[m];
            fake->fail_after = after;
            const argand_status status = everything();
            if (fake->alive != alive) fail_msg("%s, %ld: %d leak", messages[m], after, fake->alive - alive);
            if (fake->fail_after >= 0) break; /* it was not sent so often, or cannot fail */
            if (!status) continue;            /* found when the device closes */
            failed++;
            if (!strstr(argand_message(), "metal:0 (Fake M1)"))
                fail_msg("%s, %ld: %s", messages[m], after, argand_message());
        }
    print_message("%d failures\n", failed);
    assert_true(failed >= 10);
}

static void each_allocation_fails_once(void **state)
{
    (void)state;
    argand_status status = ARGAND_MEMORY;
    OK(everything());
    const int alive = fake->alive;
    for (long n = 1; status; n++) {
        argand_test_fail_allocation(n);
        status = everything();
        argand_test_fail_allocation(0);
        assert_true(status == ARGAND_OK || status == ARGAND_MEMORY);
        assert_int_equal(fake->alive, alive);
        assert_true(n < 1000);
    }
}

/* Kernels of CUDA's matrix units are not built in advance. */
static void only_own_kernels_are_prepared(void **state)
{
    (void)state;
    argand_device *own;
    OK(argand_device_open(&own, "metal:0"));
    fake->watched = "field_extent";
    kernels_prepare(own, "float");
    assert_int_equal(fake->watched_functions, 0);
    assert_true(fake->functions > 10);
    fake->watched = "axpby";
    kernels_prepare(own, "float");
    assert_int_equal(fake->watched_functions, 1);
    argand_device_close(own);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, reset, no_faults)
static const struct CMUnitTest tests[] = {
    CASE(it_describes_itself),           CASE(bytes_come_back),
    CASE(launches_run_in_order),         CASE(memory_of_the_host_is_wrapped),
    CASE(doubles_are_refused),           CASE(refusals_say_why),
    CASE(each_message_fails_once),       CASE(each_allocation_fails_once),
    CASE(only_own_kernels_are_prepared),
};

RUN_TESTS(tests)
