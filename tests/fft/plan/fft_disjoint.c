/* SPDX-License-Identifier: BSD-3-Clause */
/* Two wraps of one piece of a device's memory: what overlaps is refused and changes nothing, on every device
 * as on processors; what lies in the same elements, or disjoint, is computed. Over the fake CUDA driver,
 * whose kernels compute nothing, it is only seen that it is not refused. */
#include "fft/access/access_reference.h"
#include "array/array.h"
#include "device/handle.h"
#include "device/opencl/context.h"

enum { BYTES = 8192 };
static storage *memory;

static bool has_backend(const char *name)
{
    return !strcmp(device->backend->name, name);
}

static bool computes(void)
{
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    return strncmp(info.name, "Fake", 4) != 0;
}

static int make_memory(void **state)
{
    float numbers[BYTES / sizeof(float)];
    random_state random = {5};
    (void)state;
    if (has_backend("opencl")) /* whose own cl_mem are as good as a caller's */
        ((opencl_context *)device->context)->foreign = true;
    for (size_t i = 0; i < BYTES / sizeof *numbers; i++) numbers[i] = (float)random_normal(&random);
    OK(storage_new(&memory, device, BYTES));
    OK(storage_upload(memory, 0, numbers, BYTES));
    return 0;
}

static int free_memory(void **state)
{
    (void)state;
    storage_release(memory);
    return 0;
}

/* An array that begins `at` bytes behind the memory's start; cl_mem are wrapped from their start on. */
static argand_array *wrap(argand_type type, int rank, const int64_t *dims, const int64_t *strides, int64_t at)
{
    argand_array *array, *whole;
    char *const address = storage_address(memory);
    if (has_backend("opencl")) {
        const int64_t size = (int64_t)argand_type_size(type), all = BYTES / size;
        OK(argand_array_wrap(&whole, device, type, 1, &all, NULL, storage_native(memory)));
        OK(argand_array_view(&array, whole, rank, dims, strides, at / size));
        argand_array_destroy(whole);
        return array;
    }
    OK(argand_array_wrap(&array, device, type, rank, dims, strides,
                         (address ? address : (char *)storage_native(memory)) + at));
    return array;
}

/* One side of a call. */
typedef struct piece {
    argand_type type;
    int64_t dims[2], strides[2], at;
} piece;

static argand_array *wrap_piece(const piece *p)
{
    return wrap(p->type, 2, p->dims, p->strides, p->at);
}

static void refused(const argand_fft_options *o, const piece *out, const piece *in,
                    argand_direction direction)
{
    char before[BYTES], after[BYTES];
    argand_array *to = wrap_piece(out), *from = wrap_piece(in);
    argand_fft *plan = new_plan(o);
    OK(storage_download(memory, 0, before, BYTES));
    FAILS(argand_fft_apply(plan, to, from, direction), ARGAND_ARGUMENT,
          "output and input share memory but are not the same elements with the same strides");
    OK(storage_download(memory, 0, after, BYTES));
    assert_memory_equal(before, after, BYTES);
    argand_fft_destroy(plan);
    argand_array_destroy(from);
    argand_array_destroy(to);
}

/* Against the same transform of a copy into an array of its own. */
static void computed(const argand_fft_options *o, const piece *out, const piece *in,
                     argand_direction direction)
{
    argand_array *to = wrap_piece(out), *from = wrap_piece(in), *copy = new_array(in->type, 2, in->dims),
                 *apart = new_array(out->type, 2, out->dims);
    argand_fft *plan = new_plan(o);
    OK(argand_array_copy(copy, from));
    OK(argand_fft_apply(plan, to, from, direction));
    OK(argand_fft_apply(plan, apart, copy, direction));
    exact *wanted = exact_of(apart);
    if (computes()) CHECK_BELOW(distance(to, wanted, 1), 4 * fft_tolerance(ARGAND_C32, 64));
    free(wanted);
    argand_fft_destroy(plan);
    argand_array *const all[] = {to, from, copy, apart};
    for (int i = 0; i < 4; i++) argand_array_destroy(all[i]);
}

static const piece rows = {ARGAND_C32, {16, 16}, {1, 16}, 0}, columns = {ARGAND_C32, {16, 16}, {16, 1}, 0},
                   behind = {ARGAND_C32, {16, 16}, {1, 16}, 8}, last = {ARGAND_C32, {16, 16}, {1, 16}, 2048};

static void complex_ones(void **state)
{
    (void)state;
    argand_fft_options o = {.type = ARGAND_C32, .rank = 2, .n = {16, 16}};
    const argand_fft_options lines = {.type = ARGAND_C32, .rank = 1, .n = {16}, .batch = 16};
    refused(&o, &rows, &columns, ARGAND_FORWARD);
    refused(&lines, &columns, &rows, ARGAND_INVERSE);
    refused(&o, &rows, &behind, ARGAND_FORWARD);
    refused(&lines, &behind, &rows, ARGAND_FORWARD);
    computed(&o, &rows, &rows, ARGAND_FORWARD);
    computed(&o, &columns, &columns, ARGAND_INVERSE);
    computed(&lines, &last, &rows, ARGAND_FORWARD);
    computed(&lines, &rows, &last, ARGAND_INVERSE);
}

/* Strides that the plan gives; the arrays say where they begin. */
static void axes(void **state)
{
    (void)state;
    const argand_fft_options o = {.type = ARGAND_C32,
                                  .rank = 1,
                                  .axes_given = true,
                                  .axes = {{16, 1, 2}},
                                  .loops = 1,
                                  .loop = {{8, 16, 32}}};
    refused(&o, &rows, &rows, ARGAND_FORWARD);
    refused(&o, &behind, &rows, ARGAND_FORWARD);
}

static void accessors(void **state)
{
    (void)state;
    argand_fft_options o = {.type = ARGAND_C32, .rank = 1, .n = {16}, .batch = 16};
    o.access.load[0] = (argand_accessor){.kind = ARGAND_ACCESS_SCALE, .scalar = {2, 1}};
    refused(&o, &rows, &columns, ARGAND_FORWARD);
    refused(&o, &behind, &rows, ARGAND_FORWARD);
    computed(&o, &rows, &rows, ARGAND_FORWARD);
    computed(&o, &last, &rows, ARGAND_FORWARD);
    o.output.type = ARGAND_C16; /* fewer bytes in the same place */
    const piece halves = {ARGAND_C16, {16, 16}, {1, 16}, 0};
    refused(&o, &halves, &rows, ARGAND_FORWARD);
}

/* Rows without padding for their spectra, and rows elsewhere in the other layout; those with padding. */
static void reals(void **state)
{
    (void)state;
    const argand_fft_options o = {.type = ARGAND_R32, .rank = 1, .n = {16}, .batch = 4};
    const piece half = {ARGAND_C32, {9, 4}, {1, 9}, 0}, moved = {ARGAND_C32, {9, 4}, {1, 9}, 8},
                tight = {ARGAND_R32, {16, 4}, {1, 16}, 0}, padded = {ARGAND_R32, {16, 4}, {1, 18}, 0};
    refused(&o, &half, &tight, ARGAND_FORWARD);
    refused(&o, &tight, &half, ARGAND_INVERSE);
    refused(&o, &moved, &padded, ARGAND_FORWARD);
    computed(&o, &half, &padded, ARGAND_FORWARD);
    computed(&o, &padded, &half, ARGAND_INVERSE);
}

/* The same by our kernels on processors of OpenCL, too. */
static void by_our_kernels(void **state)
{
    setenv("ARGAND_FFT_ENGINE", "native", 1);
    complex_ones(state);
    reals(state);
    accessors(state);
    unsetenv("ARGAND_FFT_ENGINE");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(complex_ones, make_memory, free_memory),
    cmocka_unit_test_setup_teardown(axes, make_memory, free_memory),
    cmocka_unit_test_setup_teardown(accessors, make_memory, free_memory),
    cmocka_unit_test_setup_teardown(reals, make_memory, free_memory),
    cmocka_unit_test_setup_teardown(by_our_kernels, make_memory, free_memory)};
RUN_TESTS(tests)
