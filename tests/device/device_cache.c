/* SPDX-License-Identifier: BSD-3-Clause */
/* The cache of binaries: whatever is wrong with it, it only ever gives what was stored, or nothing. */
#include "harness.h"

#include <dirent.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/memory.h"
#include "device/cache.h"

static char folder[64];
static const kernel_id key = {{1, 2, 3}};

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/argand-cache-XXXXXX");
    setenv("ARGAND_CACHE", mkdtemp(folder) ? folder : "off", 1);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[192];
    snprintf(command, sizeof command, "chmod -R u+rwx '%s' && rm -r '%s'", folder, folder);
    return system(command);
}

static void store(unsigned char first, size_t count)
{
    unsigned char *bytes = malloc(count);
    assert_non_null(bytes);
    memset(bytes, first, count);
    cache_store(&key, &(kernel_binary){.bytes = bytes, .count = count});
    free(bytes);
}

/* The first byte of what is kept, -1 for nothing; all bytes must be equal. */
static int kept(size_t *count)
{
    kernel_binary binary;
    cache_load(&key, &binary);
    if (!binary.bytes) return -1;
    const int first = binary.bytes[0];
    for (size_t i = 0; i < binary.count; i++) assert_int_equal(binary.bytes[i], first);
    if (count) *count = binary.count;
    memory_free(binary.bytes);
    return first;
}

/* The one file of the folder, or the number of files other than one. */
static int only_file(char path[512])
{
    int files = 0;
    DIR *opened = opendir(folder);
    assert_non_null(opened);
    for (struct dirent *entry = readdir(opened); entry; entry = readdir(opened)) {
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
        snprintf(path, 512, "%s/%s", folder, entry->d_name);
        files++;
    }
    closedir(opened);
    return files;
}

static void what_is_stored_comes_back(void **state)
{
    (void)state;
    size_t count = 0;
    char path[512];
    struct stat found;
    assert_int_equal(kept(NULL), -1);
    store(7, 100000);
    assert_int_equal(kept(&count), 7);
    assert_int_equal(count, 100000);
    store(8, 10); /* replaced */
    assert_int_equal(kept(&count), 8);
    assert_int_equal(count, 10);
    assert_int_equal(only_file(path), 1); /* and no temporary is left */
    assert_int_equal(stat(path, &found), 0);
    assert_int_equal(found.st_mode & 0777, 0600);
    kernel_binary binary;
    const kernel_id other = {{9}};
    cache_load(&other, &binary);
    assert_null(binary.bytes);
}

static void folders_are_made_for_the_user_alone(void **state)
{
    (void)state;
    char deep[128];
    struct stat found;
    unsetenv("ARGAND_CACHE");
    snprintf(deep, sizeof deep, "%s/home", folder);
    setenv("HOME", deep, 1);
    unsetenv("XDG_CACHE_HOME");
    store(3, 5);
    assert_int_equal(kept(NULL), 3);
    strcat(deep, "/.cache/argand");
    assert_int_equal(stat(deep, &found), 0);
    assert_int_equal(found.st_mode & 0777, 0700);
    setenv("XDG_CACHE_HOME", folder, 1);
    assert_int_equal(kept(NULL), -1); /* another place */
    store(4, 5);
    snprintf(deep, sizeof deep, "%s/argand", folder);
    assert_int_equal(stat(deep, &found), 0);
    argand_cache_info info;
    OK(argand_cache_describe(&info));
    assert_string_equal(info.folder, deep);
    assert_true(info.is_on && info.is_writable && info.files == 1 && info.bytes > 5);
}

static void off_is_off(void **state)
{
    (void)state;
    char path[512];
    argand_cache_info info;
    store(5, 5);
    setenv("ARGAND_CACHE", "off", 1);
    assert_int_equal(kept(NULL), -1);
    store(6, 5);
    OK(argand_cache_describe(&info));
    assert_false(info.is_on);
    setenv("ARGAND_CACHE", folder, 1);
    assert_int_equal(kept(NULL), 5);
    assert_int_equal(only_file(path), 1);
}

/* Every bit of the file, one at a time. */
static void a_changed_file_is_as_if_absent(void **state)
{
    (void)state;
    char path[512];
    store(1, 40);
    assert_int_equal(only_file(path), 1);
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    for (long at = 0;; at++) {
        fseek(file, at, SEEK_SET);
        const int byte = fgetc(file);
        if (byte == EOF) break;
        for (int bit = 0; bit < 8; bit++) {
            fseek(file, at, SEEK_SET);
            fputc(byte ^ 1 << bit, file);
            fflush(file);
            if (kept(NULL) != -1) fail_msg("bit %d of byte %ld was changed unnoticed", bit, at);
        }
        fseek(file, at, SEEK_SET);
        fputc(byte, file);
        fflush(file);
    }
    fclose(file);
    assert_int_equal(kept(NULL), 1); /* back as it was */
}

static void a_short_or_long_file_is_as_if_absent(void **state)
{
    (void)state;
    char path[512];
    store(1, 40);
    assert_int_equal(only_file(path), 1);
    struct stat found;
    assert_int_equal(stat(path, &found), 0);
    for (off_t size = found.st_size + 1; size >= 0; size--) {
        assert_int_equal(truncate(path, size), 0); /* from one byte too long down to empty */
        if (size == found.st_size)
            assert_int_equal(kept(NULL), 1);
        else
            assert_int_equal(kept(NULL), -1);
    }
    store(2, 40); /* repaired */
    assert_int_equal(kept(NULL), 2);
}

static void foreign_files_are_as_if_absent(void **state)
{
    (void)state;
    char path[512], aside[600];
    store(1, 40);
    assert_int_equal(only_file(path), 1);
    assert_int_equal(chmod(path, 0622), 0); /* others could have written it */
    assert_int_equal(kept(NULL), -1);
    assert_int_equal(chmod(path, 0600), 0);
    const kernel_id other = {{9}}; /* a good file under another's name */
    cache_store(&other, &(kernel_binary){.bytes = (unsigned char[]){5}, .count = 1});
    snprintf(aside, sizeof aside, "%s/09%062d.bin", folder, 0);
    assert_int_equal(rename(aside, path), 0);
    assert_int_equal(kept(NULL), -1);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkdir(path, 0700), 0); /* not even a file */
    assert_int_equal(kept(NULL), -1);
    store(1, 40);
    assert_int_equal(kept(NULL), -1);
    char rest[512];
    assert_int_equal(only_file(rest), 1); /* the temporary was removed */
}

/* A place that cannot be written: a file where the folder should be, since root may write everywhere else. */
static void an_unwritable_place_is_no_error(void **state)
{
    (void)state;
    char place[128];
    argand_cache_info info;
    snprintf(place, sizeof place, "%s/file", folder);
    FILE *file = fopen(place, "wb");
    assert_non_null(file);
    fclose(file);
    strcat(place, "/below");
    setenv("ARGAND_CACHE", place, 1);
    store(1, 40);
    assert_int_equal(kept(NULL), -1);
    OK(argand_cache_describe(&info));
    assert_true(info.is_on && !info.is_writable && info.files == 0);
    setenv("ARGAND_CACHE", folder, 1);
    if (geteuid() != 0) {
        assert_int_equal(chmod(folder, 0500), 0);
        store(1, 40);
        assert_int_equal(kept(NULL), -1);
    }
    unsetenv("ARGAND_CACHE");
    unsetenv("XDG_CACHE_HOME");
    unsetenv("HOME");
    store(1, 40);
    assert_int_equal(kept(NULL), -1);
}

enum { PROCESSES = 8 };

/* Writes and reads in turn; any process's file is right, half a file is not. */
static int child(int number)
{
    for (int i = 0; i < 100; i++) {
        size_t count = 0;
        store((unsigned char)number, 20000 + (size_t)number);
        const int first = kept(&count);
        if (first < 1 || first > PROCESSES || count != 20000 + (size_t)first) return 1;
    }
    return 0;
}

static void processes_share_it(void **state)
{
    (void)state;
    pid_t processes[PROCESSES];
    char path[512];
    for (int i = 0; i < PROCESSES; i++) {
        processes[i] = fork();
        if (!processes[i]) _exit(child(i + 1));
    }
    for (int i = 0; i < PROCESSES; i++) {
        int status = 1;
        assert_int_equal(waitpid(processes[i], &status, 0), processes[i]);
        assert_int_equal(status, 0);
    }
    assert_int_equal(only_file(path), 1);
}

#define WITH_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)
static const struct CMUnitTest tests[] = {
    WITH_FOLDER(what_is_stored_comes_back),
    WITH_FOLDER(folders_are_made_for_the_user_alone),
    WITH_FOLDER(off_is_off),
    WITH_FOLDER(a_changed_file_is_as_if_absent),
    WITH_FOLDER(a_short_or_long_file_is_as_if_absent),
    WITH_FOLDER(foreign_files_are_as_if_absent),
    WITH_FOLDER(an_unwritable_place_is_no_error),
    WITH_FOLDER(processes_share_it),
};

RUN_TESTS(tests)
