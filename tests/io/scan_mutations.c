/* SPDX-License-Identifier: BSD-3-Clause */
/* A short fuzzing of the scan reader with fixed seeds, for every test run; tests/fuzz does it at length.
 * Odd contents in sound HDF5 run here: every failure is the reader's. Damaged HDF5 runs in child processes,
 * since HDF5 itself crashes on some of it; where a child dies, the place shows whose fault it was. */
#include "harness.h"
#include <dlfcn.h>
#include <execinfo.h>
#include <signal.h>
#include <sys/wait.h>
#define MUST_FAIL _exit(4) /* CHILD_OURS */
#include "fuzz/scan_bytes.h"
#include "fuzz/scan_check.h"
#include "fuzz/scan_structure.h"
#include "sample.h"

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED
#endif
#endif

enum { STRUCTURES = 400, BATCHES = 50, BATCH = 50, CHILD_HDF5 = 3, CHILD_OURS = 4, CHILD_SLOW = 5 };

static char path[80], again[80];

/* /dev/shm is memory: writing waits for the disk. */
static void name_files(void)
{
    const char *folder = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    snprintf(path, sizeof path, "%s/argand-mutations-%ld.h5", folder, (long)getpid());
    snprintf(again, sizeof again, "%s/argand-mutations-%ld-2.h5", folder, (long)getpid());
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

static void remove_files(void)
{
    unlink(path);
    unlink(again);
}

/* Mostly small bytes, which choose what is usual, so that a good part of the files is read. */
static size_t random_choices(uint8_t *bytes, size_t capacity, random_state *random)
{
    const double oddity = 0.2 * random_uniform(random);
    for (size_t i = 0; i < capacity; i++)
        bytes[i] = random_uniform(random) < oddity ? (uint8_t)random_bits(random)
                                                   : (uint8_t)(random_bits(random) % 8);
    return capacity;
}

static void odd_contents(void **state)
{
    (void)state;
    random_state random = {20};
    uint8_t bytes[300];
    int read = 0;
    name_files();
    for (int i = 0; i < STRUCTURES; i++) {
        const argand_scan_options options = {.k_unit = (argand_k_unit)(i % 8),
                                             .y_fastest = i % 5 == 4,
                                             .time_from_echo = i % 7 == 6,
                                             .no_images = i % 4 == 3,
                                             .bands = i % 6 == 5 ? i % 5 : 0};
        odd_file(bytes, random_choices(bytes, sizeof bytes, &random), path);
        read += scan_try(path, again, &options);
        scan_nothing_open();
    }
    remove_files();
    printf("%d of %d were read\n", read, STRUCTURES);
    assert_true(read > STRUCTURES / 20 && read < STRUCTURES); /* else the test sees one side only */
}

#ifndef SANITIZED /* there the first byte too far ends the child, wherever it was */
static bool is_in(const void *address, const char *library)
{
    Dl_info found;
    return dladdr(address, &found) && found.dli_fname && strstr(found.dli_fname, library);
}

/* Damage that malloc finds (SIGABRT) may be anyone's, so only the other signals accuse us. */
static void judge(int signal)
{
    void *frames[64];
    const int count = backtrace(frames, 64);
    if (signal == SIGALRM) _exit(CHILD_SLOW);
    for (int i = 2; i < count; i++) { /* this function, the kernel's frame */
        if (is_in(frames[i], "libhdf5")) _exit(CHILD_HDF5);
        if (!is_in(frames[i], "libc.so")) break;
    }
    _exit(signal == SIGABRT ? CHILD_HDF5 : CHILD_OURS);
}

static void run_batch(int batch)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM};
    random_state random = {(uint64_t)batch};
    void *warm[2];
    backtrace(warm, 2); /* loads what it needs now */
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) signal(signals[i], judge);
    for (int i = 0; i < BATCH; i++) {
        uint8_t changes[4 * 4];
        const argand_scan_options options = {.no_images = i % 2};
        const size_t count = 4 * (1 + random_bits(&random) % 4);
        for (size_t j = 0; j < count; j++) changes[j] = (uint8_t)random_bits(&random);
        alarm(20);
        bytes_file(changes, count, path);
        scan_try(path, again, &options);
    }
}

static void damaged_files(void **state)
{
    (void)state;
    int hdf5 = 0, slow = 0, batches = 0;
    name_files();
    bytes_prepare(path);
    for (int batch = 0; batch < BATCHES; batch++) {
        if (!in_sample(batch, 4)) continue;
        batches++;
        fflush(NULL);
        const pid_t child = fork();
        int result;
        if (!child) {
            run_batch(batch);
            _exit(0);
        }
        assert_int_equal(waitpid(child, &result, 0), child);
        assert_true(WIFEXITED(result));
        if (WEXITSTATUS(result) == CHILD_OURS) fail_msg("the reader crashed in batch %d", batch);
        hdf5 += WEXITSTATUS(result) == CHILD_HDF5;
        slow += WEXITSTATUS(result) == CHILD_SLOW;
    }
    remove_files();
    printf("%d batches of %d ended by a crash in HDF5, %d by HDF5's endless work\n", hdf5, batches, slow);
    assert_true(5 * (hdf5 + slow) <= batches); /* with HDF5 1.10.8 none does */
}
#endif

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(odd_contents),
#ifndef SANITIZED
    cmocka_unit_test(damaged_files),
#endif
};
RUN_TESTS(tests)
