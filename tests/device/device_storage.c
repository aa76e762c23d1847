/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of a device against a copy on the host: any place, any size, in the order of the calls. */
#include "harness.h"

#include "base/memory.h"
#include "device/handle.h"

/* Larger than all the stages through which transfers go, and odd. */
enum { SMALL = 100003, LARGE = (40 << 20) + 13 };

static unsigned char *random_bytes(size_t count, uint64_t seed)
{
    unsigned char *bytes = malloc(count);
    random_state state = {seed};
    assert_non_null(bytes);
    for (size_t i = 0; i < count; i++) bytes[i] = (unsigned char)(256 * random_uniform(&state));
    return bytes;
}

static void *device_memory(argand_device *d, size_t bytes)
{
    void *memory;
    OK(d->backend->alloc(d->context, bytes, &memory));
    return memory;
}

static void expect(const storage *s, const unsigned char *expected, size_t count)
{
    unsigned char *got = malloc(count);
    assert_non_null(got);
    OK(storage_download(s, 0, got, count));
    assert_memory_equal(got, expected, count);
    free(got);
}

static void new_memory_is_zero(void **state)
{
    (void)state;
    for (size_t bytes = 1; bytes < SMALL; bytes = bytes * 5 + 2) {
        storage *s;
        unsigned char *zeros = calloc(bytes, 1);
        OK(storage_new(&s, device, bytes));
        expect(s, zeros, bytes);
        free(zeros);
        storage_release(s);
    }
}

static void uploads_and_downloads_at_odd_places(void **state)
{
    (void)state;
    storage *s;
    unsigned char *mirror = random_bytes(SMALL, 1), *news = random_bytes(SMALL, 2), *got = malloc(SMALL);
    random_state random = {3};
    OK(storage_new(&s, device, SMALL));
    OK(storage_upload(s, 0, mirror, SMALL));
    for (int step = 0; step < 300; step++) {
        const size_t at = (size_t)(random_uniform(&random) * SMALL);
        const size_t left = SMALL - at, count = step % 3 ? left < 29 ? left : 29 : left;
        memcpy(mirror + at, news + step, count - (step < (int)count ? (size_t)step : 0));
        OK(storage_upload(s, at, news + step, count - (step < (int)count ? (size_t)step : 0)));
        OK(storage_download(s, at / 2, got, count));
        assert_memory_equal(got, mirror + at / 2, count);
    }
    expect(s, mirror, SMALL);
    storage_release(s);
    free(got);
    free(news);
    free(mirror);
}

static void large_transfers(void **state)
{
    (void)state;
    storage *s;
    unsigned char *mirror = random_bytes(LARGE, 4);
    OK(storage_new(&s, device, LARGE));
    OK(storage_upload(s, 0, mirror, LARGE));
    expect(s, mirror, LARGE);
    for (size_t count = (2 << 20) - 1; count <= (2 << 20) + 1; count++) { /* around the size of a stage */
        memset(mirror + 7, (int)count & 255, count);
        OK(storage_upload(s, 7, mirror + 7, count));
    }
    expect(s, mirror, LARGE);
    storage_release(s);
    free(mirror);
}

/* The host's memory is the caller's again when upload returns, also while the device is still at work. */
static void uploads_have_taken_the_bytes(void **state)
{
    (void)state;
    enum { N = 1 << 18, ROUNDS = 40 };
    argand_array *sum, *x;
    float *host = malloc(N * sizeof *host);
    OK(argand_array_create(&sum, device, ARGAND_R32, 1, (int64_t[]){N}));
    OK(argand_array_create(&x, device, ARGAND_R32, 1, (int64_t[]){N}));
    for (int step = 1; step <= ROUNDS; step++) {
        for (int i = 0; i < N; i++) host[i] = (float)step;
        OK(argand_array_upload(x, host));
        OK(argand_array_axpby(sum, (argand_scalar){1, 0}, x, (argand_scalar){1, 0}));
        memset(host, 255, N * sizeof *host);
    }
    OK(argand_array_download(sum, host));
    for (int i = 0; i < N; i++) assert_true(host[i] == ROUNDS * (ROUNDS + 1) / 2);
    free(host);
    argand_array_destroy(x);
    argand_array_destroy(sum);
}

/* The backend's own copy and fill, which the layers above give any place and size. */
static void copies_and_fills_at_odd_places(void **state)
{
    (void)state;
    const backend *b = device->backend;
    unsigned char *mirror = random_bytes(SMALL, 5), *source = random_bytes(SMALL, 6), *got = malloc(SMALL);
    void *to = device_memory(device, SMALL), *from = device_memory(device, SMALL);
    random_state random = {7};
    OK(b->upload(device->context, to, 0, mirror, SMALL));
    OK(b->upload(device->context, from, 0, source, SMALL));
    for (int step = 0; step < 200; step++) {
        const size_t at = (size_t)(random_uniform(&random) * SMALL), half = at / 2;
        const size_t count = (SMALL - at) / (size_t)(1 + step % 7);
        OK(b->copy(device->context, to, at, from, half, count));
        memcpy(mirror + at, source + half, count);
        OK(b->fill(device->context, to, half, count / 3, (unsigned char)step));
        memset(mirror + half, step, count / 3);
    }
    OK(b->download(device->context, got, to, 0, SMALL));
    assert_memory_equal(got, mirror, SMALL);
    b->free(device->context, from);
    b->free(device->context, to);
    free(got);
    free(source);
    free(mirror);
}

static void nothing_is_nothing(void **state)
{
    (void)state;
    const backend *b = device->backend;
    void *memory = device_memory(device, 0), *other = device_memory(device, 16);
    char none;
    OK(b->upload(device->context, memory, 0, &none, 0));
    OK(b->download(device->context, &none, memory, 0, 0));
    OK(b->copy(device->context, other, 16, memory, 0, 0));
    OK(b->fill(device->context, other, 16, 0, 1));
    OK(b->wait(device->context));
    b->free(device->context, memory);
    b->free(device->context, other);
}

static void too_much_is_refused(void **state)
{
    (void)state;
    storage *s = NULL;
    FAILS(storage_new(&s, device, (size_t)1 << 60), ARGAND_MEMORY, "no memory");
    assert_null(s);
    FAILS(storage_scratch(&s, device, (size_t)1 << 60), ARGAND_MEMORY, "no memory");
    assert_null(s);
    OK(storage_new(&s, device, 64)); /* and the device still works */
    storage_release(s);
}

/* Every allocation of the host fails once: a status, nothing else, and it works the next time. */
static argand_status all_of_it(void)
{
    storage *s = NULL;
    char bytes[1000] = {1};
    argand_device *own;
    TRY(argand_device_open(&own, device->backend->name));
    argand_status status = storage_new(&s, own, sizeof bytes);
    if (status == ARGAND_OK) status = storage_upload(s, 0, bytes, sizeof bytes);
    if (status == ARGAND_OK) status = storage_download(s, 0, bytes, sizeof bytes);
    storage_release(s);
    argand_device_close(own);
    return status;
}

static void failing_allocations_leave_nothing(void **state)
{
    (void)state;
    argand_status status = ARGAND_MEMORY;
    int failures = 0;
    for (long n = 1; status != ARGAND_OK; n++) {
        argand_test_fail_allocation(n);
        status = all_of_it();
        argand_test_fail_allocation(0);
        if (status != ARGAND_OK) assert_int_equal(status, ARGAND_MEMORY);
        failures += status != ARGAND_OK;
        assert_true(n < 100);
    }
    assert_true(failures >= 3);
    OK(all_of_it());
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(new_memory_is_zero),
    cmocka_unit_test(uploads_and_downloads_at_odd_places),
    cmocka_unit_test(large_transfers),
    cmocka_unit_test(uploads_have_taken_the_bytes),
    cmocka_unit_test(copies_and_fills_at_odd_places),
    cmocka_unit_test(nothing_is_nothing),
    cmocka_unit_test(too_much_is_refused),
    cmocka_unit_test(failing_allocations_leave_nothing),
};
RUN_TESTS(tests)
