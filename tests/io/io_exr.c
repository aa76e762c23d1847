/* SPDX-License-Identifier: BSD-3-Clause */
/* OpenEXR as other programs write it: tiles, layers, channels of several types, attributes of all kinds. The
 * files are put together by hand. */
#include "raster_case.h"

/* One chunk of plain samples: where it stands, then a line of each channel after the other. */
static void add_tile(file_bytes *f, int x, int y, int wide, int tall)
{
    const int place[4] = {x, y, 0, 0};
    for (int i = 0; i < 4; i++) add_number(f, (uint64_t)place[i], 4, false);
    add_number(f, (uint64_t)(4 * wide * tall), 4, false);
    for (int row = 0; row < tall; row++)
        for (int column = 0; column < wide; column++)
            add_float(f, (float)(100 * (4 * y + row) + 4 * x + column));
}

/* Attributes that say how samples are stored, as multi-part writers put them into every file. */
static void add_storage(file_bytes *f, int tiles)
{
    add_attribute(f, "tiles", "tiledesc", 9);
    add_number(f, 4, 4, false);
    add_number(f, 4, 4, false);
    add_number(f, 0, 1, false);
    add_attribute(f, "type", "string", 10);
    add_bytes(f, "tiledimage", 10);
    add_attribute(f, "chunkCount", "int", 4);
    add_number(f, (uint64_t)tiles, 4, false);
}

static void add_texts(file_bytes *f)
{
    add_attribute(f, "owner", "string", 5);
    add_bytes(f, "Jean!", 5);
    add_attribute(f, "aperture", "float", 4);
    add_float(f, 2.8f);
    add_attribute(f, "frame", "int", 4);
    add_number(f, 77, 4, false);
    add_attribute(f, "worldOrigin", "v3f", 12);
    for (int i = 0; i < 3; i++) add_float(f, (float)(5 + i));
    add_attribute(f, "framesPerSecond", "rational", 8);
    add_number(f, 24000, 4, false);
    add_number(f, 1001, 4, false);
    add_attribute(f, "multiView", "stringvector", 13);
    add_bytes(f, "\4\0\0\0left\1\0\0\0r", 13);
    add_attribute(f, "mine", "oddity", 3);
    add_bytes(f, "abc", 3);
}

/* Bytes of a file that stand after those of `name` and `type` and their size. */
static void check_text(const unsigned char *bytes, size_t count, const char *name, const char *type,
                       const void *value, size_t size)
{
    file_bytes wanted = {{0}, 0};
    add_attribute(&wanted, name, type, (unsigned)size);
    add_bytes(&wanted, value, size);
    if (!memmem(bytes, count, wanted.bytes, wanted.count)) fail_msg("%s of type %s is not there", name, type);
}

/* A picture that is made like one in tiles has lines, and keeps the words alone. */
static void tiles_and_texts(void **state)
{
    (void)state;
    enum { W = 10, H = 6, TILES = 6 };
    static const char *const channels[] = {"Y"};
    file_bytes f = {{0}, 0};
    argand_picture *like;
    argand_picture_info info;
    size_t count;
    if (!has_format("t.exr")) return;
    exr_header(&f, channels, 1, 2, W, H);
    f.bytes[5] |= 2; /* it is in tiles */
    f.count--;
    add_storage(&f, TILES);
    add_texts(&f);
    add_number(&f, 0, 1, false);
    uint64_t at = f.count + 8 * TILES;
    for (int i = 0; i < TILES; i++) {
        add_number(&f, at, 8, false);
        at += (uint64_t)(20 + 4 * (i % 3 == 2 ? 2 : 4) * (i / 3 ? 2 : 4));
    }
    for (int i = 0; i < TILES; i++) add_tile(&f, i % 3, i / 3, i % 3 == 2 ? 2 : 4, i / 3 ? 2 : 4);
    put_file(in_folder("t.exr"), f.bytes, f.count);
    float *read = get_picture(in_folder("t.exr"), &info);
    for (int i = 0; i < W * H; i++) assert_true(read[i] == (float)(100 * (i / W) + i % W));
    OK(argand_picture_open(&like, in_folder("t.exr"), NULL));
    put_picture(in_folder("u.exr"), &info, read, like);
    argand_picture_close(like);
    float *again = get_picture(in_folder("u.exr"), &info);
    assert_memory_equal(read, again, W * H * sizeof *read);
    free(read);
    free(again);
    unsigned char *bytes = get_file(in_folder("u.exr"), &count);
    assert_null(memmem(bytes, count, "tiledimage", 10));
    assert_null(memmem(bytes, count, "tiledesc", 8));
    const float aperture = 2.8f, origin[3] = {5, 6, 7};
    check_text(bytes, count, "owner", "string", "Jean!", 5);
    check_text(bytes, count, "aperture", "float", &aperture, 4);
    check_text(bytes, count, "frame", "int", "M\0\0\0", 4);
    check_text(bytes, count, "worldOrigin", "v3f", origin, 12);
    check_text(bytes, count, "framesPerSecond", "rational", "\xc0\x5d\0\0\xe9\3\0\0", 8);
    check_text(bytes, count, "multiView", "stringvector", "\4\0\0\0left\1\0\0\0r", 13);
    check_text(bytes, count, "mine", "oddity", "abc", 3);
    free(bytes);
}

/* Of several layers, and of halves next to floats without compression (fewer bytes than floats alone): the
 * picture's own layer first, in each layer colours before coverage before the rest. */
static void layers(void **state)
{
    (void)state;
    enum { CHANNELS = 8, HALVES = 4 };
    static const char *const stored[CHANNELS] = {"A", "B",        "G",        "N.X",
                                                 "R", "beauty.B", "beauty.G", "beauty.R"};
    static const char *const wanted[CHANNELS] = {"R",   "G",        "B",        "A",
                                                 "N.X", "beauty.R", "beauty.G", "beauty.B"};
    static const int from[CHANNELS] = {4, 2, 1, 0, 3, 7, 6, 5};
    file_bytes f = {{0}, 0};
    argand_picture_info info;
    if (!has_format("n.exr")) return;
    exr_header(&f, stored, CHANNELS, 2, 60, 1);
    for (int c = 0; c < HALVES; c++) { /* the type stands behind the name, which the list has as its first */
        unsigned char *name = memmem(f.bytes + 28, f.count - 28, stored[c], strlen(stored[c]) + 1);
        assert_non_null(name);
        name[strlen(stored[c]) + 1] = 1;
    }
    add_number(&f, f.count + 8, 8, false);
    add_number(&f, 0, 4, false);
    add_number(&f, 60 * (2 * HALVES + 4 * (CHANNELS - HALVES)), 4, false);
    for (int c = 0; c < CHANNELS; c++)
        for (int x = 0; x < 60; x++)
            if (c < HALVES)
                add_number(&f, (uint64_t)(0x3c00 + 16 * c + x % 16), 2, false); /* 1 + (16 c + x) / 1024 */
            else
                add_float(&f, (float)(100 * c + x));
    put_file(in_folder("n.exr"), f.bytes, f.count);
    float *read = get_picture(in_folder("n.exr"), &info);
    assert_int_equal(info.channels, CHANNELS);
    assert_int_equal(info.alpha, 3);
    assert_int_equal(info.light, 0xe7);
    for (int c = 0; c < CHANNELS; c++) {
        assert_string_equal(info.names[c], wanted[c]);
        for (int x = 0; x < 60; x++) {
            const double half = 1 + (16 * from[c] + x % 16) / 1024.0;
            assert_true((double)read[60 * c + x] == (from[c] < HALVES ? half : 100 * from[c] + x));
        }
    }
    put_picture(in_folder("m.exr"), &info, read, NULL);
    free(read);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(tiles_and_texts), cmocka_unit_test(layers)};
    if (argand_device_open(&device, argc > 1 ? argv[1] : "cpu")) return 77;
    const int failed = cmocka_run_group_tests(tests, folder_open, folder_close);
    argand_device_close(device);
    const long left = argand_test_live_allocations();
    if (left) printf("%ld allocations were not freed\n", left);
    return failed || left;
}
