/* SPDX-License-Identifier: BSD-3-Clause */
/* Ways of lines as wisdom names them. */
#include "harness.h"
#include "fft/cpu/line/line.h"

static bool wants(const char *wanted, line_kind kind, int64_t n, line_layout layout, const char *name)
{
    return line_wants(&(line_request){.kind = kind, .n = n, .layout = layout, .wanted = wanted}, name);
}

static void names(void **state)
{
    (void)state;
    const char *list = "256:simd_single/simd_batch r100:fftw/- 25:a/b";
    assert_true(wants(list, LINE_COMPLEX, 256, LINE_ROWS, "simd_single"));
    assert_true(wants(list, LINE_COMPLEX, 256, LINE_COLUMNS, "simd_batch"));
    assert_false(wants(list, LINE_COMPLEX, 256, LINE_ROWS, "simd_batch"));
    assert_false(wants(list, LINE_COMPLEX, 256, LINE_ROWS, "with"));
    assert_false(wants(list, LINE_COMPLEX, 256, LINE_ROWS, "simd_single2"));
    assert_true(wants(list, LINE_REAL, 100, LINE_ROWS, "fftw"));
    assert_false(wants(list, LINE_COMPLEX, 100, LINE_ROWS, "fftw"));
    assert_false(wants(list, LINE_COMPLEX, 56, LINE_ROWS, "simd_single"));
    assert_true(wants(list, LINE_COMPLEX, 25, LINE_COLUMNS, "b"));
    assert_false(wants("25:a", LINE_COMPLEX, 25, LINE_COLUMNS, "a"));
    assert_true(wants("fftw", LINE_REAL, 7, LINE_COLUMNS, "fftw")); /* a bare name: all lines */
    assert_false(wants("fft", LINE_REAL, 7, LINE_COLUMNS, "fftw"));
    assert_false(wants(NULL, LINE_REAL, 7, LINE_COLUMNS, "fftw"));
    assert_false(wants("", LINE_REAL, 7, LINE_COLUMNS, "fftw"));
}

/* What a line says of itself leads to it again. */
static void there_and_back(void **state)
{
    (void)state;
    const line_algorithm rows = {.name = "any_single"}, columns = {.name = "simd_batch"};
    const fft_line both = {.kind = LINE_COMPLEX,
                           .n = 12,
                           .use = {{.algorithm = &rows}, {.algorithm = &columns}}},
                   one = {.kind = LINE_REAL, .n = 12, .use = {{0}, {.algorithm = &columns}}};
    text t = {0};
    line_chosen(&both, &t);
    line_chosen(&one, &t);
    assert_string_equal(text_chars(&t), "12:any_single/simd_batch r12:-/simd_batch");
    assert_true(wants(text_chars(&t), LINE_COMPLEX, 12, LINE_ROWS, "any_single"));
    assert_true(wants(text_chars(&t), LINE_REAL, 12, LINE_COLUMNS, "simd_batch"));
    assert_false(wants(text_chars(&t), LINE_REAL, 12, LINE_ROWS, "simd_batch"));
    text_free(&t);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(names), cmocka_unit_test(there_and_back)};
RUN_TESTS(tests)
