/* SPDX-License-Identifier: BSD-3-Clause */
/* What headers show in quotes is what is printed: each "(...)" in a comment must be among what is made here.
 * And how prints and descriptions take NULL. */
#include "harness.h"
#include <dirent.h>

typedef struct objects {
    argand_fft *fft;
    argand_nufft *nufft;
    argand_field *field;
    argand_toeplitz *toeplitz;
    argand_segments *segments;
    argand_op *op;
} objects;

static argand_array *reals(int64_t count, double low, double high)
{
    argand_array *array;
    double numbers[256];
    OK(argand_array_create(&array, device, ARGAND_R64, 1, &count));
    for (int64_t i = 0; i < count; i++) numbers[i] = low + (high - low) * (double)i / (double)(count - 1);
    OK(argand_array_upload(array, numbers));
    return array;
}

/* 2 cycles of the field map within a readout of 20 ms, and coil maps over a NUFFT. */
static objects make(void)
{
    objects o;
    argand_array *k = reals(256, -32, 31.9), *t = reals(256, 0, 0.02), *w = reals(64, -314, 314), *maps;
    argand_op *transform;
    argand_nufft *plan;
    OK(argand_fft_create(&o.fft, device, &(argand_fft_options){.type = ARGAND_C32, .rank = 1, .n = {16}}));
    const argand_nufft_options nufft = {.type = ARGAND_C32, .rank = 1, .n = {64}};
    OK(argand_nufft_create(&o.nufft, device, &nufft));
    OK(argand_nufft_create(&plan, device, &nufft));
    OK(argand_nufft_set_points(plan, (argand_array *[]){k}));
    OK(argand_op_nufft(&transform, device, plan, 4));
    OK(argand_array_create(&maps, device, ARGAND_C32, 2, (const int64_t[2]){64, 4}));
    OK(argand_op_sense(&o.op, transform, maps));
    OK(argand_field_create(&o.field, device,
                           &(argand_field_options){.type = ARGAND_C32, .rank = 1, .n = {64}, .k = {k}}));
    OK(argand_toeplitz_create(
        &o.toeplitz, device, &(argand_toeplitz_options){.type = ARGAND_C32, .rank = 1, .n = {64}, .k = {k}}));
    OK(argand_segments_create(&o.segments, device,
                              &(argand_segments_options){.type = ARGAND_C32, .t = t, .field_map = w}));
    argand_op_destroy(transform);
    argand_array *const parts[] = {k, t, w, maps};
    for (int i = 0; i < 4; i++) argand_array_destroy(parts[i]);
    return o;
}

static void release(objects *o)
{
    argand_fft_destroy(o->fft);
    argand_nufft_destroy(o->nufft);
    argand_field_destroy(o->field);
    argand_toeplitz_destroy(o->toeplitz);
    argand_segments_destroy(o->segments);
    argand_op_destroy(o->op);
}

/* ---- examples ---- */

/* A header's text, without the ends and beginnings of a comment's lines. */
static void read_text(const char *name, char *text, size_t size)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", HEADERS, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    const size_t length = fread(text, 1, size - 1, file);
    fclose(file);
    assert_true(length < size - 1);
    text[length] = 0;
    for (char *at; (at = strstr(text, "\n * "));) memmove(at + 1, at + 4, strlen(at + 4) + 1), *at = ' ';
}

static int is_printed(const char *example, size_t length, char printed[][256], int count)
{
    for (int i = 0; i < count; i++)
        if (strlen(printed[i]) == length && !strncmp(printed[i], example, length)) return 1;
    return 0;
}

static int check_header(const char *name, char printed[][256], int count)
{
    static char text[1 << 17];
    int found = 0;
    read_text(name, text, sizeof text);
    for (char *at = text; (at = strstr(at, "\"(")); at++, found++) {
        const size_t length = strcspn(at + 1, "\"");
        const int by_level = !strncmp(at + 1, "(fft", 4) && cpu_best() != CPU_AVX2;
        if (!by_level && !is_printed(at + 1, length, printed, count)) {
            for (int i = 0; i < count; i++) printf("printed: %s\n", printed[i]);
            fail_msg("%s shows \"%.*s\"", name, (int)length, at + 1);
        }
    }
    return found;
}

static void print_convolutions(char printed[2][256])
{
    const argand_deconv_options options = {.conv = {.type = ARGAND_R32, .rank = 1, .n = {64}, .kernel = {3}},
                                           .method = ARGAND_DECONV_RICHARDSON_LUCY};
    argand_conv *conv;
    argand_deconv *deconv;
    OK(argand_conv_create(&conv, device, &options.conv));
    OK(argand_deconv_create(&deconv, device, &options));
    argand_conv_print(conv, printed[0], 256);
    argand_deconv_print(deconv, printed[1], 256);
    argand_conv_destroy(conv);
    argand_deconv_destroy(deconv);
}

static void examples_are_printed(void **state)
{
    (void)state;
    char printed[8][256];
    int found = 0;
    objects o = make();
    argand_fft_print(o.fft, printed[0], 256);
    argand_nufft_print(o.nufft, printed[1], 256);
    argand_field_print(o.field, printed[2], 256);
    argand_toeplitz_print(o.toeplitz, printed[3], 256);
    argand_segments_print(o.segments, printed[4], 256);
    argand_op_print(o.op, printed[5], 256);
    print_convolutions(printed + 6);
    DIR *folder = opendir(HEADERS);
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));)
        if (strstr(entry->d_name, ".h")) found += check_header(entry->d_name, printed, 8);
    closedir(folder);
    assert_true(found >= 3);
    release(&o);
}

/* ---- NULL ---- */

#define CHECK_PRINT(kind, object)                         \
    do {                                                  \
        char text[300], cut[8], kept[4] = "abc";          \
        strcpy(text, "before");                           \
        argand_##kind##_print(NULL, text, sizeof text);   \
        assert_string_equal(text, "");                    \
        argand_##kind##_print(object, NULL, 100);         \
        argand_##kind##_print(object, kept, 0);           \
        assert_string_equal(kept, "abc");                 \
        argand_##kind##_print(object, text, sizeof text); \
        argand_##kind##_print(object, cut, sizeof cut);   \
        assert_int_equal(strlen(cut), sizeof cut - 1);    \
        assert_memory_equal(cut, text, sizeof cut - 1);   \
    } while (0)

/* `field`: one that is never 0 of an object. */
#define CHECK_DESCRIBE(kind, object, field)      \
    do {                                         \
        argand_##kind##_info info;               \
        argand_##kind##_describe(object, NULL);  \
        argand_##kind##_describe(object, &info); \
        assert_int_equal(info.type, ARGAND_C32); \
        assert_true(info.field > 0);             \
        argand_##kind##_describe(NULL, &info);   \
        assert_int_equal(info.type, 0);          \
        assert_true(info.field == 0);            \
    } while (0)

static void prints_take_null(void **state)
{
    (void)state;
    objects o = make();
    CHECK_PRINT(fft, o.fft);
    CHECK_PRINT(nufft, o.nufft);
    CHECK_PRINT(field, o.field);
    CHECK_PRINT(toeplitz, o.toeplitz);
    CHECK_PRINT(segments, o.segments);
    CHECK_PRINT(op, o.op);
    release(&o);
}

static void descriptions_take_null(void **state)
{
    (void)state;
    objects o = make();
    CHECK_DESCRIBE(nufft, o.nufft, n[0]);
    CHECK_DESCRIBE(field, o.field, samples);
    CHECK_DESCRIBE(toeplitz, o.toeplitz, grid[0]);
    CHECK_DESCRIBE(segments, o.segments, terms);
    release(&o);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(examples_are_printed),
                                          cmocka_unit_test(prints_take_null),
                                          cmocka_unit_test(descriptions_take_null)};
RUN_TESTS(tests)
