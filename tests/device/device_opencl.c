/* SPDX-License-Identifier: BSD-3-Clause */
/* What OpenCL has beyond the others: the caller's queue and buffers, devices without double. */
#include "harness.h"

#include "array/array.h"
#include "device/handle.h"
#include "device/opencl/platforms.h"

static cl_context context; /* the caller's */
static cl_queue queue;

static int open_queue(void **state)
{
    (void)state;
    const cl_device where = opencl_platforms_place(0).device;
    cl_int error = 0;
    context = cl.CreateContext(NULL, 1, &where, NULL, NULL, &error);
    if (!error) queue = cl.CreateCommandQueue(context, where, 0, &error);
    return error;
}

static int close_queue(void **state)
{
    (void)state;
    return cl.ReleaseCommandQueue(queue) | cl.ReleaseContext(context);
}

static cl_mem make_buffer(cl_context owner, const float *numbers, size_t count)
{
    cl_int error;
    const cl_mem buffer = cl.CreateBuffer(owner, CL_MEM_READ_WRITE, count * sizeof *numbers, NULL, &error);
    assert_int_equal(error, 0);
    assert_int_equal(
        cl.EnqueueWriteBuffer(queue, buffer, 1, 0, count * sizeof *numbers, numbers, 0, NULL, NULL), 0);
    return buffer;
}

static void work_in_the_callers_queue(void **state)
{
    (void)state;
    float numbers[6] = {1, 2, 3, 4, 5, 6}, got[6];
    const float expected[6] = {2, 4, 6, 8, 10, 12};
    const cl_mem buffer = make_buffer(context, numbers, 6);
    argand_device *theirs;
    argand_array *a;
    OK(argand_device_open_stream(&theirs, "opencl:0", queue));
    OK(argand_array_wrap(&a, theirs, ARGAND_C32, 1, (int64_t[]){3}, NULL, buffer));
    OK(argand_array_scale(a, (argand_scalar){2, 0}));
    /* in order, with nothing between: the queue is the same */
    assert_int_equal(cl.EnqueueReadBuffer(queue, buffer, 1, 0, sizeof got, got, 0, NULL, NULL), 0);
    assert_memory_equal(got, expected, sizeof got);
    assert_null(argand_array_data(a));
    assert_ptr_equal(storage_native(a->storage), buffer);
    argand_device_close(theirs);
    assert_int_equal(cl.ReleaseMemObject(buffer), 0); /* the array holds it */
    OK(argand_array_scale(a, (argand_scalar){0.5, 0}));
    OK(argand_array_download(a, got));
    assert_memory_equal(got, numbers, sizeof got);
    argand_array_destroy(a);
}

static void a_timer_without_profiling(void **state)
{
    (void)state;
    argand_device *theirs;
    argand_timer *timer;
    double milliseconds = -1;
    OK(argand_device_open_stream(&theirs, "opencl:0", queue));
    OK(argand_timer_create(&timer, theirs));
    OK(argand_timer_start(timer));
    OK(argand_timer_stop(timer));
    OK(argand_timer_milliseconds(timer, &milliseconds));
    assert_true(milliseconds >= 0);
    argand_timer_destroy(timer);
    argand_device_close(theirs);
}

static void wraps_that_are_refused(void **state)
{
    (void)state;
    float numbers[4] = {0};
    argand_array *a;
    argand_device *theirs;
    const cl_device where = opencl_platforms_place(0).device;
    cl_int error;
    FAILS(argand_array_wrap(&a, device, ARGAND_R32, 1, (int64_t[]){4}, NULL, numbers), ARGAND_UNSUPPORTED,
          "your command queue");
    OK(argand_device_open_stream(&theirs, "opencl:0", queue));
    const cl_mem buffer = make_buffer(context, numbers, 4);
    FAILS(argand_array_wrap(&a, theirs, ARGAND_R32, 1, (int64_t[]){5}, NULL, buffer), ARGAND_ARGUMENT,
          "16 bytes, 20 are needed");
    FAILS(argand_array_wrap(&a, theirs, ARGAND_R32, 1, (int64_t[]){4}, (int64_t[]){-1}, buffer),
          ARGAND_UNSUPPORTED, "cannot be negative");
    cl_context other = cl.CreateContext(NULL, 1, &where, NULL, NULL, &error);
    assert_int_equal(error, 0);
    const cl_mem foreign = cl.CreateBuffer(other, CL_MEM_READ_WRITE, 16, NULL, &error);
    assert_int_equal(error, 0);
    FAILS(argand_array_wrap(&a, theirs, ARGAND_R32, 1, (int64_t[]){4}, NULL, foreign), ARGAND_ARGUMENT,
          "another context");
    cl.ReleaseMemObject(foreign);
    cl.ReleaseContext(other);
    cl.ReleaseMemObject(buffer);
    argand_device_close(theirs);
}

static void queues_that_are_refused(void **state)
{
    (void)state;
    argand_device *d;
    cl_int error;
    FAILS(argand_device_open_stream(&d, "opencl:0", NULL), ARGAND_ARGUMENT, "no command queue");
    FAILS(argand_device_open_stream(&d, "cpu", queue), ARGAND_UNSUPPORTED, "no streams");
    const cl_queue unordered = cl.CreateCommandQueue(context, opencl_platforms_place(0).device,
                                                     CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &error);
    if (error) return; /* a device without such queues */
    FAILS(argand_device_open_stream(&d, "opencl:0", unordered), ARGAND_UNSUPPORTED, "out of order");
    assert_null(d);
    cl.ReleaseCommandQueue(unordered);
}

/* Errors of the driver come with the code's name and the device's. */
static void errors_as_text(void **state)
{
    (void)state;
    void *memory;
    char byte = 0;
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    OK(device->backend->alloc(device->context, 16, &memory));
    FAILS(device->backend->download(device->context, &byte, memory, 1 << 20, 1), ARGAND_DEVICE,
          "CL_INVALID_VALUE (-30)");
    assert_non_null(strstr(argand_message(), info.name));
    assert_non_null(strstr(argand_message(), "opencl:0"));
    device->backend->free(device->context, memory);
}

/* The device opened as one without double: arrays of doubles are refused, sums are added in float. */
static void without_double(void **state)
{
    (void)state;
    enum { N = 300000 };
    argand_device *plain;
    argand_device_info info;
    argand_array *x;
    setenv("ARGAND_OPENCL_DOUBLE", "off", 1);
    OK(argand_device_open(&plain, "opencl:0"));
    unsetenv("ARGAND_OPENCL_DOUBLE");
    OK(argand_device_describe(plain, &info));
    assert_false(info.has_double);
    assert_non_null(strstr(info.detail, "no double"));
    FAILS(argand_array_create(&x, plain, ARGAND_C64, 1, (int64_t[]){3}), ARGAND_UNSUPPORTED, "complex float");
    OK(argand_array_create(&x, plain, ARGAND_C32, 1, (int64_t[]){N}));
    randomise(x, 1, 0, 0);
    double *numbers = as_doubles(x);
    double square = 0, most = 0;
    argand_scalar sum = {0, 0};
    for (int i = 0; i < N; i++) {
        sum.re += numbers[2 * i];
        sum.im += numbers[2 * i + 1];
        square += numbers[2 * i] * numbers[2 * i] + numbers[2 * i + 1] * numbers[2 * i + 1];
        most = fmax(most, hypot(numbers[2 * i], numbers[2 * i + 1]));
    }
    argand_scalar got, dot;
    double largest;
    bool finite;
    OK(argand_array_sum(&got, x));
    OK(argand_array_dot(&dot, x, x));
    OK(argand_array_max_abs(&largest, x));
    OK(argand_array_is_finite(&finite, x));
    assert_true(finite);
    /* an item adds 4 terms, halves are added 8 times: 12 roundings of 2^-24 at most, of sums of positive
     * terms */
    CHECK_BELOW(fabs(dot.re / square - 1), 12 * 6e-8);
    CHECK_BELOW(fabs(largest / most - 1), 3 * 6e-8);
    /* of terms of either sign: the same, of the sum of their sizes, which is below N */
    CHECK_BELOW(fabs(got.re - sum.re), 12 * 6e-8 * N);
    CHECK_BELOW(fabs(got.im - sum.im), 12 * 6e-8 * N);
    OK(argand_array_scale(x, (argand_scalar){0, 2}));
    double *scaled = as_doubles(x);
    for (int i = 0; i < N; i++)
        assert_true(scaled[2 * i] == -2 * numbers[2 * i + 1] && scaled[2 * i + 1] == 2 * numbers[2 * i]);
    free(scaled);
    free(numbers);
    argand_array_destroy(x);
    argand_device_close(plain);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(work_in_the_callers_queue, open_queue, close_queue),
    cmocka_unit_test_setup_teardown(a_timer_without_profiling, open_queue, close_queue),
    cmocka_unit_test_setup_teardown(wraps_that_are_refused, open_queue, close_queue),
    cmocka_unit_test_setup_teardown(queues_that_are_refused, open_queue, close_queue),
    cmocka_unit_test(errors_as_text),
    cmocka_unit_test(without_double),
};
RUN_TESTS(tests)
