/* SPDX-License-Identifier: BSD-3-Clause */
/* argand_fft_apply_memory has the bits of argand_fft_apply: short and long, complex and real transforms,
 * batches, strides, packed halves, factors at the store. */
#include "fft/direct.h"

#include <string.h>

enum { MOST = 1 << 15 }; /* numbers of either end */

static double input[MOST], output[MOST], expected[MOST];

static void fill(void)
{
    random_state state = {11};
    for (int i = 0; i < MOST; i++) input[i] = random_uniform(&state) - 0.5;
    memset(output, 0, sizeof output);
}

/* An array of all memory that a plan's contiguous end has; along axis 0 it has `first` elements. */
static argand_array *wrap(const argand_fft_options *o, argand_type type, int64_t first, double *memory)
{
    int64_t dims[4] = {first};
    argand_array *array;
    for (int axis = 1; axis < o->rank; axis++) dims[axis] = o->n[axis];
    dims[o->rank] = o->batch > 1 ? o->batch : 1;
    OK(argand_array_wrap(&array, device, type, o->rank + 1, dims, NULL, memory));
    return array;
}

static void compare(const argand_fft_options *o, argand_direction direction)
{
    const bool real = o->type == ARGAND_R32 || o->type == ARGAND_R64, forward = direction == ARGAND_FORWARD,
               is_double = o->type == ARGAND_R64 || o->type == ARGAND_C64;
    const argand_type whole = is_double ? ARGAND_C64 : ARGAND_C32;
    const int64_t half = o->half_packed ? o->n[0] / 2 : o->n[0] / 2 + 1;
    argand_fft *plan = new_plan(o);
    argand_array *in = wrap(o, real && forward ? o->type : whole, real && !forward ? half : o->n[0], input),
                 *out = wrap(o, real && !forward ? o->type : whole, real && forward ? half : o->n[0], output);
    fill();
    OK(argand_fft_apply(plan, out, in, direction));
    memcpy(expected, output, sizeof expected);
    fill();
    OK(argand_fft_apply_memory(plan, output, input, direction));
    assert_memory_equal(output, expected, sizeof expected);
    argand_array_destroy(out);
    argand_array_destroy(in);
    argand_fft_destroy(plan);
}

static void all_kinds(void **state)
{
    static const argand_fft_options shapes[] = {
        {.rank = 1, .n = {16}},   {.rank = 1, .n = {64}, .batch = 3},    {.rank = 1, .n = {509}, .batch = 2},
        {.rank = 1, .n = {4096}}, {.rank = 2, .n = {12, 7}, .batch = 5}, {.rank = 3, .n = {8, 9, 10}}};
    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (int type = ARGAND_R32; type <= ARGAND_C64; type++)
            for (int kind = 0; kind < 3; kind++) {
                argand_fft_options o = shapes[i];
                const bool real = type == ARGAND_R32 || type == ARGAND_R64;
                o.type = (argand_type)type;
                o.preserve_input = true;
                o.half_packed = kind == 1 && real && o.n[0] % 2 == 0;
                if (kind == 2)
                    o.access.store[0] = (argand_accessor){.kind = ARGAND_ACCESS_SCALE, .scalar = {0.5, 0}};
                compare(&o, ARGAND_FORWARD);
                compare(&o, ARGAND_INVERSE);
            }
}

/* Every second element of 24, transformed along the slower of two axes */
static void strides(void **state)
{
    const int64_t all = 200;
    const argand_fft_options complex_plan = {.type = ARGAND_C64,
                                             .rank = 1,
                                             .axes_given = true,
                                             .axes = {{6, 8, 3}},
                                             .loops = 1,
                                             .loop = {{3, 2, 1}}};
    argand_fft_options real_plan = complex_plan, before = complex_plan;
    (void)state;
    real_plan.type = ARGAND_R64;
    for (int i = 0; i < 2; i++) {
        argand_array *in, *out;
        argand_fft *plan = new_plan(i ? &real_plan : &complex_plan);
        OK(argand_array_wrap(&in, device, i ? ARGAND_R64 : ARGAND_C64, 1, &all, NULL, input));
        OK(argand_array_wrap(&out, device, ARGAND_C64, 1, &all, NULL, output));
        fill();
        OK(argand_fft_apply(plan, out, in, ARGAND_FORWARD));
        memcpy(expected, output, sizeof expected);
        fill();
        OK(argand_fft_apply_memory(plan, output, input, ARGAND_FORWARD));
        assert_memory_equal(output, expected, sizeof expected);
        argand_array_destroy(out);
        argand_array_destroy(in);
        argand_fft_destroy(plan);
    }
    before.axes[0].in_stride = -8;
    argand_fft *plan = new_plan(&before);
    FAILS(argand_fft_apply_memory(plan, output, input, ARGAND_FORWARD), ARGAND_ARGUMENT, "before the input");
    argand_fft_destroy(plan);
}

static void in_place_and_overlapping(void **state)
{
    (void)state;
    argand_fft *plan = new_plan(&(argand_fft_options){.type = ARGAND_C64, .rank = 1, .n = {32}});
    fill();
    OK(argand_fft_apply_memory(plan, output, input, ARGAND_FORWARD));
    OK(argand_fft_apply_memory(plan, input, input, ARGAND_FORWARD));
    assert_memory_equal(output, input, 32 * 16);
    FAILS(argand_fft_apply_memory(plan, input + 2, input, ARGAND_FORWARD), ARGAND_ARGUMENT, "share memory");
    FAILS(argand_fft_apply_memory(plan, input, input + 2, ARGAND_FORWARD), ARGAND_ARGUMENT, "share memory");
    FAILS(argand_fft_apply_memory(plan, NULL, input, ARGAND_FORWARD), ARGAND_ARGUMENT, "no output");
    argand_fft_destroy(plan);
}

/* Reals in place: rows of 2 (n/2 + 1), as in FFTW, have the spectra of contiguous reals, and come back. */
static void rows_in_place(void **state)
{
    static const argand_fft_options shapes[] = {{.rank = 1, .n = {30}},
                                                {.rank = 1, .n = {31}, .batch = 3},
                                                {.rank = 2, .n = {12, 7}, .batch = 2},
                                                {.rank = 3, .n = {15, 6, 5}}};
    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        argand_fft_options o = shapes[i];
        o.type = ARGAND_R64;
        o.scale = ARGAND_SCALE_INVERSE;
        const int64_t n = o.n[0], half = n / 2 + 1,
                      rows = (o.rank > 1 ? o.n[1] : 1) * (o.rank > 2 ? o.n[2] : 1) * (o.batch ? o.batch : 1);
        argand_fft *plan = new_plan(&o);
        fill();
        OK(argand_fft_apply_memory(plan, expected, input, ARGAND_FORWARD));
        for (int64_t row = 0; row < rows; row++)
            memcpy(output + 2 * half * row, input + n * row, (size_t)n * sizeof *input);
        OK(argand_fft_apply_memory(plan, output, output, ARGAND_FORWARD));
        CHECK_BELOW(relative_error(output, expected, (size_t)(2 * half * rows)), 1e-15);
        OK(argand_fft_apply_memory(plan, output, output, ARGAND_INVERSE));
        for (int64_t row = 0; row < rows; row++)
            CHECK_BELOW(relative_error(output + 2 * half * row, input + n * row, (size_t)n), 2e-15);
        argand_fft_destroy(plan);
    }
}

/* Memory aligned as one real is, of lengths that FFTW and each of our short kernels serve. */
static void any_alignment(void **state)
{
    static const int64_t lengths[] = {1, 2, 7, 13, 18, 25, 30, 31, 48, 50, 75, 100, 127, 243};
    (void)state;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (int in_place = 0; in_place < 2; in_place++) {
            const int64_t n = lengths[i];
            argand_fft *plan = new_plan(&(argand_fft_options){
                .type = ARGAND_C64, .rank = 1, .n = {n}, .scale = ARGAND_SCALE_INVERSE});
            for (argand_direction direction = ARGAND_FORWARD; direction <= ARGAND_INVERSE; direction += 2) {
                fill();
                OK(argand_fft_apply_memory(plan, expected, input, direction));
                memcpy(output + 1, input, (size_t)n * 16);
                OK(argand_fft_apply_memory(plan, output + 1 + (in_place ? 0 : 2 * n), output + 1, direction));
                CHECK_BELOW(relative_error(output + 1 + (in_place ? 0 : 2 * n), expected, (size_t)n * 2),
                            2e-15);
            }
            argand_fft_destroy(plan);
        }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(all_kinds),     cmocka_unit_test(any_alignment),
    cmocka_unit_test(strides),       cmocka_unit_test(in_place_and_overlapping),
    cmocka_unit_test(rows_in_place),
};
RUN_TESTS(tests)
