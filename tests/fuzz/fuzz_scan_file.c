/* SPDX-License-Identifier: BSD-3-Clause */
/* Whole HDF5 files, each read in a process of its own, as HDF5 has faults of its own: it says whose a
 * crash is by the first frame of the sanitizer's report that lies in HDF5 or in Argand. Ours end the fuzzer.
 */
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include "fuzz/fuzz.h"
#define MUST_FAIL abort()
#include "fuzz/scan_check.h"

enum { MOST_SECONDS = 10, READ = 0, REFUSED = 3 };

static struct {
    long read, refused, crashed;
} counts;

static void tell_counts(void)
{
    printf("%ld files were read, %ld refused, %ld crashed HDF5\n", counts.read, counts.refused,
           counts.crashed);
}

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#else
#define __sanitizer_print_stack_trace() ((void)0)
#endif

static void on_hang(int number)
{
    (void)number;
    __sanitizer_print_stack_trace();
    signal(SIGABRT, SIG_DFL);
    abort();
}

static void read_it(const char *path, const char *again, int log)
{
    dup2(log, STDERR_FILENO);
    signal(SIGABRT, SIG_DFL);
    signal(SIGXCPU, on_hang);
    signal(SIGPROF, SIG_DFL);
    setrlimit(RLIMIT_CPU, &(struct rlimit){MOST_SECONDS, MOST_SECONDS + 5});
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    _exit(scan_try(path, again, NULL) ? READ : REFUSED);
}

/* Promises that scan_check found broken are ours, whatever the frames say. */
static bool is_ours(const char *report)
{
    const char *line = strstr(report, "does not hold");
    if (line) return true;
    for (line = strstr(report, "    #"); line; line = strstr(line + 1, "\n    #")) {
        const size_t length = strcspn(line + 1, "\n");
        char text[1024];
        snprintf(text, sizeof text, "%.*s", (int)length, line + 1);
        if (strstr(text, "libhdf5")) return false;
        if (strstr(text, "/src/io/") || strstr(text, "/src/base/")) return true;
    }
    return !strstr(report, "libhdf5");
}

static void judge(int log)
{
    static char report[1 << 16];
    const ssize_t count = pread(log, report, sizeof report - 1, 0);
    report[count > 0 ? count : 0] = 0;
    if (!is_ours(report)) return;
    fprintf(stderr, "%s\n", report);
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    char path[128], again[140];
    int result;
    fuzz_file(path, sizeof path, "a.h5", bytes, count);
    snprintf(again, sizeof again, "%s.again", path);
    const int log = open("/dev/shm", O_TMPFILE | O_RDWR, 0600);
    fflush(NULL);
    const pid_t child = fork();
    if (!child) read_it(path, again, log);
    if (child < 0 || log < 0 || waitpid(child, &result, 0) != child) abort();
    unlink(path);
    unlink(again);
    if (!(counts.read + counts.refused + counts.crashed)) atexit(tell_counts);
    const int code = WIFEXITED(result) ? WEXITSTATUS(result) : -1;
    counts.read += code == READ;
    counts.refused += code == REFUSED;
    counts.crashed += code != READ && code != REFUSED;
    if (code != READ && code != REFUSED) judge(log);
    close(log);
    return 0;
}
