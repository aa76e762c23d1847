/* SPDX-License-Identifier: BSD-3-Clause */
/* Streams of the cuda and hip backends over a fake driver: the caller's, another one later, one that is
 * captured. */
#include "gpu_fake.h"

/* Number 1 is of another context than the devices. */
static gpu_stream stream_of(int which)
{
    gpu_stream (*get)(int);
    void *address = dlsym(dlopen(DRIVER, RTLD_NOW), "fake_" FAMILY "_stream");
    memcpy(&get, &address, sizeof get);
    return get(which);
}

static void a_users_stream_is_used(void **state)
{
    (void)state;
    argand_device *mine;
    storage *s;
    OK(argand_device_open_stream(&mine, DEVICE_0, stream_of(0)));
    OK(storage_new(&s, mine, 64));
    OK(run(mine, 1, 0, 0, s));
    assert_ptr_equal(fake->stream, stream_of(0));
    storage_release(s);
    argand_device_close(mine);
    FAILS(argand_device_open_stream(&mine, DEVICE_0, stream_of(1)), ARGAND_ARGUMENT,
          ERROR_NAME("belongs to another context", "belongs to hip:1"));
    assert_null(mine);
    FAILS(argand_device_open_stream(&mine, "cpu", NULL), ARGAND_UNSUPPORTED, "\"cpu\" has no streams");
}

static void work_follows_the_callers_stream(void **state)
{
    (void)state;
    argand_device *mine;
    storage *s;
    OK(argand_device_open(&mine, DEVICE_0));
    OK(storage_new(&s, mine, 64));
    const int waits = fake->waits;
    for (int i = 0; i < 2; i++) {
        OK(argand_device_set_stream(mine, stream_of(2)));
        assert_int_equal(fake->waits, waits + 1);
        OK(run(mine, 1, 0, 0, s));
        assert_ptr_equal(fake->stream, stream_of(2));
    }
    OK(argand_device_set_stream(mine, NULL));
    OK(argand_device_set_stream(mine, stream_of(0)));
    assert_int_equal(fake->waits, waits + 3);
    FAILS(argand_device_set_stream(mine, stream_of(1)), ARGAND_ARGUMENT,
          ERROR_NAME("belongs to another context", "belongs to hip:1"));
    FAILS(argand_device_set_stream(NULL, NULL), ARGAND_ARGUMENT, "no device");
    OK(run(mine, 1, 0, 0, s));
    assert_ptr_equal(fake->stream, stream_of(0));
    storage_release(s);
    argand_device_close(mine);
}

/* What a graph cannot hold is refused before the driver hears of it, and the rest goes on. */
static void a_captured_stream_takes_launches_alone(void **state)
{
    (void)state;
    argand_device *mine;
    storage *s, *other, *scratch;
    char byte = 0;
    const int before = fake->alive;
    OK(argand_device_open(&mine, DEVICE_0));
    OK(storage_new(&s, mine, 64));
    OK(storage_scratch(&scratch, mine, 5000));
    storage_release(scratch);
    OK(run(mine, 1, 0, 0, s));
    const int waits = fake->waits;
    fake->captured = stream_of(2);
    OK(argand_device_set_stream(mine, stream_of(2))); /* the host waits for what was before */
    assert_int_equal(fake->waits, waits);
    assert_int_equal(fake->mode, 0);
    OK(run(mine, 1, 0, 0, s));
    assert_ptr_equal(fake->stream, stream_of(2));
    FAILS(storage_new(&other, mine, 64), ARGAND_UNSUPPORTED,
          "no memory can be allocated while the stream is captured into a " TITLE
          " graph; make the same call once");
    FAILS(storage_upload(s, 0, &byte, 1), ARGAND_UNSUPPORTED, "nothing can be uploaded while");
    FAILS(storage_download(s, 0, &byte, 1), ARGAND_UNSUPPORTED, "nothing can be downloaded while");
    FAILS(argand_device_wait(mine), ARGAND_UNSUPPORTED, "nothing can be waited for while");
    FAILS(argand_device_set_stream(mine, stream_of(0)), ARGAND_UNSUPPORTED, "in another stream while");
    OK(storage_scratch(&scratch, mine, 5000));
    storage_release(scratch);
    const int alive = fake->alive;
    storage_release(s); /* freed later */
    assert_int_equal(fake->alive, alive);
    fake->captured = NULL;
    OK(storage_new(&s, mine, 64));
    storage_release(s);
    assert_int_equal(fake->alive, alive - 1);
    fake->free_bytes = 3000; /* the scratch is in the graph: it stays */
    FAILS(storage_new(&s, mine, 4000), ARGAND_MEMORY, "no memory for 4000 bytes");
    assert_int_equal(fake->alive, alive - 1);
    fake->free_bytes = (size_t)1 << 30;
    OK(storage_new(&s, mine, 64));
    fake->captured = stream_of(2);
    storage_release(s);
    argand_device_close(mine); /* without waiting */
    assert_int_equal(fake->spoiled, 0);
    assert_int_equal(fake->alive, before);
    fake->captured = NULL;
}

/* A graph writes to its scratch whenever it is started: what is kept beyond a call takes other memory. */
static void scratch_of_a_graph_is_for_calls(void **state)
{
    (void)state;
    argand_device *mine;
    storage *free_one, *graphs, *again, *kept;
    OK(argand_device_open(&mine, DEVICE_0));
    OK(storage_scratch(&free_one, mine, 5000));
    void *const unused = storage_native(free_one);
    storage_release(free_one);
    OK(storage_lasting(&kept, mine, 5000));
    assert_ptr_equal(storage_native(kept), unused); /* no graph has it */
    storage_release(kept);
    fake->captured = stream_of(2);
    OK(argand_device_set_stream(mine, stream_of(2)));
    OK(storage_scratch(&graphs, mine, 5000));
    void *const written = storage_native(graphs);
    storage_release(graphs);
    fake->captured = NULL;
    OK(storage_lasting(&kept, mine, 5000));
    assert_ptr_not_equal(storage_native(kept), written);
    OK(storage_scratch(&again, mine, 5000));
    assert_ptr_equal(storage_native(again), written);
    storage_release(again);
    storage_release(kept);
    argand_device_close(mine);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup(a_users_stream_is_used, reset),
    cmocka_unit_test_setup(work_follows_the_callers_stream, reset),
    cmocka_unit_test_setup(a_captured_stream_takes_launches_alone, reset),
    cmocka_unit_test_setup(scratch_of_a_graph_is_for_calls, reset),
};
RUN_TESTS(tests)
