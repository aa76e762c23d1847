/* SPDX-License-Identifier: BSD-3-Clause */
/* What every test program uses: cmocka, a device named by argv[1], comparisons that print the error that they
 * found. */
#ifndef TESTS_HARNESS_H
#define TESTS_HARNESS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <complex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#ifndef CMPLX /* C11's macro, which glibc leaves out for clang */
#define CMPLX(re, im) __builtin_complex((double)(re), (double)(im))
#endif
#include <argand/argand.h>
#include "base/cpu.h"
#include "base/memory.h"
#include "base/memory_guard.h"
#include "base/random.h"
#include "sample.h"

static argand_device *device; /* opened by RUN_TESTS from argv[1] */

#define OK(call)                                                                                       \
    do {                                                                                               \
        const argand_status ok_status = (call);                                                        \
        if (ok_status) fail_msg("%s: %s: %s", #call, argand_status_name(ok_status), argand_message()); \
    } while (0)

/* The call must fail with this status, and its message must hold this text. */
#define FAILS(call, expected, message)                                                           \
    do {                                                                                         \
        const argand_status got_status = (call);                                                 \
        if (got_status != (expected) || !strstr(argand_message(), message))                      \
            fail_msg("%s: got %s: %s", #call, argand_status_name(got_status), argand_message()); \
    } while (0)

#define CHECK_BELOW(value, limit)                                                    \
    do {                                                                             \
        const double below_value = (value), below_limit = (limit);                   \
        if (!(below_value <= below_limit))                                           \
            fail_msg("%s = %.6g, more than %.6g", #value, below_value, below_limit); \
    } while (0)

/* |a - b| / |b| over n complex or real numbers given as doubles */
static inline double relative_error(const double *a, const double *b, size_t n)
{
    double difference = 0, norm = 0;
    for (size_t i = 0; i < n; i++) {
        difference += (a[i] - b[i]) * (a[i] - b[i]);
        norm += b[i] * b[i];
    }
    return norm > 0 ? sqrt(difference / norm) : sqrt(difference);
}

/* Real numbers of the array, two for each complex one */
static inline size_t real_count(const argand_array *array)
{
    const argand_type type = argand_array_type(array);
    return (size_t)argand_array_count(array) * (type == ARGAND_C32 || type == ARGAND_C64 ? 2 : 1);
}

/* The array's numbers as doubles (two for each complex one); free() them. */
static inline double *as_doubles(const argand_array *array)
{
    const argand_type type = argand_array_type(array);
    const size_t count = real_count(array);
    double *numbers = malloc(count * sizeof *numbers);
    assert_non_null(numbers);
    OK(argand_array_download(array, numbers));
    if (type == ARGAND_R32 || type == ARGAND_C32) {
        const float *floats = (const float *)numbers;
        for (size_t i = count; i-- > 0;) {
            float value;
            memcpy(&value, floats + i, sizeof value);
            numbers[i] = (double)value;
        }
    }
    return numbers;
}

/* Of two arrays of one type and so many elements, relative to the second */
static inline double array_error(const argand_array *a, const argand_array *b)
{
    double *x = as_doubles(a), *y = as_doubles(b);
    const double error = relative_error(x, y, real_count(b));
    free(y);
    free(x);
    return error;
}

/* Fills an array with normal random numbers (uniform in [low, high) for real arrays if high > low). */
static inline void randomise(argand_array *array, uint64_t seed, double low, double high)
{
    const argand_type type = argand_array_type(array);
    const size_t count =
        (size_t)argand_array_count(array) * (type == ARGAND_C32 || type == ARGAND_C64 ? 2 : 1);
    const int is_float = type == ARGAND_R32 || type == ARGAND_C32;
    random_state state = {seed};
    double *doubles = malloc(count * sizeof *doubles);
    float *floats = (float *)doubles;
    assert_non_null(doubles);
    for (size_t i = 0; i < count; i++) {
        const double value = high > low ? low + (high - low) * random_uniform(&state) : random_normal(&state);
        if (is_float)
            floats[i] = (float)value;
        else
            doubles[i] = value;
    }
    OK(argand_array_upload(array, doubles));
    free(doubles);
}

/* Fewer of the same problems, for tools under which kernels take a hundred times as long (compute-sanitizer).
 */
static inline int few(void)
{
    return getenv("ARGAND_TEST_FEW") != NULL;
}

/* Whether this process does problem i. ARGAND_TEST_PART=k/n: the k-th (from 0) of n processes that share a
 * test's problems, where kernels take long to compile and the machine has many cores. */
static inline int in_part(int64_t i)
{
    const char *part = getenv("ARGAND_TEST_PART");
    int mine, of;
    return !part || sscanf(part, "%d/%d", &mine, &of) != 2 || of < 1 || i % of == mine;
}

/* A file of the test data, or NULL (with a line of explanation) where it is absent. The name is kept until
 * the next call. */
static inline const char *test_data(const char *name)
{
    static char path[4096];
    const char *folder = getenv("ARGAND_TEST_DATA");
    snprintf(path, sizeof path, "%s/%s", folder ? folder : "../shared/data", name);
    FILE *file = fopen(path, "rb");
    if (!file) {
        printf("%s is not there: skipped\n", path);
        return NULL;
    }
    fclose(file);
    return path;
}

/* A device that is not there needs its compiler. */
static inline int can_compile_offline(const char *name)
{
    argand_device *absent;
    const int failed = argand_device_open(&absent, name);
    if (failed)
        printf("no device %s: %s\n", name, argand_message());
    else
        argand_device_close(absent);
    return !failed;
}

/* Whether the machine has such a device ("cuda" or "cuda:1"), and one that will compute; says why not. A
 * device that is there and cannot be opened is a failure, not a reason to skip. */
static inline int device_is_there(const char *name)
{
    if (!strncmp(name, "offline:", strlen("offline:"))) return can_compile_offline(name);
    const size_t length = strcspn(name, ":");
    const int index = name[length] ? atoi(name + length + 1) : 0;
    for (int i = 0; i < argand_backend_count(); i++) {
        const char *backend, *reason;
        int devices;
        if (argand_backend_describe(i, &backend, &devices, &reason)) return 0;
        if (strlen(backend) != length || strncmp(backend, name, length)) continue;
        if (index < devices && !*reason) return 1;
        printf("no device %s: there are %d; %s\n", name, devices, reason);
        return 0;
    }
    printf("no device %s: the backend is not compiled in\n", name);
    return 0;
}

/* ARGAND_TEST_GUARD=behind or before: all of the library's host memory lies between pages that end the
 * program when touched (base/memory_guard.h), close to that end of each block. */
static inline argand_test_guard guard_wanted(void)
{
    const char *guard = getenv("ARGAND_TEST_GUARD");
    if (!guard) return ARGAND_TEST_GUARD_NONE;
    return strcmp(guard, "before") ? ARGAND_TEST_GUARD_BEHIND : ARGAND_TEST_GUARD_BEFORE;
}

/* Guards are for an instruction set each: whether this processor lacks the one that was asked for. */
static inline int guard_lacks_level(void)
{
    const char *level = getenv("ARGAND_CPU");
    if (!guard_wanted() || !level || !strcmp(level, cpu_level_name(cpu_best()))) return 0;
    printf("this processor has no %s\n", level);
    return 1;
}

/* Runs the functions that are in this run: all but where the first tier takes one in N of them
 * (part_of_functions), and then at least one. */
static inline int run_functions(const char *name, const struct CMUnitTest *all, size_t count)
{
    struct CMUnitTest *taken = malloc(count * sizeof *taken);
    const size_t asked = (size_t)part_of_functions(), of = asked < count ? asked : count;
    size_t n = 0;
    if (!taken) return 1;
    for (size_t i = 0; i < count; i++)
        if (in_round((int64_t)i, (int)of)) taken[n++] = all[i];
    cmocka_set_test_filter(getenv("ARGAND_TEST_ONLY"));
    const int failed = _cmocka_run_group_tests(name, taken, n, NULL, NULL);
    free(taken);
    return failed;
}

/* main of a test program. ARGAND_TEST_ONLY: a pattern (with * and ?) of the tests that are to run. */
#define RUN_TESTS(tests) RUN_TESTS_AS(main, tests)
#define RUN_TESTS_AS(name, tests)                                                      \
    int name(int argc, char **argv)                                                    \
    {                                                                                  \
        const char *device_name = argc > 1 ? argv[1] : "cpu";                          \
        setenv("ARGAND_WISDOM", "off", 0); /* none of this machine's */                \
        argand_test_guard_memory(guard_wanted());                                      \
        if (guard_lacks_level() || !device_is_there(device_name)) return 77;           \
        if (argand_device_open(&device, device_name)) {                                \
            printf("device %s cannot be opened: %s\n", device_name, argand_message()); \
            return 1;                                                                  \
        }                                                                              \
        const int failed = run_functions(#tests, tests, sizeof tests / sizeof *tests); \
        argand_device_close(device);                                                   \
        const long left = argand_test_live_allocations();                              \
        const long damage = argand_test_guard_damage();                                \
        if (!failed && left) printf("%ld allocations were not freed\n", left);         \
        if (damage) printf("beside %ld allocations something was written\n", damage);  \
        return failed ? failed : left != 0 || damage != 0;                             \
    }

#endif
