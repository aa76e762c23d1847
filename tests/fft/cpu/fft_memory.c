/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans on processors where memory is short, and of lines so long that they want too much of it. Limits on
 * the address space mean nothing to the address sanitizer. */
#include "harness.h"
#include "base/memory_available.h"
#include "sample.h"
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Long lines with large prime factors, at once: FFTW had planned them for half a minute. */
static void long_primes(void **state)
{
    (void)state;
    argand_test_memory_available(UINT64_C(1) << 40);
    for (argand_type type = ARGAND_R32; type <= ARGAND_C64; type++) {
        argand_fft *plan;
        FAILS(argand_fft_create(&plan, device,
                                &(argand_fft_options){.type = type, .rank = 1, .n = {INT32_MAX}}),
              ARGAND_UNSUPPORTED, "lines of 2147483647 points");
        FAILS(argand_fft_create(&plan, device,
                                &(argand_fft_options){.type = type, .rank = 1, .n = {268435399}}),
              ARGAND_UNSUPPORTED, "lines of 268435399 points");
    }
    argand_test_memory_available(0);
}

/* Plans of every kind, those that are measured too: made, or refused because memory is short. */
static void plans_or_none(void)
{
    static const int64_t lengths[] = {3, 16, 60, 1000, 65536};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (argand_type type = ARGAND_R32; type <= ARGAND_C64; type++) {
            argand_fft *plan;
            const argand_fft_options o = {.type = type,
                                          .rank = 1,
                                          .n = {lengths[i]},
                                          .effort = i % 2 ? ARGAND_REMEASURE : ARGAND_ESTIMATE,
                                          .measure_seconds = 1e-3};
            const argand_status status = argand_fft_create(&plan, device, &o);
            argand_fft_destroy(plan);
            if (status != ARGAND_OK && status != ARGAND_MEMORY) _exit(4);
        }
    _exit(0);
}

/* In bytes; 0: not known. */
static size_t address_space(void)
{
#ifdef __SANITIZE_ADDRESS__
    return 0;
#endif
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file) return 0;
    if (fscanf(file, "%lu", &pages) != 1) pages = 0;
    fclose(file);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

/* FFTW ends the process where it gets none. */
static void short_of_memory(void **state)
{
    (void)state;
    if (!address_space()) skip();
    OK(argand_device_set_threads(device, 1)); /* OpenMP's threads want memory, too */
    for (size_t more = 0; more < (size_t)1 << 28; more = more * 5 + (1 << 16)) {
        if (!in_sample((int64_t)more, 3)) continue;
        int how;
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            const rlim_t most = address_space() + more;
            if (setrlimit(RLIMIT_AS, &(struct rlimit){most, most})) _exit(3);
            plans_or_none();
        }
        assert_true(waitpid(child, &how, 0) == child);
        if (!WIFEXITED(how) || WEXITSTATUS(how) != 0)
            fail_msg("with %zu bytes more the process ended with %d", more, how);
    }
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(long_primes), cmocka_unit_test(short_of_memory)};
RUN_TESTS(tests)
