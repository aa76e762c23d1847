/* SPDX-License-Identifier: BSD-3-Clause */
/* Images in a report: the numbers that a browser will unpack, windows, orientation, large images. On every
 * device. */
#include "read_page.h"

enum { NX = 13, NY = 7, NZ = 3, NV = 2, N = NX * NY * NZ * NV };

static argand_report *new_report(void)
{
    argand_report *report;
    OK(argand_report_create(&report, "images"));
    return report;
}

/* Steps of 16 bits over the range, and not a number is 0. */
static void real_numbers(void **state)
{
    (void)state;
    argand_array *image;
    float numbers[N];
    unsigned codes[N];
    OK(argand_array_create(&image, device, ARGAND_R32, 4, (int64_t[]){NX, NY, NZ, NV}));
    for (int i = 0; i < N; i++) numbers[i] = (float)(sin(i) * 40);
    numbers[17] = NAN;
    numbers[18] = INFINITY;
    OK(argand_array_upload(image, numbers));
    argand_report *report = new_report();
    OK(argand_report_image(report, image, NULL));
    char *page = written(report);
    read_codes(codes, N, page, 0);
    const double low = read_number(page, "pixels-0", "low"), high = read_number(page, "pixels-0", "high");
    assert_int_equal(codes[17], 0);
    assert_int_equal(codes[18], 0);
    for (int i = 0; i < N; i++) {
        if (!codes[i]) continue;
        const double back = low + (codes[i] - 1) * (high - low) / 65534;
        CHECK_BELOW(fabs(back - (double)numbers[i]), 0.51 * (high - low) / 65534 + 1e-5);
    }
    assert_true(low < -39 && high > 39);
    holds(page, "\"n\":[13,7,3,2],\"step\":[1,1,1,1]");
    holds(page, "\"ends\":null");
    free(page);
    argand_report_destroy(report);
    argand_array_destroy(image);
}

static void complex_numbers(void **state)
{
    (void)state;
    argand_array *image;
    float numbers[2 * NX * NY];
    unsigned size[NX * NY], angle[NX * NY];
    OK(argand_array_create(&image, device, ARGAND_C32, 2, (int64_t[]){NX, NY}));
    for (int i = 0; i < NX * NY; i++) {
        numbers[2 * i] = (float)((i + 1) * cos(0.1 * i));
        numbers[2 * i + 1] = (float)((i + 1) * sin(0.1 * i));
    }
    OK(argand_array_upload(image, numbers));
    argand_report *report = new_report();
    OK(argand_report_image(report, image, &(argand_report_view){.title = "z"}));
    char *page = written(report);
    read_codes(size, NX * NY, page, 0);
    read_codes(angle, NX * NY, page, 1);
    const double low = read_number(page, "pixels-0", "low"), high = read_number(page, "pixels-0", "high");
    for (int i = 0; i < NX * NY; i++) {
        const double magnitude = low + (size[i] - 1) * (high - low) / 65534,
                     phase = -M_PI + (angle[i] - 1) * 2 * M_PI / 65534;
        CHECK_BELOW(fabs(magnitude - (i + 1)), 0.002);
        CHECK_BELOW(fabs(remainder(phase - 0.1 * i, 2 * M_PI)), 1e-4);
    }
    holds(page, "\"name\":\"phase\",\"colours\":\"circle\"");
    free(page);
    argand_report_destroy(report);
    argand_array_destroy(image);
}

/* A pixel that outshines all others does not take their digits: the range ends sixteen windows away. */
static void one_bright_pixel(void **state)
{
    (void)state;
    enum { SIDE = 40 };
    argand_array *image;
    static float numbers[SIDE * SIDE];
    static unsigned codes[SIDE * SIDE];
    for (int i = 0; i < SIDE * SIDE; i++) numbers[i] = (float)(i % 100);
    numbers[5] = 1e20f;
    OK(argand_array_create(&image, device, ARGAND_R32, 2, (int64_t[]){SIDE, SIDE}));
    OK(argand_array_upload(image, numbers));
    argand_report *report = new_report();
    OK(argand_report_image(report, image, NULL));
    char *page = written(report);
    read_codes(codes, SIDE * SIDE, page, 0);
    assert_int_equal(codes[5], 65535);
    assert_true(codes[50] > codes[49] + 30);
    CHECK_BELOW(read_number(page, "pixels-0", "high"), 17 * 99.);
    free(page);
    argand_report_destroy(report);
    argand_array_destroy(image);
}

static argand_array *field_of_ones(int rank, const int64_t *dims)
{
    argand_array *image;
    OK(argand_array_create(&image, device, ARGAND_R32, rank, dims));
    OK(argand_array_fill(image, (argand_scalar){1, 0}));
    return image;
}

/* LPS: read to the left, phase to the back and a little down, slice to the head and a little back. */
static void letters(void **state)
{
    (void)state;
    argand_array *image = field_of_ones(3, (int64_t[]){4, 5, 3});
    const double c = cos(0.5), s = sin(0.5);
    const argand_geometry oblique = {
        .valid = true, .voxel = {1.5, 2, 3.25}, .read = {1, 0, 0}, .phase = {0, c, -s}, .slice = {0, s, c}};
    argand_report *report = new_report();
    OK(argand_report_image(report, image,
                           &(argand_report_view){.geometry = &oblique, .unit = "Hz", .map = true}));
    char *page = written(report);
    holds(page, "\"voxel\":[1.5,2,3.25]");
    holds(page, "\"ends\":[\"R\",\"L\",\"AS\",\"PI\",\"IA\",\"SP\"]");
    holds(page, "\"map\":true,\"unit\":\"Hz\"");
    free(page);
    argand_report_destroy(report);
    argand_array_destroy(image);
}

/* More than a page should hold: less is shown, the page says what, and voxels grow accordingly. */
static void large_images(void **state)
{
    (void)state;
    argand_array *image = field_of_ones(4, (int64_t[]){300, 260, 60, 4});
    const argand_geometry geometry = {
        .valid = true, .voxel = {1, 1, 1}, .read = {1, 0, 0}, .phase = {0, 1, 0}, .slice = {0, 0, 1}};
    argand_report *report = new_report();
    const char *names[4] = {"a", "b", "c", "d"};
    OK(argand_report_image(
        report, image, &(argand_report_view){.geometry = &geometry, .volumes = names, .volume_count = 4}));
    char *page = written(report);
    holds(page, "\"from\":[300,260,60,4]");
    lacks(page, "\"step\":[1,1,1,1]");
    lacks(page, "\"voxel\":[1,1,1]");
    CHECK_BELOW((double)strlen(page), 16e6);
    free(page);
    argand_report_destroy(report);
    argand_array_destroy(image);
}

static void refusals(void **state)
{
    (void)state;
    argand_array *image = field_of_ones(2, (int64_t[]){3, 2});
    argand_report *report = new_report();
    FAILS(argand_report_image(NULL, image, NULL), ARGAND_ARGUMENT, "no report");
    FAILS(argand_report_image(report, NULL, NULL), ARGAND_ARGUMENT, "no image");
    FAILS(argand_report_image(report, image, &(argand_report_view){.colours = (argand_report_colours)9}),
          ARGAND_ARGUMENT, "colours 9");
    FAILS(argand_report_image(report, image, &(argand_report_view){.volume_count = -1}), ARGAND_ARGUMENT,
          "volume_count is -1");
    argand_report_destroy(report);
    argand_array_destroy(image);
}

/* Where memory fails the report is as it was, and can be added to. */
static void no_memory(void **state)
{
    (void)state;
    argand_array *image = field_of_ones(3, (int64_t[]){9, 8, 2});
    argand_report *report = new_report();
    OK(argand_report_image(report, image, NULL));
    char *before = written(report);
    argand_status status = ARGAND_MEMORY;
    int tries = 0;
    for (long n = 1; status == ARGAND_MEMORY; n++, tries++) {
        argand_test_fail_allocation(n);
        status = argand_report_image(report, image, &(argand_report_view){.title = "second"});
        argand_test_fail_allocation(0);
        if (status != ARGAND_MEMORY) continue;
        char *after = written(report);
        assert_string_equal(after, before);
        free(after);
    }
    assert_int_equal(status, ARGAND_OK);
    assert_true(tries > 3);
    char *after = written(report);
    holds(after, "\"title\":\"second\"");
    holds(after, "id=\"pixels-1\"");
    free(after);
    free(before);
    argand_report_destroy(report);
    argand_array_destroy(image);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(real_numbers), cmocka_unit_test(complex_numbers), cmocka_unit_test(one_bright_pixel),
    cmocka_unit_test(letters),      cmocka_unit_test(large_images),    cmocka_unit_test(refusals),
    cmocka_unit_test(no_memory)};
RUN_TESTS(tests)
