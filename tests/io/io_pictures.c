/* SPDX-License-Identifier: BSD-3-Clause */
/* Pictures: read back through libpng and looked at by numbers. */
#include "folder.h"

#include <png.h>
#include "io/picture/canvas.h"
#include "io/picture/resample.h"
#include "io/picture/ticks.h"

typedef struct picture {
    int width, height, channels;
    uint8_t *pixels;
} picture;

static picture read_png(const char *path)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_file(&image, path));
    const int channels = image.format & PNG_FORMAT_FLAG_COLOR ? 3 : 1;
    image.format = channels == 3 ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
    picture p = {(int)image.width, (int)image.height, channels, malloc(PNG_IMAGE_SIZE(image))};
    assert_non_null(p.pixels);
    assert_true(png_image_finish_read(&image, NULL, p.pixels, 0, NULL));
    return p;
}

static int at(const picture *p, int x, int y)
{
    return p->pixels[(y * p->width + x) * p->channels];
}

static void test_png_bytes(void **state)
{
    (void)state;
    uint8_t pixels[7 * 5 * 3];
    for (size_t i = 0; i < sizeof pixels; i++) pixels[i] = (uint8_t)(37 * i);
    for (int channels = 1; channels <= 3; channels += 2) {
        OK(argand_png_write(in_folder("p.png"), 7, 5, pixels, channels));
        picture p = read_png(in_folder("p.png"));
        assert_int_equal(p.width, 7);
        assert_int_equal(p.height, 5);
        assert_int_equal(p.channels, channels);
        assert_memory_equal(p.pixels, pixels, (size_t)(35 * channels));
        free(p.pixels);
    }
    FAILS(argand_png_write(in_folder("n.png"), 0, 5, pixels, 1), ARGAND_ARGUMENT, "0 x 5 pixels");
    FAILS(argand_png_write(in_folder("n.png"), 5, 1 << 30, pixels, 1), ARGAND_ARGUMENT,
          "each side must be 1 to");
    FAILS(argand_png_write(in_folder("n.png"), 5, 5, pixels, 2), ARGAND_ARGUMENT, "2 channels");
    FAILS(argand_png_write(in_folder("n.png"), 5, 5, NULL, 1), ARGAND_ARGUMENT, "no pixels");
    FAILS(argand_png_write(NULL, 5, 5, pixels, 1), ARGAND_ARGUMENT, "no file name");
}

/* Each voxel has its own grey: x runs to the right, y down, slices along the rows of tiles. */
static void test_montage_layout(void **state)
{
    (void)state;
    argand_array *image;
    OK(argand_array_create(&image, device, ARGAND_R64, 4, (int64_t[]){4, 3, 2, 3}));
    double values[72];
    for (int i = 0; i < 72; i++) values[i] = 2 + i; /* black is 2, white 257: a grey a step */
    OK(argand_array_upload(image, values));
    const argand_montage_options options = {.low = 2, .high = 257, .columns = 4, .zoom = 5, .nearest = true};
    OK(argand_montage_write(in_folder("m.png"), image, &options));
    picture p = read_png(in_folder("m.png"));
    assert_int_equal(p.width, 4 * 22 - 2); /* 20 pixels and a gap of 2 */
    assert_int_equal(p.height, 2 * 17 - 2);
    for (int i = 0; i < 72; i++) {
        const int x = i % 4, y = i / 4 % 3, tile = i / 12;
        for (int corner = 0; corner < 4; corner++)
            assert_int_equal(
                at(&p, tile % 4 * 22 + 5 * x + 4 * (corner % 2), tile / 4 * 17 + 5 * y + 4 * (corner / 2)),
                i);
    }
    assert_int_equal(at(&p, 20, 0), 0);
    free(p.pixels);
    argand_array_destroy(image);
}

/* White is the 99.7th percentile: one vessel a hundred times brighter leaves the rest as it is. NaN is black.
 */
static void test_montage_brightness(void **state)
{
    (void)state;
    enum { N = 40 };
    argand_array *image;
    OK(argand_array_create(&image, device, ARGAND_R32, 2, (int64_t[]){N, N}));
    float values[N * N];
    for (int i = 0; i < N * N; i++) values[i] = i % N < N / 2 ? 1.0f : 0.5f;
    values[0] = 100;
    values[N - 1] = NAN;
    values[N * N - 1] = -5;
    OK(argand_array_upload(image, values));
    OK(argand_montage_write(in_folder("b.png"), image, &(argand_montage_options){.nearest = true}));
    picture p = read_png(in_folder("b.png"));
    assert_int_equal(p.width, 760); /* 19 times: the multiple of 40 nearest to 768 */
    assert_int_equal(p.height, 760);
    assert_int_equal(at(&p, 0, 0), 255);
    assert_int_equal(at(&p, 100, 100), 255);
    assert_int_equal(at(&p, 600, 100), 128);
    assert_int_equal(at(&p, 759, 0), 0);
    assert_int_equal(at(&p, 759, 759), 0);
    free(p.pixels);
    for (int i = 0; i < N * N; i++) values[i] = i % 2 ? NAN : 0;
    OK(argand_array_upload(image, values));
    OK(argand_montage_write(in_folder("b.png"), image, NULL));
    argand_array_destroy(image);
}

/* A field map: zero is mid-grey, and the window is the same to both sides. */
static void test_montage_signed(void **state)
{
    (void)state;
    argand_array *image;
    OK(argand_array_create(&image, device, ARGAND_R32, 2, (int64_t[]){4, 1}));
    OK(argand_array_upload(image, (float[]){-200, 0, 100, -100}));
    OK(argand_montage_write(in_folder("s.png"), image,
                            &(argand_montage_options){.nearest = true, .zoom = 1}));
    picture p = read_png(in_folder("s.png"));
    const uint8_t expected[4] = {0, 128, 191, 64}; /* 127.5 (1 + v / 200), rounded */
    assert_memory_equal(p.pixels, expected, 4);
    free(p.pixels);
    argand_array_destroy(image);
}

/* Returns the number of bright pixels in a rectangle. */
static int bright(const picture *p, int left, int right, int top, int bottom)
{
    int count = 0;
    for (int y = top; y < bottom; y++)
        for (int x = left; x < right; x++) count += at(p, x, y) > 100;
    return count;
}

/* Captions take space above their rows, and shine. */
static void test_montage_captions(void **state)
{
    (void)state;
    argand_array *image;
    OK(argand_array_create(&image, device, ARGAND_R32, 3, (int64_t[]){100, 100, 2}));
    const char *captions[3] = {"before", NULL, "beyond the last"};
    OK(argand_montage_write(in_folder("c.png"), image,
                            &(argand_montage_options){.captions = captions, .caption_count = 3, .zoom = 1}));
    picture p = read_png(in_folder("c.png"));
    assert_int_equal(p.width, 202);
    assert_true(p.height > 100 && p.height < 130);
    int left = 0, right = 0;
    for (int y = 0; y < p.height; y++)
        for (int x = 0; x < p.width; x++) *(x < 100 ? &left : &right) += at(&p, x, y) > 100;
    assert_true(left > 60);
    assert_int_equal(right, 0);
    free(p.pixels);
    argand_array_destroy(image);
}

/* Only rows that have captions have space for them, and no caption runs into the neighbour's tile. */
static void test_caption_rows(void **state)
{
    (void)state;
    argand_array *image;
    OK(argand_array_create(&image, device, ARGAND_R32, 3, (int64_t[]){60, 40, 4}));
    const char *captions[1] = {
        "A caption that is much too long for a tile of sixty pixels, even in three rows"};
    argand_montage_options options = {.captions = captions, .caption_count = 1, .zoom = 1, .columns = 2};
    OK(argand_montage_write(in_folder("c.png"), image, &options));
    picture p = read_png(in_folder("c.png"));
    const int above = p.height - 2 * 40 - 2;
    assert_int_equal(above, 3 * 12 + 4); /* letters of 9.1 pixels */
    for (int y = 0; y < p.height; y++)
        for (int x = 60; x < p.width; x++) assert_int_equal(at(&p, x, y), 0);
    for (int row = 0; row < 3; row++) assert_true(bright(&p, 0, 60, 2 + 12 * row, 2 + 12 * (row + 1)) > 20);
    assert_int_equal(bright(&p, 0, p.width, above, p.height),
                     0); /* the image is 0: nothing is drawn over it */
    free(p.pixels);
    argand_array_destroy(image);
}

/* Letters grow with the picture, and shrink for a long caption. The caption of one row stands next to its
 * image. */
static void test_caption_sizes(void **state)
{
    (void)state;
    argand_array *image;
    OK(argand_array_create(&image, device, ARGAND_R32, 3, (int64_t[]){64, 64, 2}));
    const char *captions[2] = {"plain", "corrected"};
    argand_montage_options options = {.captions = captions, .caption_count = 2};
    int heights[3];
    for (int i = 0; i < 3; i++) {
        options.zoom = (int[]){1, 10, 20}[i];
        OK(argand_montage_write(in_folder("c.png"), image, &options));
        picture p = read_png(in_folder("c.png"));
        heights[i] = p.height - 64 * options.zoom;
        assert_true(bright(&p, 0, p.width / 2, 0, heights[i]) > 30);
        assert_true(bright(&p, p.width / 2, p.width, 0, heights[i]) > 30);
        assert_int_equal(bright(&p, 0, p.width, 0, 2) + bright(&p, 0, p.width, heights[i] - 1, heights[i]),
                         0);
        free(p.pixels);
    }
    assert_true(heights[1] > 2 * heights[0] - 8 && heights[2] > 1.8 * heights[1]);
    captions[0] =
        "spirals of twenty milliseconds, reconstructed without the field map of the scan, with eight coils";
    options.zoom = 6;
    OK(argand_montage_write(in_folder("c.png"), image, &options));
    picture p = read_png(in_folder("c.png"));
    const int above = p.height - 64 * 6;
    assert_true(above > 30); /* one row takes 22 */
    assert_int_equal(bright(&p, p.width / 2, p.width, 0, above / 2 - 2), 0);
    assert_true(bright(&p, p.width / 2, p.width, above / 2 - 2, above) > 30);
    free(p.pixels);
    argand_array_destroy(image);
}

static void test_montage_refusals(void **state)
{
    (void)state;
    argand_array *complex_image = noise(ARGAND_C32, 2, (int64_t[]){4, 4}, 1),
                 *image = noise(ARGAND_R32, 2, (int64_t[]){4, 4}, 1);
    argand_array *long_image = noise(ARGAND_R32, 2, (int64_t[]){40000, 1}, 1);
    const char *path = in_folder("n.png");
    FAILS(argand_montage_write(path, complex_image, NULL), ARGAND_ARGUMENT,
          "the image is complex; take its magnitude");
    FAILS(argand_montage_write(path, long_image, NULL), ARGAND_ARGUMENT,
          "1 slices of 40000 x 1 are too much");
    FAILS(argand_montage_write(path, image, &(argand_montage_options){.zoom = -1}), ARGAND_ARGUMENT,
          "must not be negative");
    FAILS(argand_montage_write(path, image, &(argand_montage_options){.zoom = 1 << 30}), ARGAND_ARGUMENT,
          "smaller zoom");
    FAILS(argand_montage_write(path, NULL, NULL), ARGAND_ARGUMENT, "no image");
    argand_array_destroy(long_image);
    argand_array_destroy(image);
    argand_array_destroy(complex_image);
}

/* The cubic reproduces parabolas exactly away from the edges (Keys), and keeps constants everywhere. */
static void test_cubic(void **state)
{
    (void)state;
    enum { W = 11, H = 9, ZOOM = 4 };
    static float in[W * H], out[W * H * ZOOM * ZOOM];
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            in[y * W + x] = (float)(1 + 0.5 * x - 0.25 * y + 0.125 * x * x + 0.0625 * x * y);
    OK(resample_enlarge(out, in, W, H, ZOOM, false));
    for (int j = 2 * ZOOM; j < (H - 2) * ZOOM; j++)
        for (int i = 2 * ZOOM; i < (W - 2) * ZOOM; i++) {
            const double x = (i + 0.5) / ZOOM - 0.5, y = (j + 0.5) / ZOOM - 0.5;
            const double true_value = 1 + 0.5 * x - 0.25 * y + 0.125 * x * x + 0.0625 * x * y;
            CHECK_BELOW(fabs((double)out[j * W * ZOOM + i] - true_value),
                        2e-5); /* some ten roundings of numbers near 20 */
        }
    for (int i = 0; i < W * H; i++) in[i] = 3;
    OK(resample_enlarge(out, in, W, H, ZOOM, false));
    for (int i = 0; i < W * H * ZOOM * ZOOM; i++) CHECK_BELOW(fabs((double)out[i] - 3), 1e-5);
}

static void test_ticks(void **state)
{
    (void)state;
    axis linear = {.low = 0.13, .high = 0.88};
    ticks_fit(&linear, 6, false, true);
    assert_true(fabs(linear.low) < 1e-12 && fabs(linear.high - 1) < 1e-12);
    assert_int_equal(linear.count, 6);
    assert_string_equal(linear.label[1], "0.2");
    axis powers = {.logarithmic = true, .low = 3e-7, .high = 0.9};
    ticks_fit(&powers, 6, false, true);
    assert_true(powers.count >= 3 && powers.count <= 8);
    assert_string_equal(powers.label[powers.count - 1], "1");
    assert_true(fabs(ticks_place(&powers, powers.high) - 1) < 1e-12 && ticks_place(&powers, 1e-3) > 0.3);
    /* the quotient of its ends is not finite */
    const axis widest = {.logarithmic = true, .low = 1e-299, .high = 1e299};
    assert_true(fabs(ticks_place(&widest, 1) - 0.5) < 1e-12 && fabs(ticks_place(&widest, 1e299) - 1) < 1e-12);
    axis alone = {.logarithmic = true, .low = 5, .high = 5};
    ticks_fit(&alone, 6, false, true);
    assert_true(alone.count >= 2 && alone.low <= 5 && alone.high > 5);
    axis close = {.low = 1.00001, .high = 1.00002};
    ticks_fit(&close, 6, false, true);
    assert_string_not_equal(close.label[0], close.label[1]);
}

/* Returns the number of pixels in a rectangle whose red is not above a value. */
static int dark(const picture *p, int left, int right, int top, int bottom, int most)
{
    int count = 0;
    for (int y = top; y < bottom; y++)
        for (int x = left; x < right; x++) count += at(p, x, y) <= most;
    return count;
}

/* Whatever the numbers: a picture with something on it, or a clear refusal. */
static void test_plots(void **state)
{
    (void)state;
    const double numbers[][4] = {
        {1, 0.1, 0.01, 0.001}, {5, 5, 5, 5},         {0, -1, NAN, 3},   {1e-299, 1e299, 1, INFINITY},
        {-1e299, 1e299, 0, 1}, {1, 1 + 1e-15, 1, 1}, {1e-310, 2, 4, 8}, {-7, -7, -7, -7}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        for (int64_t count = 1; count <= 4; count++)
            for (int logarithmic = 0; logarithmic < 2; logarithmic++) {
                const argand_status status =
                    argand_plot_write(in_folder("p.png"), "Title", count, numbers[i], logarithmic);
                if (status) {
                    assert_true(logarithmic);
                    assert_int_equal(status, ARGAND_ARGUMENT);
                    assert_non_null(
                        strstr(argand_message(), "no number to draw: none is finite and above zero"));
                    continue;
                }
                picture p = read_png(in_folder("p.png"));
                assert_int_equal(p.width, 640);
                assert_int_equal(p.height, 400);
                assert_int_equal(p.channels, 3);
                assert_true(dark(&p, 0, 80, 36, p.height, 127) > 20); /* numbers at the axis */
                assert_true(dark(&p, 90, p.width, 0, 36, 127) > 30);  /* the title */
                assert_true(dark(&p, 30, p.width, 36, p.height, 31) >
                            20); /* the curve: its red is 31, the text's 48 */
                free(p.pixels);
            }
    OK(argand_plot_write(in_folder("l.png"),
                         "a title that is much longer than the picture is wide, and goes on and on and on "
                         "until it is cut off at the edge, as nothing else would do",
                         4, numbers[0], false));
    picture p = read_png(in_folder("l.png"));
    assert_true(dark(&p, 11, p.width - 11, 0, 36, 200) > 500);
    assert_int_equal(dark(&p, 0, 11, 0, 36, 200) + dark(&p, p.width - 11, p.width, 0, 36, 200), 0);
    free(p.pixels);
    FAILS(argand_plot_write(in_folder("n.png"), NULL, 0, NULL, false), ARGAND_ARGUMENT,
          "no number to draw: none is finite");
    FAILS(argand_plot_write(in_folder("n.png"), NULL, 3, NULL, false), ARGAND_ARGUMENT, "no numbers to draw");
    FAILS(argand_plot_write(NULL, NULL, 4, numbers[0], false), ARGAND_ARGUMENT, "no file name");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_png_bytes),
    cmocka_unit_test(test_montage_layout),
    cmocka_unit_test(test_montage_brightness),
    cmocka_unit_test(test_montage_captions),
    cmocka_unit_test(test_montage_signed),
    cmocka_unit_test(test_montage_refusals),
    cmocka_unit_test(test_caption_rows),
    cmocka_unit_test(test_caption_sizes),
    cmocka_unit_test(test_cubic),
    cmocka_unit_test(test_ticks),
    cmocka_unit_test(test_plots),
};

IO_TESTS(tests)
