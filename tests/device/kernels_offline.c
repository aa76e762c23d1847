/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels that are compiled where no GPU is: a device that is not there makes the same ones as one that is,
 * and that one takes them instead of compiling, unless anything is wrong with them. Over the fake driver and
 * compiler. */
#include "harness.h"

#include <dirent.h>
#include <dlfcn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/memory.h"
#include "device/cache.h"
#include "device/handle.h"
#include "device/shipped.h"
#include "fakes/fake_gpu.h"

static char folder[64];

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/argand-offline-XXXXXX");
    if (!mkdtemp(folder)) return 1;
    return setenv("ARGAND_CACHE", "off", 1) || setenv("ARGAND_KERNELS", folder, 1);
}

static int remove_folder(void **state)
{
    (void)state;
    char command[192];
    argand_fft_wisdom_forget();
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    return system(command);
}

static void *look_up(const char *library, const char *function)
{
    void *address = dlsym(dlopen(library, RTLD_NOW), function);
    assert_non_null(address);
    return address;
}

static int compilations(void)
{
    int (*get)(void);
    void *address = look_up("libnvrtc.so", "fake_nvrtc_compilations");
    memcpy(&get, &address, sizeof get);
    return get();
}

static struct fake_gpu *fake(void)
{
    struct fake_gpu *(*get)(void);
    void *address = look_up("libcuda.so.1", "fake_cuda_state");
    memcpy(&get, &address, sizeof get);
    return get();
}

/* A kernel is built by a new device, kept in `keep` if that is not NULL; how many were compiled for it. */
static int built(const char *name, const char *keep)
{
    argand_device *fresh;
    void *kernel;
    const int before = compilations();
    OK(argand_device_open(&fresh, name));
    OK(argand_device_keep_kernels(fresh, keep));
    OK(kernel_get(fresh, "axpby REAL=float", 256, &kernel));
    argand_device_close(fresh);
    return compilations() - before;
}

/* The one file there. */
static void only_file(char path[512])
{
    int files = 0;
    DIR *opened = opendir(folder);
    assert_non_null(opened);
    for (struct dirent *entry = readdir(opened); entry; entry = readdir(opened)) {
        if (*entry->d_name == '.') continue;
        snprintf(path, 512, "%s/%s", folder, entry->d_name);
        files++;
    }
    closedir(opened);
    assert_int_equal(files, 1);
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

/* Flips the last byte of the file, which belongs to a kernel, or cuts the file. */
static void damage(const char *path, bool cut)
{
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    fseek(file, -1, SEEK_END);
    const int last = fgetc(file);
    fseek(file, -1, SEEK_END);
    fputc(last ^ 1, file);
    fclose(file);
    if (cut) assert_int_equal(truncate(path, 40), 0);
}

static void an_archive_has_them_all(void **state)
{
    (void)state;
    argand_cache_info info;
    char path[512];
    for (int i = 0; i < 3; i++) {
        argand_device *fresh;
        void *kernel;
        OK(argand_device_open(&fresh, "offline:h200"));
        OK(argand_device_keep_kernels(fresh, folder));
        for (int items = 32; items <= 512; items *= 2)
            OK(kernel_get(fresh, "axpby REAL=float", items, &kernel));
        argand_device_close(fresh);
        OK(argand_kernels_pack(folder)); /* the second time from the archive itself */
        only_file(path);
        assert_non_null(strstr(path, "/kernels.archive"));
        OK(argand_kernels_describe(&info));
        assert_int_equal(info.files, 5);
    }
    assert_int_equal(built("cuda:0", NULL), 0);
    assert_int_equal(chmod(path, 0666), 0); /* anybody could have written it */
    assert_int_equal(built("cuda:0", NULL), 1);
    assert_int_equal(chmod(path, 0644), 0);
    assert_int_equal(built("cuda:0", NULL), 0);
    OK(argand_kernels_pack(folder)); /* no files: the archive stays */
    assert_int_equal(built("cuda:0", NULL), 0);
    FAILS(argand_kernels_pack("/nowhere/at/all"), ARGAND_FILE, "/nowhere/at/all: cannot be read");
}

/* Stores a kernel of this text and bytes as a file. */
static void store(int capability, const char *key, const char *text, unsigned char byte)
{
    const kernel_source source = {.key = key, .name = "k", .text = text, .items = 32};
    const kernel_binary binary = {.bytes = &byte, .count = 1};
    kernel_id id;
    shipped_identify(&id, capability, &source);
    OK(shipped_store(folder, &id, &binary));
}

/* Returns the byte of a stored kernel, 0 if there is none. */
static int stored(int capability, const char *key, const char *text)
{
    const kernel_source source = {.key = key, .name = "k", .text = text, .items = 32};
    kernel_binary binary = {0};
    kernel_id id;
    shipped_identify(&id, capability, &source);
    shipped_load(&id, &binary);
    const int byte = binary.count == 1 ? binary.bytes[0] : 0;
    memory_free(binary.bytes);
    return byte;
}

static int64_t count_kernels(void)
{
    argand_cache_info info;
    OK(argand_kernels_describe(&info));
    return info.files;
}

static void packing_keeps_other_chips(void **state)
{
    (void)state;
    built("offline:h200", folder);
    OK(argand_kernels_pack(folder));
    built("offline:a100", folder);
    OK(argand_kernels_pack(folder));
    assert_int_equal(count_kernels(), 2);
    assert_int_equal(built("offline:h200", NULL), 0);
    assert_int_equal(built("offline:a100", NULL), 0);
    assert_int_equal(built("offline:b200", NULL), 1);
}

static void packing_replaces_the_same_purpose(void **state)
{
    (void)state;
    store(90, "one", "old text", 1);
    store(90, "two", "text", 2);
    store(80, "one", "old text", 3);
    OK(argand_kernels_pack(folder));
    store(90, "one", "new text", 4);
    store(90, "three", "text", 5);
    OK(argand_kernels_pack(folder));
    assert_int_equal(count_kernels(), 4);
    assert_int_equal(stored(90, "one", "old text"), 0); /* no library has this text any more */
    assert_int_equal(stored(90, "one", "new text"), 4);
    assert_int_equal(stored(90, "two", "text"), 2);
    assert_int_equal(stored(80, "one", "old text"), 3); /* of another chip */
    assert_int_equal(stored(90, "three", "text"), 5);
}

static void a_damaged_kernel_is_not_kept(void **state)
{
    (void)state;
    char path[512];
    store(90, "one", "text", 1);
    OK(argand_kernels_pack(folder));
    only_file(path);
    damage(path, false);
    store(90, "two", "text", 2);
    OK(argand_kernels_pack(folder));
    assert_int_equal(count_kernels(), 1);
    assert_int_equal(stored(90, "one", "text"), 0);
    assert_int_equal(stored(90, "two", "text"), 2);
}

/* Processes that store and pack at the same time lose no kernel. */
static void processes_pack_together(void **state)
{
    (void)state;
    enum { PROCESSES = 4, EACH = 12 };
    char key[16];
    for (int p = 0; p < PROCESSES; p++) {
        if (fork()) continue;
        for (int i = 0; i < EACH; i++) {
            snprintf(key, sizeof key, "%d-%d", p, i);
            store(90, key, "text", (unsigned char)(1 + EACH * p + i));
            if (argand_kernels_pack(folder) != ARGAND_OK) _exit(1);
        }
        _exit(0);
    }
    for (int p = 0; p < PROCESSES; p++) {
        int status;
        assert_true(wait(&status) > 0);
        assert_int_equal(status, 0);
    }
    for (int p = 0; p < PROCESSES; p++)
        for (int i = 0; i < EACH; i++) {
            snprintf(key, sizeof key, "%d-%d", p, i);
            assert_int_equal(stored(90, key, "text"), 1 + EACH * p + i);
        }
    assert_int_equal(count_kernels(), PROCESSES * EACH);
}

static void a_damaged_archive_counts_as_missing(void **state)
{
    (void)state;
    char path[512];
    for (int cut = 0; cut < 2; cut++) {
        built("offline:h200", folder);
        OK(argand_kernels_pack(folder));
        only_file(path);
        damage(path, cut);
        assert_int_equal(built("cuda:0", NULL), 1);
        assert_int_equal(built("offline:h200", folder), 1); /* made anew, as a file */
        assert_int_equal(built("cuda:0", NULL), 0);
    }
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
    const kernel_source source = {.key = "k", .name = "k", .text = "text", .items = 32};
    kernel_id id[4];
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

#define WITH_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)
static const struct CMUnitTest tests[] = {
    WITH_FOLDER(a_folder_of_others_is_refused),
    WITH_FOLDER(what_is_compiled_offline_is_found),
    WITH_FOLDER(an_archive_has_them_all),
    WITH_FOLDER(packing_keeps_other_chips),
    WITH_FOLDER(packing_replaces_the_same_purpose),
    WITH_FOLDER(a_damaged_kernel_is_not_kept),
    WITH_FOLDER(processes_pack_together),
    WITH_FOLDER(a_damaged_archive_counts_as_missing),
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
