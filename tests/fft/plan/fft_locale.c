/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans and results under a locale whose decimal point is a comma: kernels are compiled from text, wisdom is
 * text. The cache of kernels is off for this test. Skipped where there is no such locale and localedef cannot
 * make one. */
#include "comma.h"

typedef struct kind {
    argand_type type;
    int64_t n;
    bool centred;
} kind;

/* What a plan computes, as numbers, and what it says of itself. */
static double *result(const kind *k, char *name, size_t size)
{
    const argand_type out_type = k->type == ARGAND_C64 ? ARGAND_C64 : ARGAND_C32;
    const bool real = k->type == ARGAND_R32;
    argand_array *in, *out;
    argand_fft *plan;
    OK(argand_array_create(&in, device, k->type, 2, (int64_t[]){k->n, 5}));
    OK(argand_array_create(&out, device, out_type, 2, (int64_t[]){real ? k->n / 2 + 1 : k->n, 5}));
    OK(argand_fft_create(&plan, device,
                         &(argand_fft_options){.type = k->type,
                                               .rank = 1,
                                               .n = {k->n},
                                               .batch = 5,
                                               .centred = k->centred,
                                               .scale = ARGAND_SCALE_UNITARY}));
    randomise(in, 5, -0.5, 0.5);
    OK(argand_fft_apply(plan, out, in, ARGAND_FORWARD));
    double *numbers = as_doubles(out);
    argand_fft_print(plan, name, size);
    argand_fft_destroy(plan);
    argand_array_destroy(in);
    argand_array_destroy(out);
    return numbers;
}

static void a_comma(void **state)
{
    (void)state;
    static const kind kinds[] = {{ARGAND_C32, 60, true},
                                 {ARGAND_C64, 360, false},
                                 {ARGAND_C32, 127, false},
                                 {ARGAND_C32, 1024, false},
                                 {ARGAND_R32, 100, false}};
    enum { KINDS = sizeof kinds / sizeof *kinds };
    char names[KINDS][300], name[300], wisdom[5000], text[20];
    double *wanted[KINDS];
    if (!set_comma()) {
        printf("no locale with a decimal comma: skipped\n");
        skip();
    }
    snprintf(text, sizeof text, "%.1f", 1.5);
    assert_string_equal(text, "1,5");
    double *numbers[KINDS];
    for (int i = 0; i < KINDS; i++) numbers[i] = result(&kinds[i], names[i], sizeof names[i]);
    static const char written[] = "argand wisdom 1\ndevice\tnobody\nc32 8\tnative\tthreads 64\t1.5e-05\n";
    OK(argand_fft_wisdom_import(written));
    OK(argand_fft_wisdom_export(wisdom, sizeof wisdom, NULL));
    assert_non_null(strstr(wisdom, "native\tthreads 64\t15000.000e-9\n"));
    assert_non_null(setlocale(LC_ALL, "C"));
    OK(argand_fft_wisdom_import(wisdom));
    argand_fft_wisdom_forget();
    for (int i = 0; i < KINDS; i++) {
        const int64_t elements = 5 * (kinds[i].type == ARGAND_R32 ? kinds[i].n / 2 + 1 : kinds[i].n);
        wanted[i] = result(&kinds[i], name, sizeof name);
        assert_string_equal(names[i], name);
        assert_memory_equal(numbers[i], wanted[i], (size_t)(2 * elements) * sizeof **wanted);
        free(wanted[i]);
        free(numbers[i]);
    }
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(a_comma)};
RUN_TESTS(tests)
