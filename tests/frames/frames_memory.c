/* SPDX-License-Identifier: BSD-3-Clause */
/* A frame allocates nothing and opens no file: the C library's functions for both are counted. */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdatomic.h>
#include "frames/stream.h"

static _Thread_local bool counts;
static _Thread_local long allocations, opened;

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
enum { IS_COUNTED = 1 };
extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t bytes);
extern void *__libc_memalign(size_t unit, size_t bytes);

void *malloc(size_t bytes)
{
    allocations += counts;
    return __libc_malloc(bytes);
}

void *calloc(size_t count, size_t size)
{
    allocations += counts;
    return __libc_calloc(count, size);
}

void *realloc(void *block, size_t bytes)
{
    allocations += counts;
    return __libc_realloc(block, bytes);
}

int posix_memalign(void **block, size_t unit, size_t bytes)
{
    allocations += counts;
    *block = __libc_memalign(unit, bytes);
    return *block ? 0 : 12;
}

FILE *fopen(const char *path, const char *mode)
{
    FILE *(*real)(const char *, const char *);
    void *const found = dlsym(RTLD_NEXT, "fopen");
    memcpy(&real, &found, sizeof real);
    opened += counts;
    return real(path, mode);
}
#else
enum { IS_COUNTED = 0 };
#endif

static spokes s;

/* Makes frames 3 ... 42 and counts. */
static void count(const argand_frames_options *o)
{
    argand_frames *frames;
    argand_array *image;
    argand_frame about = {0};
    const float *k[2] = {s.k[0], s.k[1]};
    OK(argand_frames_create(&frames, device, o));
    OK(argand_array_create(&image, device, ARGAND_C32, 2, (int64_t[]){N, N}));
    uint64_t taken = 0;
    allocations = opened = 0;
    for (int i = 0; i < 48 + 8 * 43; i++) {
        spokes_read(&s, i, 1);
        if (i == 48 + 8 * 3) taken = argand_test_bytes_taken();
        counts = i >= 48 + 8 * 3;
        OK(argand_frames_push(frames, s.data, k));
        while (argand_frames_wait(frames, 0)) OK(argand_frames_run(frames, image, &about));
        counts = false;
    }
    assert_int_equal(about.number, 42);
    assert_int_equal(argand_test_bytes_taken() - taken, 0);
    assert_int_equal(allocations, 0);
    assert_int_equal(opened, 0);
    argand_array_destroy(image);
    argand_frames_destroy(frames);
}

static void plain(void **state)
{
    (void)state;
    argand_frames_options o = spokes_options();
    spokes_make(&s, 0);
    count(&o);
    o.delays = true;
    count(&o);
    o.temporal_tv = 1;
    o.tv_frames = 3;
    count(&o);
}

static void with_field(void **state)
{
    (void)state;
    argand_array *field;
    argand_frames_options o = spokes_options();
    spokes_make(&s, 600);
    OK(argand_array_create(&field, device, ARGAND_R64, 2, (int64_t[]){N, N}));
    OK(argand_array_upload(field, s.field));
    o.field_map = field;
    o.times = s.times;
    count(&o);
    argand_array_destroy(field);
}

/* The counters count. */
static void counted(void **state)
{
    (void)state;
    allocations = opened = 0;
    counts = true;
    char *volatile block = malloc(10);
    FILE *volatile file = fopen("/dev/null", "r");
    counts = false;
    assert_true(!IS_COUNTED || allocations > 0);
    assert_int_equal(opened, IS_COUNTED);
    fclose(file);
    free(block);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(counted), cmocka_unit_test(plain),
                                          cmocka_unit_test(with_field)};
RUN_TESTS(tests)
