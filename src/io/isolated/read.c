/* SPDX-License-Identifier: BSD-3-Clause */
/* argand_scan_read_isolated: a child process reads the file, puts the scan into shared memory and ends.
 * HDF5 (1.10) divides by zero, overruns its memory or loops forever on some damaged files, and malicious
 * files can exploit this. Whatever happens in the child, this process gets a consistent scan or an error
 * message. */
#include "io/isolated/flat.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/observe.h"
#include "base/system/system.h"
#include "io/hdf5/session.h"
#include "io/isolated/jail.h"
#include "io/isolated/pipe.h"
#include "io/scans/scans.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

/* Limits of the child. An intact file needs memory for its samples and trajectory, partly twice during the
 * transfer. Reading takes a few ms per MB. */
static const uint64_t least_memory = UINT64_C(2) << 30, memory_a_byte = 32, least_seconds = 60,
                      bytes_a_second = 1000000;

typedef struct child_read {
    const char *path;
    const argand_scan_options *options;
    bool (*stop)(void);
    uint64_t most; /* memory limit of the child, bytes */
    int memory;    /* descriptor of anonymous shared memory; -1: the scan goes through the pipe */
    int from, to;  /* ends of the pipe */
} child_read;

/* ---- the child ---- */

static char *map_shared(const child_read *a, size_t bytes)
{
    if (a->memory < 0) {
        char *own = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        return own == MAP_FAILED ? NULL : own;
    }
    if (!system_reserve(a->memory, bytes)) return NULL;
    char *block = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, a->memory, 0);
    return block == MAP_FAILED ? NULL : block;
}

static void hand_over(const child_read *a, const argand_scan *scan, argand_status status)
{
    size_t bytes = status == ARGAND_OK ? scan_flat_size(scan) : sizeof(scan_flat_head);
    char *block = map_shared(a, bytes);
    if (!block) {
        status = status_set(ARGAND_MEMORY, "%s: no memory for %.6g MB of shared memory", a->path,
                            (double)bytes / 1e6);
        bytes = sizeof(scan_flat_head);
        block = map_shared(a, bytes);
    }
    if (!block) return;
    scan_flat_head *head = (scan_flat_head *)block;
    if (status == ARGAND_OK) scan_flat_write(block, scan);
    head->status = (int32_t)status;
    snprintf(head->message, sizeof head->message, "%s", status == ARGAND_OK ? "" : argand_message());
    head->finished = SCAN_FLAT_FINISHED;
    if (a->memory < 0) scan_pipe_send(a->to, block, bytes);
}

static void be_the_child(const child_read *a, pid_t parent)
{
    static const int usual[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGILL};
    argand_scan *scan = NULL;
    sigset_t none;
    argand_observer_set(NULL, NULL); /* the parent's observer cannot work here */
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) signal(usual[i], SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    system_end_with_parent();
    if (getppid() != parent) _exit(0);
    hdf5_let_go();
    argand_status status = jail_enter(
        a->path, a->most, least_seconds + (a->most - least_memory) / memory_a_byte / bytes_a_second);
    if (status == ARGAND_OK) status = argand_scan_read(&scan, a->path, a->options);
    hand_over(a, scan, status);
    _exit(0);
}

/* ---- this process ---- */

/* Waits for the child. Calls a->stop only after signals; returns true if it stopped the child. */
static bool wait_for(const child_read *a, pid_t child, int *result)
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

static argand_status ended_by(const child_read *a, int number)
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
        "crash, or memory ran out, which HDF5 does not stand: copy it again from the scanner, or see whether "
        "h5dump reads it. Where it does, and memory is there, report this as a fault of Argand's",
        a->path, strsignal(number));
}

/* Makes the shared memory unchangeable. Returns false if this fails or if no head fits into it. */
static bool seal(int memory, size_t *bytes)
{
    struct stat found;
    if (!system_seal(memory)) return false;
    if (fstat(memory, &found)) return false;
    *bytes = (size_t)found.st_size;
    return *bytes >= sizeof(scan_flat_head);
}

static argand_status take_block(argand_scan **scan, const child_read *a, char *block, size_t bytes)
{
    scan_flat_head *head = (scan_flat_head *)block;
    head->message[sizeof head->message - 1] = 0;
    CHECK(head->finished == SCAN_FLAT_FINISHED, ARGAND_FORMAT,
          "%s: reading it ended too early. It is damaged", a->path);
    if (head->status == ARGAND_OK) return scan_flat_take(scan, block, bytes, a->path);
    CHECK(head->status > 0 && head->status <= ARGAND_INTERNAL, ARGAND_FORMAT, "%s: is damaged", a->path);
    CHECK(head->status != ARGAND_MEMORY, ARGAND_MEMORY,
          "%s (reading it may take %.3g GB: 2 GB and 32 times the file)", head->message,
          1e-9 * (double)a->most);
    return status_set((argand_status)head->status, "%s", head->message);
}

static argand_status take_mapped(argand_scan **scan, const child_read *a, char *block, size_t bytes)
{
    const argand_status status = take_block(scan, a, block, bytes);
    if (!*scan) munmap(block, bytes);
    return status;
}

static argand_status take_over(argand_scan **scan, const child_read *a)
{
    size_t bytes;
    CHECK(seal(a->memory, &bytes), ARGAND_FORMAT, "%s: nothing could be read. It is damaged", a->path);
    char *block = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, a->memory, 0);
    CHECK(block != MAP_FAILED, ARGAND_MEMORY, "%s: no memory for %.6g MB", a->path, (double)bytes / 1e6);
    return take_mapped(scan, a, block, bytes);
}

/* Waits for the child and reports how it ended. *block is the data from the pipe, if there are any. */
static argand_status watch(child_read *a, pid_t child, char **block, size_t *bytes)
{
    int result;
    if (a->memory < 0) {
        close(a->to); /* leaves the child's end as the last open one */
        a->to = -1;
        *block = scan_pipe_receive(bytes, a->from, a->most, a->stop);
        if (!*block && a->stop && a->stop()) kill(child, SIGKILL);
        close(a->from);
        a->from = -1;
    }
    CHECK(!wait_for(a, child, &result) && !(a->stop && a->stop()), ARGAND_STOPPED,
          "%s: stopped while it was read", a->path);
    return WIFSIGNALED(result) ? ended_by(a, WTERMSIG(result)) : ARGAND_OK;
}

static argand_status read_by_child(argand_scan **scan, child_read *a)
{
    const pid_t parent = getpid();
    char *block = NULL;
    size_t bytes = 0;
    hdf5_hold();
    const pid_t child = fork();
    if (!child) be_the_child(a, parent);
    hdf5_let_go();
    CHECK(child > 0, ARGAND_MEMORY, "%s: no process could be started to read it: %s", a->path,
          strerror(errno));
    const argand_status status = watch(a, child, &block, &bytes);
    if (status == ARGAND_OK && a->memory >= 0) return take_over(scan, a);
    if (status != ARGAND_OK) {
        if (block) munmap(block, bytes);
        return status;
    }
    CHECK(block && bytes >= sizeof(scan_flat_head), ARGAND_FORMAT,
          "%s: reading it ended too early. It is damaged", a->path);
    return take_mapped(scan, a, block, bytes);
}

/* Opens shared memory, or a pipe if the size of files is limited or shared memory cannot be sealed (macOS).
 * Returns false if neither can be had. */
static bool open_channel(child_read *a)
{
    int ends[2];
    if (SANITIZED) return false;
    if (!scan_pipe_is_needed()) a->memory = system_shared_memory("argand scan");
    if (a->memory >= 0) return true;
    if (system_pipe(ends)) return false;
    a->from = ends[0];
    a->to = ends[1];
    return true;
}

static void close_channel(const child_read *a)
{
    const int ends[] = {a->memory, a->from, a->to};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (ends[i] >= 0) close(ends[i]);
}

argand_status argand_scan_read_isolated(argand_scan **scan, const char *path,
                                        const argand_scan_options *options, bool (*stop)(void))
{
    struct stat found;
    if (scan) *scan = NULL;
    CHECK(scan && path, ARGAND_ARGUMENT, "argand_scan_read_isolated: scan and path must not be NULL");
    child_read a = {.path = path, .options = options, .stop = stop, .memory = -1, .from = -1, .to = -1};
    uint64_t size = stat(path, &found) ? 0 : (uint64_t)found.st_size;
    scan_bruker_data(&size, path); /* of a folder */
    a.most = least_memory + memory_a_byte * size;
    if (!open_channel(&a)) return argand_scan_read(scan, path, options);
    const argand_status status = read_by_child(scan, &a);
    close_channel(&a);
    return status;
}
