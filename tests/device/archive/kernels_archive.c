/* SPDX-License-Identifier: BSD-3-Clause */
/* Archives of compiled kernels: packed once and again, for several chips, by several processes, damaged. */
#include "kernel_folder.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/memory.h"
#include "device/shipped.h"
#include "device/source.h"

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
static void store(int capability, const char *key, const char *code, unsigned char byte)
{
    kernel_source source = {.key = key, .name = "k", .text = code, .items = 32};
    const kernel_binary binary = {.bytes = &byte, .count = 1};
    kernel_id id;
    source_hash(&source);
    shipped_identify(&id, capability, &source);
    OK(shipped_store(folder, &id, &binary));
}

/* Returns the byte of a stored kernel, 0 if there is none. */
static int stored(int capability, const char *key, const char *code)
{
    kernel_source source = {.key = key, .name = "k", .text = code, .items = 32};
    kernel_binary binary = {0};
    kernel_id id;
    source_hash(&source);
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

/* Writes an archive whose head is followed by so many entries as it says, all of them the file itself. */
static void write_repeated(const char *path, int entries, uint64_t at, uint64_t packed, uint64_t bytes)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    unsigned char entry[32 + 24] = {0};
    fputs("argand archive 1\n", file);
    for (int i = 0; i < 8; i++) fputc((entries >> (8 * (i < 4 ? i : 3))) & (i < 4 ? 255 : 0), file);
    for (int n = 0; n < entries; n++) {
        entry[0] = (unsigned char)n;
        for (int i = 0; i < 8; i++) {
            entry[32 + i] = (unsigned char)(at >> (8 * i));
            entry[40 + i] = (unsigned char)(packed >> (8 * i));
            entry[48 + i] = (unsigned char)(bytes >> (8 * i));
        }
        fwrite(entry, 1, sizeof entry, file);
    }
    fclose(file);
    assert_int_equal(chmod(path, 0644), 0);
}

/* Entries that name bytes outside of the file, or all of them again and again, are left out. */
static void a_false_archive_is_replaced(void **state)
{
    (void)state;
    char path[512];
    snprintf(path, sizeof path, "%s/kernels.archive", folder);
    for (int i = 0; i < 4; i++) {
        const uint64_t at = i == 0 ? UINT64_MAX : 0, packed = i == 1   ? UINT64_MAX
                                                              : i == 2 ? 0
                                                                       : 17 + 8 + 200 * 56;
        write_repeated(path, 200, at, packed, i == 3 ? 1 << 20 : 1);
        store(90, "one", "text", 7);
        OK(argand_kernels_pack(folder));
        assert_int_equal(count_kernels(), 1);
        assert_int_equal(stored(90, "one", "text"), 7);
    }
}

/* An allocation that fails leaves the archive and the files. */
static void without_memory_nothing_is_lost(void **state)
{
    (void)state;
    store(90, "one", "text", 1);
    OK(argand_kernels_pack(folder));
    int failures = 0;
    for (long n = 1; n < 30; n++) {
        store(90, "two", "text", 2);
        argand_test_fail_allocation(n);
        const argand_status status = argand_kernels_pack(folder);
        argand_test_fail_allocation(0);
        if (status) assert_int_equal(status, ARGAND_MEMORY);
        failures += status != ARGAND_OK;
        assert_int_equal(stored(90, "one", "text"), 1);
        assert_int_equal(stored(90, "two", "text"), 2);
    }
    assert_true(failures > 3); /* also of the kernels that were there */
    assert_int_equal(count_kernels(), 2);
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
    WITH_FOLDER(a_false_archive_is_replaced),       WITH_FOLDER(without_memory_nothing_is_lost),
};

RUN_TESTS(tests)
