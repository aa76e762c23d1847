/* SPDX-License-Identifier: BSD-3-Clause */
/* Scans and memory: HDF5's own allocations fail one after another, and no sound file is called damaged or
 * read in part; packed arrays take no more memory than they have proved to fill. */
#include "folder.h"
#include <link.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include "scan_build.h"

/* ---- HDF5's allocations fail, from one on, and all large ones; sanitizers have their own allocator ---- */

#if !defined(__SANITIZE_ADDRESS__) && defined(__GLIBC__)
enum { CAN_FAIL = 1 };
static uintptr_t hdf5_begin, hdf5_end;
static long calls, fail_at;

enum { LARGE = 1 << 20 };

static bool must_fail(const void *caller, size_t bytes)
{
    const uintptr_t at = (uintptr_t)caller;
    const bool is_hdf5 = at >= hdf5_begin && at < hdf5_end;
    calls += is_hdf5;
    return fail_at && calls >= fail_at && (is_hdf5 || bytes >= LARGE);
}

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *block, size_t bytes);

/* HDF5's calls come here. */
#define SEEN __attribute__((visibility("default")))

SEEN void *malloc(size_t bytes)
{
    return must_fail(__builtin_return_address(0), bytes) ? NULL : __libc_malloc(bytes);
}

SEEN void *calloc(size_t count, size_t bytes)
{
    return must_fail(__builtin_return_address(0), bytes) ? NULL : __libc_calloc(count, bytes);
}

SEEN void *realloc(void *block, size_t bytes)
{
    return must_fail(__builtin_return_address(0), bytes) ? NULL : __libc_realloc(block, bytes);
}

static int find_hdf5(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size, (void)data;
    if (!strstr(info->dlpi_name, "libhdf5")) return 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const uintptr_t begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
        if (info->dlpi_phdr[i].p_type != PT_LOAD || !(info->dlpi_phdr[i].p_flags & PF_X)) continue;
        hdf5_begin = begin;
        hdf5_end = begin + info->dlpi_phdr[i].p_memsz;
    }
    return 1;
}
#else
enum { CAN_FAIL = 0 };
static long calls, fail_at;
static int find_hdf5(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)info, (void)size, (void)data;
    return 0;
}
#endif

static void add_map(hid_t group)
{
    static float numbers[8 * 6];
    build_array(group, "FieldMap", H5T_NATIVE_FLOAT, 3, (hsize_t[]){1, 6, 8}, numbers);
}

static const char *small_file(void)
{
    const char *path = in_folder("small.h5");
    build b = build_small();
    b.more = add_map;
    build_write(&b, path);
    build_free(&b);
    return path;
}

/* In a process of its own, as HDF5 (1.10) itself does not stand all of them. */
enum { WHOLE, TOLD, CRASHED, WRONG, RESULTS };

static int read_without(const char *path, long n, char *message, size_t size)
{
    int ends[2], result = 0;
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    if (!child) {
        argand_scan *scan;
        signal(SIGSEGV, SIG_DFL); /* cmocka's would go on */
        signal(SIGABRT, SIG_DFL);
        calls = 0;
        fail_at = n;
        const argand_status status = argand_scan_read(&scan, path, NULL);
        fail_at = 0;
        const bool whole =
            status == ARGAND_OK && scan->acquisition_count == BUILD_ROWS && scan->array_count == 1;
        const bool told = status == ARGAND_MEMORY && strstr(argand_message(), path) &&
                          strstr(argand_message(), "no memory");
        (void)!write(ends[1], argand_message(), strlen(argand_message()));
        _exit(whole ? WHOLE : told ? TOLD : WRONG);
    }
    close(ends[1]);
    const ssize_t got = read(ends[0], message, size - 1);
    message[got > 0 ? got : 0] = 0;
    close(ends[0]);
    assert_int_equal(waitpid(child, &result, 0), child);
    return WIFEXITED(result) ? WEXITSTATUS(result) : CRASHED;
}

static void memory_within_hdf5(void **state)
{
    (void)state;
    if (!CAN_FAIL) skip();
    const char *path = small_file();
    argand_scan *scan;
    char message[1024];
    int counts[RESULTS] = {0};
    dl_iterate_phdr(find_hdf5, NULL);
    OK(argand_scan_read(&scan, path, NULL)); /* what HDF5 makes once is made */
    argand_scan_destroy(scan);
    calls = 0;
    OK(argand_scan_read(&scan, path, NULL));
    argand_scan_destroy(scan);
    const long all = calls;
    for (long n = 1; n <= all; n += 1 + n / (few() ? 10 : 100)) {
        const int result = read_without(path, n, message, sizeof message);
        if (result == WRONG) fail_msg("from allocation %ld of %ld on: %s", n, all, message);
        counts[result]++;
    }
    printf("%ld allocations: %d told, %d read, %d crashes within HDF5\n", all, counts[TOLD], counts[WHOLE],
           counts[CRASHED]);
    assert_true(counts[TOLD] > 10);
    unlink(path);
}

/* ---- packed arrays ---- */

enum { CHUNK_ROWS = 64, CHUNKS = 64, WIDE = 16384, BAD_CHUNK = 3 }; /* 4 MiB each, 256 in all */

static bool with_bad_chunk;

/* Zeros, which are packed a thousand to one. */
static void add_packed(hid_t group)
{
    const hsize_t dims[] = {1, CHUNKS * CHUNK_ROWS, WIDE}, chunk[] = {1, CHUNK_ROWS, WIDE};
    const size_t bytes = CHUNK_ROWS * WIDE * sizeof(float);
    float *numbers = calloc(1, bytes);
    assert_non_null(numbers);
    const hid_t space = H5Screate_simple(3, dims, NULL), memory = H5Screate_simple(3, chunk, NULL);
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(creation, 3, chunk);
    H5Pset_deflate(creation, 9);
    const hid_t set =
        H5Dcreate2(group, "Packed", H5T_NATIVE_FLOAT, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    for (hsize_t i = 0; i < CHUNKS; i++) {
        const hsize_t at[] = {0, i * CHUNK_ROWS, 0};
        H5Sselect_hyperslab(space, H5S_SELECT_SET, at, NULL, chunk, NULL);
        if (with_bad_chunk && i == BAD_CHUNK)
            assert_true(H5Dwrite_chunk(set, H5P_DEFAULT, 0, at, 5000, numbers) >= 0);
        else
            assert_true(H5Dwrite(set, H5T_NATIVE_FLOAT, memory, space, H5P_DEFAULT, numbers) >= 0);
    }
    H5Dclose(set);
    H5Pclose(creation);
    H5Sclose(memory);
    H5Sclose(space);
    free(numbers);
}

static argand_status read_packed(argand_scan **scan, bool bad)
{
    const char *path = in_folder("packed.h5");
    build b = build_small();
    with_bad_chunk = bad;
    b.more = add_packed;
    build_write(&b, path);
    build_free(&b);
    const argand_status status = argand_scan_read(scan, path, NULL);
    unlink(path);
    return status;
}

/* The highest so far of this process, in kB: what fails comes before what is read whole. */
static long most_memory(void)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return used.ru_maxrss;
}

/* The fourth of 64 chunks is no deflated data: what is behind it is neither unpacked nor set aside. */
static void packed_to_the_proof(void **state)
{
    (void)state;
    argand_scan *scan;
    assert_int_equal(read_packed(&scan, true), ARGAND_FORMAT); /* HDF5 has what it keeps */
    const long before = most_memory();
    assert_int_equal(read_packed(&scan, true), ARGAND_FORMAT);
    assert_non_null(strstr(argand_message(), "the array Packed cannot be read"));
    if (CAN_FAIL) /* sanitizers keep what is released */
        assert_true(most_memory() - before < 100000 && before < 200000);
    OK(read_packed(&scan, false));
    assert_int_equal(scan->arrays[0].dims[1], CHUNKS * CHUNK_ROWS);
    const float *numbers = scan->arrays[0].data;
    for (size_t i = 0; i < (size_t)CHUNKS * CHUNK_ROWS * WIDE; i += 4097) assert_true(numbers[i] == 0);
    argand_scan_destroy(scan);
}

/* In pieces, every number where it belongs. */
static void add_numbered(hid_t group)
{
    enum { ROWS = 70, ACROSS = 333, DEEP = 400 };
    const hsize_t dims[] = {2, ROWS, DEEP, ACROSS}, chunk[] = {1, 9, 100, 50};
    float *numbers = malloc(2 * ROWS * DEEP * ACROSS * sizeof *numbers);
    assert_non_null(numbers);
    for (int i = 0; i < 2 * ROWS * DEEP * ACROSS; i++) numbers[i] = (float)(i % 16777213);
    const hid_t space = H5Screate_simple(4, dims, NULL), creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(creation, 4, chunk);
    const hid_t set =
        H5Dcreate2(group, "Chunked", H5T_NATIVE_FLOAT, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    H5Dwrite(set, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers);
    H5Dclose(set);
    H5Pclose(creation);
    H5Sclose(space);
    build_array(group, "Plain", H5T_NATIVE_FLOAT, 4, dims, numbers);
    build_array(group, "Row", H5T_NATIVE_FLOAT, 1, (hsize_t[]){ROWS * DEEP * ACROSS}, numbers);
    free(numbers);
}

static void pieces_make_the_whole(void **state)
{
    (void)state;
    argand_scan *scan;
    const char *path = in_folder("numbered.h5");
    build b = build_small();
    b.more = add_numbered;
    build_write(&b, path);
    build_free(&b);
    OK(argand_scan_read(&scan, path, NULL));
    assert_int_equal(scan->array_count, 3);
    for (int a = 0; a < 3; a++) {
        const argand_scan_array *array = &scan->arrays[a];
        const float *numbers = array->data;
        int64_t count = 1;
        for (int d = 0; d < array->rank; d++) count *= array->dims[d];
        assert_int_equal(count, 70 * 333 * 400);
        for (int64_t i = 0; i < count; i++)
            if (numbers[i] != (float)(i % 16777213)) fail_msg("%s, number %lld", array->name, (long long)i);
    }
    argand_scan_destroy(scan);
    unlink(path);
}

static int tear_down(void **state)
{
    (void)state;
    return rmdir(folder);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, folder_open, tear_down)
static const struct CMUnitTest tests[] = {
    TEST(packed_to_the_proof),
    TEST(pieces_make_the_whole),
    TEST(memory_within_hdf5),
};
RUN_TESTS(tests)
