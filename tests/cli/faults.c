/* SPDX-License-Identifier: BSD-3-Clause */
/* Preloaded into the tool: the call that FAULT_AT counts (from 1) among those that write, name or sync files
 * fails as on a full disk; a write is cut in the middle. FAULT_WHICH: `some` counts the first four writes to
 * a file, the 8th, the 16th and so on, `names` no writes at all. FAULT_LOG is made when that call has come.
 * File systems without an exchange of names (FAULT_NO_EXCHANGE) and without links (FAULT_NO_LINK).
 * PAUSE_AT: at the naming call of that number a byte is written to the pipe PAUSE_REACHED, and one is waited
 * for from PAUSE_GO; PAUSE_BLOCKED: the pipe that gets a byte where a lock is not to be had. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static _Atomic int calls;

static int fails(const char *what)
{
    const char *at = getenv("FAULT_AT"), *log = getenv("FAULT_LOG");
    if (!at || atomic_fetch_add(&calls, 1) + 1 != atoi(at)) return 0;
    const int file = log ? open(log, O_WRONLY | O_CREAT, 0600) : -1;
    if (file >= 0) (void)!dprintf(file, "%s\n", what);
    if (file >= 0) close(file);
    errno = ENOSPC;
    return 1;
}

/* A draft of Argand's, or a kernel on its way to its name; not a scan that is handed over in memory, a log.
 */
static int is_draft(int descriptor)
{
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    const ssize_t length = descriptor < 0 ? -1 : readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return strstr(path, "/.argand-") || (length > 4 && !strcmp(path + length - 4, ".tmp"));
}

static _Atomic int writes[1024]; /* by descriptor, to the file that is open there */

static int is_which(const char *name)
{
    const char *which = getenv("FAULT_WHICH");
    return which && !strcmp(which, name);
}

/* Whether this call for a draft is among those that are counted; `write`: one of many. */
static int is_counted(int descriptor, int write)
{
    if (is_which("names") || !is_draft(descriptor)) return 0;
    if (!write || descriptor >= 1024 || !is_which("some")) return 1;
    const int n = atomic_fetch_add(&writes[descriptor], 1) + 1;
    return n <= 2 || ((n & (n - 1)) == 0 && n % 3 == 1); /* 1, 2, 4, 16, 64, ... */
}

static int is_folder(int descriptor)
{
    struct stat found;
    return !fstat(descriptor, &found) && S_ISDIR(found.st_mode);
}

#define REAL(result, name, ...) result (*real)(__VA_ARGS__) = (result(*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name)

ssize_t write(int descriptor, const void *bytes, size_t count)
{
    REAL(ssize_t, write, int, const void *, size_t);
    if (!is_counted(descriptor, 1) || !fails(__func__)) return real(descriptor, bytes, count);
    if (count > 1) (void)!real(descriptor, bytes, count / 2);
    errno = ENOSPC;
    return -1;
}

size_t fwrite(const void *bytes, size_t size, size_t count, FILE *file)
{
    REAL(size_t, fwrite, const void *, size_t, size_t, FILE *);
    if (!is_counted(fileno(file), 1) || !fails(__func__)) return real(bytes, size, count, file);
    real(bytes, size, count / 2, file);
    errno = ENOSPC;
    return count / 2;
}

int fflush(FILE *file)
{
    REAL(int, fflush, FILE *);
    if (!file || !is_counted(fileno(file), 0) || !fails(__func__)) return real(file);
    return EOF;
}

int fclose(FILE *file)
{
    REAL(int, fclose, FILE *);
    const int descriptor = fileno(file), bad = is_counted(descriptor, 0) && fails(__func__);
    if (descriptor >= 0 && descriptor < 1024) atomic_store(&writes[descriptor], 0);
    const int result = real(file);
    if (bad) errno = ENOSPC;
    return bad ? EOF : result;
}

int fsync(int descriptor)
{
    REAL(int, fsync, int);
    return (is_counted(descriptor, 0) || is_folder(descriptor)) && fails(__func__) ? -1 : real(descriptor);
}

/* Opened for both directions, which waits for nobody. */
static int open_pipe(const char *name)
{
    return getenv(name) ? open(getenv(name), O_RDWR | O_CLOEXEC) : -1;
}

static void pause_here(void)
{
    static _Atomic int names;
    const char *at = getenv("PAUSE_AT");
    char byte = '.';
    if (!at || atomic_fetch_add(&names, 1) + 1 != atoi(at)) return;
    const int reached = open_pipe("PAUSE_REACHED"), go = open_pipe("PAUSE_GO");
    if (reached < 0 || go < 0 || write(reached, &byte, 1) != 1) abort();
    while (read(go, &byte, 1) != 1)
        if (errno != EINTR) abort();
    close(reached);
    close(go);
}

int flock(int descriptor, int operation)
{
    static _Atomic int told;
    REAL(int, flock, int, int);
    const int result = real(descriptor, operation), number = errno,
              pipe = result ? open_pipe("PAUSE_BLOCKED") : -1;
    if (pipe >= 0 && !atomic_exchange(&told, 1) && write(pipe, ".", 1) != 1) abort();
    if (pipe >= 0) close(pipe);
    errno = number;
    return result;
}

int rename(const char *from, const char *to)
{
    REAL(int, rename, const char *, const char *);
    pause_here();
    return fails(__func__) ? -1 : real(from, to);
}

int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags)
{
    REAL(int, renameat2, int, const char *, int, const char *, unsigned);
    if (getenv("FAULT_NO_EXCHANGE")) return errno = EINVAL, -1;
    pause_here();
    return fails(__func__) ? -1 : real(from_folder, from, to_folder, to, flags);
}

int link(const char *from, const char *to)
{
    REAL(int, link, const char *, const char *);
    if (getenv("FAULT_NO_LINK")) return errno = EPERM, -1;
    return real(from, to); /* a failure is no error: there are other ways to undo it */
}

int fchmod(int descriptor, mode_t mode)
{
    REAL(int, fchmod, int, mode_t);
    return fails(__func__) ? -1 : real(descriptor, mode);
}
