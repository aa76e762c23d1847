/* SPDX-License-Identifier: BSD-3-Clause */
/* Which devices there are, by name; and machines without drivers, which a child process pretends to be: the
 * drivers are looked for once in a process. */
#include "harness.h"

#include <sys/wait.h>
#include <unistd.h>

#ifndef FAKE_OPENCL /* built without OpenCL */
#define FAKE_OPENCL ""
#endif

/* Whether the backend is compiled in; how many devices it has, and why none. */
static int find_backend(const char *wanted, int *devices, const char **reason)
{
    for (int i = 0; i < argand_backend_count(); i++) {
        const char *name;
        OK(argand_backend_describe(i, &name, devices, reason));
        if (!strcmp(name, wanted)) return 1;
    }
    return 0;
}

static void wrong_names(void **state)
{
    (void)state;
    argand_device *d;
    const char *const names[] = {"toaster", "opencl:", "opencl:x", "opencl:-1", "cpu:1:2", ":", "cpu:99999"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        FAILS(argand_device_open(&d, names[i]), ARGAND_ARGUMENT, names[i]);
        assert_null(d);
    }
    FAILS(argand_device_open(&d, "cpu:1"), ARGAND_DEVICE, "the last cpu device of this machine is");
    FAILS(argand_device_open(NULL, "cpu"), ARGAND_ARGUMENT, "no place");
}

static void describe_all(void **state)
{
    (void)state;
    const char *name, *reason;
    int devices;
    for (int i = 0; i < argand_backend_count(); i++) {
        OK(argand_backend_describe(i, &name, &devices, &reason));
        assert_true(devices > 0 || *reason);
        for (int index = 0; index < devices; index++) {
            char full[64];
            argand_device *d;
            argand_device_info info;
            snprintf(full, sizeof full, "%s:%d", name, index);
            OK(argand_device_open(&d, full));
            OK(argand_device_describe(d, &info));
            assert_string_equal(info.backend, name);
            assert_true(info.name[0] && info.detail[0] && info.memory > 0 && info.units > 0);
            argand_device_close(d);
        }
        char beyond[64];
        argand_device *d;
        snprintf(beyond, sizeof beyond, "%s:%d", name, devices);
        FAILS(argand_device_open(&d, beyond), ARGAND_DEVICE, beyond);
    }
    FAILS(argand_backend_describe(argand_backend_count(), &name, &devices, &reason), ARGAND_ARGUMENT, "of");
}

/* In a child with this loader: opencl has no device and gives this message; the cpu is there as ever. */
static int opencl_is_missing(const char *loader, const char *message)
{
    const pid_t child = fork();
    if (!child) {
        int devices = 0;
        const char *reason = "";
        argand_device *d;
        setenv("ARGAND_OPENCL_LIBRARY", loader, 1);
        if (!find_backend("opencl", &devices, &reason)) _exit(0);
        if (devices != 0 || !strstr(reason, message)) {
            fprintf(stderr, "%s: %d devices, \"%s\"\n", loader, devices, reason);
            _exit(1);
        }
        if (argand_device_open(&d, "opencl:0") != ARGAND_DEVICE || !strstr(argand_message(), message))
            _exit(2);
        if (argand_device_open(&d, "cpu") != ARGAND_OK) _exit(3);
        argand_device_close(d);
        _exit(0);
    }
    int status = -1;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void no_loader(void **state)
{
    (void)state;
    assert_int_equal(opencl_is_missing("libNoSuchOpenCL.so.1", "no OpenCL loader"), 0);
}

static void a_library_that_is_none(void **state)
{
    (void)state;
    assert_int_equal(opencl_is_missing("libm.so.6", "clGetPlatformIDs"), 0);
}

/* What a loader finds is its own affair (NVIDIA's needs no folder of vendors): here one finds nothing. */
static void no_platform(void **state)
{
    (void)state;
    static const char *const says[][2] = {{"-1001", "no platform"},
                                          {"0", "no platform"},
                                          {"-6", "the OpenCL loader says: CL_OUT_OF_HOST_MEMORY (-6)"}};
    for (size_t i = 0; i < sizeof says / sizeof *says; i++) {
        setenv("FAKE_OPENCL_SAYS", says[i][0], 1);
        assert_int_equal(opencl_is_missing(FAKE_OPENCL, says[i][1]), 0);
    }
}

/* One version of PoCL computes wrong sums: its devices are refused. Those of other versions are asked for. */
static void a_platform_that_is_refused(void **state)
{
    (void)state;
    setenv("FAKE_OPENCL_VERSION", "OpenCL 3.0 PoCL 5.0+debian  Linux, None+Asserts, LLVM 16.0.6", 1);
    assert_int_equal(opencl_is_missing(FAKE_OPENCL, "PoCL 5.0 is not used"), 0);
    setenv("FAKE_OPENCL_VERSION", "OpenCL 3.0 PoCL 6.0+debian  Linux, None+Asserts, LLVM 18.1.8", 1);
    assert_int_equal(opencl_is_missing(FAKE_OPENCL, "the OpenCL platforms (1) have no device"), 0);
    unsetenv("FAKE_OPENCL_VERSION");
}

/* The children come first: a process that has opened the drivers cannot be forked safely. */
static const struct CMUnitTest tests[] = {
    cmocka_unit_test(no_loader),   cmocka_unit_test(a_library_that_is_none),
    cmocka_unit_test(no_platform), cmocka_unit_test(a_platform_that_is_refused),
    cmocka_unit_test(wrong_names), cmocka_unit_test(describe_all),
};
RUN_TESTS(tests)
