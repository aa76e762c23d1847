/* SPDX-License-Identifier: BSD-3-Clause */
/* What strangers' pictures say besides their samples: orientation, colour profile, coding, further pages,
 * multiplied alpha. Files are put together by hand; the truth is their own standard's formula. */
#include "io/raster_case.h"

#include "io/raster/raster.h"

static uint32_t crc(const unsigned char *bytes, size_t count)
{
    uint32_t sum = UINT32_MAX;
    for (size_t i = 0; i < count; i++) {
        sum ^= bytes[i];
        for (int bit = 0; bit < 8; bit++) sum = sum >> 1 ^ (sum & 1 ? 0xedb88320 : 0);
    }
    return ~sum;
}

/* A PNG of 2 x 3 grey pixels of codes 0, 40, ... 200, with a chunk in the place of sRGB's. */
static void put_png(const char *name, const char *chunk, const void *bytes, size_t count)
{
    enum { BEGIN = 33, SRGB = 13 }; /* after IHDR; the chunk that Argand writes */
    argand_picture_info info = picture_info(2, 3, 1, ARGAND_SAMPLE_U8);
    float light[6];
    size_t all;
    file_bytes f = {{0}, 0};
    for (int i = 0; i < 6; i++) light[i] = (float)argand_srgb_decode(40 * i / 255.0);
    put_picture(in_folder(name), &info, light, NULL);
    unsigned char *file = get_file(in_folder(name), &all);
    assert_memory_equal(file + BEGIN + 4, "sRGB", 4);
    add_bytes(&f, file, BEGIN);
    add_number(&f, count, 4, true);
    add_bytes(&f, chunk, 4);
    add_bytes(&f, bytes, count);
    add_number(&f, crc(f.bytes + BEGIN + 4, count + 4), 4, true);
    add_bytes(&f, file + BEGIN + SRGB, all - BEGIN - SRGB);
    put_file(in_folder(name), f.bytes, f.count);
    free(file);
}

static void expect_note(const char *name, const char *text)
{
    argand_picture *p;
    OK(argand_picture_open(&p, in_folder(name), NULL));
    if (text && !strstr(argand_picture_note(p), text)) print_error("note: %s\n", argand_picture_note(p));
    assert_true(text ? strstr(argand_picture_note(p), text) != NULL : !*argand_picture_note(p));
    argand_picture_close(p);
}

/* Orientation 6: the stored first row is at the right, its first pixel at the top. */
static void check_upright(const char *name)
{
    static const int codes[6] = {160, 80, 0, 200, 120, 40};
    argand_picture_info info;
    float *read = get_picture(in_folder(name), &info);
    assert_int_equal(info.width, 3);
    assert_int_equal(info.height, 2);
    for (int i = 0; i < 6; i++) {
        const double code = codes[i] / 255.0;
        CHECK_BELOW(fabs((double)read[i] - argand_srgb_decode(code)), 1e-6);
    }
    free(read);
    expect_note(name, "orientation 6");
}

static void test_png_orientation(void **state)
{
    (void)state;
    static const unsigned char exif[] = "MM\0*\0\0\0\x08\0\1\x01\x12\0\3\0\0\0\1\0\6\0\0\0\0\0";
    put_png("o.png", "eXIf", exif, 26);
    check_upright("o.png");
    put_png("o.png", "eXIf", exif, 9); /* cut */
    expect_note("o.png", NULL);
}

static void test_png_coding(void **state)
{
    (void)state;
    argand_picture_info info;
    argand_picture *p;
    put_png("c.png", "cICP", "\1\10\0\1", 4);
    float *read = get_picture(in_folder("c.png"), &info);
    assert_int_equal(info.transfer, ARGAND_TRANSFER_LINEAR);
    CHECK_BELOW(fabs((double)read[2] - 80 / 255.0), 1e-6);
    free(read);
    for (int hdr = 16; hdr <= 18; hdr += 2) {
        put_png("c.png", "cICP", (unsigned char[]){9, (unsigned char)hdr, 0, 1}, 4);
        FAILS(argand_picture_open(&p, in_folder("c.png"), NULL), ARGAND_UNSUPPORTED,
              hdr == 16 ? "PQ" : "HLG");
        OK(argand_picture_open(&p, in_folder("c.png"), &(argand_picture_options){.stored = true}));
        argand_picture_close(p);
    }
    put_png("c.png", "cICP", "\1\1\0\1", 4);
    expect_note("c.png", "taken as sRGB");
    put_png("c.png", "cICP", "\1\15\0\0", 4);
    expect_note("c.png", "narrow range");
    put_png("c.png", "acTL", "\0\0\0\2\0\0\0\0", 8);
    expect_note("c.png", "animation");
}

/* Other primaries without a word of the curve: the copy keeps them. libpng refuses sRGB with them. */
static void test_png_primaries(void **state)
{
    (void)state;
    argand_picture_info info;
    argand_picture *like;
    file_bytes values = {{0}, 0};
    static const unsigned adobe[8] = {31270, 32900, 64000, 33000, 21000, 71000, 15000, 6000};
    for (int i = 0; i < 8; i++) add_number(&values, adobe[i], 4, true);
    put_png("p.png", "cHRM", values.bytes, values.count);
    float *read = get_picture(in_folder("p.png"), &info);
    OK(argand_picture_open(&like, in_folder("p.png"), NULL));
    put_picture(in_folder("q.png"), &info, read, like);
    argand_picture_close(like);
    float *again = get_picture(in_folder("q.png"), &info);
    assert_memory_equal(read, again, 6 * sizeof *read);
    size_t count;
    unsigned char *bytes = get_file(in_folder("q.png"), &count);
    assert_non_null(memmem(bytes, count, values.bytes, values.count));
    free(bytes);
    free(read);
    free(again);
}

/* A profile and texts that libpng reads with a warning and refuses to write: the copy has the profile. */
static void test_png_doubtful(void **state)
{
    (void)state;
    argand_picture_info info;
    argand_picture *like;
    unsigned char profile[160] = {0};
    size_t count;
    file_bytes head = {{0}, 0};
    add_number(&head, 132, 4, true);
    add_number(&head, 0, 4, true);
    add_number(&head, 0x02000000, 4, true); /* version 2 */
    add_bytes(&head, "mntrGRAYXYZ ", 12);
    memcpy(profile, head.bytes, head.count);
    memcpy(profile + 36, "acsp", 4);
    profile[67] = 7; /* no such rendering intent */
    memcpy(profile + 68, "\0\0\xf6\xd6\0\1\0\0\0\0\xd3\x2d", 12);
    file_bytes chunk = {{0}, 0}; /* name, method, and the profile as a stored block of deflate */
    add_bytes(&chunk, "x\0\0\x78\1\1\x84\0\x7b\xff", 10);
    add_bytes(&chunk, profile, 132);
    uint32_t low = 1, high = 0;
    for (int i = 0; i < 132; i++) {
        low = (low + profile[i]) % 65521;
        high = (high + low) % 65521;
    }
    add_number(&chunk, high << 16 | low, 4, true);
    for (int kind = 0; kind < 2; kind++) {
        if (kind)
            put_png("d.png", "tEXt", "  \0text", 7);
        else
            put_png("d.png", "iCCP", chunk.bytes, chunk.count);
        float *read = get_picture(in_folder("d.png"), &info);
        OK(argand_picture_open(&like, in_folder("d.png"), NULL));
        put_picture(in_folder("e.png"), &info, read, like);
        argand_picture_close(like);
        unsigned char *bytes = get_file(in_folder("e.png"), &count);
        assert_int_equal(memmem(bytes, count, "iCCP", 4) != NULL, !kind);
        free(bytes);
        free(read);
    }
}

/* ---- profiles ---- */

/* An ICC profile of one tag, the curve of red. */
static size_t make_profile(unsigned char *to, const void *curve, size_t count)
{
    file_bytes f = {{0}, 128};
    add_number(&f, 1, 4, true);
    add_bytes(&f, "rTRC", 4);
    add_number(&f, 144, 4, true);
    add_number(&f, count, 4, true);
    add_bytes(&f, curve, count);
    memcpy(to, f.bytes, f.count);
    return f.count;
}

static void expect_curve(const void *curve, size_t count, argand_transfer transfer, double gamma, bool noted)
{
    unsigned char bytes[8192];
    const size_t all = make_profile(bytes, curve, count);
    argand_picture p = {.info.transfer = ARGAND_TRANSFER_SRGB};
    raster_use_profile(&p, bytes, all);
    assert_int_equal(p.info.transfer, transfer);
    if (transfer == ARGAND_TRANSFER_POWER) CHECK_BELOW(fabs(p.info.gamma - gamma), 1e-6);
    assert_int_equal(*p.note != 0, noted);
    for (size_t cut = 0; cut < all; cut += cut < 200 ? 1 : 97) { /* nothing is read beyond the end */
        unsigned char *part = malloc(cut + !cut);
        assert_non_null(part);
        memcpy(part, bytes, cut);
        argand_picture q = {.info.transfer = ARGAND_TRANSFER_SRGB};
        raster_use_profile(&q, part, cut);
        free(part);
    }
}

static void test_profiles(void **state)
{
    (void)state;
    file_bytes table = {{0}, 0}, srgb = {{0}, 0};
    expect_curve("curv\0\0\0\0\0\0\0\0", 12, ARGAND_TRANSFER_LINEAR, 1, false);
    expect_curve("curv\0\0\0\0\0\0\0\1\2\x33", 14, ARGAND_TRANSFER_POWER, 256.0 / 0x233,
                 false); /* Adobe RGB */
    expect_curve("para\0\0\0\0\0\0\0\0\0\1\xcc\xcd", 16, ARGAND_TRANSFER_POWER, 65536.0 / 0x1cccd, false);
    add_bytes(&srgb, "para\0\0\0\0\0\3\0\0", 12);
    const double numbers[5] = {2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045};
    for (int i = 0; i < 5; i++) add_number(&srgb, (uint64_t)(numbers[i] * 65536 + 0.5), 4, true);
    expect_curve(srgb.bytes, srgb.count, ARGAND_TRANSFER_SRGB, 0, false);
    for (int kind = 0; kind < 3; kind++) {
        table.count = 0;
        add_bytes(&table, "curv\0\0\0\0", 8);
        add_number(&table, 1024, 4, true);
        for (int i = 0; i < 1024; i++) {
            const double code = i / 1023.0, light = kind == 0   ? argand_srgb_decode(code)
                                                    : kind == 1 ? code
                                                                : code * code * code;
            add_number(&table, (uint64_t)(light * 65535 + 0.5), 2, true);
        }
        expect_curve(table.bytes, table.count, kind == 1 ? ARGAND_TRANSFER_LINEAR : ARGAND_TRANSFER_SRGB, 0,
                     kind == 2);
    }
    expect_curve("mft2\0\0\0\0\0\0\0\0", 12, ARGAND_TRANSFER_SRGB, 0, true);
}

/* ---- TIFF ---- */

/* A TIFF of 8-bit samples in one strip. more: an entry that is added, or that stands for one of the same
 * tag. */
static void put_tiff(const char *name, const unsigned char *codes, uint32_t width, uint32_t height,
                     uint32_t channels, const uint32_t *more, bool another)
{
    const uint32_t bytes = width * height * channels, colour = channels > 2 ? 2 : 1;
    uint32_t entries[10][4] = {{256, 4, 1, width},    {257, 4, 1, height},
                               {258, 3, 1, 8},        {259, 3, 1, 1},
                               {262, 3, 1, colour},   {273, 4, 1, 0},
                               {277, 3, 1, channels}, {278, 4, 1, height},
                               {279, 4, 1, bytes},    {0}};
    unsigned count = 9, at = 0;
    while (more && at < 9 && entries[at][0] < more[0]) at++;
    if (more && entries[at][0] != more[0]) { /* entries are in the order of their tags */
        memmove(entries + at + 1, entries + at, (9 - at) * sizeof *entries);
        count++;
    }
    if (more) memcpy(entries[at], more, sizeof *entries);
    for (unsigned i = 0; i < count; i++)
        if (entries[i][0] == 273) entries[i][3] = 10 + count * 12 + 4;
    file_bytes f = {{0}, 0};
    tiff_header(&f, false, (const uint32_t(*)[4])entries, count);
    if (another) f.bytes[f.count - 4] = 8; /* the next directory is this one again */
    add_bytes(&f, codes, bytes);
    put_file(in_folder(name), f.bytes, f.count);
}

static const unsigned char six[6] = {0, 40, 80, 120, 160, 200};

static void test_tiff_orientation(void **state)
{
    (void)state;
    argand_picture *like;
    argand_picture_info info;
    if (!has_format("o.tif")) return;
    put_tiff("o.tif", six, 2, 3, 1, (uint32_t[]){274, 3, 1, 6}, false);
    check_upright("o.tif");
    /* the copy is upright, and says so */
    float *read = get_picture(in_folder("o.tif"), &info);
    OK(argand_picture_open(&like, in_folder("o.tif"), NULL));
    put_picture(in_folder("p.tif"), &info, read, like);
    argand_picture_close(like);
    float *again = get_picture(in_folder("p.tif"), &info);
    assert_int_equal(info.width, 3);
    assert_memory_equal(read, again, 6 * sizeof *read);
    expect_note("p.tif", NULL);
    free(read);
    free(again);
}

static void test_tiff_pages(void **state)
{
    (void)state;
    if (!has_format("p.tif")) return;
    put_tiff("p.tif", six, 2, 3, 1, NULL, false);
    expect_note("p.tif", NULL);
    put_tiff("p.tif", six, 2, 3, 1, NULL, true);
    expect_note("p.tif", "the first picture of several");
    put_tiff("p.tif", six, 2, 3, 1, (uint32_t[]){254, 4, 1, 1}, true);
    expect_note("p.tif", "a reduced copy");
}

/* Colours are stored as code times alpha: white at half coverage is 128, not the code of half the light. */
static void test_tiff_multiplied(void **state)
{
    (void)state;
    static const unsigned char codes[12] = {128, 64, 0, 128, 255, 100, 30, 255, 0, 0, 0, 0};
    argand_picture *like;
    argand_picture_info info;
    if (!has_format("m.tif")) return;
    put_tiff("m.tif", codes, 3, 1, 4, (uint32_t[]){338, 3, 1, 1}, false);
    float *read = get_picture(in_folder("m.tif"), &info);
    assert_true(info.associated);
    for (int x = 0; x < 3; x++)
        for (int c = 0; c < 3; c++) {
            const double alpha = codes[4 * x + 3] / 255.0,
                         code = alpha > 0 ? codes[4 * x + c] / 255.0 / alpha : 0;
            CHECK_BELOW(fabs((double)read[3 * c + x] - alpha * argand_srgb_decode(code)), 1e-6);
        }
    OK(argand_picture_open(&like, in_folder("m.tif"), NULL));
    put_picture(in_folder("n.tif"), &info, read, like);
    argand_picture_close(like);
    float *again = get_picture(in_folder("n.tif"), &info);
    assert_memory_equal(read, again, 12 * sizeof *read);
    free(read);
    free(again);
    put_tiff("m.tif", codes, 3, 1, 4, (uint32_t[]){338, 3, 1, 0}, false);
    expect_note("m.tif", "channel 4 has no description");
}

static void refuse(const uint32_t *entry, const char *text)
{
    argand_picture *p;
    put_tiff("r.tif", six, 2, 3, 1, entry, false);
    FAILS(argand_picture_open(&p, in_folder("r.tif"), NULL), ARGAND_UNSUPPORTED, text);
}

static void test_tiff_refused(void **state)
{
    (void)state;
    if (!has_format("r.tif")) return;
    refuse((uint32_t[]){259, 3, 1, 34712}, "JPEG 2000 (34712)");
    refuse((uint32_t[]){262, 3, 1, 8}, "CIE L*a*b*");
    refuse((uint32_t[]){262, 3, 1, 5}, "CMYK");
    refuse((uint32_t[]){339, 3, 1, 2}, "signed whole numbers of 8 bits");
    refuse((uint32_t[]){258, 3, 1, 3}, "whole numbers of 3 bits;");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_png_orientation), cmocka_unit_test(test_png_coding),
        cmocka_unit_test(test_png_primaries),   cmocka_unit_test(test_png_doubtful),
        cmocka_unit_test(test_profiles),        cmocka_unit_test(test_tiff_orientation),
        cmocka_unit_test(test_tiff_pages),      cmocka_unit_test(test_tiff_multiplied),
        cmocka_unit_test(test_tiff_refused),
    };
    if (argand_device_open(&device, argc > 1 ? argv[1] : "cpu")) return 77;
    const int failed = cmocka_run_group_tests(tests, folder_open, folder_close);
    argand_device_close(device);
    const long left = argand_test_live_allocations();
    if (left) printf("%ld allocations were not freed\n", left);
    return failed || left;
}
