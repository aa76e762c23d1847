/* SPDX-License-Identifier: BSD-3-Clause */
/* What is read from texts, and all that is written or said, is the same under a locale with a decimal comma.
 * Skipped where there is no such locale and localedef cannot make one. */
#include "comma.h"
#include "io/folder.h"

enum { KINDS = 6, OUTPUT = 6000 };

/* What the library says of itself and of errors, and the files that it writes. */
typedef struct outcome {
    char string[OUTPUT];
    unsigned char *file[KINDS];
    size_t bytes[KINDS];
} outcome;

static const char *const names[KINDS] = {"a.html", "a.nii", "a.npy", "a.hdr", "a.png", "a.wisdom"};

static void say(outcome *o, const char *string)
{
    strncat(o->string, string, OUTPUT - 2 - strlen(o->string));
    strcat(o->string, "\n");
}

static void plans(outcome *o)
{
    char text[500];
    argand_nufft *nufft;
    argand_segments *segments;
    OK(argand_nufft_create(
        &nufft, device,
        &(argand_nufft_options){.type = ARGAND_C32, .rank = 2, .n = {20, 20}, .tolerance = 2.5e-4}));
    argand_nufft_print(nufft, text, sizeof text);
    say(o, text);
    argand_nufft_destroy(nufft);
    FAILS(argand_nufft_create(
              &nufft, device,
              &(argand_nufft_options){.type = ARGAND_C32, .rank = 2, .n = {20, 20}, .oversampling = 0.75}),
          ARGAND_ARGUMENT, "0.75");
    say(o, argand_message());
    argand_array *map, *times;
    OK(argand_array_create(&map, device, ARGAND_R32, 2, (int64_t[]){20, 20}));
    OK(argand_array_create(&times, device, ARGAND_R32, 1, (int64_t[]){300}));
    OK(argand_fieldmap_head(map, 900));
    randomise(times, 3, 0, 0.01);
    OK(argand_segments_create(
        &segments, device,
        &(argand_segments_options){.type = ARGAND_C32, .t = times, .field_map = map, .tolerance = 1.5e-3}));
    argand_segments_print(segments, text, sizeof text);
    say(o, text);
    argand_segments_destroy(segments);
    argand_array_destroy(times);
    argand_array_destroy(map);
}

static void regularizers(outcome *o)
{
    argand_regularizer list[ARGAND_MAX_REGULARIZERS];
    int count;
    OK(argand_regularizers_parse("wavelet:0.0125,hyperbola:1.5e-3:0.25,quadratic:0.5", list, &count));
    assert_int_equal(count, 3);
    assert_true(list[0].weight == 0.0125 && list[1].weight == 1.5e-3 && list[1].delta == 0.25);
    assert_true(list[2].weight == 0.5);
    FAILS(argand_regularizers_parse("wavelet:0;5", list, &count), ARGAND_ARGUMENT, "0;5");
    say(o, argand_message());
}

static void files(outcome *o)
{
    argand_report *report;
    argand_array *image = noise(ARGAND_R32, 3, (int64_t[]){16, 12, 2}, 4);
    const argand_geometry geometry = {
        .valid = true, .voxel = {1.5, 2.25, 4}, .read = {1, 0, 0}, .phase = {0, 1, 0}, .slice = {0, 0, 1}};
    OK(argand_report_create(&report, "Title"));
    OK(argand_report_timing(report, "solve", 2.5));
    OK(argand_report_timing(report, "read", 0.0125));
    OK(argand_report_curve(report, "residual", 4, (double[]){1.5, 0.25, 0.125, 0.0005}));
    OK(argand_report_image(report, image,
                           &(argand_report_view){.title = "A", .geometry = &geometry, .high = 2.5}));
    OK(argand_report_write(report, in_folder(names[0])));
    argand_report_destroy(report);
    OK(argand_nifti_write(in_folder(names[1]), image, &geometry, 2.5));
    OK(argand_array_write(in_folder(names[2]), image));
    OK(argand_array_write(in_folder("a.cfl"), image));
    OK(argand_plot_write(in_folder(names[4]), "Numbers", 4, (double[]){0.1, 0.35, 0.2, 0.25}, false));
    OK(argand_fft_wisdom_import("argand wisdom 1\ndevice\tnobody\nc32 8\tnative\t\t1.5e-05\n"));
    OK(argand_fft_wisdom_write(in_folder(names[5])));
    argand_fft_wisdom_forget();
    for (int i = 0; i < KINDS; i++) o->file[i] = get_file(in_folder(names[i]), &o->bytes[i]);
    argand_array_destroy(image);
    folder_empty();
}

static void all(outcome *o)
{
    *o = (outcome){0};
    plans(o);
    regularizers(o);
    files(o);
}

static void a_comma(void **state)
{
    (void)state;
    outcome point, comma;
    char text[20];
    all(&point);
    if (!set_comma()) {
        printf("no locale with a decimal comma: skipped\n");
        skip();
    }
    snprintf(text, sizeof text, "%.1f", 1.5);
    assert_string_equal(text, "1,5");
    all(&comma);
    snprintf(text, sizeof text, "%.1f", 1.5); /* the program's own is as it was */
    assert_string_equal(text, "1,5");
    assert_non_null(setlocale(LC_ALL, "C"));
    assert_string_equal(comma.string, point.string);
    for (int i = 0; i < KINDS; i++) {
        if (comma.bytes[i] != point.bytes[i] || memcmp(comma.file[i], point.file[i], point.bytes[i]))
            fail_msg("%s is another file", names[i]);
        free(comma.file[i]);
        free(point.file[i]);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(a_comma, folder_open, folder_close)};
RUN_TESTS(tests)
