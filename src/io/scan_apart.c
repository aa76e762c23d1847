/* SPDX-License-Identifier: BSD-3-Clause */
/* argand_scan_read_apart: a child process reads the file, puts the scan into shared memory and ends. HDF5
 * does not stand damaged files (1.10 divides by zero, runs off its memory or never ends on some), and a file
 * may be made to use that. Whatever happens in the child, this process gets a scan that makes sense, or
 * words. */
#include "io/scan_flat.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/status.h"
#include "io/hdf5_session.h"
#include "io/jail.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

/* What a sound file needs: its samples and k, some of it twice while it is handed over. 1 MB takes a few ms.
 */
static const uint64_t least_memory = UINT64_C(2) << 30, memory_a_byte = 32, least_seconds = 60,
                      bytes_a_second = 1000000;

typedef struct apart {
    const char *path;
    const argand_scan_options *options;
    bool (*stop)(void);
    int memory; /* shared, without a name */
} apart;

/* ---- the child ---- */

static char *map_shared(const apart *a, size_t bytes)
{
    if (posix_fallocate(a->memory, 0, (off_t)bytes)) return NULL; /* so that no page is missing later */
    char *block = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, a->memory, 0);
    return block == MAP_FAILED ? NULL : block;
}

static void hand_over(const apart *a, const argand_scan *scan, argand_status status)
{
    const size_t bytes = status == ARGAND_OK ? scan_flat_size(scan) : sizeof(scan_flat_head);
    char *block = map_shared(a, bytes);
    if (!block) {
        status = status_set(ARGAND_MEMORY, "%s: no memory for %.6g MB of shared memory", a->path,
                            (double)bytes / 1e6);
        block = map_shared(a, sizeof(scan_flat_head));
    }
    if (!block) return;
    scan_flat_head *head = (scan_flat_head *)block;
    if (status == ARGAND_OK) scan_flat_write(block, scan);
    head->status = (int32_t)status;
    snprintf(head->message, sizeof head->message, "%s", status == ARGAND_OK ? "" : argand_message());
    head->finished = SCAN_FLAT_FINISHED;
}

static void be_the_child(const apart *a, pid_t parent)
{
    static const int usual[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGILL};
    struct stat found = {0};
    argand_scan *scan = NULL;
    sigset_t none;
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) signal(usual[i], SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(0);
    hdf5_let_go();
    const uint64_t bytes = stat(a->path, &found) ? 0 : (uint64_t)found.st_size;
    jail_enter(a->path, least_memory + memory_a_byte * bytes, least_seconds + bytes / bytes_a_second);
    const argand_status status = argand_scan_read(&scan, a->path, a->options);
    hand_over(a, scan, status);
    _exit(0);
}

/* ---- this process ---- */

/* Asked only after signals: reading itself is not watched. */
static bool wait_for(const apart *a, pid_t child, int *result)
{
    bool stopped = false;
    *result = 0;
    while (waitpid(child, result, 0) < 0 && errno == EINTR) {
        if (stopped || !a->stop || !a->stop()) continue;
        kill(child, SIGKILL);
        stopped = true;
    }
    return stopped;
}

static argand_status ended_by(const apart *a, int number)
{
    CHECK(number != SIGINT && number != SIGTERM && number != SIGHUP, ARGAND_STOPPED,
          "%s: stopped while it was read", a->path);
    CHECK(number != SIGXCPU, ARGAND_FORMAT,
          "%s: reading it has no end: more than %llu s of processor time. It is damaged", a->path,
          (unsigned long long)least_seconds);
    CHECK(number != SIGKILL, ARGAND_MEMORY, "%s: the process that read it was killed: is the memory full?",
          a->path);
    return status_set(
        ARGAND_FORMAT,
        "%s: the process that read it crashed (%s). The file is damaged, or made to make readers "
        "crash: copy it again from the scanner, or see whether h5dump reads it. Where it does, "
        "report this as a fault of Argand's",
        a->path, strsignal(number));
}

/* Nobody can change it any more, and it is long enough to hold a head. */
static bool seal(int memory, size_t *bytes)
{
    struct stat found;
    if (fcntl(memory, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE)) return false;
    if (fstat(memory, &found)) return false;
    *bytes = (size_t)found.st_size;
    return *bytes >= sizeof(scan_flat_head);
}

static argand_status take_block(argand_scan **scan, const apart *a, char *block, size_t bytes)
{
    scan_flat_head *head = (scan_flat_head *)block;
    head->message[sizeof head->message - 1] = 0;
    CHECK(head->finished == SCAN_FLAT_FINISHED, ARGAND_FORMAT,
          "%s: reading it ended too early. It is damaged", a->path);
    if (head->status == ARGAND_OK) return scan_flat_take(scan, block, bytes, a->path);
    CHECK(head->status > 0 && head->status <= ARGAND_INTERNAL, ARGAND_FORMAT, "%s: is damaged", a->path);
    return status_set((argand_status)head->status, "%s", head->message);
}

static argand_status take_over(argand_scan **scan, const apart *a)
{
    size_t bytes;
    CHECK(seal(a->memory, &bytes), ARGAND_FORMAT, "%s: nothing could be read. It is damaged", a->path);
    char *block = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, a->memory, 0);
    CHECK(block != MAP_FAILED, ARGAND_MEMORY, "%s: no memory for %.6g MB", a->path, (double)bytes / 1e6);
    const argand_status status = take_block(scan, a, block, bytes);
    if (!*scan) munmap(block, bytes);
    return status;
}

static argand_status read_apart(argand_scan **scan, const apart *a)
{
    const pid_t parent = getpid();
    int result;
    hdf5_hold();
    const pid_t child = fork();
    if (!child) be_the_child(a, parent);
    hdf5_let_go();
    CHECK(child > 0, ARGAND_MEMORY, "%s: no process could be started to read it: %s", a->path,
          strerror(errno));
    CHECK(!wait_for(a, child, &result), ARGAND_STOPPED, "%s: stopped while it was read", a->path);
    if (WIFSIGNALED(result)) return ended_by(a, WTERMSIG(result));
    return take_over(scan, a);
}

/* Shared memory counts as a file: under a limit on the size of files (ulimit -f) it could not hold a scan. */
static bool is_limited(const char *path)
{
    struct rlimit limit;
    struct stat found;
    if (getrlimit(RLIMIT_FSIZE, &limit) || limit.rlim_cur == RLIM_INFINITY) return false;
    const uint64_t bytes = stat(path, &found) ? 0 : (uint64_t)found.st_size;
    return limit.rlim_cur / memory_a_byte < bytes + 65536;
}

argand_status argand_scan_read_apart(argand_scan **scan, const char *path, const argand_scan_options *options,
                                     bool (*stop)(void))
{
    if (scan) *scan = NULL;
    CHECK(scan && path, ARGAND_ARGUMENT, "argand_scan_read_apart: scan and path must not be NULL");
    apart a = {.path = path, .options = options, .stop = stop, .memory = -1};
    if (!SANITIZED && !is_limited(path))
        a.memory = memfd_create("argand scan", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (a.memory < 0) return argand_scan_read(scan, path, options);
    const argand_status status = read_apart(scan, &a);
    close(a.memory);
    return status;
}
