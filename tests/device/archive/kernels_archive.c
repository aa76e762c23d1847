/* SPDX-License-Identifier: BSD-3-Clause */
/* Archives of compiled kernels: packed once and again, for several chips, by several processes, damaged. */
#include "kernel_folder.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/memory.h"
#include "device/shipped.h"

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

static const struct CMUnitTest tests[] = {
    WITH_FOLDER(an_archive_has_them_all),           WITH_FOLDER(packing_keeps_other_chips),
    WITH_FOLDER(packing_replaces_the_same_purpose), WITH_FOLDER(a_damaged_kernel_is_not_kept),
    WITH_FOLDER(processes_pack_together),           WITH_FOLDER(a_damaged_archive_counts_as_missing),
};

RUN_TESTS(tests)
