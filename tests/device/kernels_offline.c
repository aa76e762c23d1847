/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels that are compiled where no GPU is: a device that is not there makes the same ones as one that is,
 * and that one takes them instead of compiling, unless anything is wrong with them. Over the fake driver and
 * compiler. */
#include "archive/kernel_folder.h"

#include <sys/stat.h>
#include <unistd.h>
#include "device/cache.h"
#include "device/source.h"
#include "fakes/fake_gpu.h"

static struct fake_gpu *fake(void)
{
    struct fake_gpu *(*get)(void);
    void *address = look_up("libcuda.so.1", "fake_cuda_state");
    memcpy(&get, &address, sizeof get);
    return get();
}

static void what_is_compiled_offline_is_found(void **state)
{
    (void)state;
    argand_cache_info info;
    char path[512];
    struct stat found;
    assert_int_equal(built("cuda:0", NULL), 1); /* nothing is there */
    assert_int_equal(built("offline:h200", folder), 1);
    assert_int_equal(built("offline:h200", folder), 0); /* it is there now */
    assert_int_equal(built("cuda:0", NULL), 0);
    assert_int_equal(built("cuda:1", NULL), 0); /* whatever the device is called */
    assert_int_equal(built("offline:h100", NULL), 0);
    assert_int_equal(built("offline:a100", NULL), 1); /* another chip */
    OK(argand_kernels_describe(&info));
    assert_string_equal(info.folder, folder);
    assert_true(info.is_on && info.is_writable && info.files == 1 && info.bytes > 100);
    only_file(path);
    assert_int_equal(stat(path, &found), 0);
    assert_int_equal(found.st_mode & 0444, 0444); /* for all, but for who may not as the umask has it */
    setenv("ARGAND_KERNELS", "off", 1);
    assert_int_equal(built("cuda:0", NULL), 1);
    OK(argand_kernels_describe(&info));
    assert_false(info.is_on);
}

static void a_device_keeps_what_it_has_built(void **state)
{
    (void)state;
    setenv("ARGAND_KERNELS", "off", 1);
    assert_int_equal(built("cuda:0", folder), 1);
    setenv("ARGAND_KERNELS", folder, 1);
    assert_int_equal(built("cuda:0", NULL), 0);
    char path[512];
    only_file(path);
}

static void what_is_wrong_is_compiled_here(void **state)
{
    (void)state;
    char path[512];
    built("offline:h200", folder);
    only_file(path);
    assert_int_equal(chmod(path, 0666), 0); /* anybody could have written it */
    assert_int_equal(built("cuda:0", NULL), 1);
    assert_int_equal(chmod(path, 0644), 0);
    assert_int_equal(chmod(folder, 0777), 0);
    assert_int_equal(built("cuda:0", NULL), 1);
    assert_int_equal(chmod(folder, 0755), 0);
    assert_int_equal(built("cuda:0", NULL), 0);
    fake()->fail_function = "ModuleLoadData"; /* the driver refuses it, an older one say */
    fake()->fail_after = 0;
    fake()->fail_with = 218;
    assert_int_equal(built("cuda:0", NULL), 1);
    assert_int_equal(built("cuda:0", NULL), 0);
    assert_int_equal(truncate(path, 100), 0);
    assert_int_equal(built("cuda:0", NULL), 1);
    assert_int_equal(built("offline:h200", folder), 1); /* made anew */
    assert_int_equal(built("cuda:0", NULL), 0);
}

static argand_device *shared;

static void *get_some(void *context)
{
    static const char *const keys[] = {"axpby REAL=float", "fill REAL=float", "sum REAL=float",
                                       "missing REAL=float"};
    void *kernel;
    long failed = 0;
    (void)context;
    (void)!kernels_build(shared, keys, 3);
    for (int i = 0; i < 4; i++) failed += kernel_get(shared, keys[i], 256, &kernel) != ARGAND_OK;
    return (void *)failed;
}

/* Threads that ask for the same kernels at the same time compile each once, and wait for each other. */
static void threads_compile_each_kernel_once(void **state)
{
    (void)state;
    enum { THREADS = 8 };
    pthread_t threads[THREADS];
    for (int again = 0; again < 10; again++) {
        const int before = compilations();
        OK(argand_device_open(&shared, "cuda:0"));
        for (int i = 0; i < THREADS; i++)
            assert_int_equal(pthread_create(&threads[i], NULL, get_some, NULL), 0);
        for (int i = 0; i < THREADS; i++) {
            void *failed;
            assert_int_equal(pthread_join(threads[i], &failed), 0);
            assert_int_equal((long)failed, 1); /* only the kernel without a recipe */
        }
        argand_device_close(shared);
        assert_int_equal(compilations() - before, 3);
    }
}

/* Machine code for 8.0 runs on 8.9, not the other way round. */
static void chips_of_a_generation_share(void **state)
{
    (void)state;
    built("offline:a100", folder);
    setenv("FAKE_CUDA_CAPABILITY", "89", 1);
    assert_int_equal(built("cuda:0", NULL), 0);
    setenv("FAKE_CUDA_CAPABILITY", "75", 1);
    assert_int_equal(built("cuda:0", NULL), 1);
    unsetenv("FAKE_CUDA_CAPABILITY");
    assert_int_equal(built("cuda:0", NULL), 1);
}

/* A new driver finds what the old one had: machine code does not depend on it. */
static void another_driver_finds_the_same(void **state)
{
    (void)state;
    static const char *const drivers[] = {"12040", "13010"}, *const capabilities[] = {"80", "90"};
    kernel_source source = {.key = "k", .name = "k", .text = "text", .items = 32};
    kernel_id id[4];
    source_hash(&source);
    for (int i = 0; i < 4; i++) {
        argand_device *fresh;
        setenv("FAKE_GPU_DRIVER", drivers[i % 2], 1);
        setenv("FAKE_CUDA_CAPABILITY", capabilities[i / 2], 1);
        OK(argand_device_open(&fresh, "cuda:0"));
        cache_identify(&id[i], fresh, &source);
        argand_device_close(fresh);
    }
    unsetenv("FAKE_GPU_DRIVER");
    unsetenv("FAKE_CUDA_CAPABILITY");
    assert_memory_equal(&id[0], &id[1], sizeof *id);
    assert_memory_equal(&id[2], &id[3], sizeof *id);
    assert_memory_not_equal(&id[0], &id[2], sizeof *id);
}

/* Nothing is computed, but all that is asked for is kept, and a program can go on. */
static void a_rehearsal_keeps_what_is_asked_for(void **state)
{
    (void)state;
    argand_device *absent;
    argand_array *a;
    const int64_t dims[] = {64};
    double most = 0;
    char path[512];
    setenv("ARGAND_REHEARSE", "1", 1);
    OK(argand_device_open(&absent, "offline:h200"));
    OK(argand_array_create(&a, absent, ARGAND_R32, 1, dims));
    OK(argand_array_max_abs(&most, a));
    assert_true(most == 1);
    argand_array_destroy(a);
    argand_device_close(absent);
    only_file(path);
    setenv("ARGAND_KERNELS", "off", 1);
    FAILS(argand_device_open(&absent, "offline:h200"), ARGAND_FILE, "set ARGAND_KERNELS to a folder");
    unsetenv("ARGAND_REHEARSE");
}

/* Written, but no plan would read it. */
static void a_folder_of_others_is_refused(void **state)
{
    (void)state;
    argand_device *fresh;
    void *kernel;
    assert_int_equal(chmod(folder, 0775), 0);
    OK(argand_device_open(&fresh, "offline:h200"));
    OK(argand_device_keep_kernels(fresh, folder));
    FAILS(kernel_get(fresh, "axpby REAL=float", 256, &kernel), ARGAND_FILE, "chmod go-w it");
    FAILS(argand_device_keep_kernels(fresh, ""), ARGAND_ARGUMENT, "the folder has no name");
    argand_device_close(fresh);
}

static void a_folder_that_cannot_be_written_is_named(void **state)
{
    (void)state;
    argand_device *fresh;
    void *kernel;
    char place[128];
    snprintf(place, sizeof place, "%s/file", folder);
    fclose(fopen(place, "wb"));
    strcat(place, "/below");
    OK(argand_device_open(&fresh, "offline:h200"));
    OK(argand_device_keep_kernels(fresh, place));
    FAILS(kernel_get(fresh, "axpby REAL=float", 256, &kernel), ARGAND_FILE, place);
    FAILS(kernel_get(fresh, "axpby REAL=float", 256, &kernel), ARGAND_FILE, "choose another folder");
    OK(argand_device_keep_kernels(fresh, NULL));
    OK(kernel_get(fresh, "axpby REAL=float", 256, &kernel));
    argand_device_close(fresh);
    OK(argand_device_open(&fresh, "cpu"));
    FAILS(argand_device_keep_kernels(fresh, folder), ARGAND_UNSUPPORTED,
          "device \"cpu\": kernels are kept for CUDA");
    argand_device_close(fresh);
    FAILS(argand_device_keep_kernels(NULL, folder), ARGAND_ARGUMENT, "no device");
}

/* Plans are made for it as for the one it stands for. */
static void plans_find_all_their_kernels(void **state)
{
    (void)state;
    const argand_fft_options plans[] = {
        {.type = ARGAND_C32, .rank = 2, .n = {256, 256}, .batch = 64},
        {.type = ARGAND_R32, .rank = 3, .n = {64, 32, 16}, .centred = false},
        {.type = ARGAND_C64, .rank = 1, .n = {10007}, .batch = 3},
        {.type = ARGAND_C32, .rank = 1, .n = {1 << 20}, .centred = true, .scale = ARGAND_SCALE_UNITARY},
    };
    const char *const names[] = {"offline:h200", "cuda:0"};
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++)
        for (int there = 0; there < 2; there++) {
            argand_device *fresh;
            argand_fft *plan;
            const int before = compilations();
            OK(argand_device_open(&fresh, names[there]));
            OK(argand_device_keep_kernels(fresh, there ? NULL : folder));
            OK(argand_fft_create(&plan, fresh, &plans[i]));
            argand_fft_destroy(plan);
            argand_device_close(fresh);
            assert_true(there ? compilations() == before : compilations() > before);
        }
}

/* What was fastest with another batch is taken, but not what one transform had for several. */
static void wisdom_of_one_is_not_for_several(void **state)
{
    (void)state;
    static const struct {
        int64_t batch;
        const char *reason;
    } cases[] = {{1, "taken: wisdom says it was the fastest"},
                 {4, "taken: the shortest predicted time"},
                 {256, "taken: wisdom says it was the fastest with a batch of similar size"}};
    argand_device *absent;
    unsetenv("ARGAND_WISDOM");
    OK(argand_device_open(&absent, "offline:h200"));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        argand_fft *plan;
        argand_fft_candidate taken = {.taken = false};
        OK(argand_fft_create(&plan, absent,
                             &(argand_fft_options){
                                 .type = ARGAND_C32, .rank = 3, .n = {64, 64, 64}, .batch = cases[i].batch}));
        for (int k = 0; !taken.taken; k++) OK(argand_fft_candidate_describe(plan, k, &taken));
        assert_string_equal(taken.reason, cases[i].reason);
        argand_fft_destroy(plan);
    }
    argand_device_close(absent);
}

static void what_is_not_there_computes_nothing(void **state)
{
    (void)state;
    argand_device *absent;
    argand_device_info info;
    argand_array *a, *wrapped;
    const int64_t dims[] = {64};
    float numbers[128] = {0};
    argand_fft *plan;
    OK(argand_device_open(&absent, "offline:a100"));
    OK(argand_device_describe(absent, &info));
    assert_string_equal(info.name, "NVIDIA A100-SXM4-80GB");
    assert_string_equal(info.backend, "cuda");
    assert_true(info.is_absent && info.capability == 80 && info.units == 108 && !info.host_addressable);
    OK(argand_array_create(&a, absent, ARGAND_C32, 1, dims));
    OK(argand_array_upload(a, numbers));
    FAILS(argand_array_download(a, numbers), ARGAND_UNSUPPORTED,
          "offline:a100 (NVIDIA A100-SXM4-80GB): nothing can be");
    FAILS(argand_array_wrap(&wrapped, absent, ARGAND_C32, 1, dims, NULL, numbers), ARGAND_UNSUPPORTED,
          "not there");
    OK(argand_fft_create(&plan, absent, &(argand_fft_options){.type = ARGAND_C32, .rank = 1, .n = {64}}));
    FAILS(argand_fft_apply(plan, a, a, ARGAND_FORWARD), ARGAND_UNSUPPORTED, "open another one");
    argand_fft_destroy(plan);
    argand_array_destroy(a);
    argand_device_close(absent);
    FAILS(argand_device_open(&absent, "offline:voodoo"), ARGAND_ARGUMENT,
          "device \"offline:voodoo\" is not known");
    FAILS(argand_device_open(&absent, "offline"), ARGAND_ARGUMENT, "offline:h200");
    OK(argand_device_open(&absent, "auto")); /* never that */
    OK(argand_device_describe(absent, &info));
    assert_false(info.is_absent);
    argand_device_close(absent);
}

static const struct CMUnitTest tests[] = {
    WITH_FOLDER(a_folder_of_others_is_refused),
    WITH_FOLDER(what_is_compiled_offline_is_found),
    WITH_FOLDER(threads_compile_each_kernel_once),
    WITH_FOLDER(chips_of_a_generation_share),
    WITH_FOLDER(another_driver_finds_the_same),
    WITH_FOLDER(a_rehearsal_keeps_what_is_asked_for),
    WITH_FOLDER(a_device_keeps_what_it_has_built),
    WITH_FOLDER(what_is_wrong_is_compiled_here),
    WITH_FOLDER(a_folder_that_cannot_be_written_is_named),
    WITH_FOLDER(wisdom_of_one_is_not_for_several),
    WITH_FOLDER(plans_find_all_their_kernels),
    WITH_FOLDER(what_is_not_there_computes_nothing),
};

RUN_TESTS(tests)
