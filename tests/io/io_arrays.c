/* SPDX-License-Identifier: BSD-3-Clause */
/* npy and cfl: round trips, the bytes, and what is refused. foreign.py holds them against NumPy. */
#include "folder.h"
#include <sys/stat.h>
#include "base/memory_guard.h"

static const argand_type types[] = {ARGAND_R32, ARGAND_R64, ARGAND_C32, ARGAND_C64};
static const struct {
    int rank;
    int64_t dims[8];
} shapes[] = {{0, {0}},
              {1, {1}},
              {1, {17}},
              {2, {5, 3}},
              {3, {1, 4, 1}},
              {5, {2, 3, 4, 1, 2}},
              {8, {2, 1, 2, 3, 1, 2, 1, 3}},
              {2, {70001, 3}}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static void test_npy_round_trips(void **state)
{
    (void)state;
    for (int s = 0; s < SHAPES; s++)
        for (int t = 0; t < 4; t++) {
            argand_array *array = noise(types[t], shapes[s].rank, shapes[s].dims, 1), *back;
            OK(argand_array_write(in_folder("r.npy"), array));
            OK(argand_array_read(&back, in_folder("r.npy"), device));
            assert_int_equal(argand_array_type(back), types[t]);
            assert_int_equal(argand_array_rank(back), shapes[s].rank);
            assert_same(array, back, 0);
            argand_array_destroy(back);
            argand_array_destroy(array);
        }
}

/* Single complex, 16 dimensions; ours without the trailing ones, and at least one. */
static void test_cfl_round_trips(void **state)
{
    (void)state;
    for (int s = 0; s < SHAPES; s++)
        for (int t = 0; t < 4; t++) {
            argand_array *array = noise(types[t], shapes[s].rank, shapes[s].dims, 2), *back, *complex_array;
            OK(argand_array_create(&complex_array, device, t % 2 ? ARGAND_C64 : ARGAND_C32, shapes[s].rank,
                                   shapes[s].dims));
            OK(argand_array_copy(complex_array, array));
            OK(argand_array_write(in_folder("r.cfl"), array));
            OK(argand_array_read(&back, in_folder("r.cfl"), device));
            assert_int_equal(argand_array_type(back), ARGAND_C32);
            assert_true(argand_array_rank(back) == 1 ||
                        argand_array_dim(back, argand_array_rank(back) - 1) > 1);
            assert_same(complex_array, back,
                        t % 2 ? 6e-8 : 0); /* doubles are rounded to single: half of 2^-23 */
            argand_array_destroy(complex_array);
            argand_array_destroy(back);
            argand_array_destroy(array);
        }
}

/* numpy.load and every other reader find the header that numpy itself would write, its numbers at a multiple
 * of 64. */
static void test_npy_bytes(void **state)
{
    (void)state;
    argand_array *array = noise(ARGAND_C32, 3, (int64_t[]){4, 3, 2}, 3);
    OK(argand_array_write(in_folder("b.npy"), array));
    size_t count;
    unsigned char *bytes = get_file(in_folder("b.npy"), &count);
    assert_int_equal(count, 128 + 24 * 8);
    assert_memory_equal(bytes, "\x93NUMPY\1\0\x76\0", 10);
    assert_memory_equal(bytes + 10, "{'descr': '<c8', 'fortran_order': False, 'shape': (2, 3, 4), }  ", 64);
    assert_int_equal(bytes[127], '\n');
    free(bytes);
    argand_array_destroy(array);
}

/* ------------------------------------------------------------------------------------------------ refusals
 */

static void put_npy(const char *dictionary, size_t numbers)
{
    unsigned char bytes[1024] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0};
    const size_t length = strlen(dictionary);
    bytes[8] = (unsigned char)length;
    memcpy(bytes + 10, dictionary, length);
    put_file(in_folder("h.npy"), bytes, 10 + length + numbers);
}

static void refuse_npy(const char *dictionary, argand_status expected, const char *message)
{
    argand_array *back = (argand_array *)1;
    put_npy(dictionary, 16);
    FAILS(argand_array_read(&back, in_folder("h.npy"), device), expected, message);
    assert_non_null(strstr(argand_message(), "h.npy: "));
    assert_null(back);
}

/* [y, x] of NumPy is element {x, y} here whichever of the two is fastest in the file. */
static void test_npy_in_fortran_order(void **state)
{
    (void)state;
    unsigned char bytes[256] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0};
    const char *dictionary = "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }";
    const float stored[6] = {0, 10, 1, 11, 2, 12}; /* 10 y + x, y fastest */
    const size_t length = strlen(dictionary);
    argand_array *back;
    bytes[8] = (unsigned char)length;
    memcpy(bytes + 10, dictionary, length);
    memcpy(bytes + 10 + length, stored, sizeof stored);
    put_file(in_folder("f.npy"), bytes, 10 + length + sizeof stored);
    OK(argand_array_read(&back, in_folder("f.npy"), device));
    assert_int_equal(argand_array_dim(back, 0), 3);
    assert_int_equal(argand_array_dim(back, 1), 2);
    float got[6];
    OK(argand_array_download(back, got));
    for (int y = 0; y < 2; y++)
        for (int x = 0; x < 3; x++) assert_true(got[x + 3 * y] == (float)(10 * y + x));
    argand_array_destroy(back);
}

/* Halves: normal numbers, both signs, the smallest and the largest, in both orders of bytes. */
static void test_npy_of_halves(void **state)
{
    (void)state;
    static const unsigned codes[6] = {0x3e00, 0xc000, 0x0001, 0x7bff, 0x8000, 0x0400};
    static const double wanted[6] = {1.5, -2, 0x1p-24, 65504, 0, 0x1p-14};
    for (int big = 0; big < 2; big++) {
        unsigned char bytes[256] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0};
        const char *dictionary = big ? "{'descr': '>f2', 'fortran_order': False, 'shape': (6,), }"
                                     : "{'descr': '<f2', 'fortran_order': False, 'shape': (6,), }";
        const size_t length = strlen(dictionary);
        argand_array *back;
        float got[6];
        bytes[8] = (unsigned char)length;
        memcpy(bytes + 10, dictionary, length);
        for (int i = 0; i < 6; i++) {
            bytes[10 + length + 2 * (size_t)i] = (unsigned char)(big ? codes[i] >> 8 : codes[i] & 255);
            bytes[11 + length + 2 * (size_t)i] = (unsigned char)(big ? codes[i] & 255 : codes[i] >> 8);
        }
        put_file(in_folder("2.npy"), bytes, 10 + length + 12);
        OK(argand_array_read(&back, in_folder("2.npy"), device));
        assert_int_equal(argand_array_type(back), ARGAND_R32);
        OK(argand_array_download(back, got));
        for (int i = 0; i < 6; i++) assert_true((double)got[i] == wanted[i]);
        argand_array_destroy(back);
    }
}

static void test_refused_npy_headers(void **state)
{
    (void)state;
    argand_array *back;
    put_npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }",
            16); /* the one that all others spoil */
    OK(argand_array_read(&back, in_folder("h.npy"), device));
    argand_array_destroy(back);
    put_npy("{\"shape\":(2L,2L),\"fortran_order\":True,\"descr\":\"<f4\"}",
            16); /* as loose as numpy's reader */
    OK(argand_array_read(&back, in_folder("h.npy"), device));
    argand_array_destroy(back);
    refuse_npy("{'descr': '<f4', 'fortran_order': False, }", ARGAND_FORMAT,
               "lacks descr, fortran_order or shape");
    refuse_npy("", ARGAND_FORMAT, "lacks descr");
    refuse_npy("{'descr': '<c4', 'fortran_order': False, 'shape': (2, 2), }", ARGAND_UNSUPPORTED,
               "type c4 are not read");
    refuse_npy("{'descr': '<U9', 'fortran_order': False, 'shape': (2, 2), }", ARGAND_UNSUPPORTED,
               "type U9 are not read");
    refuse_npy("{'descr': '<16', 'fortran_order': False, 'shape': (2, 2), }", ARGAND_UNSUPPORTED,
               "type 16 are not read; save as one of b1 i1"); /* the end of c16 */
    refuse_npy("{'descr': '|O', 'fortran_order': False, 'shape': (2, 2), }", ARGAND_UNSUPPORTED,
               "holds Python objects (dtype object); save an array of numbers");
    argand_test_guard_memory(ARGAND_TEST_GUARD_BEHIND); /* 63 characters and the NUL fill a block */
    refuse_npy("{'fortran_order': False, 'shape': (2, 2),              'descr':", ARGAND_FORMAT,
               "type cannot be understood: ");
    argand_test_guard_memory(ARGAND_TEST_GUARD_NONE);
    refuse_npy("{'descr': 'f4', 'fortran_order': False, 'shape': (2, 2), }", ARGAND_FORMAT,
               "type cannot be understood: 'f4'");
    refuse_npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,), }", ARGAND_UNSUPPORTED,
               "holds records");
    refuse_npy("{'descr': '<f4', 'fortran_order': None, 'shape': (2, 2), }", ARGAND_FORMAT,
               "neither True nor False: None");
    refuse_npy("{'descr': '<f4', 'fortran_order': False, 'shape': 4, }", ARGAND_FORMAT,
               "shape cannot be understood: 4");
    refuse_npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2, -2), }", ARGAND_FORMAT,
               "understood: -2");
    refuse_npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2", ARGAND_FORMAT,
               "shape cannot be understood: ");
    refuse_npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 0), }", ARGAND_FORMAT,
               "dimension 0 is 0");
    refuse_npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,1), }", ARGAND_UNSUPPORTED,
               "more than 8 dimensions");
    refuse_npy("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,), }", ARGAND_FORMAT,
               "too large");
    refuse_npy("{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296), }", ARGAND_FORMAT,
               "too large");
    refuse_npy("{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2), }", ARGAND_FORMAT,
               "24 bytes of numbers expected, 16 found");
}

static void refuse_bytes(const char *bytes, size_t count, argand_status expected, const char *message)
{
    argand_array *back;
    put_file(in_folder("h.npy"), bytes, count);
    FAILS(argand_array_read(&back, in_folder("h.npy"), device), expected, message);
}

static void test_refused_npy_files(void **state)
{
    (void)state;
    refuse_bytes("", 0, ARGAND_FORMAT, "is not a .npy file");
    refuse_bytes("\x93NUMPY\1\0", 8, ARGAND_FORMAT, "ends within its header");
    refuse_bytes("\x93NUMPY\4\0\0\0", 10, ARGAND_UNSUPPORTED, ".npy version 4");
    refuse_bytes("\x93NUMPY\2\0\xff\xff\xff\x7f", 12, ARGAND_FORMAT, "2147483647 characters is too long");
    refuse_bytes("\x93NUMPY\1\0\x76\0{", 11, ARGAND_FORMAT, "118 bytes of header expected, 1 found");
    refuse_bytes("\x93NUMPY\2\0\x76\0", 10, ARGAND_FORMAT, "2 bytes of header expected, 0 found");
}

static void refuse_cfl(const char *header, size_t numbers, argand_status expected, const char *message)
{
    static const char zeros[1024];
    argand_array *back;
    put_file(in_folder("h.hdr"), header, strlen(header));
    put_file(in_folder("h.cfl"), zeros, numbers);
    FAILS(argand_array_read(&back, in_folder("h.cfl"), device), expected, message);
    assert_null(back);
}

/* BART counts repetitions in its eleventh dimension; ones between are left out, the last first. */
static void test_cfl_of_many_dimensions(void **state)
{
    static const char header[] = "# Dimensions\n1 2 1 4 1 1 1 1 1 1 3 1 1 1 1 1\n";
    static const int64_t expected[8] = {1, 2, 1, 4, 1, 1, 1, 3};
    const float numbers[48] = {0, [46] = 5, 6};
    argand_array *back;
    (void)state;
    put_file(in_folder("m.hdr"), header, strlen(header));
    put_file(in_folder("m.cfl"), (const char *)numbers, sizeof numbers);
    assert_int_equal(argand_array_read(&back, in_folder("m.cfl"), device), ARGAND_OK);
    assert_int_equal(argand_array_rank(back), 8);
    for (int d = 0; d < 8; d++) assert_int_equal(argand_array_dim(back, d), expected[d]);
    assert_true(((const float *)argand_array_data(back))[46] == 5);
    argand_array_destroy(back);
}

static void test_refused_cfl(void **state)
{
    (void)state;
    refuse_cfl("", 16, ARGAND_FORMAT, "h.hdr: has no line \"# Dimensions\"");
    refuse_cfl("# Dimensions", 16, ARGAND_FORMAT, "ends before its dimensions");
    refuse_cfl("# Dimensions\n\n", 16, ARGAND_FORMAT, "has no dimensions");
    refuse_cfl("# Dimensions\n2 x 1\n", 16, ARGAND_FORMAT, "dimension 1 is not a number: x 1");
    refuse_cfl("# Dimensions\n2 -1\n", 16, ARGAND_FORMAT, "dimension 1 is not a number");
    refuse_cfl("# Dimensions\n2 0\n", 16, ARGAND_FORMAT, "h.hdr: dimension 1 is 0");
    refuse_cfl("# Dimensions\n99999999999999999999\n", 16, ARGAND_FORMAT, "too large");
    refuse_cfl("# Dimensions\n4294967296 4294967296 4294967296\n", 16, ARGAND_FORMAT, "too large");
    refuse_cfl("# Dimensions\n1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 2\n", 16, ARGAND_UNSUPPORTED,
               "more than 16 dimensions");
    refuse_cfl("# Dimensions\n2 2 2 2 2 2 2 2 2\n", 16, ARGAND_UNSUPPORTED, "more than 8 dimensions");
    refuse_cfl("# Dimensions\n2 2\n", 31, ARGAND_FORMAT,
               "h.cfl: truncated: 32 bytes of numbers expected, 31 found");
    refuse_cfl("# Dimensions\n2 2\n", 33, ARGAND_FORMAT, "h.cfl: 32 bytes expected from its .hdr, 33 found");
    argand_array *back;
    unlink(in_folder("h.hdr"));
    FAILS(argand_array_read(&back, in_folder("h.cfl"), device), ARGAND_FILE,
          "h.hdr: cannot be read: No such file");
}

/* A pipe that nobody writes into is refused at once, wherever a file is named. */
static void test_pipes(void **state)
{
    (void)state;
    argand_array *back;
    static const char *const names[] = {"pipe.npy", "pipe.nii", "pipe.cfl"};
    alarm(60);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_int_equal(mkfifo(in_folder(names[i]), 0600), 0);
        FAILS(argand_array_read(&back, in_folder(names[i]), device), ARGAND_FILE, "is not a file");
    }
    unlink(in_folder("pipe.cfl"));
    put_file(in_folder("pipe.cfl"), "", 0);
    assert_int_equal(mkfifo(in_folder("pipe.hdr"), 0600), 0);
    FAILS(argand_array_read(&back, in_folder("pipe.cfl"), device), ARGAND_FILE, "pipe.hdr: is not a file");
    FAILS(argand_array_read(&back, in_folder("."), device), ARGAND_ARGUMENT, "ending");
    alarm(0);
}

static void test_endings(void **state)
{
    (void)state;
    argand_array *array = noise(ARGAND_R32, 1, (int64_t[]){3}, 4), *back;
    FAILS(argand_array_read(&back, "a.mat", device), ARGAND_ARGUMENT,
          "unknown ending .mat; known are .npy, .cfl");
    for (int i = 0; argand_array_format(i) || i < 4; i++) { /* each of the list can be written and read */
        char name[64];
        assert_non_null(argand_array_format(i));
        snprintf(name, sizeof name, "format%s", argand_array_format(i));
        assert_string_equal(argand_array_ending(name), argand_array_format(i));
        OK(argand_array_write(in_folder(name), array));
        OK(argand_array_read(&back, in_folder(name), device));
        argand_array_destroy(back);
    }
    assert_null(argand_array_format(-1));
    assert_null(argand_array_ending("a.nii.txt"));
    FAILS(argand_array_write("a.b/image", array), ARGAND_ARGUMENT,
          "a.b/image: the name has no ending; known are .npy");
    FAILS(argand_array_write("a.hdr", array), ARGAND_ARGUMENT, "give the name of the .cfl next to it");
    OK(argand_array_write(in_folder("pair.cfl"), array));
    OK(argand_array_read(&back, in_folder("pair"), device)); /* as BART names it */
    assert_int_equal(argand_array_dim(back, 0), 3);
    argand_array_destroy(back);
    unlink(in_folder("pair.hdr"));
    FAILS(argand_array_read(&back, in_folder("pair"), device), ARGAND_ARGUMENT, "the name has no ending");
    FAILS(argand_array_read(&back, NULL, device), ARGAND_ARGUMENT, "no file name");
    FAILS(argand_array_read(&back, "a.npy", NULL), ARGAND_ARGUMENT, "no device");
    FAILS(argand_array_write("a.npy", NULL), ARGAND_ARGUMENT, "no array");
    FAILS(argand_array_read(&back, in_folder("absent.npy"), device), ARGAND_FILE,
          "absent.npy: cannot be read: No such file");
    FAILS(argand_array_read(&back, in_folder("absent.cfl"), device), ARGAND_FILE,
          "absent.cfl: cannot be read: No such file");
    argand_array_destroy(array);
}

/* FIPS 180-4's examples: three bytes, none, and a million. */
static void test_sha256(void **state)
{
    (void)state;
    enum { MILLION = 1000000 };
    char text[ARGAND_SHA256_TEXT], *many = malloc(MILLION);
    assert_non_null(many);
    memset(many, 'a', MILLION);
    OK(argand_bytes_write(in_folder("sum"), "abc", 3));
    OK(argand_file_sha256(text, in_folder("sum")));
    assert_string_equal(text, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    OK(argand_bytes_write(in_folder("sum"), "", 0));
    OK(argand_file_sha256(text, in_folder("sum")));
    assert_string_equal(text, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    OK(argand_bytes_write(in_folder("sum"), many, MILLION));
    OK(argand_file_sha256(text, in_folder("sum")));
    assert_string_equal(text, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    FAILS(argand_file_sha256(text, in_folder("none")), ARGAND_FILE, "cannot be read");
    FAILS(argand_file_sha256(text, in_folder(".")), ARGAND_FILE, "is not a file");
    free(many);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_npy_round_trips),
    cmocka_unit_test(test_cfl_round_trips),
    cmocka_unit_test(test_npy_bytes),
    cmocka_unit_test(test_npy_of_halves),
    cmocka_unit_test(test_npy_in_fortran_order),
    cmocka_unit_test(test_refused_npy_headers),
    cmocka_unit_test(test_refused_npy_files),
    cmocka_unit_test(test_cfl_of_many_dimensions),
    cmocka_unit_test(test_refused_cfl),
    cmocka_unit_test(test_pipes),
    cmocka_unit_test(test_endings),
    cmocka_unit_test(test_sha256),
};

IO_TESTS(tests)
