/* SPDX-License-Identifier: BSD-3-Clause */
/* Pictures whose samples a child process decodes: the same samples, the same refusals, and a decoder that
 * crashes, ends or is stopped takes nothing with it. */
#include "raster_case.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include "io/isolated/rows.h"
#include "io/raster/raster.h"

static const argand_picture_options isolated = {.isolated = true};

static bool has_children(void)
{
    return waitpid(-1, NULL, WNOHANG) >= 0 || errno != ECHILD;
}

/* Reads all rows; free() them. */
static argand_status read_with(float **samples, const char *path, const argand_picture_options *options)
{
    argand_picture *p;
    argand_picture_info info;
    *samples = NULL;
    TRY(argand_picture_open(&p, path, options));
    OK(argand_picture_describe(p, &info));
    *samples = malloc((size_t)(info.width * info.height * info.channels) * sizeof **samples);
    assert_non_null(*samples);
    const argand_status status = argand_picture_read(p, info.height, *samples, NULL);
    argand_picture_close(p);
    assert_false(has_children());
    return status;
}

/* A file of the corpus and cuts of it, read in both ways. */
static void compare(const char *corpus, const char *name)
{
    char path[512];
    size_t count;
    snprintf(path, sizeof path, "%s/%s", CORPUS, corpus);
    if (!has_format(name)) return;
    unsigned char *bytes = get_file(path, &count);
    for (size_t i = 0; i < 4; i++) {
        char message[1024] = "";
        float *plain, *apart;
        argand_picture_info info;
        argand_picture *p;
        put_file(in_folder(name), bytes, count - i * count / 8);
        const argand_status status = read_with(&plain, in_folder(name), NULL);
        snprintf(message, sizeof message, "%s", status ? argand_message() : "");
        assert_int_equal(read_with(&apart, in_folder(name), &isolated), status);
        if (status) assert_string_equal(argand_message(), message);
        if (!status) {
            OK(argand_picture_open(&p, in_folder(name), NULL));
            OK(argand_picture_describe(p, &info));
            argand_picture_close(p);
            assert_memory_equal(apart, plain,
                                (size_t)(info.width * info.height * info.channels) * sizeof *plain);
        }
        free(plain);
        free(apart);
    }
    free(bytes);
}

static void same_samples(void **state)
{
    (void)state;
    compare("exr/ramp_dwaa", "a.exr");
    compare("exr/tiles", "a.exr");
    compare("exr/chroma", "a.exr");
    compare("png/mode_RGBA", "a.png");
    compare("png/interlaced", "a.png");
    compare("pfm/colour", "a.pfm");
    compare("tiff/tiff_lzw", "a.tif");
    compare("tiff/tiled_planes", "a.tif");
    compare("jpeg/progressive", "a.jpg");
    compare("jpeg/orientation", "a.jpg");
}

/* ---- decoders that fail ---- */

static argand_status crash(argand_picture *p, float *row)
{
    (void)p, (void)row;
    signal(SIGSEGV, SIG_DFL);
    raise(SIGSEGV);
    return ARGAND_OK;
}

static argand_status leave(argand_picture *p, float *row)
{
    (void)p, (void)row;
    _exit(0);
}

static argand_status write_elsewhere(argand_picture *p, float *row)
{
    *row = 0;
    FILE *file = fopen(in_folder("stolen"), "wb");
    if (file) fclose(file);
    return file ? status_set(ARGAND_INTERNAL, "%s: the child wrote a file", p->path) : ARGAND_OK;
}

/* The status of the first row where the decoder is another one. */
static argand_status read_by(argand_status (*read_row)(argand_picture *p, float *row))
{
    const float grey[4] = {1, 2, 3, 4};
    const argand_picture_info info = picture_info(2, 2, 1, ARGAND_SAMPLE_F32);
    argand_picture *p;
    float row[2];
    put_picture(in_folder("f.pfm"), &info, grey, NULL);
    OK(argand_picture_open(&p, in_folder("f.pfm"), &isolated));
    const raster_format *before = p->format;
    raster_format other = *before;
    other.read_row = read_row;
    p->format = &other;
    const argand_status status = argand_picture_read(p, 1, row, NULL);
    p->format = before;
    argand_picture_close(p);
    assert_false(has_children());
    return status;
}

static void failing_decoders(void **state)
{
    (void)state;
    const struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    FAILS(read_by(crash), ARGAND_FORMAT, "f.pfm: the process that read it crashed");
    FAILS(read_by(leave), ARGAND_FORMAT, "f.pfm: reading it ended too early");
    if (read_by(write_elsewhere)) printf("the kernel has neither Landlock nor seccomp\n");
}

static bool never(void *context, const argand_activity *activity)
{
    (void)context, (void)activity;
    return false;
}

/* Rows that nobody reads, and a caller that gives up. */
static void stopped(void **state)
{
    (void)state;
    const argand_picture_info info = picture_info(300, 200, 3, ARGAND_SAMPLE_F32);
    float *samples = picture_samples(&info, 1, 2);
    argand_picture *p;
    put_picture(in_folder("s.pfm"), &info, samples, NULL);
    OK(argand_picture_open(&p, in_folder("s.pfm"), &isolated));
    OK(argand_picture_read(p, 1, samples, NULL));
    argand_observer_set(never, NULL);
    assert_int_equal(argand_picture_read(p, 1, samples, NULL), ARGAND_STOPPED);
    argand_observer_set(NULL, NULL);
    argand_picture_close(p);
    assert_false(has_children());
    free(samples);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_samples), cmocka_unit_test(failing_decoders),
                                       cmocka_unit_test(stopped)};
    if (!isolated_rows_can()) {
        printf("skipped: sanitizers watch one process\n");
        return 77;
    }
    if (argand_device_open(&device, argc > 1 ? argv[1] : "cpu")) return 77;
    const int failed = cmocka_run_group_tests(tests, folder_open, folder_close);
    argand_device_close(device);
    const long left = argand_test_live_allocations();
    if (left) printf("%ld allocations were not freed\n", left);
    return failed || left;
}
