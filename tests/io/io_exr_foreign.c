/* SPDX-License-Identifier: BSD-3-Clause */
/* OpenEXR files that OpenEXR 3.5 wrote (tests/fuzz/make_corpus.py, which has the formulas): blocks of 32
 * lines and one line, stored raw or by every compression; whole numbers; several parts; long names. */
#include "raster_case.h"

#include <math.h>

enum { W = 5, H = 33, PIXELS = W * H };

/* A file of the corpus, as x.exr in the folder. */
static const char *corpus(const char *name)
{
    char path[512];
    size_t count;
    snprintf(path, sizeof path, "%s/%s", CORPUS, name);
    unsigned char *bytes = get_file(path, &count);
    put_file(in_folder("x.exr"), bytes, count);
    free(bytes);
    return in_folder("x.exr");
}

static int find_channel(const argand_picture_info *info, const char *name)
{
    for (int c = 0; c < info->channels; c++)
        if (!strcmp(info->names[c], name)) return c;
    fail_msg("there is no channel %s", name);
    return -1;
}

/* All samples with options; free() them. */
static float *get_with(const char *path, argand_picture_info *info, const argand_picture_options *options)
{
    argand_picture *p;
    OK(argand_picture_open(&p, path, options));
    OK(argand_picture_describe(p, info));
    float *samples = malloc((size_t)(info->width * info->height * info->channels) * sizeof *samples);
    assert_non_null(samples);
    OK(argand_picture_read(p, info->height, samples, NULL));
    argand_picture_close(p);
    return samples;
}

/* Blocks that no compression makes shorter are stored as they are, line after line. */
static void raw_blocks(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        double limit; /* DWA rounds what its cosines become: coarsest for what varies most */
    } files[] = {{"raw_zip", 0}, {"raw_b44", 0}, {"raw_b44a", 0}, {"raw_dwaa", 0.1}};
    for (size_t i = 0; i < sizeof files / sizeof *files && has_format("x.exr"); i++) {
        argand_picture_info info;
        float *read = get_picture(corpus(files[i].file), &info);
        assert_int_equal(info.width * info.height * info.channels, 3 * PIXELS);
        for (int k = 0; k < 3 * PIXELS; k++)
            CHECK_BELOW(fabs((double)read[k] - (double)(float)(k % PIXELS / 7.0 + k / PIXELS)),
                        files[i].limit);
        free(read);
    }
}

static const char *const ramps[] = {"ramp_zip", "ramp_b44", "ramp_b44a", "ramp_dwaa", "ramp_dwab"};

/* Colours to what the compression keeps of them, all else as it was. OpenEXR's own reader is off by 0.047
 * (B44) and 0.033 (DWA) in these files. */
static void check_ramp(const float *read, const argand_picture_info *info, double limit)
{
    const float *red = read + find_channel(info, "R") * PIXELS,
                *green = read + find_channel(info, "G") * PIXELS,
                *alpha = read + find_channel(info, "A") * PIXELS,
                *depth = read + find_channel(info, "Z") * PIXELS;
    for (int k = 0; k < PIXELS; k++) {
        CHECK_BELOW(fabs((double)red[k] - k / 64.0), limit);
        CHECK_BELOW(fabs((double)green[k] - (PIXELS - k) / 64.0), limit);
        assert_true(alpha[k] == 1);
        assert_true(depth[k] == (float)(k / 7.0));
    }
}

static void every_compression(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof ramps / sizeof *ramps && has_format("x.exr"); i++) {
        argand_picture_info info;
        float *read = get_picture(corpus(ramps[i]), &info);
        assert_int_equal(info.alpha, find_channel(&info, "A"));
        check_ramp(read, &info, i == 0 ? 0 : 0.05);
        const float *numbers = read + find_channel(&info, "id") * PIXELS;
        for (int k = 0; k < PIXELS; k++)
            assert_true(numbers[k] == (float)(UINT32_C(0x80000000) + (unsigned)k));
        free(read);
    }
}

/* With the option bits, a copy has every bit of the whole numbers, and every channel its type. */
static void whole_numbers(void **state)
{
    (void)state;
    const argand_picture_options bits = {.bits = true};
    if (!has_format("x.exr")) return;
    argand_picture_info info, again;
    argand_picture *like;
    float *read = get_with(corpus("ramp_zip"), &info, &bits);
    const int id = find_channel(&info, "id");
    assert_int_equal(info.bits, 1u << id);
    for (unsigned k = 0; k < PIXELS; k++) {
        const uint32_t number = UINT32_C(0x80000000) + k;
        assert_memory_equal(read + id * PIXELS + k, &number, sizeof number);
    }
    OK(argand_picture_open(&like, in_folder("x.exr"), NULL));
    put_picture(in_folder("y.exr"), &info, read, like);
    argand_picture_close(like);
    float *back = get_with(in_folder("y.exr"), &again, &bits);
    assert_int_equal(again.bits, info.bits);
    assert_memory_equal(back, read, (size_t)(PIXELS * info.channels) * sizeof *read);
    argand_picture *p;
    FAILS(argand_picture_create(&p, in_folder("y.tif"), &info, NULL), ARGAND_ARGUMENT, "exactly");
    size_t count;
    unsigned char *bytes = get_file(in_folder("y.exr"), &count);
    assert_non_null(memmem(bytes, count, "R\0\1\0\0\0", 6)); /* type 1: half */
    assert_non_null(memmem(bytes, count, "Z\0\2\0\0\0", 6));
    free(bytes);
    free(read);
    free(back);
}

/* One part is read, and a picture like it has the others as they were. */
static void several_parts(void **state)
{
    (void)state;
    if (!has_format("x.exr")) return;
    for (int part = 1; part <= 3; part++) {
        argand_picture_info info, other;
        argand_picture *like;
        argand_picture_options options = {.part = part, .bits = true};
        float *read = get_with(corpus("parts"), &info, &options);
        OK(argand_picture_open(&like, in_folder("x.exr"), &options));
        assert_non_null(strstr(argand_picture_note(like), "of 3 is read"));
        put_picture(in_folder("y.exr"), &info, read, like);
        argand_picture_close(like);
        free(read);
        for (options.part = 1; options.part <= 3; options.part++) {
            float *before = get_with(in_folder("x.exr"), &info, &options);
            float *after = get_with(in_folder("y.exr"), &other, &options);
            assert_string_equal(other.names[0], info.names[0]);
            assert_memory_equal(after, before, PIXELS * sizeof *before);
            free(before);
            free(after);
        }
    }
    argand_picture *p;
    FAILS(argand_picture_open(&p, in_folder("x.exr"), &(argand_picture_options){.part = 4}), ARGAND_ARGUMENT,
          "no part 4");
    size_t count;
    unsigned char *bytes = get_file(in_folder("y.exr"), &count);
    assert_non_null(memmem(bytes, count, "oooooooooooooooooooooooooooooooooooooooo\0string", 47));
    assert_int_equal(bytes[5] & 0x14, 0x14); /* several parts; long names */
    free(bytes);
}

static void newer_compression(void **state)
{
    (void)state;
    argand_picture *p;
    if (!has_format("x.exr")) return;
    FAILS(argand_picture_open(&p, corpus("newer_htj2k256"), NULL), ARGAND_UNSUPPORTED, "HTJ2K");
}

/* A file of one pixel with one more attribute; open fails, or a copy is made. */
static argand_status copy_with(const char *name, const char *type, unsigned size, const char *value,
                               size_t bytes)
{
    static const char *const channels[] = {"Y"};
    file_bytes f = {{0}, 0};
    argand_picture *like;
    exr_header(&f, channels, 1, 2, 1, 1);
    f.count--;
    add_attribute(&f, name, type, size);
    add_bytes(&f, value, bytes);
    add_number(&f, 0, 1, false);
    add_number(&f, f.count + 8, 8, false);
    add_number(&f, 0, 4, false);
    add_number(&f, 4, 4, false);
    add_float(&f, 2.5f);
    put_file(in_folder("x.exr"), f.bytes, f.count);
    TRY(argand_picture_open(&like, in_folder("x.exr"), NULL));
    const argand_picture_info info = picture_info(1, 1, 1, ARGAND_SAMPLE_F32);
    put_picture(in_folder("y.exr"), &info, &(float){4}, like);
    argand_picture_close(like);
    return ARGAND_OK;
}

static void long_names(void **state)
{
    (void)state;
    static const int lengths[] = {31, 32, 100, 255};
    if (!has_format("x.exr")) return;
    for (int i = 0; i < 16; i++) {
        char name[256] = "", type[256] = "", wanted[600];
        const int n = lengths[i / 4], t = lengths[i % 4];
        size_t count;
        memset(name, 'n', (size_t)n);
        memset(type, 't', (size_t)t);
        OK(copy_with(name, type, 3, "abc", 3));
        const int size = snprintf(wanted, sizeof wanted, "%s%c%s", name, 0, type);
        unsigned char *bytes = get_file(in_folder("y.exr"), &count);
        assert_non_null(memmem(bytes, count, wanted, (size_t)size + 1));
        assert_int_equal(bytes[5] & 4, n > 31 || t > 31 ? 4 : 0);
        free(bytes);
    }
}

/* Sizes that attributes claim are held against the file and their types. */
static void false_sizes(void **state)
{
    (void)state;
    if (!has_format("x.exr")) return;
    FAILS(copy_with("a", "mine", 2000000000, "abc", 3), ARGAND_FORMAT, "attribute a claims 2000000000 bytes");
    FAILS(copy_with("a", "mine", 0xffffffff, "abc", 3), ARGAND_FORMAT, "attribute a claims");
    FAILS(copy_with("a", "v2f", 3, "abc", 3), ARGAND_FORMAT, "should have 8");
    FAILS(copy_with("a", "chlist", 3, "ab\0", 3), ARGAND_FORMAT, "ends elsewhere");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(raw_blocks),    cmocka_unit_test(every_compression), cmocka_unit_test(whole_numbers),
    cmocka_unit_test(several_parts), cmocka_unit_test(newer_compression), cmocka_unit_test(long_names),
    cmocka_unit_test(false_sizes),
};

IO_TESTS(tests)
