/* SPDX-License-Identifier: BSD-3-Clause */
/* JPEG files that Pillow wrote (tests/fuzz/make_corpus.py): colours that say where a pixel is, of every kind;
 * turned cameras; what is refused. */
#include "io/raster_case.h"

#include <math.h>

enum { W = 13, H = 10 };

static unsigned char *corpus(const char *name, size_t *count)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", CORPUS, name);
    return get_file(path, count);
}

/* A file of the corpus, as x.jpg in the folder. */
static const char *copy(const char *name)
{
    size_t count;
    unsigned char *bytes = corpus(name, &count);
    put_file(in_folder("x.jpg"), bytes, count);
    free(bytes);
    return in_folder("x.jpg");
}

/* The code that sRGB has for a light, 0 to 255 (IEC 61966-2-1). */
static double code(float light)
{
    const double v = (double)light;
    return 255 * (v <= 0.0031308 ? 12.92 * v : 1.055 * pow(v, 1 / 2.4) - 0.055);
}

/* Codes as they were drawn: red 20 x, green 25 y, blue 128. Rounding of cosines and of YCbCr is a code or
 * two, colours at half the pixels are off by a step. */
static void kinds(void **state)
{
    (void)state;
    static const struct {
        const char *file, *note;
        double limit;
    } files[] = {{"colour", "", 2.01},   {"progressive", "", 2.01},
                 {"restarts", "", 2.01}, {"halved", "", 25},
                 {"srgb", "", 2.01},     {"profile", "its colour profile is left out", 2.01}};
    for (size_t i = 0; i < sizeof files / sizeof *files && has_format("x.jpg"); i++) {
        argand_picture_info info;
        argand_picture *p;
        float *read = get_picture(copy(files[i].file), &info);
        assert_true(info.width == W && info.height == H && info.channels == 3 && info.light == 7);
        assert_true(info.sample == ARGAND_SAMPLE_U8 && info.transfer == ARGAND_TRANSFER_SRGB);
        for (int k = 0; k < W * H; k++) {
            CHECK_BELOW(fabs(code(read[k]) - 20 * (k % W)), files[i].limit);
            CHECK_BELOW(fabs(code(read[W * H + k]) - 25 * (k / W)), files[i].limit);
            CHECK_BELOW(fabs(code(read[2 * W * H + k]) - 128), files[i].limit);
        }
        free(read);
        OK(argand_picture_open(&p, in_folder("x.jpg"), NULL));
        assert_int_equal(strncmp(argand_picture_note(p), files[i].note, strlen(files[i].note)), 0);
        assert_int_equal(!*argand_picture_note(p), !*files[i].note);
        argand_picture_close(p);
    }
}

static void grey(void **state)
{
    (void)state;
    argand_picture_info info;
    if (!has_format("x.jpg")) return;
    float *read = get_picture(copy("grey"), &info);
    assert_int_equal(info.channels, 1);
    assert_string_equal(info.names[0], "Y");
    for (int k = 0; k < W * H; k++) CHECK_BELOW(fabs(code(read[k]) - 25 * (k / W)), 2.01);
    free(read);
}

/* Where the stored pixel (x, y) stands in the upright picture of w x h, by EXIF's words: the stored row 0 is
 * the upright picture's top, top, bottom, bottom, left, right, right, left for 1 to 8; column 0 likewise. */
static void place(int at[2], int orientation, int x, int y, int w, int h)
{
    static const char rows[] = " TTBBLRRL", columns[] = " LRRLTTBB";
    const char sides[2] = {columns[orientation], rows[orientation]};
    const int steps[2] = {x, y};
    for (int i = 0; i < 2; i++) {
        if (sides[i] == 'L') at[0] = steps[i];
        if (sides[i] == 'R') at[0] = w - 1 - steps[i];
        if (sides[i] == 'T') at[1] = steps[i];
        if (sides[i] == 'B') at[1] = h - 1 - steps[i];
    }
}

static void turned(void **state)
{
    (void)state;
    size_t count;
    if (!has_format("x.jpg")) return;
    unsigned char *bytes = corpus("orientation", &count);
    unsigned char *entry =
        memmem(bytes, count, "\x01\x12\0\x03\0\0\0\x01\0\x06", 10); /* Pillow: big-endian */
    assert_non_null(entry);
    for (int o = 0; o <= 9; o++) {
        argand_picture_info info;
        argand_picture *p;
        entry[9] = (unsigned char)o;
        put_file(in_folder("x.jpg"), bytes, count);
        float *read = get_picture(in_folder("x.jpg"), &info);
        const int meant = o < 1 || o > 8 ? 1 : o, w = meant < 5 ? W : H, h = meant < 5 ? H : W;
        assert_true(info.width == w && info.height == h);
        for (int k = 0; k < W * H; k++) {
            int at[2] = {0, 0};
            place(at, meant, k % W, k / W, w, h);
            CHECK_BELOW(fabs(code(read[at[1] * w + at[0]]) - 20 * (k % W)), 2.01);
            CHECK_BELOW(fabs(code(read[w * h + at[1] * w + at[0]]) - 25 * (k / W)), 2.01);
        }
        free(read);
        OK(argand_picture_open(&p, in_folder("x.jpg"), NULL));
        assert_int_equal(strstr(argand_picture_note(p), "turned upright") != NULL, meant > 1);
        argand_picture_close(p);
    }
    free(bytes);
}

static argand_status read_whole(const char *path)
{
    argand_picture *p;
    argand_array *array = NULL;
    argand_status status = argand_picture_open(&p, path, NULL);
    if (status == ARGAND_OK) status = argand_picture_load(&array, p, device, ARGAND_R32, false);
    argand_picture_close(p);
    argand_array_destroy(array);
    return status;
}

static void refused(void **state)
{
    (void)state;
    size_t count;
    argand_picture *p;
    const argand_picture_info info = picture_info(4, 4, 3, ARGAND_SAMPLE_U8);
    if (!has_format("x.jpg")) return;
    FAILS(argand_picture_open(&p, copy("cmyk"), NULL), ARGAND_UNSUPPORTED, "CMYK");
    FAILS(argand_picture_create(&p, in_folder("y.jpg"), &info, NULL), ARGAND_UNSUPPORTED,
          "read, not written");
    assert_true(argand_picture_is_known("a.JPEG") && !argand_picture_is_written("a.jpg") &&
                argand_picture_is_written("a.png") && !argand_picture_is_written("a.npy"));
    put_file(in_folder("x.jpg"), "no picture", 10);
    FAILS(argand_picture_open(&p, in_folder("x.jpg"), NULL), ARGAND_FORMAT, "is no JPEG file");
    unsigned char *bytes = corpus("colour", &count);
    for (size_t cut = 0; cut + 3 < count; cut += 5) { /* 2 bytes: the mark of the end */
        put_file(in_folder("x.jpg"), bytes, cut);
        const argand_status status = read_whole(in_folder("x.jpg"));
        if (status != ARGAND_FORMAT || !strstr(argand_message(), "x.jpg: "))
            fail_msg("cut at %zu of %zu: %d %s", cut, count, (int)status, argand_message());
    }
    unsigned char *head = memmem(bytes, count, "\xff\xc0", 2);
    assert_non_null(head);
    head[4] = 12; /* bits */
    put_file(in_folder("x.jpg"), bytes, count);
    FAILS(argand_picture_open(&p, in_folder("x.jpg"), NULL), ARGAND_UNSUPPORTED, "precision 12");
    head[4] = 8;
    memcpy(head + 5, "\xea\x60\xea\x60", 4); /* 60000 x 60000 */
    put_file(in_folder("x.jpg"), bytes, count);
    FAILS(argand_picture_open(&p, in_folder("x.jpg"), NULL), ARGAND_FORMAT, "10800000000 bytes");
    free(bytes);
}

/* Each allocation fails in turn. */
static void memory(void **state)
{
    (void)state;
    if (!has_format("x.jpg")) return;
    const long before = argand_test_live_allocations();
    copy("orientation");
    long n = 1;
    for (argand_status status = ARGAND_MEMORY; status; n++) {
        argand_test_fail_allocation(n);
        status = read_whole(in_folder("x.jpg"));
        argand_test_fail_allocation(0);
        assert_true(status == ARGAND_OK || status == ARGAND_MEMORY);
        assert_int_equal(argand_test_live_allocations(), before);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(kinds),   cmocka_unit_test(grey),   cmocka_unit_test(turned),
    cmocka_unit_test(refused), cmocka_unit_test(memory),
};

IO_TESTS(tests)
