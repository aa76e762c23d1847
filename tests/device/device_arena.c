/* SPDX-License-Identifier: BSD-3-Clause */
/* Temporary memory: kept for reuse, shared by threads, given back when the driver has no more. */
#include "harness.h"

#include <pthread.h>
#include "base/memory.h"
#include "device/handle.h"

static void a_block_is_used_again(void **state)
{
    (void)state;
    storage *first, *second, *third;
    OK(storage_scratch(&first, device, 100000));
    const void *address = storage_address(first);
    assert_int_equal(storage_bytes(first), 100000);
    storage_release(first);
    OK(storage_scratch(&second, device, 99000));
    if (address) assert_ptr_equal(storage_address(second), address);
    OK(storage_scratch(&third, device, 99000)); /* the one that is in use is not handed out twice */
    if (address) assert_ptr_not_equal(storage_address(third), address);
    storage_release(second);
    storage_release(third);
}

/* Executions take their work memory so. */
static void to_use_it_again_allocates_nothing(void **state)
{
    (void)state;
    storage *s, *again;
    OK(storage_scratch(&s, device, 123456));
    storage_release(s);
    argand_test_fail_allocation(1);
    const argand_status status = storage_scratch(&again, device, 120000);
    argand_test_fail_allocation(0);
    OK(status);
    assert_int_equal(storage_bytes(again), 120000);
    assert_ptr_equal(storage_device(again), device);
    storage_release(again);
}

static void a_far_larger_block_is_left_alone(void **state)
{
    (void)state;
    storage *large, *small;
    OK(storage_scratch(&large, device, 1 << 20));
    const void *address = storage_address(large);
    storage_release(large);
    OK(storage_scratch(&small, device, 1 << 18));
    if (address) assert_ptr_not_equal(storage_address(small), address);
    storage_release(small);
}

static void every_size_holds_what_was_asked_for(void **state)
{
    (void)state;
    for (size_t bytes = 1; bytes < 100000; bytes += bytes / 3 + 1) {
        storage *s;
        OK(storage_scratch(&s, device, bytes));
        char *host = malloc(bytes);
        assert_non_null(host);
        memset(host, 7, bytes);
        OK(storage_upload(s, 0, host, bytes));
        memset(host, 0, bytes);
        OK(storage_download(s, 0, host, bytes));
        assert_int_equal(host[bytes - 1], 7);
        free(host);
        storage_release(s);
    }
}

enum { THREADS = 8 };

static void *take_and_give(void *failures)
{
    const size_t count = few() ? 50 : 2000;
    for (size_t i = 0; i < count; i++) {
        storage *s;
        const unsigned char mark = (unsigned char)i;
        unsigned char seen = 0;
        if (storage_scratch(&s, device, 5000 + 700 * (i % 9)) || storage_upload(s, 0, &mark, 1) ||
            storage_download(s, 0, &seen, 1) || seen != mark)
            ++*(int *)failures;
        storage_release(s);
    }
    return NULL;
}

static void threads_do_not_get_the_same_block(void **state)
{
    (void)state;
    pthread_t threads[THREADS];
    int failures[THREADS] = {0};
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, take_and_give, &failures[i]), 0);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(failures[i], 0);
    }
}

/* A backend whose memory holds two blocks. */
static int blocks_in_use;

static argand_status small_alloc(void *context, size_t bytes, void **memory)
{
    (void)context;
    CHECK(blocks_in_use < 2, ARGAND_MEMORY, "small: no memory for %zu bytes", bytes);
    blocks_in_use++;
    *memory = malloc(1);
    return ARGAND_OK;
}

static void small_free(void *context, void *memory)
{
    (void)context;
    blocks_in_use--;
    free(memory);
}

static argand_status small_fill(void *context, void *memory, size_t at, size_t bytes, unsigned char value)
{
    (void)context, (void)memory, (void)at, (void)bytes, (void)value;
    return ARGAND_OK;
}

static void small_close(void *context)
{
    (void)context;
}

static const backend backend_small = {
    .name = "small", .alloc = small_alloc, .free = small_free, .fill = small_fill, .close = small_close};

static argand_device *small_device(void)
{
    argand_device *small;
    OK(NEW(small, 1));
    small->backend = &backend_small;
    small->users = 1;
    pthread_mutex_init(&small->kernels_lock, NULL);
    pthread_mutex_init(&small->arena_lock, NULL);
    return small;
}

static void kept_blocks_are_given_back(void **state)
{
    (void)state;
    argand_device *small = small_device();
    storage *a, *b, *c;
    OK(storage_scratch(&a, small, 10000));
    OK(storage_scratch(&b, small, 10000));
    FAILS(storage_scratch(&c, small, 10000), ARGAND_MEMORY, "small: no memory");
    storage_release(a);
    storage_release(b);
    assert_int_equal(blocks_in_use, 2);      /* kept */
    OK(storage_scratch(&a, small, 1 << 20)); /* neither fits: both are given back */
    assert_int_equal(blocks_in_use, 1);
    storage_release(a);
    OK(storage_new(&a, small, 100));
    OK(storage_new(&b, small, 100)); /* permanent memory gets the space too */
    assert_int_equal(blocks_in_use, 2);
    storage_release(a);
    OK(storage_scratch(&a, small, 100));
    storage_release(a);
    storage_release(b);
    argand_device_close(small);
    assert_int_equal(blocks_in_use, 0); /* the device takes what it kept down */
}

static void no_memory_is_reported(void **state)
{
    (void)state;
    storage *s = NULL;
    argand_status status = ARGAND_MEMORY;
    long n = 0;
    arena_empty(device);
    while (status != ARGAND_OK) {
        argand_test_fail_allocation(++n);
        status = storage_scratch(&s, device, 777777);
        argand_test_fail_allocation(0);
        if (status == ARGAND_OK) break;
        assert_int_equal(status, ARGAND_MEMORY);
        assert_null(s);
        assert_true(n < 100);
    }
    assert_true(n > 1); /* that many failed, less one */
    storage_release(s);
    assert_true(arena_empty(device));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_block_is_used_again),
    cmocka_unit_test(to_use_it_again_allocates_nothing),
    cmocka_unit_test(a_far_larger_block_is_left_alone),
    cmocka_unit_test(every_size_holds_what_was_asked_for),
    cmocka_unit_test(threads_do_not_get_the_same_block),
    cmocka_unit_test(kept_blocks_are_given_back),
    cmocka_unit_test(no_memory_is_reported),
};

RUN_TESTS(tests)
