/* SPDX-License-Identifier: BSD-3-Clause */
/* NIfTI: every byte of the header, the orientation from directions that are known by hand, the types of
 * foreign files. */
#include "folder.h"

static int16_t short_at(const unsigned char *bytes, int at)
{
    return (int16_t)(bytes[at] | bytes[at + 1] << 8);
}

static double float_at(const unsigned char *bytes, int at)
{
    const uint32_t bits = (uint32_t)bytes[at] | (uint32_t)bytes[at + 1] << 8 | (uint32_t)bytes[at + 2] << 16 |
                          (uint32_t)bytes[at + 3] << 24;
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

/* Bug 12 of the ancestor: stack garbage, slope 100, axes exchanged. Every byte that has no meaning here is 0.
 */
static void test_header_bytes(void **state)
{
    (void)state;
    argand_array *image = noise(ARGAND_R32, 4, (int64_t[]){5, 4, 3, 2}, 1);
    const argand_geometry geometry = {.valid = true,
                                      .voxel = {1.5, 2, 4},
                                      .read = {1, 0, 0},
                                      .phase = {0, 1, 0},
                                      .slice = {0, 0, 1},
                                      .centre = {10, 20, 30}};
    OK(argand_nifti_write(in_folder("a.nii"), image, &geometry, 2.5));
    size_t count;
    unsigned char *bytes = get_file(in_folder("a.nii"), &count);
    assert_int_equal(count, 352 + 5 * 4 * 3 * 2 * 4);
    assert_memory_equal(bytes, "\x5c\x01\0\0", 4);
    const int16_t dims[8] = {4, 5, 4, 3, 2, 1, 1, 1};
    const double sizes[8] = {1, 1.5, 2, 4, 2.5, 1, 1, 1};
    for (int i = 0; i < 8; i++) {
        assert_int_equal(short_at(bytes, 40 + 2 * i), dims[i]);
        assert_true(float_at(bytes, 76 + 4 * i) == sizes[i]);
    }
    assert_int_equal(short_at(bytes, 70), 16);
    assert_int_equal(short_at(bytes, 72), 32);
    assert_true(float_at(bytes, 108) == 352);
    assert_true(float_at(bytes, 112) == 1 && float_at(bytes, 116) == 0);
    assert_int_equal(bytes[123], 10);
    assert_int_equal(strncmp((char *)bytes + 148, "argand ", 7), 0);
    assert_int_equal(short_at(bytes, 252), 1);
    assert_int_equal(short_at(bytes, 254), 1);
    assert_memory_equal(bytes + 344, "n+1\0\0\0\0\0", 8);
    static const int used[][2] = {{0, 4},   {40, 16},  {70, 4},   {76, 32}, {108, 8},
                                  {123, 1}, {148, 80}, {252, 76}, {344, 3}};
    for (int i = 0, field = 0; i < 352; i++) {
        while (field < 8 && i >= used[field][0] + used[field][1]) field++;
        if (i < used[field][0] || i >= used[field][0] + used[field][1]) assert_int_equal(bytes[i], 0);
    }
    double *numbers = as_doubles(image); /* as they lie in memory: x fastest */
    for (int i = 0; i < 120; i++) assert_true(float_at(bytes, 352 + 4 * i) == numbers[i]);
    free(numbers);
    free(bytes);
    argand_array_destroy(image);
}

typedef struct orientation {
    const char *name;
    argand_geometry geometry;
    double rows[3][4];    /* of the sform, by hand */
    double quaternion[3]; /* b, c, d */
    double handedness;
} orientation;

#define HALF 0.70710678118654752
/* 5 x 4 x 3 voxels: the centre voxel is (2, 2, 1). RAS = (-L, -P, S). */
static const orientation orientations[] = {
    {"axial, centre at the origin",
     {true, {1, 1, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}, 0, NULL},
     {{-1, 0, 0, 2}, {0, -1, 0, 2}, {0, 0, 1, -1}},
     {0, 0, 1},
     1},
    {"axial, shifted, with voxel sizes",
     {true, {1.5, 2, 4}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {10, 20, 30}, 0, NULL},
     {{-1.5, 0, 0, -7}, {0, -2, 0, -16}, {0, 0, 4, 26}},
     {0, 0, 1},
     1},
    {"already RAS: the matrix is the identity",
     {true, {1, 1, 1}, {-1, 0, 0}, {0, -1, 0}, {0, 0, 1}, {-2, -2, 1}, 0, NULL},
     {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}},
     {0, 0, 0},
     1},
    {"left-handed: slices to the feet",
     {true, {1, 1, 3}, {1, 0, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 0}, 0, NULL},
     {{-1, 0, 0, 2}, {0, -1, 0, 2}, {0, 0, -3, 3}},
     {0, 0, 1},
     -1},
    {"sagittal: read to the back, phase to the head, slices to the left", /* a third of a turn about (1,1,1),
                                                                             RAS ... */
     {true, {1, 1, 1}, {0, 1, 0}, {0, 0, 1}, {1, 0, 0}, {0, 0, 0}, 0, NULL},
     {{0, 0, -1, 1}, {-1, 0, 0, 2}, {0, 1, 0, -2}},
     {0.5, -0.5, -0.5},
     1},
    {"coronal: read to the left, phase to the feet, slices to the back",
     {true, {1, 1, 1}, {1, 0, 0}, {0, 0, -1}, {0, 1, 0}, {0, 0, 0}, 0, NULL},
     {{-1, 0, 0, 2}, {0, 0, -1, 1}, {0, -1, 0, 2}},
     {0, HALF, -HALF},
     1},
    {"oblique: axial turned by 45 degrees about the left-right axis",
     {true, {2, 2, 2}, {1, 0, 0}, {0, HALF, HALF}, {0, -HALF, HALF}, {0, 0, 0}, 0, NULL},
     {{-2, 0, 0, 4}, {0, -2 * HALF, 2 * HALF, 2 * HALF}, {0, 2 * HALF, 2 * HALF, -6 * HALF}},
     {0, 0.38268343236508977, 0.92387953251128674},
     1},
};

static void check_orientation(const orientation *o, const unsigned char *bytes)
{
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 4; column++)
            if (fabs(float_at(bytes, 280 + 16 * row + 4 * column) - o->rows[row][column]) > 1e-5)
                fail_msg("%s: sform %d,%d is %g, not %g", o->name, row, column,
                         float_at(bytes, 280 + 16 * row + 4 * column), o->rows[row][column]);
        if (fabs(float_at(bytes, 268 + 4 * row) - o->rows[row][3]) > 1e-5)
            fail_msg("%s: qoffset %d", o->name, row);
    }
    /* a quaternion with a = 0 may have either sign */
    double same = 0, opposite = 0, a = 1;
    for (int i = 0; i < 3; i++) {
        const double got = float_at(bytes, 256 + 4 * i);
        a -= got * got;
        same = fmax(same, fabs(got - o->quaternion[i]));
        opposite = fmax(opposite, fabs(got + o->quaternion[i]));
    }
    if (same > 1e-5 && (a > 1e-5 || opposite > 1e-5))
        fail_msg("%s: quaternion %g %g %g", o->name, float_at(bytes, 256), float_at(bytes, 260),
                 float_at(bytes, 264));
    assert_true(float_at(bytes, 76) == o->handedness);
}

static void check_geometry(const orientation *o, const argand_geometry *got)
{
    assert_true(got->valid);
    for (int i = 0; i < 3; i++) {
        CHECK_BELOW(fabs(got->voxel[i] - o->geometry.voxel[i]), 1e-5);
        CHECK_BELOW(fabs(got->read[i] - o->geometry.read[i]), 1e-6);
        CHECK_BELOW(fabs(got->phase[i] - o->geometry.phase[i]), 1e-6);
        CHECK_BELOW(fabs(got->slice[i] - o->geometry.slice[i]), 1e-6);
        CHECK_BELOW(fabs(got->centre[i] - o->geometry.centre[i]), 1e-4);
    }
}

static void read_geometry(const orientation *o, const char *path)
{
    argand_array *back;
    argand_geometry got;
    OK(argand_nifti_read(&back, path, device, &got));
    check_geometry(o, &got);
    argand_array_destroy(back);
}

/* Seconds from volume to volume come back, also from a file that counts in milliseconds. */
static void test_time_step(void **state)
{
    (void)state;
    argand_array *image = noise(ARGAND_R32, 4, (int64_t[]){2, 2, 2, 3}, 2), *back;
    argand_geometry got;
    OK(argand_nifti_write(in_folder("t.nii"), image, NULL, 2.5));
    OK(argand_nifti_read(&back, in_folder("t.nii"), device, &got));
    assert_true(got.time_step == 2.5);
    argand_array_destroy(back);
    size_t count;
    unsigned char *bytes = get_file(in_folder("t.nii"), &count);
    bytes[123] = 2 | 16;
    put_file(in_folder("t.nii"), bytes, count);
    free(bytes);
    OK(argand_nifti_read(&back, in_folder("t.nii"), device, &got));
    assert_true(got.time_step == 0.0025);
    argand_array_destroy(back);
    argand_array_destroy(image);
}

static void test_orientations(void **state)
{
    (void)state;
    argand_array *image = noise(ARGAND_R32, 3, (int64_t[]){5, 4, 3}, 2);
    for (size_t i = 0; i < sizeof orientations / sizeof *orientations; i++) {
        const orientation *o = &orientations[i];
        OK(argand_nifti_write(in_folder("o.nii"), image, &o->geometry, 0));
        size_t count;
        unsigned char *bytes = get_file(in_folder("o.nii"), &count);
        check_orientation(o, bytes);
        read_geometry(o, in_folder("o.nii"));
        memset(bytes + 254, 0, 2); /* without the sform: by the quaternion */
        memset(bytes + 280, 0, 48);
        put_file(in_folder("q.nii"), bytes, count);
        read_geometry(o, in_folder("q.nii"));
        free(bytes);
    }
    argand_array_destroy(image);
}

typedef struct form_case {
    const char *name;
    int sform_code, qform_code;
    float rows[12], quaternion[3];
    bool valid;
    double centre; /* x of it, LPS */
    const char *note;
} form_case;

#define GOOD_ROWS                             \
    {                                         \
        -1, 0, 0, 2, 0, -1, 0, 2, 0, 0, 1, -1 \
    }
#define OTHER_ROWS                            \
    {                                         \
        -1, 0, 0, 9, 0, -1, 0, 2, 0, 0, 1, -1 \
    }
/* 5 x 4 x 3 voxels; the qform, where it is good, places the centre voxel at x = 0, OTHER_ROWS at -7. */
static const form_case forms[] = {
    {"both", 1, 1, GOOD_ROWS, {0, 0, 1}, true, 0, NULL},
    {"the sform is zero", 1, 1, {0}, {0, 0, 1}, true, 0, "the qform is taken"},
    {"the sform is NaN", 2, 1, {NAN}, {0, 0, 1}, true, 0, "the qform is taken"},
    {"the sform is flat",
     4,
     3,
     {1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0},
     {0, 0, 1},
     true,
     0,
     "the qform is taken"},
    {"they disagree", 1, 1, OTHER_ROWS, {0, 0, 1}, true, -7, "the sform is taken"},
    {"the sform alone", 1, 0, OTHER_ROWS, {0, 0, 0}, true, -7, NULL},
    {"the qform alone", 0, 1, {0}, {0, 0, 1}, true, 0, NULL},
    {"an sform without a code", 0, 1, OTHER_ROWS, {0, 0, 1}, true, 0, NULL},
    {"neither has a code", 0, 0, GOOD_ROWS, {0, 0, 1}, false, 0, "the codes of sform and qform are 0"},
    {"nothing at all", 0, 0, {0}, {0, 0, 0}, false, 0, NULL},
    {"a bad sform alone", 1, 0, {0}, {0, 0, 1}, false, 0, "the code of the qform is 0"},
    {"a bad qform alone", 0, 1, GOOD_ROWS, {2, 0, 1}, false, 0, "the qform is no rotation"},
    {"both are bad", 1, 1, {0}, {NAN, 0, 1}, false, 0, "neither the sform nor the qform"},
};

static void put_floats(unsigned char *at, const float *values, int count)
{
    memcpy(at, values, (size_t)count * sizeof *values);
}

static void test_forms(void **state)
{
    (void)state;
    argand_array *image = noise(ARGAND_R32, 3, (int64_t[]){5, 4, 3}, 2), *back;
    OK(argand_nifti_write(in_folder("f.nii"), image, &orientations[0].geometry, 0));
    size_t count;
    unsigned char *bytes = get_file(in_folder("f.nii"), &count);
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        const form_case *f = &forms[i];
        argand_geometry got;
        bytes[252] = (unsigned char)f->qform_code;
        bytes[254] = (unsigned char)f->sform_code;
        put_floats(bytes + 256, f->quaternion, 3);
        put_floats(bytes + 280, f->rows, 12);
        put_file(in_folder("f.nii"), bytes, count);
        OK(argand_nifti_read(&back, in_folder("f.nii"), device, &got));
        if (got.valid != f->valid || fabs(got.centre[0] - f->centre) > 1e-5)
            fail_msg("%s: valid %d, centre %g", f->name, got.valid, got.centre[0]);
        if (!got.note != !f->note || (f->note && !strstr(got.note, f->note)))
            fail_msg("%s: says \"%s\"", f->name, got.note ? got.note : "nothing");
        argand_array_destroy(back);
    }
    free(bytes);
    argand_array_destroy(image);
}

/* No orientation is better than a wrong one. */
static void test_without_geometry(void **state)
{
    (void)state;
    const argand_geometry bad[] = {
        {.valid = false, .voxel = {2, 3, 4}, .read = {1, 0, 0}, .phase = {0, 1, 0}, .slice = {0, 0, 1}},
        {.valid = true, .voxel = {2, 3, 4}},
        {.valid = true, .voxel = {2, 3, 4}, .read = {1, 0, 0}, .phase = {1, 0, 0}, .slice = {0, 0, 1}},
        {.valid = true, .voxel = {2, 3, 4}, .read = {NAN, 0, 0}, .phase = {0, 1, 0}, .slice = {0, 0, 1}},
    };
    argand_array *image = noise(ARGAND_R32, 2, (int64_t[]){3, 2}, 3), *back;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        argand_geometry got = {.valid = true};
        OK(argand_nifti_write(in_folder("b.nii"), image, &bad[i], -1));
        OK(argand_nifti_read(&back, in_folder("b.nii"), device, &got));
        assert_false(got.valid);
        assert_true(got.voxel[0] == 2 && got.voxel[1] == 3 && got.voxel[2] == 4);
        assert_int_equal(argand_array_rank(back), 3); /* a slice has a thickness */
        assert_same(image, back, 0);
        size_t count;
        unsigned char *bytes = get_file(in_folder("b.nii"), &count);
        for (int at = 252; at < 328; at++) assert_int_equal(bytes[at], 0);
        free(bytes);
        argand_array_destroy(back);
    }
    argand_array_destroy(image);
}

static void test_round_trips(void **state)
{
    (void)state;
    static const struct {
        int rank;
        int64_t dims[7];
    } shapes[] = {
        {3, {1, 1, 1}}, {3, {7, 5, 3}}, {4, {3, 1, 2, 5}}, {7, {2, 3, 1, 2, 3, 2, 2}}, {3, {131, 97, 2}}};
    static const argand_type types[] = {ARGAND_R32, ARGAND_R64, ARGAND_C32, ARGAND_C64};
    static const argand_type stored[] = {ARGAND_R32, ARGAND_R32, ARGAND_C32, ARGAND_C32};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (int t = 0; t < 4; t++)
            for (int packed = 0; packed < 2; packed++) {
                const char *path = in_folder(packed ? "r.nii.gz" : "r.nii");
                argand_array *image = noise(types[t], shapes[s].rank, shapes[s].dims, 4 + s), *back;
                OK(argand_array_write(path, image));
                OK(argand_array_read(&back, path, device));
                assert_int_equal(argand_array_type(back), stored[t]);
                assert_int_equal(argand_array_rank(back), shapes[s].rank);
                assert_same(image, back, t % 2 ? 6e-8 : 0); /* doubles are rounded to single: half of 2^-23 */
                argand_array_destroy(back);
                argand_array_destroy(image);
            }
}

/* A view with strides is written as what it shows. */
static void test_strided(void **state)
{
    (void)state;
    argand_array *whole = noise(ARGAND_R32, 3, (int64_t[]){6, 5, 4}, 5), *part, *back;
    OK(argand_array_part(&part, whole, 1, 1, 3));
    OK(argand_nifti_write(in_folder("s.nii"), part, NULL, 0));
    OK(argand_nifti_read(&back, in_folder("s.nii"), device, NULL));
    assert_same(part, back, 0);
    argand_array_destroy(back);
    argand_array_destroy(part);
    argand_array_destroy(whole);
}

/* ------------------------------------------------------------------------------------------------ refusals
 */

static unsigned char *valid_file(size_t *count)
{
    argand_array *image = noise(ARGAND_R32, 3, (int64_t[]){4, 3, 2}, 6);
    OK(argand_nifti_write(in_folder("v.nii"), image, NULL, 0));
    argand_array_destroy(image);
    return get_file(in_folder("v.nii"), count);
}

/* One change of a valid file, and the message that must come back. */
static void refuse(int at, const char *change, size_t length, argand_status expected, const char *message)
{
    size_t count;
    unsigned char *bytes = valid_file(&count);
    argand_array *back = (argand_array *)1;
    memcpy(bytes + at, change, length);
    put_file(in_folder("v.nii"), bytes, count);
    FAILS(argand_nifti_read(&back, in_folder("v.nii"), device, NULL), expected, message);
    assert_non_null(strstr(argand_message(), "v.nii: "));
    assert_null(back);
    free(bytes);
}

static void test_refused_headers(void **state)
{
    (void)state;
    refuse(0, "\x5d", 1, ARGAND_FORMAT, "is not a NIfTI file");
    refuse(344, "ni1", 3, ARGAND_UNSUPPORTED, ".hdr/.img pair");
    refuse(344, "\0\0\0", 3, ARGAND_FORMAT, "no NIfTI mark");
    refuse(40, "\0\0", 2, ARGAND_FORMAT, "dim[0] is 0");
    refuse(40, "\x08\0", 2, ARGAND_FORMAT, "dim[0] is 8");
    refuse(44, "\xfb\xff", 2, ARGAND_FORMAT, "dim[2] is -5");
    refuse(44, "\0\0", 2, ARGAND_FORMAT, "dim[2] is 0");
    refuse(42, "\xff\x7f\xff\x7f\xff\x7f", 6, ARGAND_FORMAT, "96 found");
    refuse(40, "\7\0\xff\x7f\xff\x7f\xff\x7f\xff\x7f\xff\x7f\xff\x7f\xff\x7f", 16, ARGAND_FORMAT,
           "too large to be true");
    refuse(70, "\x80\0", 2, ARGAND_UNSUPPORTED, "type RGB");
    refuse(70, "\x63\0", 2, ARGAND_FORMAT, "datatype 99");
    refuse(108, "\0\0\x80\x3f", 4, ARGAND_FORMAT, "vox_offset is 1;");
    refuse(108, "\0\0\xc0\x7f", 4, ARGAND_FORMAT, "vox_offset is nan");
    refuse(108, "\xff\xff\x7f\x7f", 4, ARGAND_FORMAT, "vox_offset is 3.4");
    refuse(108, "\0\0\x80\x4f", 4, ARGAND_FORMAT, "ends before its voxels");
    refuse(42, "\x05\0", 2, ARGAND_FORMAT, "truncated: 120 bytes of numbers expected, 96 found");
}

static void test_refused_files(void **state)
{
    (void)state;
    size_t count;
    unsigned char *bytes = valid_file(&count);
    argand_array *back;
    put_file(in_folder("v.nii"), bytes, count - 1);
    FAILS(argand_nifti_read(&back, in_folder("v.nii"), device, NULL), ARGAND_FORMAT,
          "96 bytes of numbers expected, 95 found");
    put_file(in_folder("v.nii"), bytes, 200);
    FAILS(argand_nifti_read(&back, in_folder("v.nii"), device, NULL), ARGAND_FORMAT,
          "header of 348 bytes expected, 200 found");
    put_file(in_folder("v.nii"), bytes, 0);
    FAILS(argand_nifti_read(&back, in_folder("v.nii"), device, NULL), ARGAND_FORMAT,
          "348 bytes expected, 0 found");
    FAILS(argand_nifti_read(&back, in_folder("absent.nii"), device, NULL), ARGAND_FILE,
          "absent.nii: cannot be read: No such");
    FAILS(argand_nifti_read(&back, folder, device, NULL), ARGAND_FILE, "is not a file");
    free(bytes);
}

/* Packed: cut anywhere, or a byte of the checksum wrong. */
static void test_damaged_gzip(void **state)
{
    (void)state;
    argand_array *image = noise(ARGAND_R32, 3, (int64_t[]){20, 10, 5}, 7), *back;
    OK(argand_nifti_write(in_folder("g.nii.gz"), image, NULL, 0));
    size_t count;
    unsigned char *bytes = get_file(in_folder("g.nii.gz"), &count);
    for (size_t length = 0; length < count; length += 1 + count / 50) {
        put_file(in_folder("c.nii.gz"), bytes, length);
        assert_int_equal(argand_nifti_read(&back, in_folder("c.nii.gz"), device, NULL), ARGAND_FORMAT);
    }
    put_file(in_folder("c.nii.gz"), bytes, count - 4);
    FAILS(argand_nifti_read(&back, in_folder("c.nii.gz"), device, NULL), ARGAND_FORMAT,
          "gzip data ends too early");
    bytes[count - 6] ^= 1;
    put_file(in_folder("c.nii.gz"), bytes, count);
    FAILS(argand_nifti_read(&back, in_folder("c.nii.gz"), device, NULL), ARGAND_FORMAT,
          "gzip data is damaged");
    free(bytes);
    argand_array_destroy(image);
}

static void test_refused_images(void **state)
{
    (void)state;
    argand_array *deep = noise(ARGAND_R32, 8, (int64_t[]){1, 1, 1, 1, 1, 1, 1, 2}, 8);
    argand_array *wide = noise(ARGAND_R32, 2, (int64_t[]){40000, 1}, 9);
    FAILS(argand_nifti_write(in_folder("n.nii"), deep, NULL, 0), ARGAND_ARGUMENT,
          "7 dimensions at most, the image has 8");
    FAILS(argand_nifti_write(in_folder("n.nii"), wide, NULL, 0), ARGAND_ARGUMENT,
          "32767 voxels a side, the image has 40000");
    FAILS(argand_nifti_write(NULL, wide, NULL, 0), ARGAND_ARGUMENT, "no file name");
    FAILS(argand_nifti_write(in_folder("n.nii"), NULL, NULL, 0), ARGAND_ARGUMENT, "no image");
    argand_array_destroy(wide);
    argand_array_destroy(deep);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_header_bytes),   cmocka_unit_test(test_time_step),
    cmocka_unit_test(test_orientations),   cmocka_unit_test(test_without_geometry),
    cmocka_unit_test(test_forms),          cmocka_unit_test(test_round_trips),
    cmocka_unit_test(test_strided),        cmocka_unit_test(test_refused_headers),
    cmocka_unit_test(test_refused_files),  cmocka_unit_test(test_damaged_gzip),
    cmocka_unit_test(test_refused_images),
};

IO_TESTS(tests)
