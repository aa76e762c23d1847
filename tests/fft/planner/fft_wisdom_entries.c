/* SPDX-License-Identifier: BSD-3-Clause */
/* Entries of wisdom that were altered: those that no version or not this one can mean are left out. */
#include "wisdom_folder.h"

#include "fft/planner/wisdom.h"

/* Entries that this version cannot mean are left out, and the first of them is told. */
static void altered_entries(void **state)
{
    (void)state;
    static const struct {
        const char *entry, *first;
    } cases[] = {
        {"c32 -7\tnative\t", "line 4: \"-7\" is no size: give whole numbers of 1 or more, like 256x256"},
        {"c32 0\tnative\t", "\"0\" is no size"},
        {"c32 8x\tnative\t", "\"8x\" is no size"},
        {"c32 8y8\tnative\t", "\"8y8\" is no size"},
        {"c32 1x1x1x1x1x1x1x1x1\tnative\t", "is no size"},
        {"c32 4294967296x4294967296\tnative\t", "is no size"},
        {"c32 99999999999999999999\tnative\t", "is no size"},
        {"c32\tnative\t", "\"\" is no size"},
        {"c33 8\tnative\t", "\"c33\" is no type: give r32, r64, c32 or c64"},
        {"c32 8 batch -1\tnative\t", "\"-1\" is no batch"},
        {"c32 8 batch\tnative\t", "\"\" is no batch"},
        {"c32 8 batch 9223372036854775807\tnative\t", "is no batch"},
        {"c32 8  batch 2\tnative\t", "\"\" is no word of a problem"},
        {"c32 8 centered\tnative\t", "\"centered\" is no word of a problem"},
        {"c32 8 8:1:1\tnative\t", "\"8:1:1\" is no word of a problem"},
        {"c32 8 axes 8:1\tnative\t", "\"8:1\" is no axis: give LENGTH:STRIDE:STRIDE"},
        {"c32 8 axes -8:1:1\tnative\t", "\"-8:1:1\" is no axis"},
        {"c32 8 axes 8:1:1 loops 2:8:8:8\tnative\t", "\"2:8:8:8\" is no axis"},
        {"c32 8 access in -4\tfused\t", "\"-4\" is no word of an accessor"},
        {"c32 8\tnativ\t", "\"nativ\" is no engine of this version"},
        {"c32 8\tnative\tthread 64", "\"thread 64\" is no variant of its engine"},
        {"c32 8\tnative\tradices 8 threads 5000", "\"threads 5000\" is no variant"},
        {"c32 8\tnative\tthreads -64", "\"threads -64\" is no variant"},
        {"c32 8\tnative\tthreads 99999999999999999999", "is no variant"},
        {"c32 8\tcufft\tthreads 64", "\"threads 64\" is no variant"},
        {"c32 8\tpasses\t8:simd_singel/-", "\"8:simd_singel/-\" is no variant"},
        {"c32 8\tpasses\t8:simd_single/- r8:simd_batch", "\"r8:simd_batch\" is no variant"},
        {"c32 8\tpasses\t-8:simd_single/-", "is no variant"},
    };
    char chars[256], first[192];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(chars, sizeof chars, "argand wisdom 1\ndevice\tA\nc32 9\tnative\t\t1.000e-9\n%s\t1.000e-9\n",
                 cases[i].entry);
        OK(argand_fft_wisdom_import(chars));
        assert_int_equal(argand_fft_wisdom_left_out(first, sizeof first), 1);
        if (!strstr(first, cases[i].first)) fail_msg("%s: %s", cases[i].entry, first);
        expect_known("argand wisdom 1\ndevice\tA\nc32 9\tnative\t\t1.000e-9\n");
    }
    OK(argand_fft_wisdom_import(TEXT));
    assert_int_equal(argand_fft_wisdom_left_out(first, sizeof first), 0);
    assert_string_equal(first, "");
}

/* The same in a file that is found: it is left out without a word, and is still there when the file is
 * written again if another version may know it. */
static void altered_files(void **state)
{
    (void)state;
    static const char whole[] = "argand wisdom 1\ndevice\tA\nc32 -7\tnative\t\t1.000e-9\nc32 "
                                "7\tfuture\tflux 7\t1.000e-9\nc32 9\tnative\t\t1.000e-9\n";
    char *const name = (char *)"A", *const problem = (char *)"c32 10", *const engine = (char *)"native",
                *const variant = (char *)"";
    wisdom all = {0};
    write_file(path, whole, sizeof whole - 1);
    wisdom_load(&all, name);
    assert_int_equal(all.count, 2);
    wisdom_release(&all);
    OK(wisdom_store(&(wisdom_entry){name, problem, engine, variant, 1e-6, WISDOM_SESSION}));
    assert_non_null(strstr(read_file(path), "c32 7\tfuture\tflux 7\t1.000e-9\n"));
}

/* All entries that come with Argand are sound. */
static void shipped_entries(void **state)
{
    (void)state;
    for (int i = 0; wisdom_shipped[i].file; i++) {
        wisdom all = {0};
        wisdom_left_out left_out;
        OK(wisdom_parse(&all, wisdom_shipped[i].chars, WISDOM_SHIPPED, WISDOM_STRICT, &left_out));
        if (left_out.count) fail_msg("%s: %s", wisdom_shipped[i].file, left_out.first);
        assert_true(all.count > 0);
        wisdom_release(&all);
    }
}

/* An algorithm of lines that is not known is not said to be the fastest. */
static void altered_algorithm(void **state)
{
    (void)state;
    char chars[256];
    const argand_fft_options o = {.type = ARGAND_C32, .rank = 1, .n = {48}};
    const char *const names[] = {"48:simd_singel/simd_batch", "48:simd_single/simd_batch"};
    for (int known = 0; known < 2; known++) {
        snprintf(chars, sizeof chars, "argand wisdom 1\ndevice\t%s\nc32 48\tpasses\t%s\t1e-6\n",
                 device_name(), names[known]);
        write_file(path, chars, strlen(chars));
        argand_fft_wisdom_forget();
        assert_int_equal(plan_by_wisdom(&o), known);
    }
}

static const struct CMUnitTest tests[] = {
    TEST(altered_entries),
    TEST(altered_files),
    TEST(altered_algorithm),
    TEST(shipped_entries),
};

RUN_TESTS(tests)
