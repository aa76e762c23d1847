/* SPDX-License-Identifier: BSD-3-Clause */
/* Problems as wisdom names them; entries of other batches. */
#include "wisdom_folder.h"
#include "fft/planner/plan.h"
#include "fft/planner/wisdom.h"
#include "fft/plan/options.h"

static void expect_key(const argand_fft_options *o, const char *wanted)
{
    fft_problem p;
    text key = {0};
    OK(problem_make(&p, o));
    wisdom_key(&key, &p);
    assert_string_equal(text_chars(&key), wanted);
    text_free(&key);
    fft_problem_release(&p);
}

static void keys(void **state)
{
    (void)state;
    expect_key(&(argand_fft_options){.type = ARGAND_C32, .rank = 2, .n = {6, 5}}, "c32 6x5");
    expect_key(
        &(argand_fft_options){
            .type = ARGAND_R64, .rank = 1, .n = {6}, .batch = 3, .scale = ARGAND_SCALE_UNITARY},
        "r64 6 batch 3");
    expect_key(&(argand_fft_options){.type = ARGAND_C64,
                                     .rank = 1,
                                     .n = {6},
                                     .centred = true,
                                     .spectrum_order = ARGAND_ORDER_SCRAMBLED},
               "c64 6 centred any-spectrum");
    argand_fft_options o = {.type = ARGAND_C32,
                            .rank = 2,
                            .axes_given = true,
                            .axes = {{6, 1, 1}, {5, 6, 6}},
                            .loops = 1,
                            .loop = {{2, 30, 30}}};
    expect_key(&o, "c32 6x5 batch 2"); /* contiguous by other options */
    o.axes[1].in_stride = 7;
    expect_key(&o, "c32 6x5 batch 2 axes 6:1:1 5:7:6 loops 2:30:30");
}

static argand_array *array_of(argand_type type, int rank, const int64_t *dims)
{
    argand_array *a;
    OK(argand_array_create(&a, device, type, rank, dims));
    return a;
}

/* Behind the key of the transform that of accessors that cost something. */
static void keys_with_accessors(void **state)
{
    (void)state;
    argand_array *map = array_of(ARGAND_C32, 2, (int64_t[]){6, 5}),
                 *window = array_of(ARGAND_R32, 1, (int64_t[]){6}),
                 *maps = array_of(ARGAND_C32, 3, (int64_t[]){6, 1, 3});
    const argand_accessor times = {.kind = ARGAND_ACCESS_MULTIPLY, .array = map},
                          unbound = {.kind = ARGAND_ACCESS_MULTIPLY}, scalar = {.kind = ARGAND_ACCESS_SCALE};
    argand_fft_options o = {.type = ARGAND_C32, .rank = 2, .n = {6, 5}, .batch = 3};
    o.access.load[0] = scalar;
    expect_key(&o, "c32 6x5 batch 3 access");
    o.centred = true;
    o.output.window[1].first = 2;
    expect_key(&o, "c32 6x5 batch 3 access moved");
    o.access.load[1] = times;
    expect_key(&o, "c32 6x5 batch 3 access load array");
    o.access.load[0] = unbound;
    o.access.store[0] = times;
    o.access.store[0].array = maps;
    expect_key(&o, "c32 6x5 batch 3 access load array array store array:n1n");
    o.access.load[1].kind = ARGAND_ACCESS_NONE;
    o.access.store[0].array = window;
    expect_key(&o, "c32 6x5 batch 3 access load array store reals:n");
    o = (argand_fft_options){.type = ARGAND_C32, .rank = 2, .n = {6, 5}};
    o.access.spectrum[0] = times;
    o.output.type = ARGAND_C16;
    expect_key(&o, "c32 6x5 access out c16 inverse spectrum array");
    o = (argand_fft_options){.type = ARGAND_R32, .rank = 2, .n = {6, 5}, .batch = 2};
    o.input.window[0] = (argand_window){4, 1, ARGAND_BORDER_MIRROR};
    expect_key(&o, "r32 6x5 batch 2 access in 4x5 mirror");
    o = (argand_fft_options){
        .type = ARGAND_C32, .rank = 1, .n = {6}, .input = {.type = ARGAND_R16, .imaginary = 6}};
    o.access.store[0] = (argand_accessor){.kind = ARGAND_ACCESS_CALL, .source = "text", .name = "f"};
    expect_key(&o, "c32 6 access in r16 split store own:619be496336510a6");
    argand_array_destroy(map);
    argand_array_destroy(maps);
    argand_array_destroy(window);
}

static const char *nearest(const wisdom *w, const char *problem)
{
    const wisdom_entry *found = wisdom_find_near(w, "A", problem);
    return found ? found->engine : "none";
}

/* What is fastest for a batch is taken for others nearby, and for nothing else. */
static void other_batches(void **state)
{
    (void)state;
    wisdom w = {0};
    OK(wisdom_parse(
        &w,
        "argand wisdom 1\ndevice\tA\nc32 8x4 batch 16\tsixteen\t\t1\nc32 8x4 batch 1024\tmany\t\t1\n"
        "c32 8x4 batch 8 access load array\twith a map\t\t1\nc32 8x4 batch 16 centred\tcentred\t\t1\nc32 "
        "8x45 batch 4\tother\t\t1\nc32 "
        "9\tone\t\t1\n!copy\t-\t\t1\n"
        "device\tB\nc32 8x4 batch 20000\tothers\t\t1\n",
        WISDOM_FILE, WISDOM_WHOLE, NULL));
    assert_string_equal(nearest(&w, "c32 8x4 batch 17"), "sixteen");
    assert_string_equal(nearest(&w, "c32 8x4 batch 2"), "sixteen");
    assert_string_equal(nearest(&w, "c32 8x4"), "none"); /* one transform is a problem of its own */
    assert_string_equal(nearest(&w, "c32 9 batch 2"), "none");
    assert_string_equal(nearest(&w, "c32 8x4 batch 128"), "sixteen"); /* as near: the smaller one */
    assert_string_equal(nearest(&w, "c32 8x4 batch 129"), "many");
    assert_string_equal(nearest(&w, "c32 8x4 batch 16384"), "many");
    assert_string_equal(nearest(&w, "c32 8x4 batch 16385"), "none");
    assert_string_equal(nearest(&w, "c32 8x4 batch 8 centred"), "centred");
    assert_string_equal(nearest(&w, "c32 8x4 centred"), "none");
    assert_string_equal(nearest(&w, "c32 9"), "one");
    assert_string_equal(nearest(&w, "c32 9 centred"), "none");
    assert_string_equal(nearest(&w, "c64 9"), "none");
    assert_string_equal(nearest(&w, "c32 8x4 batch 4 access load array"), "with a map");
    assert_string_equal(nearest(&w, "c32 8x4 batch 4 access store array"), "none");
    assert_string_equal(nearest(&w, "c32 8"), "none");
    wisdom_release(&w);
}

static const struct CMUnitTest tests[] = {TEST(keys), TEST(keys_with_accessors), TEST(other_batches)};
RUN_TESTS(tests)
