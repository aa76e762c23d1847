/* SPDX-License-Identifier: BSD-3-Clause */
/* Writing that fails, of each kind of file: the message says which file, what was there is kept, and no
 * temporary file and no memory is left behind. */
#include "folder.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include "base/memory.h"

static argand_array *image;

static argand_status write_array(const char *path)
{
    return argand_array_write(path, image);
}

static argand_status write_dicom(const char *path)
{
    const argand_geometry place = {
        .valid = true, .voxel = {1, 1, 1}, .read = {1}, .phase = {0, 1, 0}, .slice = {0, 0, 1}};
    return argand_dicom_write(path, image, &place, &(argand_dicom_about){.description = "a volume"});
}

static argand_status write_montage(const char *path)
{
    const char *captions[2] = {"a slice"};
    return argand_montage_write(path, image,
                                &(argand_montage_options){.captions = captions, .caption_count = 2});
}

static argand_status write_plot(const char *path)
{
    double y[500];
    for (int i = 0; i < 500; i++) y[i] = 1 + i % 7;
    return argand_plot_write(path, "a title", 500, y, true);
}

static argand_status write_report(const char *path)
{
    argand_report *report;
    argand_status status = argand_report_create(&report, "a title");
    if (status == ARGAND_OK) status = argand_report_image(report, image, NULL);
    if (status == ARGAND_OK) status = argand_report_write(report, path);
    argand_report_destroy(report);
    return status;
}

/* Whole numbers for PNG, floats for the others. */
static argand_status write_picture(const char *path)
{
    argand_picture_info info = {.width = 40, .height = 120, .channels = 1, .alpha = -1, .names = {"Y"}};
    argand_picture *p;
    info.sample = strstr(path, ".png") ? ARGAND_SAMPLE_U16 : ARGAND_SAMPLE_F32;
    argand_array *rows = NULL;
    argand_status status = argand_array_reshape(&rows, image, 3, (int64_t[]){40, 120, 1});
    if (status != ARGAND_OK) return status;
    status = argand_picture_create(&p, path, &info, NULL);
    if (status == ARGAND_OK) status = argand_picture_save(p, rows, false);
    argand_picture_close(p);
    argand_array_destroy(rows);
    return status;
}

static const struct writer {
    const char *name;
    argand_status (*write)(const char *path);
    int files;
} writers[] = {
    {"a.nii", write_array, 1},   {"a.nii.gz", write_array, 1},      {"a.npy", write_array, 1},
    {"a.cfl", write_array, 2},   {"montage.png", write_montage, 1}, {"plot.png", write_plot, 1},
    {"a.html", write_report, 1}, {"p.exr", write_picture, 1},       {"p.png", write_picture, 1},
    {"p.pfm", write_picture, 1}, {"p.tif", write_picture, 1},       {"a.dcm", write_dicom, 1},
};
enum { WRITERS = sizeof writers / sizeof *writers };

/* The build may lack a picture's format. */
static bool is_lacking(const char *name)
{
    return argand_picture_is_known(name) && argand_picture_lacks(name);
}

static int open_image(void **state)
{
    image = noise(ARGAND_R32, 3, (int64_t[]){40, 30, 4}, 1);
    return folder_open(state);
}

static int close_image(void **state)
{
    argand_array_destroy(image);
    return folder_close(state);
}

static void limit_files(rlim_t bytes)
{
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = bytes;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* A full disk, at the first byte, within the header, in the middle, and at the very end (where only closing
 * notices). The old file is as it was. */
static void test_disk_full(void **state)
{
    (void)state;
    signal(SIGXFSZ, SIG_IGN);
    for (int w = 0; w < WRITERS; w++) {
        if (is_lacking(writers[w].name)) continue;
        const char *path = in_folder(writers[w].name);
        OK(writers[w].write(path));
        struct stat whole;
        assert_int_equal(stat(path, &whole), 0);
        const rlim_t sizes[] = {0, 100, (rlim_t)whole.st_size / 2, (rlim_t)whole.st_size - 1};
        put_file(path, "the old file", 12);
        for (int s = 0; s < 4; s++) {
            limit_files(sizes[s]);
            const argand_status status = writers[w].write(path);
            limit_files(RLIM_INFINITY);
            assert_int_equal(status, ARGAND_FILE);
            assert_non_null(strstr(argand_message(), "cannot be written: File too large"));
            assert_non_null(strstr(argand_message(), writers[w].name));
            assert_int_equal(folder_files(), writers[w].files);
            size_t count;
            unsigned char *bytes = get_file(path, &count);
            assert_int_equal(count, 12);
            assert_memory_equal(bytes, "the old file", 12);
            free(bytes);
        }
        folder_empty();
    }
}

static void test_unwritable(void **state)
{
    (void)state;
    put_file(in_folder("file"), "", 0);
    for (int w = 0; w < WRITERS; w++) {
        if (is_lacking(writers[w].name)) continue;
        char path[600];
        snprintf(path, sizeof path, "%s/absent/%s", folder, writers[w].name);
        FAILS(writers[w].write(path), ARGAND_FILE, "cannot be written: No such file or directory");
        snprintf(path, sizeof path, "%s/file/%s", folder, writers[w].name);
        FAILS(writers[w].write(path), ARGAND_FILE, "cannot be written: Not a directory");
        assert_int_equal(mkdir(in_folder(writers[w].name), 0777), 0);
        FAILS(writers[w].write(in_folder(writers[w].name)), ARGAND_FILE, "is a folder");
        assert_int_equal(rmdir(in_folder(writers[w].name)), 0);
        if (geteuid()) { /* root may write anywhere */
            assert_int_equal(chmod(folder, 0555), 0);
            const argand_status status = writers[w].write(in_folder(writers[w].name));
            assert_int_equal(chmod(folder, 0755), 0);
            assert_int_equal(status, ARGAND_FILE);
        }
        assert_int_equal(folder_files(), 1);
    }
    folder_empty();
}

/* The second file of the pair cannot be made: neither is. */
static void test_half_a_pair(void **state)
{
    (void)state;
    assert_int_equal(mkdir(in_folder("a.hdr"), 0777), 0);
    FAILS(argand_array_write(in_folder("a.cfl"), image), ARGAND_FILE, "a.hdr: is a folder");
    assert_int_equal(folder_files(), 1);
    assert_int_equal(rmdir(in_folder("a.hdr")), 0);
}

/* Each allocation in turn fails: the status says memory, nothing is left, and it works the next time. (That
 * no memory leaks is what the sanitizer build adds.) */
static void test_no_memory_to_write(void **state)
{
    (void)state;
    for (int w = 0; w < WRITERS; w++) {
        if (is_lacking(writers[w].name)) continue;
        long n = 1;
        for (;; n++) {
            argand_test_fail_allocation(n);
            const argand_status status = writers[w].write(in_folder(writers[w].name));
            argand_test_fail_allocation(0);
            if (!status) break;
            assert_int_equal(status, ARGAND_MEMORY);
            assert_int_equal(folder_files(), 0);
            assert_true(n < 500);
        }
        assert_true(n > 1);
        folder_empty();
    }
}

static void test_no_memory_to_read(void **state)
{
    (void)state;
    for (int w = 0; w < 4; w++) {
        const char *path = in_folder(writers[w].name);
        OK(writers[w].write(path));
        argand_array *back = NULL;
        long n = 1;
        for (;; n++) {
            argand_test_fail_allocation(n);
            const argand_status status = argand_array_read(&back, path, device);
            argand_test_fail_allocation(0);
            if (!status) break;
            assert_int_equal(status, ARGAND_MEMORY);
            assert_null(back);
            assert_true(n < 100);
        }
        assert_true(n > 2);
        argand_array_destroy(back);
    }
    folder_empty();
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_disk_full),         cmocka_unit_test(test_unwritable),
    cmocka_unit_test(test_half_a_pair),       cmocka_unit_test(test_no_memory_to_write),
    cmocka_unit_test(test_no_memory_to_read),
};

int main(int argc, char **argv)
{
    if (argand_device_open(&device, argc > 1 ? argv[1] : "cpu")) return 77;
    const int failed = cmocka_run_group_tests(tests, open_image, close_image);
    argand_device_close(device);
    return failed;
}
