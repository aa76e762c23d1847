/* SPDX-License-Identifier: BSD-3-Clause */
/* Files made to be believed: sizes that wrap around, claims that no file could keep, numbers that lie in
 * other files, headers whose entities fill any memory. Each is refused or left out, in little memory and at
 * once, and nothing outside the file is opened: where a pipe is named instead of a file, opening it would
 * wait for ever. */
#include "harness.h"
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include "scan_build.h"

static char folder[64], path[96], other[96], fifo[96];

static void read_all(unsigned char **bytes, size_t *count)
{
    struct stat found;
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fstat(fileno(file), &found), 0);
    *count = (size_t)found.st_size;
    *bytes = malloc(*count);
    assert_int_equal(fread(*bytes, 1, *count, file), *count);
    fclose(file);
}

/* Replaces a run of 64-bit numbers wherever it stands in the file; returns how often it did. */
static int patch(const uint64_t *from, const uint64_t *to, size_t numbers)
{
    unsigned char *bytes;
    size_t count, size = numbers * sizeof *from;
    int found = 0;
    read_all(&bytes, &count);
    for (size_t i = 0; i + size <= count; i++) {
        if (memcmp(bytes + i, from, size) != 0) continue;
        memcpy(bytes + i, to, size);
        found++;
    }
    FILE *file = fopen(path, "wb");
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    fclose(file);
    free(bytes);
    return found;
}

enum { EVIL = 12289 };

static void add_evil(hid_t group)
{
    static float numbers[3 * EVIL];
    build_array(group, "Evil", H5T_NATIVE_FLOAT, 3, (hsize_t[]){1, 3, EVIL}, numbers);
}

/* The array's last dimension becomes `dim`, its stored bytes `bytes`. */
static void claim(uint64_t dim, uint64_t bytes)
{
    build b = build_small();
    b.more = add_evil;
    build_write(&b, path);
    build_free(&b);
    assert_true(patch((uint64_t[]){1, 3, EVIL}, (uint64_t[]){1, 3, dim}, 3) > 0);
    assert_true(patch(&(uint64_t){3 * EVIL * 4}, &bytes, 1) > 0);
}

/* 3 (2^64 + 30002) / 3 elements are 30002 to whom does not look, and a block of 120 kB gets 2^64 and more. */
static void sizes_that_wrap(void **state)
{
    (void)state;
    argand_scan *scan;
    claim((uint64_t)(((unsigned __int128)1 << 64) / 3 + 10001), UINT64_C(1) << 57);
    FAILS(argand_scan_read(&scan, path, NULL), ARGAND_FORMAT, "Evil promises");
    claim(UINT64_C(1) << 61, UINT64_C(3) << 63);
    FAILS(argand_scan_read(&scan, path, NULL), ARGAND_FORMAT, "Evil promises");
}

/* 5 GB, and 5 GB said to be stored in a file of 150 kB: refused before any of it is touched. */
static void claims(void **state)
{
    (void)state;
    argand_scan *scan;
    struct rusage before, after;
    const uint64_t dim = UINT64_C(5000000000) / 12;
    claim(dim, dim * 12);
    getrusage(RUSAGE_SELF, &before);
    FAILS(argand_scan_read(&scan, path, NULL), ARGAND_FORMAT, "Evil promises");
    getrusage(RUSAGE_SELF, &after);
    assert_true(after.ru_maxrss - before.ru_maxrss < 100000); /* kB */
}

static void fixed_header(void **state)
{
    (void)state;
    argand_scan *scan;
    build b = build_small();
    b.fixed_xml = true;
    build_write(&b, path);
    build_free(&b);
    OK(argand_scan_read(&scan, path, NULL));
    argand_scan_destroy(scan);
}

static void add_chunk(hid_t group)
{
    const hsize_t dims[] = {1, 8, 6}, chunk[] = {1 << 10, 1 << 10, 1 << 9};
    static float numbers[48];
    const hid_t space = H5Screate_simple(3, dims, (hsize_t[]){H5S_UNLIMITED, H5S_UNLIMITED, H5S_UNLIMITED});
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(creation, 3, chunk);
    H5Pset_deflate(creation, 1);
    const hid_t set = H5Dcreate2(group, "Evil", H5T_NATIVE_FLOAT, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    const hsize_t at[3] = {0};
    assert_true(H5Dwrite_chunk(set, H5P_DEFAULT, 0, at, sizeof numbers, numbers) >= 0);
    H5Dclose(set);
    H5Pclose(creation);
    H5Sclose(space);
}

static void add_nested(hid_t group)
{
    hid_t type = H5Tcopy(H5T_NATIVE_FLOAT);
    const hsize_t one = 1;
    for (int i = 0; i < 1000; i++) {
        const hid_t next = H5Tarray_create2(type, 1, &one);
        H5Tclose(type);
        type = next;
    }
    build_array(group, "Evil", type, 2, (hsize_t[]){1, 1}, NULL);
    H5Tclose(type);
}

static void odd_arrays(void **state)
{
    (void)state;
    argand_scan *scan;
    static const struct {
        void (*more)(hid_t group);
        const char *message;
    } wrong[] = {{add_chunk, "Evil promises"}, {add_nested, "the type of the array Evil makes no sense"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        build b = build_small();
        b.more = wrong[i].more;
        build_write(&b, path);
        build_free(&b);
        FAILS(argand_scan_read(&scan, path, NULL), ARGAND_FORMAT, wrong[i].message);
    }
}

/* ---- numbers that lie elsewhere ---- */

static void add_stored(hid_t group, const char *name, const char *file)
{
    const hsize_t dims[] = {1, 64};
    const hid_t space = H5Screate_simple(2, dims, NULL), creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_external(creation, file, 0, 64);
    H5Dclose(H5Dcreate2(group, name, H5T_NATIVE_UINT8, space, H5P_DEFAULT, creation, H5P_DEFAULT));
    H5Pclose(creation);
    H5Sclose(space);
}

static void add_elsewhere(hid_t group)
{
    const hsize_t dims[] = {1, 6, 8};
    const hid_t space = H5Screate_simple(3, dims, NULL), creation = H5Pcreate(H5P_DATASET_CREATE);
    add_stored(group, "Stored", other);
    add_stored(group, "Piped", fifo);
    H5Pset_virtual(creation, space, fifo, "/dataset/FieldMap", space);
    H5Dclose(H5Dcreate2(group, "Virtual", H5T_NATIVE_FLOAT, space, H5P_DEFAULT, creation, H5P_DEFAULT));
    H5Pclose(creation);
    H5Sclose(space);
    H5Lcreate_external(fifo, "/dataset/FieldMap", group, "Linked", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_soft("Linked", group, "Soft", H5P_DEFAULT, H5P_DEFAULT);
}

static void arrays_elsewhere(void **state)
{
    (void)state;
    argand_scan *scan;
    static const char *const names[] = {"Stored", "Piped", "Virtual", "Linked", "Soft"};
    build b = build_small();
    b.more = add_elsewhere;
    build_write(&b, path);
    build_free(&b);
    OK(argand_scan_read(&scan, path, NULL));
    assert_int_equal(scan->array_count, 0);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char message[64];
        snprintf(message, sizeof message, "%s is left out", names[i]);
        assert_non_null(strstr(scan->notes, message));
    }
    argand_scan_destroy(scan);
}

static void link_table(hid_t group)
{
    H5Lcreate_external(other, "/dataset/data", group, "data", H5P_DEFAULT, H5P_DEFAULT);
}

static void link_softly(hid_t group)
{
    H5Lcreate_external(fifo, "/dataset/data", group, "far", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_soft("far", group, "data", H5P_DEFAULT, H5P_DEFAULT);
}

static void store_table(hid_t group)
{
    add_stored(group, "data", other);
}

static void tables_elsewhere(void **state)
{
    (void)state;
    argand_scan *scan;
    static const struct {
        void (*more)(hid_t group);
        argand_status status;
        const char *message;
    } wrong[] = {{link_table, ARGAND_UNSUPPORTED, "data is a link to another file"},
                 {link_softly, ARGAND_FORMAT, "data cannot be opened"},
                 {store_table, ARGAND_UNSUPPORTED, "the numbers of data lie in other files"}};
    build b = build_small();
    build_write(&b, other);
    build_free(&b);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        b = build_small();
        b.no_data = true;
        b.more = wrong[i].more;
        build_write(&b, path);
        build_free(&b);
        FAILS(argand_scan_read(&scan, path, NULL), wrong[i].status, wrong[i].message);
    }
}

static void group_elsewhere(void **state)
{
    (void)state;
    argand_scan *scan;
    const char *const targets[] = {other, fifo};
    for (int i = 0; i < 2; i++) {
        const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
        H5Lcreate_external(targets[i], "/dataset", file, "dataset", H5P_DEFAULT, H5P_DEFAULT);
        H5Fclose(file);
        FAILS(argand_scan_read(&scan, path, NULL), ARGAND_UNSUPPORTED,
              "\"dataset\" is a link to another file");
    }
    FAILS(argand_scan_read(&scan, fifo, NULL), ARGAND_FILE, "is a device or pipe");
}

/* Nothing is said against one file's own links. */
static void own_links(void **state)
{
    (void)state;
    argand_scan *scan;
    build b = build_small();
    build_write(&b, path);
    build_free(&b);
    const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    H5Lcreate_soft("/dataset", file, "scan2", H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(file);
    OK(argand_scan_read(&scan, path, &(argand_scan_options){.group = "scan2"}));
    assert_int_equal(scan->acquisition_count, BUILD_ROWS);
    argand_scan_destroy(scan);
}

/* ---- headers ---- */

/* 20000 times 100 kB, from a header of 240 kB. */
static void entities(void **state)
{
    (void)state;
    argand_scan *scan;
    char *xml, *at;
    assert_non_null(xml = malloc(300000));
    at = xml + sprintf(xml, "<?xml version=\"1.0\"?><!DOCTYPE ismrmrdHeader [<!ENTITY a \"");
    memset(at, 'x', 100000);
    at += 100000;
    at += sprintf(at, "\">]><ismrmrdHeader><encoding><encodedSpace>");
    for (int i = 0; i < 20000; i++) at += sprintf(at, "&a;");
    sprintf(at, "</encodedSpace></encoding></ismrmrdHeader>");
    build b = build_small();
    b.xml = xml;
    build_write(&b, path);
    build_free(&b);
    free(xml);
    FAILS(argand_scan_read(&scan, path, NULL), ARGAND_FORMAT, "document type (<!DOCTYPE)");
}

/* Each encoding is compared with each acquisition. */
static void many_encodings(void **state)
{
    (void)state;
    argand_scan *scan;
    static const char one[] = XML_ENCODING(XML_SPACE(8, 6, 1), XML_CARTESIAN);
    for (int count = 256; count <= 257; count++) {
        char *xml = malloc((size_t)count * sizeof one + 200);
        int used = sprintf(xml, "<ismrmrdHeader>");
        for (int i = 0; i < count; i++) used += sprintf(xml + used, "%s", one);
        sprintf(xml + used, "</ismrmrdHeader>");
        build b = build_small();
        b.xml = xml;
        build_write(&b, path);
        build_free(&b);
        free(xml);
        if (count == 257)
            FAILS(argand_scan_read(&scan, path, NULL), ARGAND_FORMAT, "257 encodings make no sense");
        if (count == 257) continue;
        OK(argand_scan_read(&scan, path, NULL));
        argand_scan_destroy(scan);
    }
}

static void any_document_type(void **state)
{
    (void)state;
    argand_scan *scan;
    static const char *const types[] = {"<!DOCTYPE ismrmrdHeader>",
                                        "<!DOCTYPE a SYSTEM \"file:///etc/passwd\">",
                                        "<!DOCTYPE a [<!ENTITY e SYSTEM \"file:///etc/passwd\">]>"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        char xml[1024];
        build b = build_small();
        snprintf(xml, sizeof xml, "<?xml version=\"1.0\"?>%s%s", types[i],
                 strstr(XML_SMALL, "<ismrmrdHeader"));
        b.xml = xml;
        build_write(&b, path);
        build_free(&b);
        FAILS(argand_scan_read(&scan, path, NULL), ARGAND_FORMAT, "document type (<!DOCTYPE)");
    }
}

static int set_up(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/argand-hostile-XXXXXX");
    if (!mkdtemp(folder)) return -1;
    snprintf(path, sizeof path, "%s/a.h5", folder);
    snprintf(other, sizeof other, "%s/b.h5", folder);
    snprintf(fifo, sizeof fifo, "%s/pipe", folder);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    alarm(60); /* a pipe that is opened waits for ever */
    return mkfifo(fifo, 0600);
}

static int tear_down(void **state)
{
    (void)state;
    assert_int_equal(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
    alarm(0);
    unlink(path);
    unlink(other);
    unlink(fifo);
    return rmdir(folder);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
static const struct CMUnitTest tests[] = {
    TEST(sizes_that_wrap),  TEST(claims),           TEST(fixed_header),      TEST(odd_arrays),
    TEST(arrays_elsewhere), TEST(tables_elsewhere), TEST(group_elsewhere),   TEST(own_links),
    TEST(entities),         TEST(many_encodings),   TEST(any_document_type),
};
RUN_TESTS(tests)
