/* SPDX-License-Identifier: BSD-3-Clause */
/* Pictures that are refused: cut off, lying about their size, not finite, of no known kind; failing memory.
 * A message that names the file, and nothing left. */
#include "raster_case.h"

#include <png.h>
#include <sys/stat.h>

static const char *const endings[] = {".exr", ".png", ".pfm", ".tif"};
enum { ENDINGS = 4 };

/* A small picture of the format. */
static void put_small(const char *path, int channels)
{
    const bool whole = strstr(path, ".png");
    const argand_picture_info info =
        picture_info(20, 40, channels, whole ? ARGAND_SAMPLE_U16 : ARGAND_SAMPLE_F32);
    float *samples = picture_samples(&info, 1, 5);
    put_picture(path, &info, samples, NULL);
    free(samples);
}

/* Opened and read to its end. */
static argand_status read_whole(const char *path)
{
    argand_picture *p;
    argand_array *array = NULL;
    argand_status status = argand_picture_open(&p, path, NULL);
    assert_true(status == ARGAND_OK ? p != NULL : p == NULL);
    if (status == ARGAND_OK) status = argand_picture_load(&array, p, device, ARGAND_R32, false);
    argand_picture_close(p);
    argand_array_destroy(array);
    return status;
}

static const char *named(const char *stem, const char *ending)
{
    char name[64];
    snprintf(name, sizeof name, "%s%s", stem, ending);
    return in_folder(name);
}

static void test_truncated(void **state)
{
    (void)state;
    for (int i = 0; i < ENDINGS; i++) {
        size_t count;
        if (!has_format(endings[i][0] == '.' ? named("a", endings[i]) : "")) continue;
        put_small(named("a", endings[i]), 3);
        unsigned char *bytes = get_file(named("a", endings[i]), &count);
        OK(read_whole(named("a", endings[i])));
        for (size_t cut = 0; cut + 13 < count; cut += cut < 200 ? 7 : count / 40) { /* 12 bytes: PNG's end */
            put_file(named("cut", endings[i]), bytes, cut);
            const argand_status status = read_whole(named("cut", endings[i]));
            if (status != ARGAND_FORMAT || !strstr(argand_message(), "cut."))
                fail_msg("%s cut at %zu of %zu: %d %s", endings[i], cut, count, (int)status,
                         argand_message());
        }
        free(bytes);
    }
}

/* A hundred gigabytes in a header. */
static void test_too_large(void **state)
{
    (void)state;
    static const char *const grey[] = {"Y"};
    file_bytes f = {{0}, 0};
    add_bytes(&f, "PF\n100000 90000\n-1\n1234567", 26);
    put_file(in_folder("g.pfm"), f.bytes, f.count);
    FAILS(read_whole(in_folder("g.pfm")), ARGAND_FORMAT, "108000000000 bytes");
    if (has_format("g.exr")) {
        f.count = 0;
        exr_header(&f, grey, 1, 2, 160000, 160000);
        add_bytes(&f, "some bytes that are no table of offsets", 39);
        put_file(in_folder("g.exr"), f.bytes, f.count);
        FAILS(read_whole(in_folder("g.exr")), ARGAND_FORMAT, "g.exr: ");
        f.count = 0;
        exr_header(&f, grey, 1, 2, 2000000000, 2000000000);
        put_file(in_folder("g.exr"), f.bytes, f.count);
        FAILS(read_whole(in_folder("g.exr")), ARGAND_FORMAT, "g.exr: ");
    }
    if (!has_format("g.tif")) return;
    const uint32_t entries[][4] = {{256, 4, 1, 200000}, {257, 4, 1, 500000}, {258, 3, 1, 8},
                                   {259, 3, 1, 1},      {262, 3, 1, 1},      {273, 4, 1, 122},
                                   {277, 3, 1, 1},      {278, 4, 1, 500000}, {279, 4, 1, 4}};
    f.count = 0;
    tiff_header(&f, false, entries, 9);
    add_bytes(&f, "abcd", 4);
    put_file(in_folder("g.tif"), f.bytes, f.count);
    FAILS(read_whole(in_folder("g.tif")), ARGAND_FORMAT, "100000000000 bytes");
}

/* A PNG header with the checksum that it should have. */
static void test_png_sizes(void **state)
{
    (void)state;
    static const struct {
        uint32_t width, height;
        const char *message;
    } sizes[] = {
        {300000, 300000, "the file's"}, {0, 5, "damaged"}, {5, 0, "damaged"}, {4000000, 1, "damaged"}};
    for (int i = 0; i < 4; i++) {
        file_bytes f = {{0}, 0};
        add_bytes(&f, "\x89PNG\r\n\x1a\n", 8);
        add_number(&f, 13, 4, true);
        add_bytes(&f, "IHDR", 4);
        add_number(&f, sizes[i].width, 4, true);
        add_number(&f, sizes[i].height, 4, true);
        add_bytes(&f, "\x08\x02\0\0\0", 5);
        uint32_t sum = 0xffffffff; /* CRC-32 of the chunk's name and data */
        for (size_t k = 12; k < f.count; k++) {
            sum ^= f.bytes[k];
            for (int bit = 0; bit < 8; bit++) sum = sum & 1 ? sum >> 1 ^ 0xedb88320 : sum >> 1;
        }
        add_number(&f, ~sum & 0xffffffff, 4, true);
        add_number(&f, 0, 4, true);
        add_bytes(&f, "IDAT\x35\xaf\x06\x1e", 8);
        put_file(in_folder("s.png"), f.bytes, f.count);
        FAILS(read_whole(in_folder("s.png")), ARGAND_FORMAT, sizes[i].message);
    }
}

static void test_pfm_heads(void **state)
{
    (void)state;
    static const struct {
        const char *head, *message;
    } heads[] = {{"", "is empty"},
                 {"P6\n2 2\n255\n....", "no portable float map"},
                 {"PF\n0 2\n-1\n....", "0 x 2 pixels"},
                 {"PF\n2 -2\n-1\n....", "2 x -2 pixels"},
                 {"PF\n2.5 2\n-1\n....", "2.5 x 2"},
                 {"PF\nnan 2\n-1\n....", "no width"},
                 {"PF\n2 2\n0\n....", "its scale is 0"},
                 {"PF\n2 2\nx\n....", "no scale"},
                 {"PF\n2", "no height"},
                 {"Pf\n2 2\n-1\n0123456789abcde", "truncated"}};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        put_file(in_folder("p.pfm"), heads[i].head, strlen(heads[i].head));
        FAILS(read_whole(in_folder("p.pfm")), ARGAND_FORMAT, heads[i].message);
    }
}

static void test_not_finite(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        argand_picture_info info = picture_info(3, 2, 1, ARGAND_SAMPLE_F32);
        const float samples[6] = {1, 2, 3, 4, i ? INFINITY : NAN, 6};
        argand_picture *p;
        float read[6];
        put_picture(in_folder("n.pfm"), &info, samples, NULL);
        FAILS(read_whole(in_folder("n.pfm")), ARGAND_NUMERIC,
              i ? "(1, 1) of channel Y is infinite" : "is NaN");
        OK(argand_picture_open(&p, in_folder("n.pfm"), &(argand_picture_options){.not_finite = true}));
        OK(argand_picture_read(p, 2, read, NULL));
        assert_true(i ? isinf(read[4]) : isnan(read[4]));
        argand_picture_close(p);
    }
}

static void test_kinds(void **state)
{
    (void)state;
    const argand_picture_info two = picture_info(3, 2, 2, ARGAND_SAMPLE_F32);
    argand_picture_info five = picture_info(3, 2, 4, ARGAND_SAMPLE_U8);
    argand_picture *p;
    five.channels = 5;
    FAILS(argand_picture_create(&p, in_folder("x.pfm"), &two, NULL), ARGAND_ARGUMENT, "2 channels");
    FAILS(argand_picture_create(&p, in_folder("x.png"), &two, NULL), ARGAND_ARGUMENT, "no floats");
    FAILS(argand_picture_create(&p, in_folder("x.png"), &five, NULL), ARGAND_ARGUMENT, "5 channels");
    FAILS(argand_picture_create(&p, in_folder("x.bmp"), &two, NULL), ARGAND_ARGUMENT, "no picture's ending");
    FAILS(argand_picture_open(&p, in_folder("x.bmp"), NULL), ARGAND_ARGUMENT, "known are .exr");
    FAILS(argand_picture_open(&p, in_folder("none.png"), NULL), ARGAND_FILE, "cannot be read");
    assert_int_equal(mkdir(in_folder("d.png"), 0700), 0);
    FAILS(argand_picture_open(&p, in_folder("d.png"), NULL), ARGAND_FILE, "is not a file");
    assert_int_equal(rmdir(in_folder("d.png")), 0);
    for (int i = 0; i < ENDINGS; i++) {
        if (argand_picture_lacks(endings[i])) continue;
        put_file(named("no", endings[i]), "this is a text and no picture at all", 36);
        FAILS(argand_picture_open(&p, named("no", endings[i]), NULL), ARGAND_FORMAT, "no.");
    }
    assert_true(argand_picture_is_known("a.EXR") && !argand_picture_is_known(".exr") &&
                !argand_picture_is_known("a.npy"));
}

/* Rows beyond the end, a picture that is not finished, an array of another shape. */
static void test_order(void **state)
{
    (void)state;
    const argand_picture_info info = picture_info(4, 3, 1, ARGAND_SAMPLE_F32);
    const float samples[16] = {0};
    float read[16];
    argand_picture *p;
    argand_array *array = noise(ARGAND_R32, 2, (int64_t[]){4, 4}, 1);
    folder_empty();
    OK(argand_picture_create(&p, in_folder("o.pfm"), &info, NULL));
    FAILS(argand_picture_write(p, 4, samples, NULL), ARGAND_ARGUMENT, "3 of 3 are left");
    FAILS(argand_picture_read(p, 1, read, NULL), ARGAND_ARGUMENT, "is open for writing");
    FAILS(argand_picture_save(p, array, false), ARGAND_ARGUMENT, "dimension 1");
    OK(argand_picture_write(p, 2, samples, NULL));
    FAILS(argand_picture_finish(p), ARGAND_ARGUMENT, "2 of 3 rows");
    argand_picture_close(p);
    assert_int_equal(folder_files(), 0);
    argand_array_destroy(array);
}

/* Each allocation fails in turn, in writing and in reading. */
static void test_memory(void **state)
{
    (void)state;
    for (int i = 0; i < ENDINGS; i++) {
        if (argand_picture_lacks(named("m", endings[i]))) continue;
        put_small(named("m", endings[i]), 3);
        const long before = argand_test_live_allocations();
        long n = 1;
        for (argand_status status = ARGAND_MEMORY; status; n++) {
            argand_test_fail_allocation(n);
            status = read_whole(named("m", endings[i]));
            argand_test_fail_allocation(0);
            assert_true(status == ARGAND_OK || status == ARGAND_MEMORY);
            assert_int_equal(argand_test_live_allocations(), before);
        }
        assert_true(n > 3);
        const argand_picture_info info = picture_info(4, 3, 1, i == 1 ? ARGAND_SAMPLE_U8 : ARGAND_SAMPLE_F32);
        const float samples[12] = {0};
        n = 1;
        for (argand_status status = ARGAND_MEMORY; status; n++) {
            argand_picture *p;
            argand_test_fail_allocation(n);
            status = argand_picture_create(&p, named("w", endings[i]), &info, NULL);
            if (status == ARGAND_OK) status = argand_picture_write(p, 3, samples, NULL);
            if (status == ARGAND_OK) status = argand_picture_finish(p);
            argand_picture_close(p);
            argand_test_fail_allocation(0);
            assert_true(status == ARGAND_OK || status == ARGAND_MEMORY);
            assert_int_equal(argand_test_live_allocations(), before);
        }
        assert_true(n > 2);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_truncated), cmocka_unit_test(test_too_large),  cmocka_unit_test(test_png_sizes),
    cmocka_unit_test(test_pfm_heads), cmocka_unit_test(test_not_finite), cmocka_unit_test(test_kinds),
    cmocka_unit_test(test_order),     cmocka_unit_test(test_memory),
};

IO_TESTS(tests)
