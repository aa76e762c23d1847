/* SPDX-License-Identifier: BSD-3-Clause */
/* TIFF of few bits, of palettes and of doubles, put together by hand; the truth is the standard's (TIFF 6.0,
 * sections 3, 4, 5 and 15) and sRGB's formula. What is not read is refused with a remedy. */
#include "io/raster_case.h"

enum { COLUMNS = 5, ROWS = 3, TABLE = 512 }; /* size of the picture; where a table of colours begins */

static const unsigned char codes[ROWS][COLUMNS] = {{0, 1, 1, 0, 1}, {3, 2, 1, 0, 3}, {15, 9, 6, 2, 12}};

typedef struct layout {
    uint32_t bits, format, photometric, channels, orientation;
    bool big, tiled;
} layout;

/* A row of codes, each of `bits`, the first in the highest ones; `columns` includes what pads a tile. */
static void add_row(file_bytes *f, const unsigned char *row, uint32_t bits, int columns)
{
    unsigned byte = 0, filled = 0;
    for (int x = 0; x < columns; x++) {
        const unsigned code = x < COLUMNS ? row[x] & ((1u << bits) - 1) : 0;
        byte = byte << bits | code;
        filled += bits;
        if (filled == 8 || x == columns - 1) add_number(f, byte << (8 - filled), 1, true);
        if (filled == 8) byte = filled = 0;
    }
}

static void put_tiff(const char *name, layout with, const uint16_t table[3][16])
{
    const uint32_t side = with.tiled ? 16 : 0, per = 1u << with.bits;
    const uint32_t bytes = with.tiled ? 16 * 16 * with.bits / 8 : ROWS * ((COLUMNS * with.bits + 7) / 8);
    const uint32_t tags[][4] = {{256, 4, 1, COLUMNS},
                                {257, 4, 1, ROWS},
                                {258, 3, 1, with.bits},
                                {259, 3, 1, 1},
                                {262, 3, 1, with.photometric},
                                {with.tiled ? 0 : 273, 4, 1, 256},
                                {with.orientation ? 274 : 0, 3, 1, with.orientation},
                                {277, 3, 1, with.channels ? with.channels : 1},
                                {with.tiled ? 0 : 278, 4, 1, ROWS},
                                {with.tiled ? 0 : 279, 4, 1, bytes},
                                {table ? 320 : 0, 4, 3 * per, TABLE},
                                {with.tiled ? 322 : 0, 4, 1, side},
                                {with.tiled ? 323 : 0, 4, 1, side},
                                {with.tiled ? 324 : 0, 4, 1, 256},
                                {with.tiled ? 325 : 0, 4, 1, bytes},
                                {with.format ? 339 : 0, 3, 1, with.format}};
    uint32_t entries[16][4];
    unsigned count = 0;
    for (int i = 0; i < 16; i++)
        if (tags[i][0]) memcpy(entries[count++], tags[i], sizeof *tags);
    file_bytes f = {{0}, 0};
    tiff_header(&f, with.big, (const uint32_t(*)[4])entries, count);
    for (unsigned i = 0; i < count; i++) /* numbers of 2 bytes, but their place has 4 */
        if (entries[i][0] == 320) f.bytes[10 + 12 * i + 2 + with.big] = 3;
    while (f.count < 256) add_number(&f, 0, 1, true);
    for (int y = 0; y < (with.tiled ? 16 : ROWS); y++)
        add_row(&f, codes[y < ROWS ? y : 0], with.bits, with.tiled ? 16 : COLUMNS);
    while (f.count < TABLE) add_number(&f, 0, 1, true);
    for (int c = 0; c < 3 && table; c++)
        for (uint32_t i = 0; i < per; i++) add_number(&f, table[c][i], 2, with.big);
    put_file(in_folder(name), f.bytes, f.count);
}

static void expect_note(const char *name, const char *text)
{
    argand_picture *p;
    OK(argand_picture_open(&p, in_folder(name), NULL));
    assert_non_null(strstr(argand_picture_note(p), text));
    argand_picture_close(p);
}

static void test_few_bits(void **state)
{
    (void)state;
    if (!has_format("b.tif")) return;
    for (int i = 0; i < 12; i++) { /* 1, 2, 4 bits; white is 0, or black; strips or tiles */
        const uint32_t bits = 1u << i % 3, most = (1u << bits) - 1;
        const bool inverted = i / 3 % 2;
        argand_picture_info info;
        put_tiff("b.tif", (layout){.bits = bits, .photometric = !inverted, .big = i % 2, .tiled = i / 6},
                 NULL);
        float *read = get_picture(in_folder("b.tif"), &info);
        assert_int_equal(info.sample, ARGAND_SAMPLE_U8);
        assert_int_equal(info.channels, 1);
        for (int k = 0; k < ROWS * COLUMNS; k++) {
            const uint32_t code = codes[k / COLUMNS][k % COLUMNS] & most;
            CHECK_BELOW(
                fabs((double)read[k] - argand_srgb_decode((inverted ? most - code : code) / (double)most)),
                1e-6);
        }
        free(read);
    }
    expect_note("b.tif", "its samples of 4 bits are read as those of 8");
}

/* Orientation 6: the stored first row is at the right, its first pixel at the top. */
static void test_orientation(void **state)
{
    (void)state;
    argand_picture_info info;
    if (!has_format("t.tif")) return;
    put_tiff("t.tif", (layout){.bits = 4, .photometric = 1, .orientation = 6}, NULL);
    float *read = get_picture(in_folder("t.tif"), &info);
    assert_int_equal(info.width, ROWS);
    for (int y = 0; y < COLUMNS; y++)
        for (int x = 0; x < ROWS; x++)
            CHECK_BELOW(fabs((double)read[y * ROWS + x] - argand_srgb_decode(codes[ROWS - 1 - x][y] / 15.0)),
                        1e-6);
    free(read);
}

/* Tables of 16 bits, of 8 in the standard's two forms, and of 8 in the low byte, as some programs write. */
static void test_palettes(void **state)
{
    (void)state;
    if (!has_format("p.tif")) return;
    for (int i = 0; i < 8; i++) {
        static const unsigned scales[4] = {257, 256, 1, 4099};
        uint16_t table[3][16];
        const unsigned scale = scales[i % 4];
        const double most = scale == 4099 ? 65535 : 255;
        argand_picture_info info;
        for (unsigned c = 0; c < 3; c++)
            for (unsigned k = 0; k < 16; k++)
                table[c][k] = (uint16_t)((scale == 4099 ? k : 17 * ((k * (c + 1)) % 16)) * scale);
        put_tiff("p.tif", (layout){.bits = 4, .photometric = 3, .big = i % 2, .tiled = i / 4}, table);
        float *read = get_picture(in_folder("p.tif"), &info);
        assert_int_equal(info.sample, scale == 4099 ? ARGAND_SAMPLE_U16 : ARGAND_SAMPLE_U8);
        assert_int_equal(info.channels, 3);
        for (int k = 0; k < 3 * ROWS * COLUMNS; k++) {
            const int c = k / (ROWS * COLUMNS), at = k % (ROWS * COLUMNS);
            const unsigned entry = table[c][codes[at / COLUMNS][at % COLUMNS]];
            CHECK_BELOW(
                fabs((double)read[k] - argand_srgb_decode((scale == 4099 ? entry : entry / scale) / most)),
                1e-6);
        }
        free(read);
    }
    expect_note("p.tif", "its palette of 16 colours is read as RGB");
}

static void test_doubles(void **state)
{
    (void)state;
    const double values[4] = {0, 0.1, -2.5, 1e5};
    argand_picture_info info;
    if (!has_format("d.tif")) return;
    for (int big = 0; big < 2; big++) {
        const uint32_t entries[][4] = {{256, 4, 1, 2}, {257, 4, 1, 2}, {258, 3, 1, 64},
                                       {259, 3, 1, 1}, {262, 3, 1, 1}, {273, 4, 1, 8 + 2 + 10 * 12 + 4},
                                       {277, 3, 1, 1}, {278, 4, 1, 2}, {279, 4, 1, 32},
                                       {339, 3, 1, 3}};
        file_bytes f = {{0}, 0};
        tiff_header(&f, big, entries, 10);
        for (int k = 0; k < 4; k++) {
            uint64_t bits;
            memcpy(&bits, values + k, 8);
            add_number(&f, bits, 8, big);
        }
        put_file(in_folder("d.tif"), f.bytes, f.count);
        float *read = get_picture(in_folder("d.tif"), &info);
        assert_int_equal(info.sample, ARGAND_SAMPLE_F32);
        for (int k = 0; k < 4; k++) assert_true(read[k] == (float)values[k]);
        free(read);
    }
    expect_note("d.tif", "double precision is rounded to single");
}

static void refuse(layout with, argand_status status, const char *text)
{
    argand_picture *p;
    static const uint16_t table[3][16];
    put_tiff("r.tif", with, with.channels == 2 ? table : NULL);
    FAILS(argand_picture_open(&p, in_folder("r.tif"), NULL), status, text);
}

static void test_refused(void **state)
{
    (void)state;
    if (!has_format("r.tif")) return;
    refuse((layout){.bits = 8, .format = 2, .photometric = 1}, ARGAND_UNSUPPORTED, "8 bits; ");
    refuse((layout){.bits = 8, .format = 2, .photometric = 1}, ARGAND_UNSUPPORTED,
           "write it again as floats");
    refuse((layout){.bits = 6, .photometric = 1}, ARGAND_UNSUPPORTED, "whole numbers of 6 bits");
    refuse((layout){.bits = 4, .photometric = 3}, ARGAND_FORMAT, "\"Colormap\"");
    refuse((layout){.bits = 4, .photometric = 3, .channels = 2}, ARGAND_UNSUPPORTED, "as RGB");
    refuse((layout){.bits = 8, .photometric = 5, .channels = 4}, ARGAND_UNSUPPORTED, "-colorspace sRGB");
}

/* Cut anywhere, or without memory: an error, and nothing is left. */
static void test_damaged(void **state)
{
    (void)state;
    uint16_t table[3][16] = {{0}};
    size_t count;
    if (!has_format("c.tif")) return;
    put_tiff("c.tif", (layout){.bits = 4, .photometric = 3}, table);
    unsigned char *bytes = get_file(in_folder("c.tif"), &count);
    for (size_t cut = 0; cut < count; cut += 9) {
        argand_picture *p;
        float row[3 * COLUMNS * ROWS];
        put_file(in_folder("c.tif"), bytes, cut);
        argand_status status = argand_picture_open(&p, in_folder("c.tif"), NULL);
        if (status == ARGAND_OK) status = argand_picture_read(p, ROWS, row, NULL);
        argand_picture_close(p);
        assert_int_equal(status, ARGAND_FORMAT);
    }
    put_file(in_folder("c.tif"), bytes, count);
    free(bytes);
    const long before = argand_test_live_allocations();
    argand_status status = ARGAND_MEMORY;
    for (long n = 1; status; n++) {
        argand_picture *p;
        argand_test_fail_allocation(n);
        status = argand_picture_open(&p, in_folder("c.tif"), NULL);
        argand_test_fail_allocation(0);
        assert_true(status == ARGAND_OK || status == ARGAND_MEMORY);
        argand_picture_close(p);
        assert_int_equal(argand_test_live_allocations(), before);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_few_bits), cmocka_unit_test(test_orientation), cmocka_unit_test(test_palettes),
    cmocka_unit_test(test_doubles),  cmocka_unit_test(test_refused),     cmocka_unit_test(test_damaged),
};

IO_TESTS(tests)
