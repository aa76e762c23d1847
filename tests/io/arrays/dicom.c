/* SPDX-License-Identifier: BSD-3-Clause */
/* DICOM: pixels and slope against the numbers that were given, from the smallest to the largest; UIDs; the
 * lengths that attributes may have; what is refused. tests/cli/dicom/images.py reads whole files. */
#include "../folder.h"

#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include "base/files/file.h"
#include "io/dicom/dicom.h"

static const argand_geometry place = {
    .valid = true, .voxel = {1.5, 2, 4}, .read = {1}, .phase = {0, 1, 0}, .slice = {0, 0, 1}};
static const argand_dicom_about plain = {.series = 1};

/* Returns where the value of an element begins that has a short length, and its length. */
static const unsigned char *find(const unsigned char *bytes, size_t count, uint32_t tag, const char *vr,
                                 size_t *length)
{
    unsigned char head[6];
    for (int i = 0; i < 4; i++) head[i] = (unsigned char)(tag >> (i < 2 ? 16 + 8 * i : 8 * (i - 2)) & 0xff);
    memcpy(head + 4, vr, 2);
    for (size_t at = 132; at + 8 < count; at++)
        if (!memcmp(bytes + at, head, sizeof head)) {
            *length = (size_t)(bytes[at + 6] | bytes[at + 7] << 8);
            return bytes + at + 8;
        }
    fail_msg("no element %08x", tag);
    return NULL;
}

static void find_text(char value[80], const unsigned char *bytes, size_t count, uint32_t tag, const char *vr)
{
    size_t length;
    const unsigned char *from = find(bytes, count, tag, vr, &length);
    assert_true(length < 80);
    memcpy(value, from, length);
    value[length] = 0;
}

/* Writes four numbers and reads them back by the printed slope: each is off by at most half a slope. */
static void check_numbers(const double given[4])
{
    argand_array *image;
    char value[80];
    size_t count, length;
    OK(argand_array_create(&image, device, ARGAND_R64, 2, (int64_t[]){2, 2}));
    OK(argand_array_upload(image, given));
    OK(argand_dicom_write(in_folder("a.dcm"), image, &place, &plain));
    unsigned char *bytes = get_file(in_folder("a.dcm"), &count);
    find_text(value, bytes, count, 0x00281053, "DS");
    assert_true(strlen(value) <= 16);
    const double slope = strtod(value, NULL);
    const bool is_signed = *find(bytes, count, 0x00280103, "US", &length);
    assert_int_equal(is_signed, given[0] < 0 || given[1] < 0 || given[2] < 0 || given[3] < 0);
    for (int i = 0; i < 4; i++) {
        const int stored = bytes[count - 8 + 2 * (size_t)i] | bytes[count - 7 + 2 * (size_t)i] << 8;
        const double read = slope * (is_signed ? (int16_t)stored : stored);
        assert_true(fabs(read - given[i]) <= slope / 2 * (1 + 1e-9));
        if (given[i] == 0) assert_int_equal(stored, 0);
    }
    free(bytes);
    argand_array_destroy(image);
}

static void test_numbers(void **state)
{
    (void)state;
    check_numbers((double[]){0, 1, 2, 65535});
    check_numbers((double[]){0, 0, 0, 0});
    check_numbers((double[]){0.1, 0.7, 1e-9, 1 / 3.0});
    check_numbers((double[]){-3.14159265358979, 3.14159265358979, 0, 1e-4});
    check_numbers((double[]){-1, 0, 0.5, 0.25});
    check_numbers((double[]){1e300, 3e299, 0, 1});
    check_numbers((double[]){-1e-300, 3e-301, 0, 0});
    check_numbers((double[]){1e-310, -3e-311, 5e-324, 0}); /* subnormal */
    check_numbers((double[]){123456789, 123456788, 1, 0});
    for (int i = 1; i < 200; i++) check_numbers((double[]){sqrt(i), i / 7.0, i % 2 ? -exp(i) : 0, i});
}

static void test_uids(void **state)
{
    (void)state;
    char uid[DICOM_UID], other[DICOM_UID];
    /* by Python: 16 bytes of hashlib's SHA-256 of "study\0abc", with the bits of version and variant */
    dicom_uid(uid, "study", "abc", 3);
    assert_string_equal(uid, "2.25.279672230292387556307599750088441355606");
    dicom_uid(other, "study", "abd", 3);
    assert_string_not_equal(uid, other);
    dicom_uid(other, "series", "abc", 3);
    assert_string_not_equal(uid, other);
}

/* UTF-8 is cut between characters; values have even lengths. */
static void test_texts(void **state)
{
    (void)state;
    char value[80];
    dicom_set set = {0};
    text bytes = {0};
    dicom_text(&set, DICOM_STUDY_ID,
               "\303\244\303\244\303\244\303\244\303\244\303\244\303\244\303\244"
               "12345678X");
    dicom_text(&set, DICOM_PATIENT_ID, "a\\b\nc");
    dicom_text(&set, DICOM_PATIENT_NAME, NULL);
    for (int i = 0; i < 132; i++) text_add_bytes(&bytes, "", 1);
    OK(dicom_set_write(&bytes, &set));
    assert_int_equal(bytes.length % 2, 0);
    const unsigned char *all = (const unsigned char *)bytes.chars;
    find_text(value, all, bytes.length, 0x00200010, "SH");
    assert_string_equal(value, "\303\244\303\244\303\244\303\244\303\244\303\244\303\244\303\244"
                               "12345678");
    find_text(value, all, bytes.length, 0x00100020, "LO");
    assert_string_equal(value, "a/b c ");
    text_free(&bytes);
    dicom_text(&set, DICOM_PATIENT_ID, "a");
    dicom_text(&set, DICOM_PATIENT_ID, "b");
    FAILS(dicom_set_write(&bytes, &set), ARGAND_INTERNAL, "given twice");
    text_free(&bytes);
}

static void test_refused(void **state)
{
    (void)state;
    argand_array *image = noise(ARGAND_R32, 2, (int64_t[]){4, 3}, 1);
    argand_array *both = noise(ARGAND_C32, 2, (int64_t[]){4, 3}, 2);
    argand_array *wide = noise(ARGAND_R32, 2, (int64_t[]){65536, 1}, 3);
    argand_geometry unknown = place, flat = place;
    unknown.valid = false;
    flat.voxel[2] = 0;
    const char *path = in_folder("r.dcm");
    folder_empty();
    FAILS(argand_dicom_write(path, both, &place, &plain), ARGAND_ARGUMENT, "DICOM holds real numbers");
    FAILS(argand_dicom_write(path, wide, &place, &plain), ARGAND_UNSUPPORTED, "up to 65535 pixels a side");
    FAILS(argand_dicom_write(path, image, &unknown, &plain), ARGAND_ARGUMENT,
          "states its position and orientation");
    FAILS(argand_dicom_write(path, image, &flat, &plain), ARGAND_ARGUMENT, "that of axis 2 is 0 mm");
    FAILS(argand_dicom_write(path, image, &place, &(argand_dicom_about){.part = ARGAND_IMAGE_COMPLEX}),
          ARGAND_ARGUMENT, "part 5");
    FAILS(argand_dicom_write(NULL, image, &place, &plain), ARGAND_ARGUMENT, "no file name");
    FAILS(argand_dicom_write(path, NULL, &place, &plain), ARGAND_ARGUMENT, "no image");
    FAILS(argand_dicom_write(path, image, NULL, &plain), ARGAND_ARGUMENT, "no geometry");
    FAILS(argand_dicom_write(path, image, &place, NULL), ARGAND_ARGUMENT, "what the image is");
    float numbers[12] = {0};
    numbers[5] = NAN;
    OK(argand_array_upload(image, numbers));
    FAILS(argand_dicom_write(path, image, &place, &plain), ARGAND_NUMERIC, "pixel 5");
    assert_int_equal(folder_files(), 0);
    argand_array_destroy(wide);
    argand_array_destroy(both);
    argand_array_destroy(image);
}

/* A folder of slices appears whole, with nothing hidden left, or not at all. */
static void test_folders(void **state)
{
    (void)state;
    argand_array *image = noise(ARGAND_R32, 4, (int64_t[]){20, 30, 3, 2}, 1);
    struct rlimit limit;
    const char *path = in_folder("slices/");
    folder_empty();
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    signal(SIGXFSZ, SIG_IGN);
    limit.rlim_cur = 1500;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    const argand_status status = argand_dicom_write_slices(path, image, &place, &plain);
    limit.rlim_cur = RLIM_INFINITY;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    assert_int_equal(status, ARGAND_FILE);
    assert_non_null(strstr(argand_message(), "slices: cannot be written: File too large"));
    assert_int_equal(folder_files(), 0);
    assert_int_equal(mkdir(in_folder("slices"), 0777), 0); /* an empty folder is taken */
    argand_files_begin();
    OK(argand_dicom_write_slices(path, image, &place, &plain));
    assert_int_not_equal(access(in_folder("slices/00001.dcm"), F_OK), 0);
    argand_files_abandon();
    assert_int_equal(folder_files(), 1);
    OK(argand_dicom_write_slices(path, image, &place, &plain));
    assert_int_equal(folder_files(), 1);
    assert_int_equal(access(in_folder("slices/00006.dcm"), F_OK), 0);
    FAILS(argand_dicom_write_slices(path, image, &place, &plain), ARGAND_FILE, "holds files already");
    for (int i = 1; i < 7; i++) {
        char name[32];
        snprintf(name, sizeof name, "slices/%05d.dcm", i);
        assert_int_equal(unlink(in_folder(name)), 0);
    }
    assert_int_equal(rmdir(in_folder("slices")), 0);
    put_file(in_folder("slices"), "", 0);
    FAILS(argand_dicom_write_slices(in_folder("slices"), image, &place, &plain), ARGAND_FILE, "is no folder");
    folder_empty();
    argand_array_destroy(image);
}

/* A killed process leaves a folder, which goes with the next draft; that of a living one stays. */
static void test_stale_folder(void **state)
{
    (void)state;
    argand_array *image = noise(ARGAND_R32, 2, (int64_t[]){4, 3}, 1);
    folder_empty();
    const pid_t child = fork();
    if (!child) {
        file_draft draft;
        const void *piece = "abc";
        if (!file_begin_folder(&draft, in_folder("x")) && !file_add(&draft, "1", &piece, (size_t[]){3}, 1))
            pause();
        _exit(1);
    }
    for (int i = 0; i < 30000 && !folder_files(); i++) usleep(10000); /* five minutes: a guard */
    assert_int_equal(folder_files(), 1);
    OK(argand_dicom_write(in_folder("living.dcm"), image, &place, &plain));
    assert_int_equal(folder_files(), 2);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    char below[80];
    snprintf(below, sizeof below, "%s/below", folder);
    assert_int_equal(mkdir(below, 0777), 0);
    OK(argand_dicom_write(in_folder("below/a.dcm"), image, &place,
                          &plain)); /* drafts are looked for once a folder */
    OK(argand_dicom_write(in_folder("dead.dcm"), image, &place, &plain));
    assert_int_equal(folder_files(), 3);
    unlink(in_folder("below/a.dcm"));
    assert_int_equal(rmdir(below), 0);
    folder_empty();
    argand_array_destroy(image);
}

/* The header is read as XML, and no scan needs one. */
static void test_headers(void **state)
{
    (void)state;
    argand_array *image = noise(ARGAND_R32, 3, (int64_t[]){4, 3, 2}, 1);
    argand_scan scan = {.header = "<ismrmrdHeader><subjectInformation><patientName>A&amp;B</patientName>"
                                  "</subjectInformation></ismrmrdHeader>"};
    char value[80];
    size_t count;
    OK(argand_dicom_write(in_folder("h.dcm"), image, &place, &(argand_dicom_about){.scan = &scan}));
    unsigned char *bytes = get_file(in_folder("h.dcm"), &count);
    find_text(value, bytes, count, 0x00100010, "PN");
    assert_string_equal(value, "A&B ");
    find_text(value, bytes, count, 0x00080023, "DA");
    assert_string_equal(value, "19000101");
    free(bytes);
    scan.header = "<ismrmrdHeader>";
    FAILS(argand_dicom_write(in_folder("x.dcm"), image, &place, &(argand_dicom_about){.scan = &scan}),
          ARGAND_FORMAT, "not well-formed XML");
    folder_empty();
    argand_array_destroy(image);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_numbers),      cmocka_unit_test(test_uids),    cmocka_unit_test(test_texts),
    cmocka_unit_test(test_refused),      cmocka_unit_test(test_headers), cmocka_unit_test(test_folders),
    cmocka_unit_test(test_stale_folder),
};

IO_TESTS(tests)
