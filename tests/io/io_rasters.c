/* SPDX-License-Identifier: BSD-3-Clause */
/* Pictures of all formats, depths and channels: written and read, and against truths of their own: files put
 * together by hand, libpng's own linear light, a table of all halves. */
#include "raster_case.h"

#include <png.h>
#include "io/raster/raster.h"

/* ---- curves and halves ---- */

/* Of all finite halves the nearest, and of two the even one. */
static uint16_t nearest_half(double value)
{
    uint16_t low = 0, high = 0x7bff; /* positive halves rise with their bits */
    while (high - low > 1) {
        const uint16_t middle = (uint16_t)((low + high) / 2);
        if ((double)raster_from_half(middle) <= value)
            low = middle;
        else
            high = middle;
    }
    const double below = value - (double)raster_from_half(low),
                 above = (double)raster_from_half(high) - value;
    return below < above ? low : above < below ? high : low % 2 ? high : low;
}

static void test_halves(void **state)
{
    (void)state;
    for (unsigned bits = 0; bits < 0x10000; bits++) {
        if ((bits & 0x7c00) == 0x7c00) continue; /* infinity and NaN */
        const int exponent = (int)(bits >> 10 & 31), mantissa = (int)(bits & 1023);
        const double value = (bits & 0x8000 ? -1 : 1) *
                             (exponent ? ldexp(1024 + mantissa, exponent - 25) : ldexp(mantissa, -24));
        assert_true((double)raster_from_half((uint16_t)bits) == value);
        assert_int_equal(raster_half((float)value), bits);
    }
    random_state random = {1};
    for (int i = 0; i < 20000; i++) {
        const double mantissa = 1 + random_uniform(&random);
        const float value = (float)ldexp(mantissa, (int)(random_uniform(&random) * 41) - 26);
        assert_int_equal(raster_half(value), nearest_half((double)value));
    }
    for (unsigned bits = 0; bits < 0x7bff; bits++) { /* ties */
        const double a = (double)raster_from_half((uint16_t)bits),
                     b = (double)raster_from_half((uint16_t)(bits + 1));
        assert_int_equal(raster_half((float)((a + b) / 2)), bits % 2 ? bits + 1 : bits);
    }
    assert_int_equal(raster_half(1e9f), 0x7bff);
    assert_int_equal(raster_half(-INFINITY), 0xfbff);
    assert_true(isnan(raster_from_half(raster_half(NAN))));
}

static void test_curve(void **state)
{
    (void)state;
    /* IEC 61966-2-1 by its own formula, and codes that come back */
    assert_true(fabs(argand_srgb_decode(0.5) - pow((0.5 + 0.055) / 1.055, 2.4)) < 1e-15);
    assert_true(fabs(argand_srgb_decode(0.02) - 0.02 / 12.92) < 1e-15);
    for (int i = 0; i <= 65535; i++)
        assert_true(fabs(argand_srgb_encode(argand_srgb_decode(i / 65535.0)) - i / 65535.0) < 1e-9);
    assert_true(argand_srgb_decode(-0.5) == -argand_srgb_decode(0.5));
}

/* ---- written and read ---- */

static const struct kind {
    const char *name;
    argand_sample sample;
    int channels[4];
} kinds[] = {
    {"a.exr", ARGAND_SAMPLE_F16, {1, 2, 3, 4}},  {"b.exr", ARGAND_SAMPLE_F32, {1, 2, 3, 4}},
    {"c.png", ARGAND_SAMPLE_U8, {1, 2, 3, 4}},   {"d.png", ARGAND_SAMPLE_U16, {1, 2, 3, 4}},
    {"e.pfm", ARGAND_SAMPLE_F32, {1, 3}},        {"f.tif", ARGAND_SAMPLE_U8, {1, 2, 3, 4}},
    {"g.tiff", ARGAND_SAMPLE_U16, {1, 2, 3, 4}}, {"h.tif", ARGAND_SAMPLE_F16, {1, 2, 3, 4}},
    {"i.TIF", ARGAND_SAMPLE_F32, {1, 2, 3, 4}},
};

/* The light that comes back for some that was written. */
static double kept(double light, const argand_picture_info *info, int channel)
{
    const double levels = info->sample == ARGAND_SAMPLE_U8 ? 255 : 65535;
    if (info->sample == ARGAND_SAMPLE_F32) return light;
    if (info->sample == ARGAND_SAMPLE_F16) return (double)raster_from_half(nearest_half(light));
    light = light > 1 ? 1 : light;
    if (channel == info->alpha) return floor(light * levels + 0.5) / levels;
    return argand_srgb_decode(floor(argand_srgb_encode(light) * levels + 0.5) / levels);
}

static void round_trip(const struct kind *k, int channels)
{
    /* three rows of a chunk, and more than one chunk */
    argand_picture_info info = picture_info(37, 51, channels, k->sample), found;
    float *samples = picture_samples(&info, 1.2, 7);
    put_picture(in_folder(k->name), &info, samples, NULL);
    float *back = get_picture(in_folder(k->name), &found);
    assert_int_equal(found.width, 37);
    assert_int_equal(found.height, 51);
    assert_int_equal(found.channels, channels);
    assert_int_equal(found.alpha, info.alpha);
    assert_int_equal(found.sample, k->sample);
    assert_int_equal(found.light, (1u << (channels - (channels % 2 == 0))) - 1);
    for (int c = 0; c < channels; c++) assert_string_equal(found.names[c], info.names[c]);
    for (int i = 0; i < 37 * 51 * channels; i++)
        CHECK_BELOW(fabs((double)back[i] - kept((double)samples[i], &info, i / (37 * 51))), 1e-7);
    /* what was read is written as it was: nothing creeps */
    put_picture(in_folder(k->name), &found, back, NULL);
    float *again = get_picture(in_folder(k->name), &found);
    assert_memory_equal(again, back, (size_t)(37 * 51 * channels) * sizeof *back);
    free(samples);
    free(back);
    free(again);
}

static void test_round_trips(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        for (int c = 0; c < 4 && kinds[i].channels[c] && has_format(kinds[i].name); c++)
            round_trip(&kinds[i], kinds[i].channels[c]);
}

/* Whole pictures as arrays: planes and pixels, floats and halves. */
static void test_arrays(void **state)
{
    (void)state;
    const argand_picture_info info = picture_info(19, 11, 3, ARGAND_SAMPLE_F32);
    float *samples = picture_samples(&info, 3, 9);
    put_picture(in_folder("w.pfm"), &info, samples, NULL);
    for (int i = 0; i < 4; i++) {
        const bool interleaved = i % 2;
        argand_picture *p;
        argand_array *array;
        OK(argand_picture_open(&p, in_folder("w.pfm"), NULL));
        OK(argand_picture_load(&array, p, device, i < 2 ? ARGAND_R32 : ARGAND_R16, interleaved));
        argand_picture_close(p);
        assert_int_equal(argand_array_dim(array, 0), interleaved ? 3 : 19);
        assert_int_equal(argand_array_dim(array, 2), interleaved ? 11 : 3);
        OK(argand_picture_create(&p, in_folder("v.pfm"), &info, NULL));
        OK(argand_picture_save(p, array, interleaved));
        argand_picture_close(p);
        argand_array_destroy(array);
        argand_picture_info found;
        float *back = get_picture(in_folder("v.pfm"), &found);
        for (int k = 0; k < 19 * 11 * 3; k++) /* a half has 11 bits */
            CHECK_BELOW(fabsf(back[k] - samples[k]), i < 2 ? 0 : samples[k] * 0x1p-11f);
        free(back);
    }
    free(samples);
}

/* ---- truths ---- */

/* Codes as libpng reads them from files of ours, and the light that the standard gives them. */
static void test_png_light(void **state)
{
    (void)state;
    const argand_picture_info info = picture_info(64, 8, 3, ARGAND_SAMPLE_U8);
    float *samples = picture_samples(&info, 1, 3);
    argand_picture_info found;
    uint8_t codes[64 * 8 * 3];
    put_picture(in_folder("l.png"), &info, samples, NULL);
    float *back = get_picture(in_folder("l.png"), &found);
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_file(&image, in_folder("l.png")));
    image.format = PNG_FORMAT_RGB;
    assert_true(png_image_finish_read(&image, NULL, codes, 0, NULL));
    for (int i = 0; i < 64 * 8; i++)
        for (int c = 0; c < 3; c++) {
            const double code = codes[3 * i + c] / 255.0;
            const double light = code <= 0.04045 ? code / 12.92 : pow((code + 0.055) / 1.055, 2.4);
            CHECK_BELOW(fabs((double)back[c * 512 + i] - light), 1e-7);
            CHECK_BELOW(fabs((double)samples[c * 512 + i] - light), 0.0046); /* half a step at the top */
        }
    free(samples);
    free(back);
}

/* A PNG by libpng: rows of 6 pixels as they are packed, and what stands before them. */
static void write_png(const char *path, int depth, int type, int interlace, unsigned char (*rows)[64],
                      int height)
{
    static const png_color colours[3] = {{0, 0, 0}, {255, 128, 0}, {10, 20, 30}};
    const png_byte opaque[2] = {255, 51};
    unsigned char *lines[4] = {rows[0], rows[1], rows[2], rows[3]};
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    png_init_io(png, file);
    png_set_IHDR(png, info, 6, (png_uint_32)height, depth, type, interlace, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    if (type == PNG_COLOR_TYPE_PALETTE) png_set_PLTE(png, info, colours, 3);
    if (type == PNG_COLOR_TYPE_PALETTE) png_set_tRNS(png, info, opaque, 2, NULL);
    png_write_info(png, info);
    png_write_image(png, lines);
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
    fclose(file);
}

static float light_of(double code)
{
    return (float)(code <= 0.04045 ? code / 12.92 : pow((code + 0.055) / 1.055, 2.4));
}

/* Palettes with transparent colours, greys of 2 bits, interlaced rows of 16 bits. */
static void test_png_kinds(void **state)
{
    (void)state;
    argand_picture_info info;
    unsigned char rows[4][64] = {{0x1b, 0xb0}}; /* 0 1 2 3 2 3 in 2 bits each */
    write_png(in_folder("k.png"), 2, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE, rows, 1);
    float *read = get_picture(in_folder("k.png"), &info);
    const int greys[6] = {0, 1, 2, 3, 2, 3};
    for (int x = 0; x < 6; x++) CHECK_BELOW(fabsf(read[x] - light_of(greys[x] / 3.0)), 1e-6f);
    free(read);
    memcpy(rows[0], "\0\1\2\2\1\0", 6);
    write_png(in_folder("k.png"), 8, PNG_COLOR_TYPE_PALETTE, PNG_INTERLACE_NONE, rows, 1);
    read = get_picture(in_folder("k.png"), &info);
    assert_int_equal(info.channels, 4);
    assert_int_equal(info.alpha, 3);
    CHECK_BELOW(fabsf(read[6 + 1] - light_of(128 / 255.0)), 1e-6f); /* green of colour 1 */
    CHECK_BELOW(fabsf(read[18 + 1] - 0.2f), 1e-6f);                 /* its coverage, as it stands */
    CHECK_BELOW(fabsf(read[18 + 2] - 1), 0);
    free(read);
    for (int i = 0; i < 4 * 36; i++) rows[i / 36][i % 36] = (unsigned char)(i * 71);
    write_png(in_folder("k.png"), 16, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_ADAM7, rows, 4);
    read = get_picture(in_folder("k.png"), &info);
    for (int i = 0; i < 24; i++)
        for (int c = 0; c < 3; c++) {
            const unsigned char *at = rows[i / 6] + i % 6 * 6 + 2 * c;
            CHECK_BELOW(fabsf(read[24 * c + i] - light_of((at[0] * 256 + at[1]) / 65535.0)), 1e-6f);
        }
    free(read);
}

static void test_pfm_bytes(void **state)
{
    (void)state;
    const float rows[2][3] = {{1, 2, 3}, {-4, 0.5f, 1e9f}}; /* the file's: from the bottom */
    for (int big = 0; big < 2; big++) {
        file_bytes f = {{0}, 0};
        argand_picture_info info;
        add_bytes(&f, big ? "Pf\n3 2\n1.0\n" : "Pf 3 2 -1.0\n", big ? 11 : 12);
        for (int i = 0; i < 6; i++) {
            uint32_t bits;
            memcpy(&bits, &rows[i / 3][i % 3], 4);
            add_number(&f, bits, 4, big);
        }
        put_file(in_folder("h.pfm"), f.bytes, f.count);
        float *read = get_picture(in_folder("h.pfm"), &info);
        for (int i = 0; i < 6; i++) assert_true(read[i] == rows[1 - i / 3][i % 3]);
        free(read);
    }
}

static void test_exr_bytes(void **state)
{
    (void)state;
    static const char *const channels[] = {"A", "B", "G", "R", "Z"};
    file_bytes f = {{0}, 0};
    argand_picture_info info;
    if (!has_format("h.exr")) return;
    exr_header(&f, channels, 5, 2, 2, 2);
    const size_t table = f.count;
    add_number(&f, table + 16, 8, false);
    add_number(&f, table + 16 + 8 + 40, 8, false);
    for (int y = 0; y < 2; y++) {
        add_number(&f, (uint64_t)y, 4, false);
        add_number(&f, 40, 4, false);
        for (int c = 0; c < 5; c++)
            for (int x = 0; x < 2; x++) add_float(&f, (float)(100 * c + 10 * y + x));
    }
    put_file(in_folder("h.exr"), f.bytes, f.count);
    float *read = get_picture(in_folder("h.exr"), &info);
    assert_int_equal(info.channels, 5);
    assert_int_equal(info.alpha, 3);
    assert_int_equal(info.light, 7);
    static const int stored[] = {3, 2, 1, 0, 4}; /* R, G, B, A, Z */
    for (int c = 0; c < 5; c++) {
        assert_string_equal(info.names[c], channels[stored[c]]);
        for (int i = 0; i < 4; i++)
            assert_true(read[4 * c + i] == (float)(100 * stored[c] + 10 * (i / 2) + i % 2));
    }
    free(read);
}

/* Chroma R / Y - 1 and B / Y - 1 of every second pixel and line: there R and B are known exactly, and the
 * luminance (Rec. 709) is that of the file everywhere. */
static void test_exr_chroma(void **state)
{
    (void)state;
    enum { W = 32, H = 20 };
    static const char *const channels[] = {"BY", "RY", "Y"};
    file_bytes f = {{0}, 0};
    argand_picture_info info;
    if (!has_format("c.exr")) return;
    exr_header(&f, channels, 3, 2, W, H);
    for (uint64_t y = 0, at = f.count + 8 * H; y < H; y++) {
        add_number(&f, at, 8, false);
        at += (uint64_t)(8 + 4 * (y % 2 ? W : 2 * W));
    }
    for (int y = 0; y < H; y++) {
        add_number(&f, (uint64_t)y, 4, false);
        add_number(&f, (uint64_t)(4 * (y % 2 ? W : 2 * W)), 4, false);
        for (int c = y % 2 ? 2 : 0; c < 3; c++)
            for (int x = 0; x < W; x += c < 2 ? 2 : 1)
                add_float(&f, c == 0 ? 0.01f * (float)x : c == 1 ? -0.02f * (float)y : (float)(1 + x * y));
    }
    put_file(in_folder("c.exr"), f.bytes, f.count);
    float *read = get_picture(in_folder("c.exr"), &info);
    assert_int_equal(info.channels, 3);
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            const float *at = read + y * W + x;
            const double light = 1 + x * y, r = (double)at[0], g = (double)at[W * H],
                         b = (double)at[2 * W * H];
            CHECK_BELOW(fabs(0.2126 * r + 0.7152 * g + 0.0722 * b - light), 1e-5 * light);
            if (x % 2 == 0 && y % 2 == 0) CHECK_BELOW(fabs(b - (1 + 0.01 * x) * light), 1e-5 * light);
            if (x % 2 == 0 && y % 2 == 0) CHECK_BELOW(fabs(r - (1 - 0.02 * y) * light), 1e-5 * light);
            /* between them, away from the ends, a straight line stays one (the taps add up to 1) */
            if (x > 14 && x < W - 14) CHECK_BELOW(fabs(b - (1 + 0.01 * x) * light), 1e-4 * light);
        }
    free(read);
}

static void test_tiff_bytes(void **state)
{
    (void)state;
    if (!has_format("h.tif")) return;
    for (int i = 0; i < 4; i++) { /* byte orders; black is 0, or white is */
        const bool big = i % 2, inverted = i / 2;
        const uint32_t entries[][4] = {
            {256, 4, 1, 2}, {257, 4, 1, 2},         {258, 3, 1, 16},
            {259, 3, 1, 1}, {262, 3, 1, !inverted}, {273, 4, 1, 8 + 2 + 9 * 12 + 4},
            {277, 3, 1, 1}, {278, 4, 1, 2},         {279, 4, 1, 8}};
        const uint16_t codes[4] = {0, 1000, 40000, 65535};
        file_bytes f = {{0}, 0};
        argand_picture_info info;
        tiff_header(&f, big, entries, 9);
        for (int k = 0; k < 4; k++) add_number(&f, codes[k], 2, big);
        put_file(in_folder("h.tif"), f.bytes, f.count);
        float *read = get_picture(in_folder("h.tif"), &info);
        for (int k = 0; k < 4; k++) {
            const double code = (inverted ? 65535 - codes[k] : codes[k]) / 65535.0;
            CHECK_BELOW(
                fabs((double)read[k] - (code <= 0.04045 ? code / 12.92 : pow((code + 0.055) / 1.055, 2.4))),
                1e-7);
        }
        free(read);
    }
}

/* ---- what a picture says besides its samples ---- */

static void test_texts_go_along(void **state)
{
    (void)state;
    static const char *const channels[] = {"Y"};
    file_bytes f = {{0}, 0};
    argand_picture *like;
    if (!has_format("k.exr")) return;
    exr_header(&f, channels, 1, 2, 1, 1);
    f.count--; /* one attribute more */
    add_attribute(&f, "owner", "string", 5);
    add_bytes(&f, "Jean!", 5);
    add_number(&f, 0, 1, false);
    add_number(&f, f.count + 8, 8, false);
    add_number(&f, 0, 4, false);
    add_number(&f, 4, 4, false);
    add_float(&f, 2.5f);
    put_file(in_folder("k.exr"), f.bytes, f.count);
    OK(argand_picture_open(&like, in_folder("k.exr"), NULL));
    const argand_picture_info info = picture_info(1, 1, 1, ARGAND_SAMPLE_F32);
    put_picture(in_folder("l.exr"), &info, &(float){4}, like);
    argand_picture_close(like);
    size_t count;
    unsigned char *bytes = get_file(in_folder("l.exr"), &count);
    assert_non_null(memmem(bytes, count, "owner\0string\0\5\0\0\0Jean!", 22));
    free(bytes);
}

/* gamma 1 is light itself, whatever sRGB says; a power is a power. */
static void test_png_gamma(void **state)
{
    (void)state;
    argand_picture_info info = picture_info(5, 1, 1, ARGAND_SAMPLE_U16), found;
    const float light[5] = {0, 0.001f, 0.25f, 0.5f, 1};
    for (int i = 0; i < 2; i++) {
        info.transfer = i ? ARGAND_TRANSFER_POWER : ARGAND_TRANSFER_LINEAR;
        info.gamma = 0.6;
        put_picture(in_folder("g.png"), &info, light, NULL);
        float *back = get_picture(in_folder("g.png"), &found);
        assert_int_equal(found.transfer, info.transfer);
        for (int k = 0; k < 5; k++) {
            const double code =
                floor(65535 * (i ? pow((double)light[k], 0.6) : (double)light[k]) + 0.5) / 65535;
            CHECK_BELOW(fabs((double)back[k] - (i ? pow(code, 1 / 0.6) : code)), 1e-6);
        }
        free(back);
        /* as stored: the codes themselves */
        argand_picture *p;
        float codes[5];
        OK(argand_picture_open(&p, in_folder("g.png"), &(argand_picture_options){.stored = true}));
        OK(argand_picture_read(p, 1, codes, NULL));
        argand_picture_close(p);
        CHECK_BELOW(fabs((double)codes[2] - (i ? pow(0.25, 0.6) : 0.25)), 1e-5);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_halves),         cmocka_unit_test(test_curve),
        cmocka_unit_test(test_round_trips),    cmocka_unit_test(test_arrays),
        cmocka_unit_test(test_png_light),      cmocka_unit_test(test_pfm_bytes),
        cmocka_unit_test(test_exr_bytes),      cmocka_unit_test(test_tiff_bytes),
        cmocka_unit_test(test_texts_go_along), cmocka_unit_test(test_png_gamma),
        cmocka_unit_test(test_exr_chroma),     cmocka_unit_test(test_png_kinds),
    };
    if (argand_device_open(&device, argc > 1 ? argv[1] : "cpu")) return 77;
    const int failed = cmocka_run_group_tests(tests, folder_open, folder_close);
    argand_device_close(device);
    const long left = argand_test_live_allocations();
    if (left) printf("%ld allocations were not freed\n", left);
    return failed || left;
}
