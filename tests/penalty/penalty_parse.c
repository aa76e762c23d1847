/* SPDX-License-Identifier: BSD-3-Clause */
/* Regularizers from text: what is understood, and what is refused with which message. */
#include "harness.h"

static argand_regularizer list[ARGAND_MAX_REGULARIZERS];
static int count;

static void understood(void **state)
{
    (void)state;
    OK(argand_regularizers_parse("wavelet:0.01:haar:3,tv:5e-3,llr:0.02:6:fixed,hyperbola:0.1:0.25", list,
                                 &count));
    assert_int_equal(count, 4);
    assert_int_equal(list[0].kind, ARGAND_WAVELET);
    assert_true(list[0].weight == 0.01 && list[0].wavelet == ARGAND_HAAR && list[0].levels == 3 &&
                list[0].seed == 1);
    assert_true(list[1].kind == ARGAND_TV && list[1].weight == 5e-3 && list[1].seed == 0);
    assert_true(list[2].kind == ARGAND_LOW_RANK && list[2].block == 6 && list[2].seed == 0);
    assert_true(list[3].kind == ARGAND_HYPERBOLA && list[3].delta == 0.25);
    OK(argand_regularizers_parse("0.001", list, &count));
    assert_true(count == 1 && list[0].kind == ARGAND_QUADRATIC && list[0].weight == 0.001);
    OK(argand_regularizers_parse("l2:0.5,roughness:1,low-rank:2,tv-anisotropic:3", list, &count));
    assert_true(count == 4 && list[0].kind == ARGAND_TIKHONOV && list[1].kind == ARGAND_QUADRATIC);
    assert_true(list[2].kind == ARGAND_LOW_RANK && list[3].kind == ARGAND_TV_ANISOTROPIC);
    OK(argand_regularizers_parse("tv:0", list, &count));
    assert_int_equal(count, 0);
}

/* Each name is what the parser takes. */
static void names(void **state)
{
    (void)state;
    assert_int_equal(argand_regularizer_count(), ARGAND_LOW_RANK);
    for (int kind = 1; kind <= argand_regularizer_count(); kind++) {
        char text[64];
        argand_regularizer_info info;
        OK(argand_regularizer_describe((argand_regularizer_kind)kind, &info));
        assert_string_equal(info.name, argand_regularizer_name((argand_regularizer_kind)kind));
        for (int other = 0; other < (info.other_name ? 2 : 1); other++) {
            snprintf(text, sizeof text, "%s:%g", other ? info.other_name : info.name, info.weight);
            OK(argand_regularizers_parse(text, list, &count));
            assert_int_equal(list[0].kind, kind);
            assert_true(list[0].weight == info.weight && info.weight > 0);
        }
        assert_true(!strncmp(info.form, info.name, strlen(info.name)) && info.form[strlen(info.name)] == ':');
        assert_true(info.summary[0] && info.formula[0]);
        snprintf(text, sizeof text, "%s", info.name);
        FAILS(argand_regularizers_parse(text, list, &count), ARGAND_ARGUMENT, info.form);
        FAILS(argand_regularizers_parse("none:1", list, &count), ARGAND_ARGUMENT, info.name);
    }
    for (int kind = 0; kind <= 8; kind += 8) {
        argand_regularizer_info info;
        assert_string_equal(argand_regularizer_name((argand_regularizer_kind)kind), "unknown");
        FAILS(argand_regularizer_describe((argand_regularizer_kind)kind, &info), ARGAND_ARGUMENT,
              "give 1 to 7");
    }
}

static bool has_row(const char *page, const argand_regularizer_info *info)
{
    char row[512];
    int n = snprintf(row, sizeof row, "| %s", info->name);
    if (info->other_name) n += snprintf(row + n, sizeof row - (size_t)n, " (%s)", info->other_name);
    n += snprintf(row + n, sizeof row - (size_t)n, " | ");
    for (const char *c = info->formula; *c && n < 500; c++)
        n += snprintf(row + n, sizeof row - (size_t)n, *c == '|' ? "\\%c" : "%c", *c);
    return strstr(page, row) != NULL;
}

static char *read_page(const char *path)
{
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char *page = calloc(1, 1 << 17);
    assert_in_range(fread(page, 1, (1 << 17) - 1, file), 1, (1 << 17) - 2);
    fclose(file);
    return page;
}

/* The pages that list the kinds list all of them, as the table has them. */
static void documented(void **state)
{
    (void)state;
    char *conventions = read_page(SOURCE "/docs/conventions.md"),
         *header = read_page(SOURCE "/include/argand/penalty.h");
    for (int kind = 1; kind <= argand_regularizer_count(); kind++) {
        argand_regularizer_info info;
        OK(argand_regularizer_describe((argand_regularizer_kind)kind, &info));
        if (!has_row(conventions, &info))
            fail_msg("docs/conventions.md has no row for %s with R(x) = %s", info.name, info.formula);
        if (!strstr(header, info.form)) fail_msg("penalty.h does not list %s", info.form);
    }
    free(header);
    free(conventions);
}

static void chosen(void **state)
{
    (void)state;
    OK(argand_regularizers_parse("auto", list, &count));
    assert_true(count == 1 && list[0].kind == ARGAND_TV && list[0].automatic);
    OK(argand_regularizers_parse("tikhonov:0.1,wavelet:auto:haar:fixed", list, &count));
    assert_true(count == 2 && !list[0].automatic && list[1].automatic && list[1].weight > 0);
    assert_true(list[1].wavelet == ARGAND_HAAR && list[1].seed == 0);
}

static void refused(void **state)
{
    (void)state;
    const char *const cases[][2] = {
        {"", "no regularizer given"},
        {"wavlet:0.01", "\"wavlet\" is not known"},
        {"wavelet", "lacks its weight; write wavelet:WEIGHT"},
        {"tv:", "lacks its weight"},
        {"tv:-1", "the weight \"-1\" is neither auto nor a number of 0 or more"},
        {"tv:auto,wavelet:auto", "only one weight can be auto"},
        {"auto:0.1", "\"auto\" is not known"},
        {"tv:nan", "the weight \"nan\""},
        {"tv:0,001", "\"001\": a number without a kind stands alone"},
        {"0,01", "write quadratic:0, or a point in a decimal number"},
        {"tv:0.1x", "the weight \"0.1x\""},
        {"tv:0.1:3", "\"3\" is not understood; write tv:WEIGHT"},
        {"wavelet:0.1:db9", "\"db9\" is not understood"},
        {"wavelet:0.1:99", "\"99\" is not understood"},
        {"llr:0.1:0", "\"0\" is not understood"},
        {"llr:0.1:2.5", "\"2.5\" is not understood"},
        {"hyperbola:1:0", "\"0\" is not understood"},
        {"-0.1", "\"-0.1\" is not known"},
        {"tv:1,,tv:1", "\"\" is not known"},
        {"l2:1,l2:1,l2:1,l2:1,l2:1,l2:1,l2:1,l2:1,l2:1", "more than 8"},
        {"wavelet:0.000000000000000000000000000000000000000000000000000000000000001", "too long"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        FAILS(argand_regularizers_parse(cases[i][0], list, &count), ARGAND_ARGUMENT, cases[i][1]);
    FAILS(argand_regularizers_parse(NULL, list, &count), ARGAND_ARGUMENT, "NULL");
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(understood), cmocka_unit_test(names),
                                          cmocka_unit_test(documented), cmocka_unit_test(chosen),
                                          cmocka_unit_test(refused)};
RUN_TESTS(tests)
