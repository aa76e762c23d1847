/* SPDX-License-Identifier: BSD-3-Clause */
/* The cuda and hip backends over a fake driver (fake_gpu.c): what can be known of them without a GPU. Each
 * call of the driver fails once; nothing may leak, and the message of the driver and the device's name must
 * come through. */
#include "gpu_fake.h"
#ifdef FAKE_HIP
#include "device/hip/driver.h"
#else
#include "device/cuda/driver.h"
#endif

static void it_describes_itself(void **state)
{
    (void)state;
    argand_device *second;
    argand_device_info info;
    OK(argand_device_open(&second, FAMILY ":1"));
    OK(argand_device_describe(second, &info));
    assert_string_equal(info.name, "Fake 1");
    assert_string_equal(info.backend, FAMILY);
#ifdef FAKE_HIP
    assert_string_equal(info.detail, "gfx90a:sramecc+:xnack-, driver HIP 7.0, hipRTC 7.0");
    assert_int_equal(info.capability, 0);
    assert_int_equal(info.units, 104);
    assert_int_equal(info.group_memory, 65536);
    assert_int_equal(second->traits.wave, 64);
    assert_int_equal(second->traits.matrix, DEVICE_MATRIX_NONE);
    assert_true(second->traits.rates.far_rate == 1.4e12);
#else
    assert_string_equal(info.detail, "capability 9.0, driver CUDA 13.0, NVRTC 13.0");
    assert_int_equal(info.capability, 90);
    assert_int_equal(info.units, 132);
#endif
    assert_int_equal(info.memory, 1 << 30);
    assert_true(info.has_double && !info.host_addressable);
    argand_device_close(second);
    FAILS(argand_device_open(&second, FAMILY ":2"), ARGAND_DEVICE,
          "device of this machine is \"" FAMILY ":1\"");
    OK(argand_device_open(&second, "auto")); /* hip has never run on an AMD GPU: it must be named */
    OK(argand_device_describe(second, &info));
    assert_string_equal(info.backend, strcmp(FAMILY, "hip") ? FAMILY : "cpu");
    argand_device_close(second);
}

/* Sizes around what is small, a piece, and the whole ring of stages; to the device and back, at an offset. */
static void transfers_bring_back_what_was_sent(void **state)
{
    (void)state;
    const size_t sizes[] = {1, 65536, 65537, 4 << 20, (4 << 20) + 1, (40 << 20) + 13};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const size_t bytes = sizes[i];
        unsigned char *sent = malloc(bytes), *got = calloc(bytes, 1);
        assert_true(sent && got);
        for (size_t k = 0; k < bytes; k++) sent[k] = (unsigned char)(k * 31 + k / 251);
        storage *s;
        OK(storage_new(&s, device, bytes + 24));
        OK(storage_upload(s, 16, sent, bytes));
        OK(storage_download(s, 16, got, bytes));
        assert_memory_equal(sent, got, bytes);
        OK(storage_download(s, bytes + 16, got, 8 < bytes ? 8 : 1));
        assert_int_equal(got[0], 0); /* zeroed, and not written beyond the end */
        storage_release(s);
        free(sent);
        free(got);
    }
}

static void pinned_memory_is_read_directly(void **state)
{
    (void)state;
    storage *from, *to;
    char got[256] = {0};
    OK(storage_new(&from, device, 256));
    OK(storage_new(&to, device, 256));
    const int before = fake->direct_copies;
    memset(storage_native(from), 5, 256); /* the fake's device memory, which the driver knows as its own */
    OK(storage_upload(to, 0, storage_native(from), 256));
    assert_int_equal(fake->direct_copies, before + 1);
    OK(storage_download(to, 0, got, 256));
    assert_int_equal(got[255], 5);
    storage_release(from);
    storage_release(to);
}

static void without_stages_the_driver_copies(void **state)
{
    (void)state;
    argand_device *fresh;
    storage *s;
    static char bytes[100000], got[100000];
    memset(bytes, 3, sizeof bytes);
    OK(argand_device_open(&fresh, DEVICE_0));
    OK(storage_new(&s, fresh, sizeof bytes));
    fail_call("MemHostAlloc", 2, 2);
    OK(storage_upload(s, 0, bytes, sizeof bytes));
    fail_call("EventCreate", 0, 2);
    OK(storage_download(s, 0, got, sizeof got));
    assert_memory_equal(bytes, got, sizeof got);
    storage_release(s);
    argand_device_close(fresh);
}

static void wrapped_memory_is_checked_and_not_freed(void **state)
{
    (void)state;
    argand_device *second;
    storage *own, *view;
    static float host[16];
    OK(argand_device_open(&second, FAMILY ":1"));
    OK(storage_new(&own, device, 4096));
    char *address = storage_native(own);
    FAILS(storage_wrap(&view, device, host, 0, sizeof host), ARGAND_ARGUMENT, "is not device memory");
    FAILS(storage_wrap(&view, second, address, 0, 4096), ARGAND_ARGUMENT, "is memory of " DEVICE_0);
    FAILS(storage_wrap(&view, device, address + 1000, 0, 4096), ARGAND_ARGUMENT,
          "the buffer ends after 3096");
    const int alive = fake->alive;
    OK(storage_wrap(&view, device, address + 96, 0, 4000));
    assert_ptr_equal(storage_native(view), address + 96);
    storage_release(view);
    assert_int_equal(fake->alive, alive);
    storage_release(own);
    argand_device_close(second);
}

static void no_memory_says_how_much(void **state)
{
    (void)state;
    storage *s, *kept;
    fake->free_bytes = 3000000;
    FAILS(storage_new(&s, device, (size_t)1 << 40), ARGAND_MEMORY,
          DEVICE_0 " (Fake 0): no memory for 1099511627776 bytes");
    FAILS(storage_new(&s, device, (size_t)1 << 40), ARGAND_MEMORY,
          ERROR_NAME("CUDA_ERROR_OUT_OF_MEMORY", "hipErrorOutOfMemory") " (2: out of memory)");
    OK(storage_scratch(&kept, device, 2000000));
    storage_release(kept);
    OK(storage_new(&s, device, 2500000)); /* what the arena kept was given back */
    storage_release(s);
}

static void timers_read_events(void **state)
{
    (void)state;
    argand_timer *timer;
    double milliseconds = 0;
    OK(argand_timer_create(&timer, device));
    FAILS(argand_timer_milliseconds(timer, &milliseconds), ARGAND_ARGUMENT, "not started and stopped");
    OK(argand_timer_start(timer));
    OK(argand_timer_stop(timer));
    OK(argand_timer_milliseconds(timer, &milliseconds));
    assert_true(milliseconds == 12.5);
    argand_timer_destroy(timer);
}

/* All that a program does, so that every call of the driver is met. */
static argand_status everything(void)
{
    argand_device *d = NULL;
    storage *a = NULL, *b = NULL, *view = NULL;
    argand_timer *timer = NULL;
    double milliseconds;
    char *host = calloc(1, 200000);
    argand_status status = argand_device_open(&d, DEVICE_0);
    if (status == ARGAND_OK) status = storage_new(&a, d, 200000);
    if (status == ARGAND_OK) status = storage_scratch(&b, d, 200000);
    if (status == ARGAND_OK) status = storage_wrap(&view, d, storage_native(a), 0, 100);
    if (status == ARGAND_OK) status = storage_upload(a, 0, host, 200000);
    if (status == ARGAND_OK) status = storage_upload(a, 0, host, 10);
    if (status == ARGAND_OK) status = argand_timer_create(&timer, d);
    if (status == ARGAND_OK) status = argand_timer_start(timer);
    if (status == ARGAND_OK) status = run(d, 3, 64, 100000, a);
    if (status == ARGAND_OK) status = run_early(d, a);
    if (status == ARGAND_OK) status = argand_timer_stop(timer);
    if (status == ARGAND_OK) status = argand_timer_milliseconds(timer, &milliseconds);
    if (status == ARGAND_OK) status = storage_download(a, 0, host, 200000);
    if (status == ARGAND_OK) status = storage_download(a, 0, host, 10);
    if (status == ARGAND_OK) status = argand_device_wait(d);
    argand_timer_destroy(timer);
    storage_release(view);
    storage_release(b);
    storage_release(a);
    argand_device_close(d);
    free(host);
    return status;
}

#define NAME(name, ...) #name,
static const char *const functions[] = {GPU_FUNCTIONS(NAME) GPU_OPTIONAL_FUNCTIONS(NAME)
#ifdef FAKE_HIP
                                            HIP_FUNCTIONS(NAME) HIP_OPTIONAL_FUNCTIONS(NAME)
#else
                                            CUDA_FUNCTIONS(NAME) CUDA_OPTIONAL_FUNCTIONS(NAME)
#endif
};

static void each_call_fails_once(void **state)
{
    (void)state;
    const int alive = fake->alive;
    int failed = 0;
    OK(everything());
    for (size_t f = 0; f < sizeof functions / sizeof *functions; f++)
        for (long after = 0; after < 200; after++) {
            fail_call(functions[f], after, 719);
            const argand_status status = everything();
            if (fake->alive != alive)
                fail_msg("%s, call %ld: %d leak", functions[f], after, fake->alive - alive);
            if (fake->fail_after >= 0) break; /* it was not called so often */
            if (!status) continue;            /* there was an alternative */
            failed++;
            if (status == ARGAND_ARGUMENT) continue; /* a pointer that the driver does not know */
            if (!strstr(argand_message(),
                        ERROR_NAME("CUDA_ERROR_FAKE", "hipErrorFake") " (719: so the test wants it)") ||
                !strstr(argand_message(), DEVICE_0 " ("))
                fail_msg("%s, call %ld: %s", functions[f], after, argand_message());
        }
    print_message("%d failures\n", failed);
    assert_true(failed > 40);
}

static void each_allocation_fails_once(void **state)
{
    (void)state;
    const int alive = fake->alive;
    argand_status status = ARGAND_MEMORY;
    for (long n = 1; status; n++) {
        argand_test_fail_allocation(n);
        status = everything();
        argand_test_fail_allocation(0);
        assert_true(status == ARGAND_OK || status == ARGAND_MEMORY);
        assert_int_equal(fake->alive, alive);
        assert_true(n < 500);
    }
}

static void a_text_that_does_not_compile_says_where(void **state)
{
    (void)state;
    char folder[] = "/tmp/argand-cuda-XXXXXX", path[256], array[256];
    const char *const names[] = {"portable_metal.h", "portable.h",     "portable_cuda.h", "portable_groups.h",
                                 "params.h",         "array/rows.krn", "array/axpby.krn"};
    assert_non_null(mkdtemp(folder));
    snprintf(array, sizeof array, "%s/array", folder);
    assert_int_equal(mkdir(array, 0700), 0);
    for (int i = 0; i < 7; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        FILE *file = fopen(path, "wb");
        assert_non_null(file);
        fputs(i == 6 ? "SYNTAX_ERROR" : "/* */", file);
        fclose(file);
    }
    argand_device *fresh;
    storage *s;
    OK(argand_device_open(&fresh, DEVICE_0));
    OK(storage_new(&s, fresh, 64));
    setenv("ARGAND_KERNEL_DIR", folder, 1);
    FAILS(run(fresh, 1, 0, 0, s), ARGAND_BUILD,
          "kernel \"axpby REAL=float\" for " ERROR_NAME("sm_90a", "gfx90a:sramecc+:xnack-"));
    FAILS(run(fresh, 1, 0, 0, s), ARGAND_BUILD, "pointwise.krn(7): error: SYNTAX_ERROR is no word");
    unsetenv("ARGAND_KERNEL_DIR");
    OK(run(fresh, 1, 0, 0, s)); /* the device is still good */
    storage_release(s);
    argand_device_close(fresh);
    for (int i = 0; i < 7; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        remove(path);
    }
    remove(array);
    remove(folder);
}

static int compilations(void)
{
    int (*get)(void);
    void *address = dlsym(dlopen(COMPILER, RTLD_NOW), COMPILATIONS);
    memcpy(&get, &address, sizeof get);
    return get();
}

/* How many kernels a new device compiles for one launch. */
static int compiled_by_a_new_device(const char *name)
{
    argand_device *fresh;
    storage *s;
    const int before = compilations();
    OK(argand_device_open(&fresh, name));
    OK(storage_new(&s, fresh, 64));
    OK(run(fresh, 1, 0, 0, s));
    storage_release(s);
    argand_device_close(fresh);
    return compilations() - before;
}

static void the_cache_saves_compilations(void **state)
{
    (void)state;
    char folder[] = "/tmp/argand-cuda-XXXXXX", command[64];
    assert_non_null(mkdtemp(folder));
    setenv("ARGAND_CACHE", folder, 1);
    assert_int_equal(compiled_by_a_new_device(DEVICE_0), 1);
    assert_int_equal(compiled_by_a_new_device(DEVICE_0), 0);
    /* code for a capability runs on all such chips; HIP's cache has the device's name */
    assert_int_equal(compiled_by_a_new_device(FAMILY ":1"), strcmp(FAMILY, "hip") == 0);
    fail_call("ModuleLoadData", 0, 218); /* the driver does not take what was kept: built again */
    assert_int_equal(compiled_by_a_new_device(DEVICE_0), 1);
    assert_int_equal(compiled_by_a_new_device(DEVICE_0), 0);
    setenv("ARGAND_CACHE", "off", 1);
    assert_int_equal(compiled_by_a_new_device(DEVICE_0), 1);
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

/* Several at a time, and once only: what was prepared is not built again. */
static void common_kernels_are_prepared(void **state)
{
    (void)state;
    argand_device *own;
    void *first, *second;
    OK(argand_device_open(&own, FAMILY ":1"));
    kernels_prepare(own, "float");
    OK(kernel_get(own, "axpby REAL=float", 256, &first));
    kernels_prepare(own, "float");
    OK(kernel_get(own, "axpby REAL=float", 256, &second));
    assert_ptr_equal(first, second);
    argand_device_close(own);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup(common_kernels_are_prepared, reset),
    cmocka_unit_test_setup(it_describes_itself, reset),
    cmocka_unit_test_setup(transfers_bring_back_what_was_sent, reset),
    cmocka_unit_test_setup(pinned_memory_is_read_directly, reset),
    cmocka_unit_test_setup(without_stages_the_driver_copies, reset),
    cmocka_unit_test_setup(wrapped_memory_is_checked_and_not_freed, reset),
    cmocka_unit_test_setup(no_memory_says_how_much, reset),
    cmocka_unit_test_setup(timers_read_events, reset),
    cmocka_unit_test_setup(the_cache_saves_compilations, reset),
    cmocka_unit_test_setup(each_call_fails_once, reset),
    cmocka_unit_test_setup(each_allocation_fails_once, reset),
    cmocka_unit_test_setup(a_text_that_does_not_compile_says_where, reset),
};

RUN_TESTS(tests)
