/* SPDX-License-Identifier: BSD-3-Clause */
/* A folder of compiled kernels for each test, over the fake driver and compiler. */
#ifndef TESTS_DEVICE_KERNEL_FOLDER_H
#define TESTS_DEVICE_KERNEL_FOLDER_H

#include "harness.h"

#include <dirent.h>
#include <dlfcn.h>
#include "device/handle.h"

static char folder[512];

static inline int make_folder(void **state)
{
    (void)state;
    const char *temporary = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/argand-offline-XXXXXX", temporary ? temporary : "/tmp");
    if (!mkdtemp(folder)) return 1;
    return setenv("ARGAND_CACHE", "off", 1) || setenv("ARGAND_KERNELS", folder, 1);
}

static inline int remove_folder(void **state)
{
    (void)state;
    char command[640];
    argand_fft_wisdom_forget();
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    return system(command);
}

static inline void *look_up(const char *library, const char *function)
{
    void *address = dlsym(dlopen(library, RTLD_NOW), function);
    assert_non_null(address);
    return address;
}

static inline int compilations(void)
{
    int (*get)(void);
    void *address = look_up("libnvrtc.so", "fake_nvrtc_compilations");
    memcpy(&get, &address, sizeof get);
    return get();
}

/* A kernel is built by a new device, kept in `keep` if that is not NULL; how many were compiled for it. */
static inline int built(const char *name, const char *keep)
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
static inline void only_file(char path[512])
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

#define WITH_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

#endif
